"""The tests; a package of its own name, so that no installed one called the same can hide it."""
