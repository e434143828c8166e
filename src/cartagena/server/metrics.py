"""Metrics for Prometheus."""

from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY: Final = CollectorRegistry()
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

counter = partial(Counter, registry=REGISTRY)
gauge = partial(Gauge, registry=REGISTRY)
histogram = partial(Histogram, registry=REGISTRY)

STORED: Final = counter("cartagena_events", "Events stored, by kind.", ["kind"])
REFUSALS: Final = counter("cartagena_refusals", "Requests refused, by code.", ["code"])
LIMITED: Final = counter("cartagena_limits", "Limits that were reached, by kind.", ["limit"])
CONNECTIONS: Final = gauge("cartagena_connections", "Open connections.")
CONNECTIONS_MOST: Final = gauge("cartagena_connections_most", "Most connections at once.")
LARGEST_HOLDER: Final = gauge("cartagena_connections_largest_network", "Connections of the network that has the most.")
FAILURES: Final = counter("cartagena_failures", "Requests that failed by a fault of the server.")
SOCKETS: Final = gauge("cartagena_sockets", "Open sockets and streams.")
CACHED: Final = gauge("cartagena_tables_in_memory", "Tables held in memory.")
BATCH: Final = histogram(
    "cartagena_commit_changes", "Changes written by one commit.", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256)
)
COMMIT: Final = histogram("cartagena_commit_seconds", "Time of a commit.", buckets=SECONDS)
MOVE: Final = histogram("cartagena_move_seconds", "Time from receiving a move until it is durable.", buckets=SECONDS)
ENGINE_FAILURES: Final = counter(
    "cartagena_computer_failures", "Moves that a computer player failed to make.", ["level"]
)
FAILING_LEVELS: Final = gauge("cartagena_computer_levels_failing", "Levels that fail and are replaced by weaker ones.")
THINKING: Final = gauge("cartagena_computers_thinking", "Computer players that are thinking.")
STUDY_WAITING: Final = gauge("cartagena_study_waiting", "Study requests that wait, when the last one came.")
WAITING_MOVES: Final = gauge("cartagena_computer_moves_waiting", "Moves that wait for a computer player.")
THINKING_SECONDS: Final = gauge(
    "cartagena_computer_seconds", "Seconds that a computer player may think about a move now."
)
BOT_WORKERS: Final = gauge("cartagena_bot_workers", "Bot workers that are alive.")
BOT_ENGINES: Final = gauge("cartagena_bot_engines", "Engines of the bot workers that are alive.")
BOT_JOBS: Final = counter("cartagena_bot_jobs", "Jobs for bot workers, by what became of them.", ["result"])
PRUNED: Final = counter("cartagena_tables_pruned", "Old tables removed.")
SERVERS: Final = gauge("cartagena_servers", "Servers of this database that live, in a cluster.")
REDIS: Final = gauge("cartagena_redis_up", "Whether notices of other servers arrive, in a cluster.")
CONTESTED: Final = counter("cartagena_changes_contested", "Changes decided again because another server was first.")
CAUGHT_UP: Final = counter("cartagena_events_caught_up", "Events read that other servers stored.")
MESSAGES: Final = counter(
    "cartagena_messages", "Messages to people who are away, by kind and result.", ["kind", "result"]
)
