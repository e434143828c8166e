"""The kernel run three ways: ``plain`` (the reference), ``cpu`` (Numba) and ``cuda`` (numba-cuda).

Nothing here is compiled or loads a compiler before it is used.
"""
