"""What every compiled backend shares: the generator, deals, playouts, policies, episodes, the toolkit.

Written once like the kernel and loaded again with it (see ``loader``): functions and numbers only, relative imports.
"""
