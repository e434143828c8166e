"""Settings: each has a default, a name in the environment (``CARTAGENA_`` and the name in capitals), and a sentence."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

PREFIX: Final = "CARTAGENA_"
LADDER: Final = "deckhand,sailor,gunner,quartermaster,captain"
NEED: Final = {int: "a whole number", float: "a number", bool: "1 or 0"}


class SettingsError(ValueError):
    """A setting that makes no sense; one sentence for a person."""


def data_folder() -> Path:
    """Where a person's programs keep their data."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "cartagena"


def default_database() -> str:
    """The SQLite file that is used unless another database is named."""
    return f"sqlite:///{data_folder() / 'tables.db'}"


def about(text: str, default: Any) -> Any:
    """A setting with its sentence."""
    if callable(default):
        return field(default_factory=default, metadata={"about": text})
    return field(default=default, metadata={"about": text})


@dataclass(frozen=True)
class Settings:
    """Everything that can be set. ``from_environment`` reads them, the command line can change some."""

    database: str = about("Database URL: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.", default_database)
    database_mb: int = about("Largest size of a SQLite file in MiB (0: as large as the disk lets it be).", 0)
    host: str = about("Address to listen on.", "127.0.0.1")
    port: int = about("Port to listen on.", 8017)
    origins: str = about("Other origins (scheme://host[:port], commas between) whose pages may open sockets.", "")
    forwarded: str = about("Proxies (addresses, commas between) whose X-Forwarded-For is believed.", "")
    frame_bytes: int = about("Largest frame a socket may send.", 4096)
    body_bytes: int = about("Largest body a request may have.", 65536)
    messages: int = about("Messages a socket, or requests an address, may send in each window.", 100)
    window_seconds: float = about("Length of that window.", 20.0)
    requests: int = about("Requests an address may send in each window; its moves count here too.", 400)
    tables_per_hour: int = about("Tables an address may create in an hour.", 60)
    sockets_per_address: int = about("Sockets and streams an address may hold open.", 200)
    table_sockets: int = about("Sockets and streams a table may have.", 100)
    heartbeat_seconds: float = about("Time between heartbeats on quiet sockets and streams.", 15.0)
    send_seconds: float = about("How long a socket that does not read is waited for.", 20.0)
    cached_tables: int = about("Tables kept in memory while nobody needs them.", 1000)
    batch_moves: int = about("Most changes written in one commit.", 256)
    table_events: int = about("Most events a table may have.", 20000)
    talk_lines: int = about("Most lines of talk a table may have.", 500)
    keep_finished_days: float = about("Finished tables are removed after so many days (0: never).", 90.0)
    keep_waiting_days: float = about("Tables that never started are removed after so many quiet days (0: never).", 7.0)
    keep_idle_days: float = about("Unfinished games are removed after so many quiet days (0: never).", 365.0)
    grace_seconds: float = about("Network delay a turn that no clock charges.", 1.0)
    absent_seconds: float = about(
        "Without a clock: how long an absent person is waited for before the computer takes over (0: for ever).", 600.0
    )
    levels: str = about("Computer players on offer, commas between; weakest first.", LADDER)
    engine: str = about("Command of the computer players; {level} stands for the name (empty: our own players).", "")
    engine_processes: int = about("Processes that think at once (0: all cores but one, at least one).", 0)
    engine_seconds: float = about("Time a computer player thinks about a move.", 0.7)
    pace_seconds: float = about(
        "Computer moves are shown at multiples of this, so that thinking time tells nothing.", 1.0
    )
    static: str = about("Folder of the browser table (empty: the one in the package).", "")
    log_level: str = about("debug, info, warning or error.", "info")
    stop_seconds: float = about("How long a graceful stop waits for moves in flight.", 10.0)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **given: Any) -> "Settings":
        """The settings of the environment, and over them those that are given and not None."""
        found = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for item in fields(cls):
            text = found.get(PREFIX + item.name.upper())
            if text is not None:
                values[item.name] = read_value(item.name, item.type, text)
        values |= {key: value for key, value in given.items() if value is not None}
        return cls(**values)

    def engine_command(self, level: str) -> list[str]:
        """The command that starts a computer player of that level."""
        return [word.replace("{level}", level) for word in shlex.split(self.engine)]


def read_value(name: str, kind: Any, text: str) -> Any:
    """A setting from its text."""
    try:
        value = kind(text)
    except ValueError:
        raise SettingsError(f"{PREFIX}{name.upper()} must be {NEED.get(kind, 'a text')}, not {text[:40]!r}.") from None
    if kind in (int, float) and not 0 <= value < 10**9:
        raise SettingsError(f"{PREFIX}{name.upper()} must be from 0 to 999999999, not {text[:40]!r}.")
    return value


def describe() -> str:
    """All settings for ``--help``: name in the environment, default, sentence."""
    lines = []
    for item in fields(Settings):
        default = item.default if isinstance(item.default, str | int | float) else "(in the user's data folder)"
        lines.append(f"{PREFIX}{item.name.upper()}={default}\n    {item.metadata['about']}")
    return "\n".join(lines)
