"""A person can see and delete what is kept about them, and no other record suffers."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cartagena.game import Record
from cartagena.game.fair_deal import check as check_deal
from cartagena.server.live import privacy
from cartagena.server.live.loading import check
from cartagena.server.protocol.requests import TableSetup
from cartagena.server.storage.database import Database
from cartagena.server.tables.clocks import Moment
from cartagena.server.tables.decide import Change
from cartagena.server.tables.events import Joined, Removed, Talked
from cartagena.server.tables.state import Table
from tests.cli.helpers import called

from .conftest import make_database
from .receivers import Browser
from .rig import Person, Server, receive, running
from .test_clocks import carry_out

NAMES = ("Annabel", "Bartholomew")
LINES = ("I keep the hat cards", "Not from me")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database of each kind."""
    return make_database(request.param, tmp_path_factory.mktemp("privacy"), request)


@pytest.fixture(scope="module")
def server(place: str) -> Iterator[Server]:
    with running(place) as found:
        yield found


def two_people(server: Server, **more: Any) -> tuple[Person, Person]:
    """A game of two persons who have talked."""
    seats = [{"kind": "here", "name": NAMES[0]}, {"kind": "link"}]
    ann = server.table("jamaica-en", seats, **more)
    ben = ann.join(name=NAMES[1])
    for person, line in ((ann, LINES[0]), (ben, LINES[1])):
        assert person.do("talk", {"text": line}).status_code == 200
    return ann, ben


def everything(place: str, table: str) -> str:
    """All that the database holds about a table, as text."""

    async def read() -> str:
        database = Database(place)
        try:
            row, events = await database.table_row(table), await database.table_events(table)
            return repr((row, events))
        finally:
            await database.close()

    return asyncio.run(read())


def problems(place: str) -> list[str]:
    """What ``cartagena db check`` finds."""

    async def read() -> list[str]:
        database = Database(place)
        try:
            return (await check(database))[1]
        finally:
            await database.close()

    return asyncio.run(read())


def test_a_person_sees_all_of_the_own_words_and_no_other(server: Server) -> None:
    ann, ben = two_people(server, lots=False)
    seen = ann.play(3)
    [kept] = server.get(f"{ann.path}/mine", ann.token).json()["tables"]
    assert [(seat["seat"], seat["name"]) for seat in kept["seats"]] == [(1, NAMES[0])]
    assert [line["text"] for line in kept["talk"]] == [LINES[0]]
    assert kept["moves"] == len([event for event in seen["events"] if event["type"] == "move"]) > 0
    assert kept["token"] == {"kept": "SHA-256", "host": True}
    text = server.get(f"{ben.path}/mine", ben.token).text
    assert NAMES[1] in text
    assert LINES[1] in text
    assert NAMES[0] not in text
    assert LINES[0] not in text
    assert server.get(f"{ann.path}/mine").status_code == 401
    assert server.post(f"{ann.path}/forget").status_code == 401


def test_what_is_deleted_is_gone_everywhere_and_every_record_still_verifies(server: Server, place: str) -> None:
    ann, ben = two_people(server, spectators="public")
    ann.play(6)
    ben.do("resign")
    earlier = Record.parse(server.get(f"{ben.path}/record", ben.token).text)
    again = ben.do("rematch").json()["table"]
    assert all(word in everything(place, ann.table) for word in (*NAMES, *LINES))
    assert NAMES[0] in everything(place, again)
    with server.socket(ann.table, {"token": ann.token}) as own, server.socket(ben.table, {"token": ben.token}) as live:
        receive(own)
        receive(live)
        assert ann.do("forget").json() == {"tables": 2}
        assert receive(own, "rejected")["code"] == "not-seated"
        told = receive(live)
        while "forgotten" not in [event["type"] for event in told["events"]]:
            told = receive(live)
        [event] = [event for event in told["events"] if event["type"] == "forgotten"]
        assert [seat["name"] for seat in told["seats"] if seat["seat"] in event["seats"]] == [""]
    for table in (ann.table, again):
        stored = everything(place, table)
        assert NAMES[0] not in stored
        assert LINES[0] not in stored
    seen = ben.look()
    assert [event["text"] for event in seen["events"] if event["type"] == "talk"] == ["", LINES[1]]
    assert NAMES[0] not in json.dumps(seen)
    assert NAMES[1] in json.dumps(seen)
    assert NAMES[0] not in server.get(ann.path).text
    for record in (earlier, Record.parse(server.get(f"{ben.path}/record", ben.token).text)):
        check_deal(record)
    assert ann.do("talk", {"text": "again"}).status_code == 401
    assert ann.do("forget").status_code == 401
    assert server.get(f"/api/tables/{again}", ann.token).status_code == 401
    assert problems(place) == []


