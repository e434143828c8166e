"""Messages to people who are away: what is sent, to whom, when and how often."""

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cartagena.server.notify.outbox import quiet_end
from cartagena.server.protocol.contacts import QuietHours
from cartagena.server.storage import migrate

from .conftest import make_database
from .receivers import Browser, Receiver, mailbox, receiving
from .rig import PATIENCE, Person, Server, receive, running
from .test_operation import file_of, run_cli
from .test_postgres import lose_lock

LINK = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with receiving(tmp_path, monkeypatch) as found:
        yield found


@contextmanager
def telling(database: str, **changes: Any) -> Iterator[Server]:
    """A server that tells people at once and may send to this machine."""
    allowed = {"notify_seconds": 0.0, "push_hosts": "localhost", "notify_networks": "127.0.0.1,::1", "webhooks": True}
    with running(database, **{**allowed, **changes}) as server:
        yield server


def two(server: Server, **setup: Any) -> tuple[Person, Person]:
    """Ann, who begins, and Ben at a table of their own."""
    ann = server.table("tortuga-en", seats=LINK, lots=False, **setup)
    return ann, ann.join(name="Ben")


def subscribe(person: Person, browser: Browser, **wishes: Any) -> str:
    answer = person.do("notify", {"push": browser.subscription, "wishes": wishes})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["contacts"][-1]["id"])


def links_in(mail: Any) -> list[str]:
    return re.findall(r"https://play\.example(/mail/\S+)", mail.get_content())


def wait_until_sent(database: str) -> None:
    """Wait until the outbox of a server is empty: what has arrived is settled a little later."""
    deadline = time.monotonic() + PATIENCE
    with closing(sqlite3.connect(file_of(database))) as base:
        while base.execute("SELECT count(*) FROM outbox").fetchone() != (0,):
            assert time.monotonic() < deadline, "a message stays in the outbox"
            time.sleep(0.05)


def end_turn(person: Person) -> str:
    """Play until another person must choose. Returns the cause of the notice."""
    seen = person.look()
    while seen["options"]:
        moves = [option["move"] for option in seen["options"]["legal"]]
        move = next((move for move in moves if move["kind"] == "end"), moves[0])
        assert person.move(move, seen["version"]).status_code == 200
        seen = person.look()
    return f"{person.table}-{seen['seq']}"


def test_a_device_is_told_that_it_is_its_turn_and_only_that(database: str, receiver: Receiver) -> None:
    ben_device = Browser(f"{receiver.url}/ben")
    with telling(database) as server:
        ann, ben = two(server)
        subscribe(ben, ben_device)
        cause = end_turn(ann)
        [arrived] = receiver.wait_for(1, "/ben")
        told = ben_device.read(arrived.body)
        assert told == {"cause": cause, "more": 0, "notices": [{"cause": cause, "kind": "turn", "table": ann.table}]}
        assert arrived.headers["topic"] == cause
        assert arrived.headers["urgency"] == "high"
        assert 0 < int(arrived.headers["ttl"]) <= 48 * 3600
        public = server.get("/api/about").json()["notify"]["push"]
        assert arrived.headers["authorization"].endswith(f", k={public}")
        end_turn(ben)  # Ann has no device: no message
        cause = end_turn(ann)
        assert ben_device.read(receiver.wait_for(2, "/ben")[1].body)["cause"] == cause
        assert ben.do("resign").status_code == 200
        subscribe(ann, ann_device := Browser(f"{receiver.url}/ann"))
        assert ann.do("rematch").status_code == 200
        end = ben_device.read(receiver.wait_for(3, "/ben")[2].body)
        assert [notice["kind"] for notice in end["notices"]] == ["rematch"]
        others = [ann_device.read(each.body) for each in receiver.at("/ann")]
        assert all(notice["kind"] == "over" for each in others for notice in each["notices"]), (
            "she asked for the rematch"
        )


