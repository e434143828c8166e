"""Malformed and hostile frames and requests: no crash, no traceback to the client, nothing changed."""

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed

from cartagena.server.protocol.responses import Update

from . import hostile
from .rig import PATIENCE, Server, bearer, process, running
from .stranger import CONTINUATION, Stranger, frame
from .trials import memory_mb


def test_hostile_frames_and_requests_change_nothing(sqlite: str, tmp_path: Path) -> None:
    with process(sqlite, tmp_path) as server:
        ann = server.table("tortuga-en", talk=False, spectators="public")
        before = ann.look()
        chance = random.Random(1)
        statuses = hostile.requests(server, ann, 300, chance)
        assert hostile.frames(server, ann, 300, chance) >= 300
        assert max(statuses) < 500
        assert server.process is not None
        first = memory_mb(server.process.pid)
        hostile.requests(server, ann, 300, chance)
        hostile.frames(server, ann, 300, chance)
        assert memory_mb(server.process.pid) < first + 30
        assert "cartagena_failures_total 0.0" in server.figures()
        seen = ann.look()
        assert (seen["position"], seen["version"], seen["stage"]) == (before["position"], before["version"], "playing")
        assert "Traceback" not in (tmp_path / "server.log").read_text()


def test_text_that_is_not_utf8_ends_its_socket_and_is_no_error_in_the_log(sqlite: str, tmp_path: Path) -> None:
    with process(sqlite, tmp_path) as server:
        ann = server.table(spectators="public")
        halves = frame(b'{"type":"talk\xc3', fin=False) + frame(b'\x28"}', CONTINUATION)
        for wrong in (frame(b"\xff\xfe") * 3, halves):
            with Stranger(server.port) as eve:
                eve.open_socket(ann.table, {})
                eve.send(wrong)
                assert eve.close_code() == 1007
        assert ann.look()["stage"] == "playing"
    assert "Traceback" not in (tmp_path / "server.log").read_text()


def test_schemathesis_finds_nothing_in_the_interface(sqlite: str) -> None:
    import schemathesis  # it takes seconds to load, and only here

    with running(sqlite, cached_tables=20) as server:
        ann = server.table("tortuga-en", spectators="public")
        schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json", timeout=PATIENCE)
        for result in schema.get_all_operations():
            operation: Any = result.ok()  # type: ignore[union-attr]
            if operation.path.endswith("/stream"):
                continue  # it never ends, and has a test of its own

            @with_seed(1)
            @settings(
                max_examples=8,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
                database=None,
            )
            @given(case=operation.as_strategy())
            def check(case: Any) -> None:
                if "table" in case.path_parameters:
                    case.path_parameters["table"] = ann.table
                if "wait" in (case.query or {}) and case.operation.path.endswith("/events"):
                    case.query["wait"] = min(case.query["wait"], 0.05)  # it may wait for news as long as it is told to
                answer = case.call(headers={"Authorization": f"Bearer {ann.token}"}, timeout=PATIENCE)
                assert answer.status_code < 500, answer.text
                hostile.check_text(answer.text)

            check()


def test_hostile_streams_are_refused_or_told_and_leave_nothing_open(server: Server) -> None:
    ann = server.table("tortuga-en")
    ann.play(5)
    chance = random.Random(1)
    values = (
        "",
        "0",
        "3",
        "-1",
        "1",
        "2",
        "9",
        "full",
        "text",
        "x",
        "1e9",
        "99999999999999999999",
        "\x00",
        "é",
        "None",
    )
    statuses = set()
    for _ in range(150):
        query = {name: chance.choice(values) for name in ("after", "seat", "detail", "more") if chance.random() < 0.4}
        token = chance.choice((ann.token, ann.token, "wrong", "-", None))
        with server.http.stream("GET", f"{ann.path}/stream", params=query, headers=bearer(token)) as answer:
            first = next(answer.iter_lines())
            hostile.check_text(first)
            told = json.loads(first)
            statuses.add(answer.status_code)
            assert answer.status_code < 500
            assert ("error" in told) == (answer.status_code != 200)
            if answer.status_code == 200:
                Update.model_validate(told)
    assert statuses >= {200, 401, 422}
    deadline = time.monotonic() + PATIENCE
    while "cartagena_sockets 0.0" not in server.figures():
        assert time.monotonic() < deadline, "an unread stream is still open"
        time.sleep(0.1)


def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not(sqlite: str) -> None:
    with running(sqlite) as server:
        large = b'{"rules":"' + b"x" * 70_000 + b'"}'
        headers = {"content-type": "application/json"}
        answer = server.http.post("/api/tables", content=large, headers=headers)
        assert (answer.status_code, answer.headers["connection"]) == (413, "close")

        def pieces() -> Iterator[bytes]:
            for start in range(0, len(large), 1000):
                yield large[start : start + 1000]

        answer = server.http.post("/api/tables", content=pieces(), headers=headers)
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "too-large"


def test_an_answer_before_the_end_of_a_long_body_says_that_the_connection_closes(sqlite: str) -> None:
    """The rest of the body is not read, so a client that used the connection again would find it broken."""
    with running(sqlite) as server:
        for size, told in ((100, None), (40_000, "close")):
            answer = server.http.post("/api/nowhere", content=b"x" * size)
            assert (answer.status_code, answer.headers.get("connection")) == (405, told)


def test_tables_and_requests_of_an_address_are_limited(sqlite: str) -> None:
    with running(sqlite, tables_per_hour=3, requests=10, window_seconds=60.0) as server:
        for _ in range(3):
            server.table()
        refused = server.post("/api/tables", {"seats": [{"kind": "here"}, {"kind": "here"}]})
        assert refused.status_code == 429
        assert 0 < int(refused.headers["retry-after"]) <= 3600
        codes = [server.get("/api/about").status_code for _ in range(10)]
        assert codes.count(200) == 6
        assert codes[-1] == 429
        files = [server.http.get("/assets/none.js").status_code for _ in range(51)]
        assert files == [404] * 50 + [429]  # a page of many files is not what makes an address busy
