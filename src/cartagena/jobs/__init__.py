"""Long work in many places at once: local processes, or a Ray cluster.

A job is a function and its tasks. An executor hands the tasks out in pieces of about a second and gives the answers
back as they come. The answer to a task depends on the task alone, so that the same tasks have the same answers on every
executor, with any number of workers.

>>> from cartagena.jobs import executor
>>> with executor("local", workers=1) as here:
...     sorted(here.map(abs, iter([-2, 1, 3])))
[1, 2, 3]
"""

from cartagena.backends.arguments import cores

from .executor import Executor, executor, in_order

__all__ = ["Executor", "cores", "executor", "in_order"]
