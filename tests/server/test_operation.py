"""The running server: what it loads, how it stops, its settings and its figures."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cartagena.server.logs import JsonLines, set_up_logs
from cartagena.server.openapi import api_schema
from cartagena.server.run import StartFailed
from cartagena.server.settings import SettingsError, describe_settings, load_settings

from . import trials
from .rig import PATIENCE, Process, Server, process, receive, running, started
from .test_seating import COMPUTER, wait_for


def file_of(database: str) -> Path:
    return Path(database.removeprefix("sqlite:///"))


def run_cli(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line: in this process, or in one of its own where it serves or gets an environment."""
    if words[0] != "serve" and not environment:
        from tests.cli.helpers import called

        return called(*words)
    command = [str(Path(sys.executable).with_name("cartagena")), *words]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, check=False, timeout=900
    )


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def test_the_serving_process_never_loads_numba_or_numpy(sqlite: str, tmp_path: Path) -> None:
    server = Process(sqlite, tmp_path / "server.log")
    server.forked = False
    with started(server):
        ann = server.table(seats=COMPUTER, lots=False)
        ann.play(4)  # a turn has three actions and its end
        wait_for(ann, lambda found: any(event.get("seat") == 2 for event in found["events"]))
        assert server.process is not None
        loaded = Path(f"/proc/{server.process.pid}/maps").read_text()
    assert "python" in loaded
    for name in ("numba", "numpy", "llvmlite"):
        assert name not in loaded
    code = (
        "import cartagena.cli.verbs.serve, cartagena.server.run, sys\n"
        "sys.exit(any(name in sys.modules for name in ('numba', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_graceful_stop_finishes_moves_and_asks_clients_to_reconnect(sqlite: str, tmp_path: Path) -> None:
    with process(sqlite, tmp_path, log_level="info", stop_seconds=60) as server:
        ann = server.table("tortuga-en")
        acked: list[int] = []

        def play() -> None:
            while True:
                try:
                    seen = ann.look()
                    acked.append(ann.move(seen["options"]["legal"][0]["move"], seen["version"]).json()["seq"])
                except Exception:
                    return

        with server.socket(ann.table, {"token": ann.token}) as live:
            thread = threading.Thread(target=play)
            thread.start()
            while receive(live)["seq"] < 4:
                pass
            assert server.end(signal.SIGTERM) == 0
            thread.join()
            closed = None
            while closed is None:
                try:
                    live.recv(timeout=PATIENCE)
                except Exception as error:
                    closed = error
            assert closed.rcvd.code == 1012  # type: ignore[attr-defined]
        assert "stopped" in server.log.read_text()
        server.start()
        assert ann.look()["seq"] == acked[-1]


def test_a_move_that_is_in_flight_at_a_graceful_stop_is_acknowledged(database: str, tmp_path: Path) -> None:
    with process(database, tmp_path, stop_seconds=60) as server:
        hands, stored = asyncio.run(trials.graceful(server, database, tables=8, seconds=1.0))
    acked = sum(len(hand.acked) for hand in hands)
    assert acked > 8
    assert stored == {"lost": 0, "doubled": 0, "silent": 0}


def test_a_second_server_cannot_use_the_same_database(database: str) -> None:
    with running(database), pytest.raises(StartFailed, match="locked by another server"), running(database):
        pass


def test_a_port_in_use_is_reported_in_one_sentence(sqlite: str, tmp_path: Path) -> None:
    with running(sqlite) as server:
        other = f"sqlite:///{tmp_path / 'other.db'}"
        found = run_cli("serve", "--port", str(server.port), "--database", other)
    assert found.returncode == 2
    assert found.stderr.splitlines()[-1].endswith(f"Port {server.port} is in use.")
    assert "Traceback" not in found.stderr


def test_health_readiness_and_figures(server: Server) -> None:
    assert server.http.get("/healthz").text == "ok\n"
    assert server.http.get("/readyz").text == "ready\n"
    server.table().play(3)
    figures = server.figures()
    assert 'cartagena_events_total{kind="move"}' in figures
    assert "cartagena_commit_seconds_count" in figures


def test_every_answer_has_security_headers_and_views_are_never_cached(server: Server) -> None:
    ann = server.table()
    for answer in (server.get(ann.path, ann.token), server.http.get("/"), server.http.get("/api/nothing")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # the engine may be compiled, no text
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert server.get(ann.path, ann.token).headers["cache-control"] == "no-store"
    assert server.http.get("/api/nothing").json()["error"]["code"] == "no-such-page"


def test_the_client_is_served_with_the_right_caching(sqlite: str, tmp_path: Path) -> None:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Cartagena</title>")
    (folder / "assets" / "app-1a2b.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    with running(sqlite, static=str(folder)) as server:
        for path, root in {"/t/abc": "../", "/table/": "../", "/a/b/c/d": "../../../"}.items():
            deep = server.http.get(path)
            assert (deep.status_code, deep.headers["location"]) == (307, root)
        for path in ("/", "/lobby"):
            page = server.http.get(path)
            assert "Cartagena" in page.text
            assert page.headers["cache-control"] == "no-cache"
        asset = server.http.get("/assets/app-1a2b.js")
        assert "immutable" in asset.headers["cache-control"]
        assert server.http.get("/assets/none.js").status_code == 404
        assert server.http.get("/..%2fsecret.txt").status_code == 404
        assert server.http.get("/%2e%2e/secret.txt").status_code == 404


def test_no_log_contains_a_token(sqlite: str, tmp_path: Path) -> None:
    with process(sqlite, tmp_path, log_level="debug") as server:
        ann = server.table(seats=[{"kind": "here"}, {"kind": "link"}])
        ben = ann.join()
        ann.play(3)
        ann.do("talk", {"text": "something private"})
        server.end(signal.SIGTERM)
        log = server.log.read_text()
    assert '"path": "/api/tables"' in log
    for secret in (ann.token, ben.token, *ann.invites, "something private"):
        assert secret not in log
    for line in log.splitlines():
        assert json.loads(line)["level"] in ("debug", "info", "warning")


def test_a_start_tells_people_where_it_is_served_and_shows_no_log_lines(sqlite: str) -> None:
    command = [str(Path(sys.executable).with_name("cartagena")), "serve", "--port", "0", "--database", sqlite]
    ours, theirs = os.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as person:
        os.close(theirs)
        assert person.stdout is not None
        assert person.stdout.readline().startswith(b"Cartagena is served at http://127.0.0.1:")
        person.send_signal(signal.SIGTERM)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while read := os.read(ours, 4096):
                shown += read
    os.close(ours)
    assert person.returncode == 0
    assert all(line.startswith(b"Warning: ") for line in shown.splitlines()), shown


def test_warnings_of_the_start_are_sentences_that_come_after_it(capsys: pytest.CaptureFixture[str]) -> None:
    import logging

    handlers, level = logging.getLogger().handlers[:], logging.getLogger().level
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.stderr, "isatty", lambda: True)
        release = set_up_logs("info")
        try:
            fields = {"sqlite": "3.40.1", "_other_package": 1}
            logging.getLogger("cartagena.storage").warning("SQLite has a fault", extra=fields)
            logging.getLogger("cartagena.server").info("ready")
            assert capsys.readouterr().err == ""
            release()
            logging.getLogger("cartagena.server").warning("later")
            assert capsys.readouterr().err == "Warning: SQLite has a fault (sqlite: 3.40.1)\nWarning: later\n"
        finally:
            logging.getLogger().handlers[:] = handlers
            logging.getLogger().setLevel(level)


def test_log_lines_are_json_with_any_text_in_them() -> None:
    import logging

    record = logging.LogRecord("x", logging.INFO, "file", 1, 'a "quoted"\nline', None, None)
    record.path = "/api"
    told = json.loads(JsonLines().format(record))
    assert (told["message"], told["path"]) == ('a "quoted"\nline', "/api")


# --- settings


def test_settings_come_from_the_environment_below_given_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTAGENA_PORT", "9000")
    monkeypatch.setenv("CARTAGENA_ENGINE_SECONDS", "0.5")
    monkeypatch.setenv("CARTAGENA_HOST", "127.0.0.2")
    found = load_settings(host="::1", port=None)
    assert (found.port, found.engine_seconds, found.host) == (9000, 0.5, "::1")


def test_the_default_database_lies_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert load_settings().database == "sqlite:////somewhere/cartagena/tables.db"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/ann")
    assert load_settings().database == "sqlite:////home/ann/.local/share/cartagena/tables.db"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("PORT", "many", "must be a valid integer"),
        ("PORT", "-1", "must be greater than or equal to 0"),
        ("PORT", "70000", "must be less than or equal to 65535"),
        ("WINDOW_SECONDS", "nan", "must be a finite number"),
        ("ENGINE_SECONDS", "0", "must be greater than 0"),
        ("LOG_LEVEL", "loud", "must be 'debug', 'info', 'warning' or 'error'"),
        ("HEARTBEAT_SECONDS", "0.001", "must be greater than or equal to 0.05"),
        ("HEARTBEAT_SECONDS", "86400", "must be less than or equal to 3600"),
        ("MESSAGES", "0", "must be greater than or equal to 1"),
        ("BODY_BYTES", "0", "must be greater than or equal to 256"),
        ("HOST", "not a host", "must be an address or a name"),
        ("HOSTS", "https://example.org", "must be names without a scheme and a port"),
        ("ORIGINS", "example.org", "must be origins such as https://example.org"),
        ("FORWARDED", "proxy", "must be addresses or networks"),
        ("ENGINE", "'open", "must be a command with matching quotes"),
        ("LEVELS", "captain,kraken", "must name known computer players (kraken is none)"),
        ("PUBLIC_URL", "https://[::1", "must be an address as https://example.org"),
        ("PUBLIC_URL", "https://example.org:99999", "must be an address as https://example.org"),
        ("ORIGINS", "https://[::1", "must be origins such as https://example.org"),
        ("SMTP_FROM", "Cartagena", "must be one address, perhaps with a name"),
        ("SMTP_FROM", "a@example.org\nBcc: b@example.org", "must be one address, perhaps with a name"),
        ("SMTP_FROM", "a@example.org, b@example.org", "must be one address, perhaps with a name"),
        ("SMTP_FROM", "a@", "must be one address, perhaps with a name"),
    ],
)
def test_a_bad_setting_is_one_sentence_that_names_it(
    name: str, value: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"CARTAGENA_{name}", value)
    with pytest.raises(SettingsError) as error:
        load_settings()
    assert str(error.value) == f"CARTAGENA_{name} {problem}, not {value!r}."