def test_a_game_goes_on_without_the_person_and_a_waiting_table_is_left(server: Server, place: str) -> None:
    ann, ben = two_people(server, lots=False)
    assert ben.do("forget").status_code == 200
    seen = ann.look()
    assert (seen["stage"], seen["seats"][1]["name"], seen["seats"][1]["away"]) == ("playing", "", "left")
    ann.play(4)
    waiting = server.table("jamaica-en", [{"kind": "here", "name": NAMES[0]}, {"kind": "link"}, {"kind": "link"}])
    guest = waiting.join(name=NAMES[1])
    assert guest.do("forget").status_code == 200
    seen = waiting.look()
    assert [seat["taken"] for seat in seen["seats"]] == [True, False, False]
    assert NAMES[1] not in everything(place, waiting.table)
    assert waiting.do("forget").status_code == 200
    assert NAMES[0] not in everything(place, waiting.table)
    assert problems(place) == []


def test_the_words_of_a_person_who_sat_there_before_stay_theirs(server: Server) -> None:
    host = server.table("jamaica-en", [{"kind": "here", "name": NAMES[0]}, {"kind": "link"}, {"kind": "link"}])
    first = host.join(name="Ferdinand")
    first.do("talk", {"text": "first"})
    assert host.do("remove", {"seat": 2}).status_code == 200
    invite = server.post(f"{host.path}/invites/2", token=host.token).json()["invite"]
    token = server.post(f"{host.path}/join", {"invite": invite, "name": NAMES[1]}).json()["token"]
    [kept] = server.get(f"{host.path}/mine", token).json()["tables"]
    assert [seat["name"] for seat in kept["seats"]] == [NAMES[1]]
    assert kept["talk"] == []


def test_the_words_of_a_removed_person_can_be_deleted_too(server: Server, place: str) -> None:
    host = server.table("jamaica-en", [{"kind": "here", "name": NAMES[0]}, {"kind": "link"}, {"kind": "link"}])
    for chair, (invite, name) in enumerate(zip(host.invites, ("Ferdinand", "Isabella"), strict=True), 2):
        token = server.post(f"{host.path}/join", {"invite": invite, "name": name}).json()["token"]
        server.post(f"{host.path}/talk", {"text": f"words of {name}"}, token)
        assert host.do("remove", {"seat": chair, "forget": chair == 3}).status_code == 200
    stored = everything(place, host.table)
    assert "Isabella" not in stored, "asked to delete"
    assert "words of Ferdinand" in stored, "only removed"


def test_forgetting_a_chair_covers_all_who_sat_there() -> None:
    seats = [{"kind": "here"}, {"kind": "link"}]
    table = Table("k3v9x2m4q8rt", 0, TableSetup.model_validate({"rules": "jamaica-en", "seats": seats}), "00", [])
    told = [Joined(2, "Ferdinand", ""), Talked(2, "mine"), Removed(2), Joined(2, "Isabella", ""), Talked(2, "hers")]
    for event in told:
        carry_out(table, Change().add(table, Moment(0, 0), event))
    assert len(table.words_of([2])) == 2
    change = privacy.forgetting(table, (2,), [], Moment(0, 0), None, earlier=True)
    assert [event.says for event in change.rewritten] == ["", "", "", ""], "all four are rewritten in the database"
    carry_out(table, change)
    assert "Ferdinand" not in str(table.events)
    assert "hers" not in str(table.events)


def test_the_operator_deletes_for_a_person_without_a_token(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    place = f"sqlite:///{file}"
    with running(place, push_hosts="localhost", webhooks=True, notify_networks="127.0.0.1") as server:
        ann, ben = two_people(server, lots=False)
        assert ann.do("notify", {"push": Browser("https://localhost/ann").subscription}).status_code == 200
        assert ann.do("webhook", {"url": "https://127.0.0.1/ann"}).status_code == 200
        done = called("db", "forget", "--database", place, "--token", ben.token)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "is locked by another server; stop that one first." in done.stderr
    shown = called("db", "forget", "--database", place, "--table", ann.table, "--chair", "1", "--show")
    assert shown.returncode == 0
    assert NAMES[0] in shown.stdout
    assert NAMES[0] in everything(place, ann.table)
    done = called("db", "forget", "--database", place, "--table", ann.table, "--chair", "1")
    told = "Deleted at 1 table: 1 name and 1 line of talk; no token to these seats is valid any more.\n"
    assert (done.returncode, done.stdout) == (0, told), done.stderr
    with closing(sqlite3.connect(file)) as base:
        for kept in ("contacts", "links", "webhooks"):
            assert base.execute(f"SELECT count(*) FROM {kept}").fetchone() == (0,), kept
    assert called("db", "forget", "--database", place, "--token", ben.token).returncode == 0
    text = everything(place, ann.table)
    assert not [word for word in (*NAMES, *LINES) if word in text]
    assert problems(place) == []
    wrong = (("--token", ben.token), ("--table", ann.table, "--chair", "7"), ("--table", "nosuchtable", "--chair", "1"))
    for words in (*wrong, (), ("--table", ann.table)):
        done = called("db", "forget", "--database", place, *words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    left = sqlite3.connect(file).execute("SELECT count(*) FROM events WHERE kind = 'move'").fetchone()
    assert left == (0,)
