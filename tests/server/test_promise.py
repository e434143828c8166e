"""The promise of the deal: seen before joining, waited for, and proved afterwards with what a person kept."""

from typing import Any

import pytest

from cartagena import Record, UnfairDeal
from cartagena.game import fair_deal

from .rig import TWO_HERE, Person, Server
from .test_seating import LINK, code, wait_for

PATIENT: dict[str, Any] = {"salts": 600}


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
    for salt in ("anns", "bens"):
        assert "Not proved" not in fair_deal.check(record_of(ben), seen, [salt])
    with pytest.raises(UnfairDeal, match="you added is not part"):
        fair_deal.check(record_of(ben), seen, ["never sent"])
    again = Person(server, ann.do("rematch").json()["table"], ann.token)
    promise = again.look()["fair"]["commitment"]
    assert promise != seen
    server.post(f"{again.path}/join", {"salt": "bens-second"}, ben.token)
    assert again.look()["stage"] == "waiting", "a rematch waits for salts too"
    again.do("salt", {"salt": "anns-second"})
    again.do("resign")
    assert "Not proved" not in fair_deal.check(record_of(again), promise, ["anns-second"])


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
    assert server.table(seats=TWO_HERE, promise=1).look()["setup"]["promise"] == 2
