"""The compiled part of the players: features, evaluation, playouts, turns and search.

Everything here is compiled on its first call and then cached on disk. It works on the kernel's words and takes all
rules from the kernel.
"""
