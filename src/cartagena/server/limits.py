"""Limits that were reached: counted for the metrics, and logged once a minute with their kind and the busiest address.

An address is an IPv4 address or an IPv6 network. Nothing else about a visitor is kept or logged.
"""

import logging
import time
from collections import Counter
from typing import Final

from .addresses import address_key
from .metrics import LIMITED
from .protocol.errors import Refused

log = logging.getLogger("cartagena.limits")
EVERY: Final = 60.0  # seconds between two reports of a kind
MOST_ADDRESSES: Final = 1000  # addresses that are counted for each kind between two reports
CODES: Final = ("too-many", "limit")  # refusals that mean a limit


class LimitLog:
    """What was refused since the last report, by kind of limit and by address."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.reported: dict[str, float] = {}

    def note(self, kind: str, host: str) -> None:
        """Count a limit that an address has reached. The first of its kind is logged at once."""
        LIMITED.labels(kind).inc()
        address, counts = address_key(host), self.counts.setdefault(kind, Counter())
        counts[address if address in counts or len(counts) < MOST_ADDRESSES else "others"] += 1
        if time.monotonic() - self.reported.get(kind, -EVERY) >= EVERY:
            self._report(kind)

    def note_refusal(self, error: Refused, host: str) -> None:
        """Count a refusal if a limit is its reason."""
        if error.code in CODES:
            self.note(error.limit or error.code, host)

    def report(self) -> None:
        """Log what has been counted for a minute."""
        now = time.monotonic()
        for kind in [kind for kind in self.counts if now - self.reported[kind] >= EVERY]:
            self._report(kind)

    def _report(self, kind: str) -> None:
        counts, self.reported[kind] = self.counts.pop(kind), time.monotonic()
        [(address, most)] = counts.most_common(1)
        details = {
            "limit": kind,
            "times": counts.total(),
            "addresses": len(counts),
            "most": address,
            "most_times": most,
        }
        log.warning("a limit was reached", extra=details)


LIMITS: Final = LimitLog()
