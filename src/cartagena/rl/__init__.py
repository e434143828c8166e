"""Adapters for the research tools people already use: PettingZoo, Gymnasium, OpenSpiel, Parquet datasets.

Nothing of them is imported before it is asked for: ``cartagena.rl.pettingzoo``, ``cartagena.rl.gymnasium``,
``cartagena.rl.vector``, ``cartagena.rl.openspiel`` and ``cartagena.rl.dataset`` each import their library themselves.
"""
