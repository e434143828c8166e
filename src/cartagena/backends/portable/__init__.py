"""What every backend does with the rules: draw by number, deal a table, play a game to its end, count sequences.

Written once like the kernel and loaded again with it (see ``worlds``): functions and numbers only, relative imports.
"""
