"""Settings of the server, read from the environment: ``CARTAGENA_`` and the name in capitals."""

import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from email.message import EmailMessage
from ipaddress import ip_network
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from cartagena.errors import CartagenaError
from cartagena.players import LEVELS, names

PREFIX: Final = "CARTAGENA_"
MOST: Final = 10**9
HOST: Final = re.compile(r"[A-Za-z0-9._:%-]{1,253}")
ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9._:\[\]-]{1,253}/?")
Count = Annotated[int, Field(ge=0, lt=MOST)]
Amount = Annotated[float, Field(ge=0, lt=MOST, allow_inf_nan=False)]
Period = Annotated[float, Field(gt=0, lt=MOST, allow_inf_nan=False)]
Positive = Annotated[int, Field(ge=1, lt=MOST)]
Size = Annotated[int, Field(ge=256, lt=MOST)]
Heartbeat = Annotated[float, Field(ge=0.05, le=3600, allow_inf_nan=False)]
LogLevel = Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(str.lower)]


def split_list(text: str) -> tuple[str, ...]:
    """The entries of a comma-separated list."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def needs(test: Callable[[str], object], sentence: str) -> AfterValidator:
    """A validator that refuses a text for which the test returns False or raises ValueError."""

    def validated(text: str) -> str:
        with suppress(ValueError):
            if test(text) is not False:
                return text
        raise ValueError(sentence)

    return AfterValidator(validated)


def is_network(word: str) -> bool:
    """True for an address or a network. Raises ValueError for anything else."""
    return bool(word == "*" or ip_network(word, strict=False))


def is_origin(text: str) -> bool:
    """True for the scheme and the host of a site. Raises ValueError for a damaged one."""
    return ORIGIN.fullmatch(text) is not None and has_host(text)


def has_host(url: str) -> bool:
    """Whether an address names a host and no impossible port. Raises ValueError for a damaged one."""
    parts = urlsplit(url)
    return bool(parts.hostname) and parts.port != 0


def is_sender(text: str) -> bool:
    """Whether mails can be from there: one address, perhaps with a name. Raises ValueError for a line break."""
    message = EmailMessage()
    try:
        message["From"] = text
        header = message["From"]
    except IndexError:  # of the parser, for a text that ends too early
        return False
    [address] = header.addresses
    return bool(address.username and address.domain) and address.addr_spec.isascii() and not header.defects


Command = Annotated[str, needs(shlex.split, "must be a command with matching quotes")]
Host = Annotated[str, needs(lambda text: bool(HOST.fullmatch(text)), "must be an address or a name")]
Hosts = Annotated[
    str,
    needs(
        lambda text: all(name == "*" or HOST.fullmatch(name) for name in split_list(text)),
        "must be names without a scheme and a port",
    ),
]
SMTP: Final = re.compile(r"smtps?://(?:[^/@\s]+@)?[A-Za-z0-9._\[\]:-]{1,253}")
Smtp = Annotated[
    str,
    needs(
        lambda text: not text or (SMTP.fullmatch(text) is not None and has_host(text)),
        "must be an address such as smtp://HOST:587",
    ),
]
Sender = Annotated[str, needs(lambda text: not text or is_sender(text), "must be one address, perhaps with a name")]
PublicUrl = Annotated[str, needs(lambda text: not text or is_origin(text), "must be an address as https://example.org")]
Origins = Annotated[
    str,
    needs(lambda text: all(map(is_origin, split_list(text))), "must be origins such as https://example.org"),
]
Proxies = Annotated[str, needs(lambda text: all(map(is_network, split_list(text))), "must be addresses or networks")]


WITH_PASSWORD: Final = ("smtp",)
"""Settings that may hold a password: no message shows their value."""


class SettingsError(CartagenaError):
    """A setting that makes no sense. The message is one sentence that names its variable."""


def default_database() -> str:
    """The SQLite file in the user's data folder."""
    return f"sqlite:///{user_data_path('cartagena', appauthor=False) / 'tables.db'}"


def setting(default: object, description: str) -> Any:
    """A setting with its default, or the function that finds it, and its description."""
    if callable(default):
        return Field(default_factory=default, description=description, validate_default=True)
    return Field(default=default, description=description, validate_default=True)


