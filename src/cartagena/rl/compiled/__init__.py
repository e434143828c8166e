"""The compiled part of the environments: one game's episode, a seat's observation, what choices lead to.

The vector engines compile it when it is first called (see ``backends.vector``). It works on the kernel's words and
calls the kernel for what may be done and where it leads; there are no rules here.
"""
