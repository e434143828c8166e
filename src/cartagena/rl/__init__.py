"""Adapters for research tools: PettingZoo, Gymnasium, OpenSpiel, Parquet datasets.

Each module imports its own library: ``cartagena.rl.pettingzoo``, ``cartagena.rl.gymnasium``, ``cartagena.rl.vector``,
``cartagena.rl.openspiel`` and ``cartagena.rl.dataset``. This package imports none of them.
"""