class Settings(BaseSettings):
    """All settings. Values that are given override those of the environment."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    database: str = setting(default_database, "Database URL: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")
    database_mb: Count = setting(0, "Largest size of a SQLite file in MiB (0: limited by the disk only).")
    redis: str = setting(
        "",
        "Redis of all servers of a PostgreSQL database: redis://:PASSWORD@HOST:6379/0 (empty: this is the only one).",
    )
    host: Host = setting("127.0.0.1", "Address to listen on.")
    port: Annotated[int, Field(ge=0, le=65535)] = setting(8017, "Port to listen on (0: any free one).")
    operator_port: Annotated[int, Field(ge=0, le=65535)] = setting(
        0, "Second port, for /healthz, /readyz and /metrics only, which no crowd of visitors can block (0: none)."
    )
    hosts: Hosts = setting(
        "", "Names under which the server is reached, comma-separated (*: any). Addresses and localhost always work."
    )
    metrics_token: str = setting("", "Token that /metrics asks for (empty: there is no /metrics).")
    origins: Origins = setting(
        "", "Other origins (scheme://host[:port], comma-separated) whose pages may open sockets."
    )
    forwarded: Proxies = setting("", "Proxies (addresses, comma-separated) whose X-Forwarded-For is trusted.")
    frame_bytes: Size = setting(4096, "Largest frame that a socket may send.")
    body_bytes: Size = setting(65536, "Largest body that a request may have.")
    messages: Positive = setting(100, "Messages that a socket may send in each window; an address ten times as many.")
    window_seconds: Period = setting(20.0, "Length of that window.")
    requests: Positive = setting(400, "Requests that an address may send in each window, its moves included.")
    address_share: Period = setting(0.2, "Part of the serving process's time that an address may use.")
    tables_per_hour: Count = setting(60, "Tables that an address may create in an hour.")
    lobby_tables: Count = setting(5, "Tables of an address that may wait in the lobby at once.")
    sockets_per_address: Count = setting(200, "Sockets and streams that an address may keep open.")
    waiting_sockets: Positive = setting(400, "Sockets that have not said hello; an address may have a quarter of them.")
    hello_seconds: Period = setting(10.0, "Time after which a socket that has not said hello is closed.")
    connections: Positive = setting(4000, "Connections in all; a quarter is reserved for people with a game under way.")
    connections_per_address: Positive = setting(
        250, "Connections that an address may have (IPv6: a /64 network); a network has more."
    )
    table_sockets: Count = setting(100, "Sockets and streams of a table: half for spectators, a fifth for each player.")
    heartbeat_seconds: Heartbeat = setting(15.0, "Time between heartbeats on quiet sockets and streams.")
    send_seconds: Period = setting(20.0, "Time after which a socket that does not read is closed.")
    cached_tables: Count = setting(1000, "Unused tables kept in memory.")
    batch_moves: Positive = setting(256, "Most changes in one commit.")
    table_events: Count = setting(20000, "Events after which a table takes moves but no talk and no undoing.")
    talk_lines: Count = setting(500, "Most lines of talk that a table may have.")
    keep_finished_days: Amount = setting(90.0, "Days after which a finished table is removed (0: never).")
    keep_waiting_days: Amount = setting(7.0, "Days after which a table that never started is removed (0: never).")
    keep_idle_days: Amount = setting(365.0, "Days without a move after which a game is removed (0: never).")
    grace_seconds: Amount = setting(1.0, "Network delay that no clock charges, per turn.")
    salt_seconds: Annotated[int, Field(ge=0, le=600)] = setting(
        10, "When all seats are taken: time that the deal waits for the randomness of every person (0: none)."
    )
    absent_seconds: Amount = setting(
        600.0, "Without a clock: time after which the computer replaces an absent person (0: never)."
    )
    engine: Command = setting("", "Command of the computer players; {level} is their name (empty: our own players).")
    levels: str = setting(",".join(LEVELS), "Computer players on offer, comma-separated, the weakest first.")
    engine_processes: Count = setting(
        0, "Computer players that think at once; they share all cores but one (0: one player a core)."
    )
    engine_seconds: Period = setting(0.6, "Time that a computer player thinks about a move.")
    pace: bool = setting(
        True, "Whether computers show their moves in steps, which hide the thinking time; off for tests only."
    )
    public_url: PublicUrl = setting(
        "", "Address of this server for links in mails, such as https://example.org (empty: no mail is sent)."
    )
    smtp: Smtp = setting(
        "", "Mail server: smtp://USER:PASSWORD@HOST:587 (with STARTTLS) or smtps://… (empty: no mail is sent)."
    )
    smtp_from: Sender = setting("", "Sender of mails, such as Cartagena <noreply@example.org>.")
    push_hosts: Hosts = setting(
        "", "Further web push services, comma-separated names; those of the usual browsers are known (*: any)."
    )
    webhooks: bool = setting(False, "Whether a table may have a webhook.")
    notify_seconds: Amount = setting(20.0, "Time that a person has to see a change before a message is sent about it.")
    notify_networks: Proxies = setting(
        "", "Private addresses (comma-separated) that web push and webhooks may go to, besides all public ones."
    )
    static: str = setting("", "Folder of the browser client (empty: the one in the package).")
    log_level: LogLevel = setting("info", "debug, info, warning or error.")
    drain_seconds: Amount = setting(
        0.0, "After SIGTERM, time in which the server serves on while /readyz fails, so that balancers go elsewhere."
    )
    stop_seconds: Amount = setting(10.0, "Time that a graceful stop waits for moves in flight.")

    @field_validator("levels")
    @classmethod
    def _are_players(cls, levels: str, info: ValidationInfo) -> str:
        unknown = set(split_list(levels)) - set(LEVELS)
        if unknown and not info.data.get("engine") and (unknown := unknown - set(names())):
            raise ValueError(f"must name known computer players ({min(unknown)} is none)")
        return levels

    def engine_command(self, level: str) -> list[str]:
        """The command that starts a computer player of that level."""
        return [word.replace("{level}", level) for word in shlex.split(self.engine)]


def load_settings(**given: Any) -> Settings:
    """The settings of the environment, overridden by given values that are not None. Raises SettingsError."""
    try:
        return Settings(**{key: value for key, value in given.items() if value is not None})
    except ValidationError as error:
        raise SettingsError(_sentence(error)) from None


def _sentence(error: ValidationError) -> str:
    """The first error as a sentence that names the variable."""
    first = error.errors()[0]
    name = "_".join(map(str, first["loc"]))
    variable = PREFIX + name.upper()
    problem = first["msg"].partition(", unable")[0].replace("Input should be", "must be").replace("Value error,", "")
    if name in WITH_PASSWORD:
        return f"{variable} {problem.strip()}."
    return f"{variable} {problem.strip()}, not {str(first['input'])[:40]!r}."


def describe_settings() -> str:
    """All settings for ``--help``: the variable, the default and the description."""
    lines = []
    for name, field in Settings.model_fields.items():
        default = "(in the user's data folder)" if field.default_factory else field.default
        lines.append(f"{PREFIX}{name.upper()}={default}\n    {field.description}")
    return "\n".join(lines)
