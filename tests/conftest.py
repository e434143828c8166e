"""Settings of the process that all tests run in."""

import os
import signal

# Before NumPy is imported: test processes share the cores, and waiting BLAS threads would keep them busy.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from hypothesis import HealthCheck, settings

# A shell starts background jobs with SIGINT ignored, and their children inherit that. The tests send SIGINT to programs
# they start, so it must have its default effect.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, and no failure because the machine is slow for a moment.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
