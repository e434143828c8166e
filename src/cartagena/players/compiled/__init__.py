"""The compiled part of the players: features, values, playouts, turns and search.

Everything here is compiled when it is first called and then kept on disk. It works on the kernel's words and asks the
kernel what may be done and where it leads; no rule is written down here.
"""