@pytest.mark.parametrize("value", ["smtp://h:99999", "smtp://h:x", "smtp://:25", "smtp://u:word@"])
def test_a_bad_mail_server_is_named_without_its_password(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTAGENA_SMTP", value)
    with pytest.raises(SettingsError) as error:
        load_settings()
    assert str(error.value) == "CARTAGENA_SMTP must be an address such as smtp://HOST:587."


@pytest.mark.parametrize("value", ["", "noreply@example.org", "Käptn Flint <noreply@example.org>"])
def test_mails_come_from_one_address_with_or_without_a_name(value: str) -> None:
    assert load_settings(smtp_from=value).smtp_from == value


def test_the_settings_are_described_with_their_defaults() -> None:
    assert "CARTAGENA_FRAME_BYTES=4096\n    Largest frame" in describe_settings()


def test_verify_proves_a_record_and_finds_a_changed_secret(server: Server, tmp_path: Path) -> None:
    ann = server.table("jamaica-en", pirates=1, pieces=1)
    ann.play(30)
    ann.do("resign", {"seat": 1})
    record = tmp_path / "game.txt"
    record.write_text(server.get(f"{ann.path}/record", ann.token).text)
    assert "follow from it" in run_cli("verify", str(record)).stdout
    record.write_text(record.read_text().replace('[Secret "', '[Secret "00'))
    found = run_cli("verify", str(record))
    assert found.returncode == 2
    assert "not the one that was promised" in found.stderr


def test_the_openapi_description_is_complete() -> None:
    found = api_schema()
    for path, methods in found["paths"].items():
        for verb, operation in methods.items():
            assert operation.get("description"), f"{verb} {path} has no description"
            if path.startswith("/api"):
                assert "409" in operation["responses"], path
    schemas = found["components"]["schemas"]
    for name in (
        "CreateTable",
        "JoinTable",
        "PlayMove",
        "TakeBack",
        "SayTalk",
        "AskHint",
        "Update",
        "Ack",
        "Refusal",
        "Hello",
    ):
        assert schemas[name]["examples"], name