def test_a_server_without_its_database_stops_with_a_message_unsettled(
    tmp_path: Path, request: pytest.FixtureRequest, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = make_database("postgresql", tmp_path, request)
    with telling(database) as server:
        monkeypatch.setattr(migrate, "RETAKE_PAUSE", 3600.0)  # nothing takes the lock again
        ann, ben = two(server)
        subscribe(ben, Browser(f"{receiver.url}/ben"))
        receiver.answering.clear()
        end_turn(ann)
        receiver.wait_for(1, "/ben")
        request.getfixturevalue("postgres").psql(lose_lock(database))
        receiver.answering.set()
        seen = ben.look()
        assert ben.move(seen["options"]["legal"][0]["move"], seen["version"]).status_code == 503


def test_the_people_of_a_finished_game_are_asked_to_another_table(sqlite: str, receiver: Receiver) -> None:
    device = Browser(f"{receiver.url}/ben")
    with mailbox() as (box, smtp), telling(sqlite, smtp=smtp, public_url="https://play.example") as server:
        ann, ben = two(server)
        subscribe(ben, device, kinds=["rematch"])
        ben.do("notify", {"mail": "ben@example.org", "wishes": {"language": "it", "kinds": ["rematch"]}})
        assert server.http.post(links_in(box.wait_for(1))[0]).status_code == 200
        assert ann.do("webhook", {"url": f"{receiver.url}/hook"}).status_code == 200
        new = server.table("jamaica-en", seats=[*LINK, {"kind": "link"}])
        earlier = {"table": ann.table, "token": ann.token}
        assert new.do("ask", earlier).json()["error"]["code"] == "not-over"
        assert ben.do("resign").status_code == 200
        assert new.do("ask", {**earlier, "token": "x" * 32}).json()["error"]["code"] == "not-seated"
        assert new.join().do("ask", earlier).json()["error"]["code"] == "not-the-host"
        full = server.table(seats=LINK, hold=True)
        full.join()
        assert full.do("ask", earlier).json()["error"]["code"] == "full"
        seat = {"seats": [{"table": ben.table, "token": ben.token}]}
        with server.http.stream("POST", "/api/turns/stream", json=seat) as stream:
            lines = (json.loads(line) for line in stream.iter_lines() if line != "{}")
            assert next(lines)["stage"] == "over"
            assert new.do("ask", earlier).json() == new.do("ask", earlier).json() == {"seats": [3]}
            told = next(lines)
            assert told["next"] == new.table
            assert next(lines, None) is None, "there is no more to wait for"
        cause = f"{ann.table}-{told['seq']}"
        [arrived] = receiver.wait_for(1, "/ben")
        assert device.read(arrived.body)["notices"] == [{"cause": cause, "kind": "rematch", "table": ann.table}]
        told_hook = receiver.wait_for(2, "/hook")  # in any order: a busy server sends both at once
        assert sorted(json.loads(each.body)["kind"] for each in told_hook) == ["over", "rematch"]
        mail = box.wait_for(2)
        assert (mail["subject"], mail["message-id"].split(".")[0]) == ("Ti invitano a un’altra partita", f"<{cause}")
        assert server.post(f"/api/tables/{new.table}/join", {"name": "Ben"}, ben.token).status_code == 200
        assert [each["name"] for each in new.look()["seats"]].count("Ben") == 1
        assert server.table(seats=LINK).do("ask", earlier).json()["error"]["code"] == "not-allowed"


def test_a_subscription_that_is_gone_is_removed_and_a_busy_service_is_tried_again(
    sqlite: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartagena.server.notify.sender.FIRST_PAUSE", 1)
    receiver.answers = {"/gone": [410], "/lost": [404], "/busy": [503, 429, 500]}
    gone, lost, busy = (Browser(f"{receiver.url}/{name}") for name in ("gone", "lost", "busy"))
    with telling(sqlite) as server:
        ann, ben = two(server)
        for device in (gone, lost, busy):
            subscribe(ben, device)
        cause = end_turn(ann)
        tries = receiver.wait_for(4, "/busy")
        assert {busy.read(each.body)["cause"] for each in tries} == {cause}
        receiver.wait_for(1, "/gone")
        while len(found := server.get(f"{ben.path}/notify", ben.token).json()["contacts"]) > 1:
            pass
        assert [contact["address"] for contact in found] == ["localhost"]
        wait_until_sent(sqlite)
    with closing(sqlite3.connect(file_of(sqlite))) as base:
        assert base.execute("SELECT count(*) FROM contacts").fetchone() == (1,)


def test_several_turns_become_one_message_and_a_played_turn_none(sqlite: str, receiver: Receiver) -> None:
    device = Browser(f"{receiver.url}/ben")
    with telling(sqlite, notify_seconds=86400.0) as server:
        games = [two(server) for _ in range(3)]
        for ann, ben in games:
            subscribe(ben, device)
            end_turn(ann)
        end_turn(games[0][1])
        ended, away = two(server)
        subscribe(away, device)
        end_turn(ended)
        assert ended.do("resign").status_code == 200
    with closing(sqlite3.connect(file_of(sqlite))) as base:
        base.execute("UPDATE outbox SET due = 0")
        base.commit()
    with telling(sqlite):
        [arrived] = receiver.wait_for(1, "/ben")
    told = device.read(arrived.body)
    turns = {(ann.table, "turn") for ann, _ in games[1:]}
    found = {(notice["table"], notice["kind"]) for notice in told["notices"]}
    assert found == {*turns, (away.table, "over")}, "a turn is no news where the game has ended"
    assert len(receiver.at("/ben")) == 1


def test_what_a_device_is_told_can_be_chosen_and_links_end_with_the_token(sqlite: str, receiver: Receiver) -> None:
    device, other = Browser(f"{receiver.url}/ben"), Browser(f"{receiver.url}/other")
    with telling(sqlite) as server:
        ann, ben = two(server)
        contact, second = subscribe(ben, device, name="Phone"), subscribe(ben, other)
        wishes = {"muted": True, "quiet": {"from": "22:00", "to": "07:00", "zone": "Europe/Berlin"}, "language": "sv"}
        [phone, _] = ben.do(f"notify/{contact}", wishes).json()["contacts"]
        assert phone["wishes"]["quiet"] == wishes["quiet"]
        assert phone["wishes"]["muted"]
        assert ann.do(f"notify/{contact}", {}).status_code == 403
        end_turn(ann)
        receiver.wait_for(1, "/other")
        end_turn(ben)
        assert [each["id"] for each in ben.do(f"notify/{second}/remove").json()["contacts"]] == [contact]
        like = {"like": {"table": ben.table, "token": ben.token}}
        carl, dora = two(server)
        assert [each["id"] for each in dora.do("notify", like).json()["contacts"]] == [contact]
        assert carl.do("notify", {"like": {"table": ben.table, "token": "x" * 32}}).status_code == 401
        assert server.get(f"{ben.path}/mine", ben.token).json()["contacts"][0]["id"] == contact
        assert ben.do("token").status_code == 200
        assert dora.do("forget").status_code == 200
        end_turn(ann)
        wait_until_sent(sqlite)
    assert receiver.at("/ben") == []
    with closing(sqlite3.connect(file_of(sqlite))) as base:
        for table in ("contacts", "links"):
            assert base.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_who_leaves_over_a_socket_is_told_no_longer(sqlite: str) -> None:
    with telling(sqlite) as server:
        _, ben = two(server)
        subscribe(ben, Browser("https://localhost/ben"))
        with server.socket(ben.table, {"token": ben.token}) as socket:
            receive(socket, "update")
            socket.send(json.dumps({"type": "leave"}))
            receive(socket, "ack")
        assert server.get(f"{ben.path}/notify", ben.token).json()["contacts"] == []


def test_live_tables_without_contacts_leave_the_outbox_empty(server: Server, sqlite: str) -> None:
    ann, ben = two(server)
    end_turn(ann)
    ben.do("resign")
    with closing(sqlite3.connect(file_of(sqlite))) as base:
        assert base.execute("SELECT count(*) FROM outbox").fetchone() == (0,)


@pytest.mark.parametrize(
    ("push", "code"),
    [
        ({"endpoint": "https://evil.example/x"}, "not-allowed"),
        ({"endpoint": "https://fcm.googleapis.com.evil.example/x"}, "not-allowed"),
        ({"endpoint": "http://fcm.googleapis.com/x"}, "malformed"),
        ({"p256dh": "A" * 87}, "malformed"),
        ({"auth": "A" * 23}, "malformed"),
    ],
    ids=["unknown", "lookalike", "http", "key", "secret"],
)
def test_only_push_services_are_taken(shared: Server, push: dict[str, str], code: str) -> None:
    ann = shared.table()
    usual = Browser(f"https://fcm.googleapis.com/{code}/{len(str(push))}").subscription
    assert ann.do("notify", {"push": usual}).status_code == 200
    refused = ann.do("notify", {"push": {**usual, **push}})
    assert refused.json()["error"]["code"] == code


def test_requests_about_messages_are_checked(shared: Server) -> None:
    ann, ben = two(shared)
    subscription = Browser("https://updates.push.services.mozilla.com/wpush/v2/x").subscription
    for body in ({}, {"push": subscription, "mail": "a@example.org"}, {"wishes": {"kinds": ["moves"]}}):
        assert ann.do("notify", body).json()["error"]["code"] == "malformed"
    quiet = {"from": "22:00", "to": "07:00", "zone": "Moon/Sea"}
    assert "time zone" in ann.do("notify", {"push": subscription, "wishes": {"quiet": quiet}}).text
    assert ann.do("notify", {"mail": "a@example.org"}).json()["error"]["code"] == "off"
    assert ann.do("webhook", {"url": "https://example.org/"}).json()["error"]["code"] == "off"
    assert ben.do("webhook", {"url": "https://example.org/"}).json()["error"]["code"] == "not-the-host"
    assert shared.get(f"{ann.path}/notify").status_code == 401
    for number in range(10):
        more = Browser(f"https://fcm.googleapis.com/{number}").subscription
        assert ann.do("notify", {"push": more}).status_code == 200
    assert ann.do("notify", {"push": Browser("https://fcm.googleapis.com/x").subscription}).status_code == 409


def test_a_webhook_gets_every_turn_as_signed_json(
    sqlite: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with telling(sqlite) as server:
        ann, ben = two(server)
        assert ann.do("webhook", {"url": "https://10.0.0.1/"}).json()["error"]["code"] == "malformed"
        secret = ann.do("webhook", {"url": f"{receiver.url}/hook"}).json()["secret"]
        assert server.get(f"{ann.path}/notify", ann.token).json()["webhook"] == "localhost"
        causes = [end_turn(ann), end_turn(ben)]
        arrived = sorted(receiver.wait_for(2, "/hook"), key=lambda each: int(json.loads(each.body)["seq"]))
        assert [each.headers["idempotency-key"] for each in arrived] == causes
        told = json.loads(arrived[0].body)
        assert (told["id"], told["kind"], told["table"], told["chairs"]) == (causes[0], "turn", ann.table, [2])
        page = (Path(__file__).parents[2] / "docs/server-api.md").read_text("utf-8")
        [code] = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        exec(code, example := dict[str, Any]())
        header = arrived[0].headers["cartagena-signature"]
        assert example["is_genuine"](secret, header, arrived[0].body)
        assert not example["is_genuine"](secret, header, arrived[1].body)
        monkeypatch.setattr("sys.argv", ["webhook.py", secret])
        code = (Path(__file__).parents[2] / "examples/webhook.py").read_text("utf-8").partition("\ncontext = ")[0]
        exec(code, example)
        assert example["is_genuine"](header, arrived[0].body)
        assert not example["is_genuine"]("", arrived[0].body)
        receiver.answers["/hook"] = [410]
        end_turn(ann)
        receiver.wait_for(3, "/hook")
        while server.get(f"{ann.path}/notify", ann.token).json()["webhook"] is not None:
            pass


def test_keys_and_contacts_are_part_of_a_backup(sqlite: str, tmp_path: Path) -> None:
    with running(sqlite) as server:
        ann = server.table()
        subscribe(ann, Browser("https://fcm.googleapis.com/fcm/send/abc"))
        key = server.get("/api/about").json()["notify"]["push"]
    assert run_cli("db", "backup", str(tmp_path / "b.gz"), "--database", sqlite).returncode == 0
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    assert run_cli("db", "restore", str(tmp_path / "b.gz"), "--database", copy).returncode == 0
    with running(copy) as server:
        assert server.get("/api/about").json()["notify"]["push"] == key
        assert len(server.get(f"{ann.path}/notify", ann.token).json()["contacts"]) == 1


NIGHT = QuietHours.model_validate({"from": "22:00", "to": "07:00", "zone": "Europe/Berlin"})


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-01-10T20:59:00Z", "2026-01-10T20:59:00Z"),
        ("2026-01-10T21:00:00Z", "2026-01-11T06:00:00Z"),
        ("2026-01-11T05:59:59Z", "2026-01-11T06:00:00Z"),
        ("2026-01-11T06:00:00Z", "2026-01-11T06:00:00Z"),
        ("2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"),  # summer time begins in this night
        ("2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z"),  # and ends in this one
    ],
)
def test_quiet_hours_are_those_of_the_persons_zone(now: str, end: str) -> None:
    began, over = (int(datetime.fromisoformat(text).timestamp() * 1000) for text in (now, end))
    assert quiet_end(NIGHT, began) == over
    assert quiet_end(None, began) == began


def test_a_message_that_waited_is_not_sent_in_quiet_hours(
    sqlite: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartagena.server.notify.sender.FIRST_PAUSE", 3_600_000)
    device, now = Browser(f"{receiver.url}/ben"), datetime.now(UTC)
    receiver.answers = {"/ben": [503]}
    with telling(sqlite) as server:
        ann, ben = two(server)
        contact = subscribe(ben, device)
        end_turn(ann)
        receiver.wait_for(1, "/ben")
        hours = {"from": f"{now - timedelta(hours=1):%H:%M}", "to": f"{now + timedelta(hours=2):%H:%M}", "zone": "UTC"}
        assert ben.do(f"notify/{contact}", {"quiet": hours}).status_code == 200
    quiet = QuietHours.model_validate(hours)
    with closing(sqlite3.connect(file_of(sqlite))) as base:
        base.execute("UPDATE outbox SET due = 0")
        base.commit()
        with telling(sqlite):
            due = 0
            while due <= (now.timestamp() + 3600) * 1000:
                [(due,)] = base.execute("SELECT due FROM outbox").fetchall()
    assert due == quiet_end(quiet, int(now.timestamp() * 1000))
    assert len(receiver.at("/ben")) == 1
