"""The compiled part of the environments: one table's episode, what a seat sees, many tables at once.

Everything here is compiled when it is first called; what the processor runs is then kept on disk. It works on the
kernel's words and asks the kernel what may be done and where it leads; no rule is written down here.
"""
