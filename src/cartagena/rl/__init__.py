"""Adapters for research tools: PettingZoo, Gymnasium, OpenSpiel, Parquet datasets.

Each module imports its own library: ``cartagena.rl.pettingzoo``, ``cartagena.rl.gymnasium``, ``cartagena.rl.vector``,
``cartagena.rl.openspiel`` and ``cartagena.rl.dataset``. This package imports none of them. ``cartagena.rl.opponents``
says who can play the other seats, and ``cartagena.rl.wrappers`` makes observations flat.
"""
