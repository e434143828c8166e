"""What all tests need of the process they run in."""

import signal

from hypothesis import HealthCheck, settings

# A shell starts work in the background with interrupts ignored, and whatever is started from there inherits that.
# The tests send interrupts to programs they start, so they must begin with them on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, and none refused because the machine was slow for a moment.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
