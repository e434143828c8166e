"""Seats, tokens, invitations, the lobby, coming and going, rematches, talk."""

import sqlite3
import time
from typing import Any

import pytest

from cartagena.server.tables.tokens import digest, new_token

from .rig import PATIENCE, TWO_HERE, Person, Server, receive, running

LINK = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
COMPUTER = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "7"}]


def code(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def test_a_token_has_enough_bits_and_only_its_hash_is_kept(sqlite: str) -> None:
    with running(sqlite) as server:
        ann = server.table(seats=LINK)
    assert len(new_token()) * 6 >= 128
    with sqlite3.connect(sqlite.removeprefix("sqlite:///")) as base:
        rows = base.execute("SELECT digest FROM keys").fetchall()
        dump = "\n".join(base.iterdump())
    base.close()
    assert {row[0] for row in rows} == {digest(ann.token), digest(ann.invites[0])}
    assert ann.token not in dump
    assert ann.invites[0] not in dump


def test_an_invitation_is_good_once_and_the_host_never_learns_the_token(server: Server) -> None:
    ann = server.table(seats=LINK)
    ben = ann.join()
    assert ben.token != ann.invites[0]
    assert code(server.post(f"{ann.path}/join", {"invite": ann.invites[0]})) == "not-allowed"
    assert server.get(ann.path, ann.invites[0]).status_code == 401
    assert set(ann.look()["you"]["seats"]).isdisjoint(ben.look()["you"]["seats"])


def test_a_token_can_be_renewed_and_the_old_one_is_worthless(server: Server) -> None:
    ann = server.table(seats=LINK)
    ann.join()
    with server.socket(ann.table, {"token": ann.token}) as live:
        receive(live)
        new = ann.do("token").json()["token"]
        assert receive(live, "rejected")["code"] == "not-seated"
    assert server.get(ann.path, ann.token).status_code == 401
    assert code(ann.move("s:B", 2)) == "not-seated"
    assert Person(server, ann.table, new).look()["you"]["host"]


def test_an_invitation_can_be_renewed_by_the_host_only(server: Server) -> None:
    ann = server.table(seats=[*LINK, {"kind": "link"}])
    ben = ann.join(0)
    assert code(ben.do("invites/3")) == "not-the-host"
    fresh = ann.do("invites/3").json()["invite"]
    assert code(server.post(f"{ann.path}/join", {"invite": ann.invites[1]})) == "not-allowed"
    assert server.post(f"{ann.path}/join", {"invite": fresh}).status_code == 200
    assert code(ann.do("invites/3")) == "taken"


def test_a_host_without_a_seat_sees_the_table_until_the_deal_only(server: Server) -> None:
    links = [{"kind": "link", "name": "Ann"}, {"kind": "link", "name": "Ben"}]
    host = server.table(seats=links, lots=False)
    ann = host.join(0, name="")
    assert host.look()["stage"] == "waiting"
    with server.socket(host.table, {"token": host.token}) as live:
        receive(live)
        ben = host.join(1, name="")
        assert receive(live, "rejected")["code"] == "not-seated"
    assert code(server.get(host.path, host.token)) == "not-seated"
    assert code(server.get(f"{host.path}/events", host.token)) == "not-seated"
    assert code(host.do("talk", {"text": "I see you"})) == "not-seated"
    ben.do("resign")
    again = Person(server, ann.do("rematch").json()["table"], host.token)
    assert code(server.get(again.path, again.token)) == "not-seated", "the host's token is valid at the rematch"
    watched = server.table(seats=links, lots=False, spectators="public")
    watched.join(0)
    watched.join(1)
    assert watched.look()["stage"] == "playing"
    computers = [{"kind": "computer", "level": "7"}] * 2
    assert server.table(seats=computers).look()["you"]["host"], "a game without people may be watched by its host"


def test_one_person_can_hold_several_seats(server: Server) -> None:
    ann = server.table(seats=[*LINK, {"kind": "link"}], lots=False)
    joined = server.post(f"{ann.path}/join", {"invite": ann.invites[1], "name": "Cas"}, ann.token).json()
    assert joined["token"] == ann.token
    ben = ann.join(0)
    assert ann.look()["you"] == {"seat": 1, "seats": [1, 3], "host": True}
    assert ann.look(seat=3)["position"]["hands"][2]["cards"] is not None
    assert ann.look(seat=3)["position"]["hands"][0]["cards"] is None
    assert code(server.get(ann.path, ann.token, seat=2)) == "not-allowed"
    assert ben.look()["position"]["hands"][0]["cards"] is None


def test_the_lobby_lists_open_tables_and_gives_seats_without_invitation(server: Server) -> None:
    ann = server.table("nest-nl", LINK, lobby=True)
    private = server.table(seats=LINK)
    [listed] = [
        item for item in server.get("/api/tables").json()["tables"] if item["table"] in (ann.table, private.table)
    ]
    assert (listed["table"], listed["free"], listed["rules"], listed["host"]) == (ann.table, 1, "nest-nl", "Ann")
    assert server.post(f"{ann.path}/join", {"name": "Zoë"}).status_code == 200
    assert code(server.post(f"{ann.path}/join", {})) == "started"
    assert code(server.post(f"{private.path}/join", {})) == "not-allowed"


def test_lots_decide_the_seats_and_can_be_proved(server: Server) -> None:
    orders: set[tuple[int, ...]] = set()
    for _ in range(100):
        orders.add(tuple(server.table().look()["fair"]["lots"]))
        if len(orders) > 1:
            break
    assert orders == {(1, 2), (2, 1)}


def test_salts_are_secret_until_the_deal_and_change_it(server: Server) -> None:
    ann = server.table(seats=LINK, hold=True)
    promise = ann.look()["fair"]
    assert promise["salts"] is None
    ann.do("salt", {"salt": "mine"})
    ben = ann.join(salt="yours")
    assert [seat["salted"] for seat in ben.look()["seats"]] == [True, True]
    assert ben.look()["stage"] == "waiting"
    assert code(ben.do("start")) == "not-the-host"
    ann.do("start")
    assert ann.look()["fair"]["salts"] == ["mine", "yours"]
    assert ann.look()["fair"]["commitment"] == promise["commitment"]
    assert code(ann.do("salt", {"salt": "late"})) == "started"


def test_who_resigns_loses_and_the_record_says_so(server: Server) -> None:
    ann = server.table(seats=LINK, lots=False)
    ben = ann.join()
    assert ann.do("resign").status_code == 200
    assert ben.look()["outcome"] == {"winner": 2, "how": "resigned"}
    assert ben.look()["position"]["hands"][0]["cards"] is not None, "everything is open to those who sat there"
    assert 'Termination "resigned, seat 2 wins"' in server.get(f"{ben.path}/record", ben.token).text


def test_a_third_resigns_and_the_computer_plays_on(server: Server) -> None:
    ann = server.table(seats=[TWO_HERE[0], {"kind": "link"}, {"kind": "link"}], lots=False, replace="8")
    ben, cas = ann.join(0), ann.join(1)
    ann.do("resign")
    seen = wait_for(ben, lambda found: found["position"]["turn"]["chooser"] == 2)
    assert seen["seats"][0]["resigned"]
    assert seen["seats"][0]["level"] == "8"
    assert seen["stage"] == "playing"
    ben.do("resign")
    assert cas.look()["outcome"] == {"winner": 3, "how": "resigned"}


def wait_for(person: Person, found: Any) -> dict[str, Any]:
    """The first update for which something holds. An answer without news is no end: the table may be read anew."""
    seen, deadline = person.look(), time.monotonic() + PATIENCE
    while not found(seen):
        assert time.monotonic() < deadline, "nothing happened"
        before = seen["seq"]
        seen = person.server.get(f"{person.path}/events", person.token, after=before, wait=20).json()
        if seen["seq"] > before:
            deadline = time.monotonic() + PATIENCE
    return seen


def test_who_leaves_is_replaced_and_may_come_back(server: Server) -> None:
    ann = server.table(seats=LINK, lots=False, replace="8")
    ben = ann.join()
    ann.do("leave")
    seen = wait_for(ben, lambda found: found["position"]["turn"]["chooser"] == 2)
    assert (seen["seats"][0]["away"], seen["seats"][0]["level"]) == ("left", "8")
    ann.do("back")
    assert ann.look()["seats"][0]["away"] is None
    ben.play(9)
    assert wait_for(ann, lambda found: found["position"]["turn"]["chooser"] == 1)["options"]


def test_a_rematch_passes_the_start_on_and_waits_for_all_players(server: Server) -> None:
    ann = server.table("tortuga-en", [*LINK, {"kind": "computer", "level": "7"}], lots=False)
    ben = ann.join(name="Ben")
    assert code(ben.do("rematch")) == "not-over"
    ann.do("resign")
    ben.do("resign")
    again = ben.do("rematch").json()
    assert ann.look()["next"] == again["table"]
    assert again["snapshot"]["stage"] == "waiting"
    assert ann.do("rematch").json()["table"] == again["table"]
    new_ann = Person(server, again["table"], ann.token)
    assert server.post(f"{new_ann.path}/join", {}, ann.token).status_code == 200
    names = [(seat["name"], seat["kind"]) for seat in new_ann.look()["seats"]]
    assert names == [("Ben", "person"), ("", "computer"), ("Ann", "person")]
    assert new_ann.look()["stage"] == "playing"


def test_a_host_gives_free_seats_to_the_computer_and_the_game_survives_a_restart(sqlite: str) -> None:
    with running(sqlite) as server:
        ann = server.table(seats=[*LINK, {"kind": "link"}], lots=False, lobby=True)
        ben = ann.join(0, name="Ben")
        want = {"seat": 3, "level": "8"}
        assert code(ben.do("computer", want)) == "not-the-host"
        assert code(ann.do("computer", {**want, "level": "bosun"})) == "malformed"
        assert code(ann.do("computer", {**want, "seat": 2})) == "taken"
        assert ann.do("computer", want).json()["stage"] == "playing"
        assert code(server.post(f"{ann.path}/join", {"invite": ann.invites[1]})) == "not-allowed"
        assert code(ann.do("computer", want)) == "started"
        seat = ben.look()["seats"][2]
        assert (seat["kind"], seat["level"], seat["name"]) == ("computer", "8", "")
        ann.play(9)
    with running(sqlite) as server:
        ben = Person(server, ben.table, ben.token)
        assert ben.look()["seats"][2] == seat
        ben.play(9)
        wait_for(ben, lambda found: found["position"]["turn"]["chooser"] == 1)
        assert 3 in {event.get("seat") for event in ben.look()["events"] if event["type"] == "move"}


def test_a_rematch_belongs_to_the_person_who_asks_for_it(server: Server) -> None:
    ann = server.table(seats=LINK, lots=False)
    ben = ann.join(name="Ben")
    ann.do("resign")
    again = Person(server, ben.do("rematch").json()["table"], ben.token)
    [free] = [seat["seat"] for seat in again.look()["seats"] if not seat["taken"]]
    assert again.look()["you"]["host"]
    assert again.do("computer", {"seat": free, "level": "7"}).json()["stage"] == "playing"
    assert server.get(again.path, ann.token).status_code == 401, "the seat is the computer's now"


def test_a_table_can_be_closed_until_the_cards_are_dealt(server: Server) -> None:
    ann = server.table(seats=[*LINK, {"kind": "link"}], lobby=True)
    assert ann.table in [item["table"] for item in server.get("/api/tables").json()["tables"]]
    ben = ann.join(0, name="Ben")
    assert code(ben.do("cancel")) == "not-the-host"
    assert ann.do("cancel").json()["outcome"] == {"winner": None, "how": "cancelled"}
    seen = ben.look()
    assert (seen["stage"], seen["position"], seen["events"][-1]["type"]) == ("over", None, "cancelled")
    assert ann.table not in [item["table"] for item in server.get("/api/tables").json()["tables"]]
    assert code(server.post(f"{ann.path}/join", {"invite": ann.invites[1]})) == "over"
    assert code(ann.do("cancel")) == "started"
    assert code(ann.do("rematch")) == "not-over"
    assert code(server.table().do("cancel")) == "started"


def test_talk_is_bounded_cleaned_and_can_be_turned_off(server: Server) -> None:
    ann = server.table(seats=LINK)
    ben = ann.join(name="  <i>Ben\u202e\n ")
    ann.do("talk", {"text": "<script>alert(1)</script>\u0007 hi"})
    raw = server.get(ben.path, ben.token).text
    assert "<" not in raw
    said = [event["text"] for event in ben.look()["events"] if event["type"] == "talk"]
    assert said == ["<script>alert(1)</script> hi"]
    assert "<i>Ben" in [seat["name"] for seat in ben.look()["seats"]]
    assert ann.do("talk", {"text": "x" * 201}).status_code == 422
    assert ann.do("talk", {"text": "\u200b"}).status_code == 422
    assert ann.look()["version"] == ben.look()["version"]
    quiet = server.table(seats=LINK, talk=False)
    assert code(quiet.do("talk", {"text": "hello"})) == "off"


def test_talk_before_the_deal_stays_with_its_person_when_lots_are_drawn(server: Server) -> None:
    names = ("Ann", "Ben", "Cat", "Dan", "Eve")
    ann = server.table(seats=[{"kind": "here", "name": "Ann"}, *[{"kind": "link"}] * 4], hold=True)
    people = [ann, *(ann.join(number, name) for number, name in enumerate(names[1:]))]
    for person, name in zip(people, names, strict=True):
        assert person.do("talk", {"text": name}).status_code == 200
    assert ann.do("start").status_code == 200
    ann.do("talk", {"text": "Ann"})
    seen = people[-1].look()
    said = [(seen["seats"][event["seat"] - 1]["name"], event["text"]) for event in seen["events"] if event.get("text")]
    assert said == [(name, name) for name in (*names, "Ann")], f"lots: {seen['fair']['lots']}"


def test_hints_are_for_the_seat_that_asks_and_off_among_several_people(server: Server) -> None:
    ann = server.table(seats=COMPUTER, lots=False)
    hint = ann.do("hint", {"seconds": 0.1}).json()
    seen = ann.look()
    assert hint["answer"]["view"] == ann.view(), "the player is told the asking seat's view and nothing else"
    assert hint["answer"]["move"] in [item["move"] for item in seen["options"]["legal"]]
    apart = server.table(seats=LINK, lots=False)
    ben = apart.join()
    assert code(apart.do("hint")) == "off"
    agreed = server.table(seats=LINK, lots=False, hints=True)
    ben = agreed.join()
    assert agreed.do("hint").status_code == 200
    assert code(ben.do("hint")) == "not-your-turn"
    assert code(agreed.do("hint", {"level": "nobody"})) == "no-computer"


@pytest.mark.parametrize(
    "change",
    [
        {"rules": "chess"},
        {"rules": "jamaica-en+fly"},
        {"seats": [{"kind": "here"}]},
        {"seats": [{"kind": "here"}, {"kind": "computer", "level": "nobody"}]},
        {"seats": [{"kind": "here"}, {"kind": "computer"}]},
        {"seats": [{"kind": "here", "level": "7"}, {"kind": "here"}]},
        {"replace": "nobody"},
        {"pieces": 8},
        {"pirates": 9},
        {"clock": {"kind": "turn"}},
        {"colour": "red"},
        {"rules": "../../etc/passwd.toml"},
    ],
)
def test_a_table_that_cannot_be_is_refused_in_one_sentence(server: Server, change: dict[str, Any]) -> None:
    answer = server.post("/api/tables", {"rules": "jamaica-en", "seats": TWO_HERE, **change})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "malformed"
    assert answer.json()["error"]["message"].endswith(".")


def test_a_computer_game_goes_on_with_no_browser_and_after_a_restart(sqlite: str) -> None:
    seats = [{"kind": "computer", "level": "7"}, {"kind": "computer", "level": "8"}]
    with running(sqlite, pace=True) as server:  # so that the game is far from over when it is looked at
        host = server.table("jamaica-en", seats, spectators="public")
        wait_for(host, lambda found: found["seq"] > 5)
    with running(sqlite, pace=True) as server:
        host = Person(server, host.table, host.token)
        at = host.look()["seq"]
        wait_for(host, lambda found: found["seq"] > at + 5)


def test_a_computer_player_that_fails_stops_no_game(sqlite: str) -> None:
    with running(sqlite, engine="false {level}") as server:
        ann = server.table(seats=COMPUTER, lots=False)
        ann.play(4)
        wait_for(ann, lambda found: found["position"]["turn"]["chooser"] == 1)
        assert 2 in {event.get("seat") for event in ann.look(after=0)["events"]}, "the computer's turn was played"
