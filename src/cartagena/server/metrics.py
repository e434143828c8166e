"""Metrics for Prometheus."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY: Final = CollectorRegistry()
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

STORED: Final = Counter("cartagena_events", "Events stored, by kind.", ["kind"], registry=REGISTRY)
REFUSALS: Final = Counter("cartagena_refusals", "Requests refused, by code.", ["code"], registry=REGISTRY)
FAILURES: Final = Counter("cartagena_failures", "Requests that failed by a fault of the server.", registry=REGISTRY)
SOCKETS: Final = Gauge("cartagena_sockets", "Open sockets and streams.", registry=REGISTRY)
CACHED: Final = Gauge("cartagena_tables_in_memory", "Tables held in memory.", registry=REGISTRY)
BATCH: Final = Histogram(
    "cartagena_commit_changes",
    "Changes written by one commit.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
    registry=REGISTRY,
)
COMMIT: Final = Histogram("cartagena_commit_seconds", "Time of a commit.", buckets=SECONDS, registry=REGISTRY)
MOVE: Final = Histogram(
    "cartagena_move_seconds", "Time from receiving a move until it is durable.", buckets=SECONDS, registry=REGISTRY
)
ENGINE_FAILURES: Final = Counter(
    "cartagena_computer_failures",
    "Moves that a computer player failed to make.",
    ["level"],
    registry=REGISTRY,
)
FAILING_LEVELS: Final = Gauge(
    "cartagena_computer_levels_failing", "Levels that fail and are replaced by weaker ones.", registry=REGISTRY
)
THINKING: Final = Gauge("cartagena_computers_thinking", "Computer players that are thinking.", registry=REGISTRY)
BOT_WORKERS: Final = Gauge("cartagena_bot_workers", "Bot workers that are alive.", registry=REGISTRY)
BOT_ENGINES: Final = Gauge("cartagena_bot_engines", "Engines of the bot workers that are alive.", registry=REGISTRY)
BOT_JOBS: Final = Counter(
    "cartagena_bot_jobs", "Jobs for bot workers, by what became of them.", ["result"], registry=REGISTRY
)
PRUNED: Final = Counter("cartagena_tables_pruned", "Old tables removed.", registry=REGISTRY)
SERVERS: Final = Gauge("cartagena_servers", "Servers of this database that live, in a cluster.", registry=REGISTRY)
REDIS: Final = Gauge("cartagena_redis_up", "Whether notices of other servers arrive, in a cluster.", registry=REGISTRY)
CONTESTED: Final = Counter(
    "cartagena_changes_contested", "Changes decided again because another server was first.", registry=REGISTRY
)
CAUGHT_UP: Final = Counter("cartagena_events_caught_up", "Events read that other servers stored.", registry=REGISTRY)
