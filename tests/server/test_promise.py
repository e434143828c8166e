"""The promise of the deal: seen before joining, waited for, and proved afterwards with what a person kept."""

from typing import Any

import pytest

from cartagena import Record, UnfairDeal
from cartagena.game import fair_deal
from cartagena.rulesets import by_name, vary
from cartagena.server.protocol.requests import TableSetup
from cartagena.server.storage.peers import Living, new_member
from cartagena.server.tables.events import ComputerSeated, Dealt, Salted
from cartagena.server.tables.records import record_tags, table_commitment
from cartagena.server.tables.state import Table

from .rig import TWO_HERE, Person, Server
from .test_seating import LINK, code, wait_for

PATIENT: dict[str, Any] = {"salts": 600}
SIZES = {"pirates": 2, "deal": 4}


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def test_set_up_and_commitment_are_seen_before_joining(server: Server) -> None:
    ann = server.table("tortuga-en", LINK, deal=4)
    assert code(server.post(f"{ann.path}/preview")) == "not-allowed"
    assert code(server.post(f"{ann.path}/preview", {"invite": "wrong"})) == "not-allowed"
    seen = server.post(f"{ann.path}/preview", {"invite": ann.invites[0]}).json()
    assert (seen["setup"]["rules"], seen["setup"]["deal"], seen["stage"]) == ("tortuga-en", 4, "waiting")
    assert seen["seats"][0]["name"] == "Ann"
    ben = ann.join()
    assert ben.look()["fair"]["commitment"] == seen["commitment"]
    listed = server.table(seats=LINK, lobby=True)
    assert server.post(f"{listed.path}/preview").json()["commitment"] == listed.look()["fair"]["commitment"]


def record_of(person: Person) -> Record:
    return Record.parse(person.server.get(f"{person.path}/record", person.token).text)


def test_the_deal_waits_for_every_salt_and_is_proved_with_what_each_person_kept(server: Server) -> None:
    ann = server.table(seats=LINK, pirates=1, pieces=2, **PATIENT)
    seen = server.post(f"{ann.path}/preview", {"invite": ann.invites[0]}).json()["commitment"]
    ben = ann.join(salt="bens")
    assert ann.look()["stage"] == "waiting"
    assert ann.do("salt", {"salt": "anns"}).json()["stage"] == "playing"
    assert ben.look()["fair"]["salts"] == ["anns", "bens"]
    ann.do("resign")
    for chair, salt in enumerate(("anns", "bens"), 1):
        assert "Not proved" not in fair_deal.check(record_of(ben), seen, [salt], [chair])
    with pytest.raises(UnfairDeal, match="you added is not part"):
        fair_deal.check(record_of(ben), seen, ["never sent"])
    again = Person(server, ann.do("rematch").json()["table"], ann.token)
    promise = again.look()["fair"]["commitment"]
    assert promise != seen
    server.post(f"{again.path}/join", {"salt": "bens-second"}, ben.token)
    waiting = again.look()
    assert waiting["stage"] == "waiting", "a rematch waits for salts too"
    again.do("salt", {"salt": "anns-second"})
    again.do("resign")
    chair = waiting["you"]["seat"]  # the lots of the first game decide who sits first in the second
    assert "Not proved" not in fair_deal.check(record_of(again), promise, ["anns-second"], [chair])


def test_a_person_who_adds_nothing_delays_the_deal_until_the_deadline_only(server: Server) -> None:
    made = server.post("/api/tables", {"rules": "jamaica-en", "seats": TWO_HERE, "salts": 1}).json()
    assert made["snapshot"]["stage"] == "waiting"
    ann = Person(server, made["table"], made["token"])
    assert wait_for(ann, lambda found: found["stage"] == "playing")["fair"]["salts"] == ["", ""]


def test_the_host_cannot_start_before_the_salts_are_in(server: Server) -> None:
    ann = server.table(seats=LINK, hold=True, **PATIENT)
    ben = ann.join()
    ann.do("salt", {"salt": "anns"})
    assert code(ann.do("start")) == "not-started"
    ben.do("salt", {"salt": "bens"})
    assert ann.look()["stage"] == "waiting"
    assert ann.do("start").json()["stage"] == "playing"


def test_a_set_up_cannot_ask_for_the_older_promise(server: Server) -> None:
    assert server.table(seats=TWO_HERE, promise=1).look()["setup"]["promise"] == 3


def table_with_computers(promise: int) -> Table:
    """A dealt table where chair 2 was a computer's from the start and chair 3 was given to one later."""
    seats = [{"kind": "here"}, {"kind": "computer", "level": "sailor"}, {"kind": "link"}]
    setup = {"rules": "jamaica-en", "seats": seats, "promise": promise, **SIZES}
    table = Table("k3v9x2m4q8rt", 0, TableSetup.model_validate(setup), "5a" * 32, [])
    table.replay([Salted([1], "anns"), Salted([3], "try1020"), ComputerSeated(3, "sailor")])
    return table.replay([Dealt.drawn(table)])


def test_the_promise_names_the_chairs_of_computers_and_the_rules_by_their_content() -> None:
    table = table_with_computers(3)
    assert table.salts == ["anns", "", ""], "a computer adds nothing"
    assert table.opening is not None
    record = Record(table.opening, [], record_tags(table))
    assert (record.tags["Computers"], record.tags["ComputersLater"]) == ("2", "3")
    assert "Not proved" not in fair_deal.check(record, table_commitment(table), ["anns"], [1], [2, 3])
    terms = fair_deal.bound_terms(record.tags, 3)
    assert (terms.computers, terms.content) == ((2,), vary(by_name("jamaica-en"), SIZES, "").content_hash)
    assert table_commitment(table) == fair_deal.commitment(table.secret, terms)


def test_a_table_of_an_older_promise_is_not_proved() -> None:
    for promise in (1, 2):
        table = table_with_computers(promise)
        assert table.opening is not None
        record = Record(table.opening, [], record_tags(table))
        with pytest.raises(UnfairDeal, match="not proved: the commitment has an older form"):
            fair_deal.check(record, table_commitment(table), ["anns"], [1], [2, 3])


def test_tables_have_the_older_promise_while_a_server_of_the_version_before_runs() -> None:
    def promise(*names: str) -> int:
        return Living(frozenset(range(len(names))), names, 0, 0).promise

    assert promise(new_member().name) == 3
    assert promise(new_member().name, "cartagena format 1 version 0.1.1") == 2
    assert promise(new_member().name, "") == 2, "a server that does not say its format"
