"""Compare the speed of two checkouts: ``python -m bench.versus --old DIR``, from the root of a checkout.

``__main__`` runs all pairs of measurements, ``measure`` is one measurement in a process of its own, ``turns`` lets two
of them work in turns, ``report`` computes and writes the ratios. Each of the other modules is a group of benchmarks
with a function ``measure``, or a part of one.
"""
