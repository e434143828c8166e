"""Playing at a table: whole games, moves exactly once, typed refusals, undo and its wall."""

import json
import random
from typing import Any

import pytest

from cartagena import Position, Record
from cartagena.game import fair_deal
from cartagena.server.protocol.encoding import move_fields
from cartagena.server.protocol.responses import Snapshot
from cartagena.server.tables.updates import position_json
from tests.variants import every_key

from .rig import TWO_HERE, Server, running

RULES = ("jamaica-en", "tortuga-de", "hispaniola-nl", "nest-nl", "jamaica-sv+pass")


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


@pytest.mark.parametrize("rules", RULES)
def test_a_whole_game_ends_with_a_record_that_can_be_proved(server: Server, rules: str) -> None:
    sizes = {"pirates": 2} if rules == "nest-nl" else {"pirates": 2, "pieces": 2}
    ann = server.table(rules, **sizes)
    seen = ann.play(3000)
    assert seen["stage"] == "over"
    assert seen["outcome"]["how"] in ("home", "deadlock")
    record = Record.parse(server.get(f"{ann.path}/record", ann.token).text)
    assert "follow from it" in fair_deal.check(record)
    assert str(record.final) == ann.view()
    assert record.tags["Commitment"] == seen["fair"]["commitment"]
    as_json = server.get(f"{ann.path}/record", ann.token, format="json").json()
    assert Record.from_json(as_json) == record


@pytest.mark.parametrize("name", ["tunnel", "nest"])
def test_a_variant_is_played_to_a_record_that_can_be_proved(server: Server, name: str) -> None:
    rules = every_key()[name]
    ann = server.table(rules.name, [{"kind": "here"}] * 3, variant=rules.to_data())
    seen = ann.play(3000)
    assert seen["stage"] == "over"
    assert seen["setup"]["variant"] == rules.to_data()
    record = Record.parse(server.get(f"{ann.path}/record", ann.token).text)
    assert record.opening.rules == rules
    assert "follow from it" in fair_deal.check(record)


def test_the_rules_of_a_variant_are_its_base_with_or_without_its_options(server: Server) -> None:
    entries = {"base": "jamaica-en", "name": "big", "cards": 20, "actions": 2, "row": 3}
    for rules in ("jamaica-en", "jamaica-en+actions2+cards20"):
        ann = server.table(rules, variant=entries)
        setup = ann.look()["setup"]
        assert (setup["rules"], setup["variant"]) == ("jamaica-en+actions2+cards20", entries)


def test_a_wrong_variant_is_refused(server: Server) -> None:
    for rules, more, sentence in (
        ("jamaica-en", {"variant": {"base": "jamaica-en", "draw": 9}}, "variant: draw must be 1, 2"),
        (
            "tortuga-en",
            {"variant": {"base": "jamaica-en", "draw": 1}},
            "rules must be jamaica-en, the base of the variant",
        ),
        (
            "jamaica-en",
            {"variant": {"base": "jamaica-en", "draw": 1}, "pirates": 2},
            "pirates belongs into the entries",
        ),
        ("jamaica-en", {"variant": {}}, "variant: base must name"),
    ):
        answer = server.post("/api/tables", {"rules": rules, "seats": TWO_HERE, **more})
        assert answer.status_code in (400, 422)
        assert sentence in answer.text


def test_the_same_game_on_both_databases(database: str) -> None:
    with running(database) as server:
        ann = server.table("tortuga-en")
        before = ann.play(40)
    with running(database) as server:
        ann.server = server
        after = ann.look()
        assert after["position"] == before["position"]
        assert after["events"] == before["events"]


@pytest.mark.parametrize("rules", RULES)
def test_every_answer_keeps_to_the_contract(server: Server, rules: str) -> None:
    ann = server.table(rules, spectators="public", clock={"kind": "bank", "seconds": 900, "increment": 5})
    for number in range(15):
        for token, query in ((ann.token, {}), (ann.token, {"seat": 1}), (ann.token, {"seat": 2}), (None, {})):
            snapshot, as_text = (
                server.get(ann.path, token, **query, **more).json() for more in ({}, {"detail": "text", "legal": True})
            )
            Snapshot.model_validate(snapshot)
            Snapshot.model_validate(as_text)
            view = Position.parse(as_text["text"])
            assert view.is_view
            assert (snapshot["text"], as_text["position"], as_text["options"]) == (None, None, None), "told once"
            assert as_text["legal"] == (view.legal_words() if snapshot["options"] else None)
            assert snapshot["position"] == json.loads(json.dumps(position_json(view)))
            if snapshot["options"]:
                assert [item["move"] for item in snapshot["options"]["legal"]] == list(
                    map(move_fields, view.legal_moves)
                )
        ann.play(1, seed=number)


def choices(ann: Any, kind: str) -> list[dict[str, Any]]:
    return [item for item in ann.look()["options"]["legal"] if item["move"]["kind"] == kind]


def test_options_tell_where_a_move_leads_and_what_it_brings(server: Server) -> None:
    ann = server.table("tortuga-en")
    chance = random.Random(5)
    for _ in range(40):
        before = ann.look()
        option = chance.choice(before["options"]["legal"])
        ann.move(option["move"])
        after = ann.look(seat=before["position"]["turn"]["chooser"])
        event = after["events"][-1]
        assert event["to"] == option["to"]
        seat = before["position"]["turn"]["chooser"] - 1
        if option["move"]["kind"] in ("advance", "retreat"):
            assert option["to"] in after["position"]["pirates"][seat]
        gained = after["position"]["hands"][seat]["size"] - before["position"]["hands"][seat]["size"]
        assert gained == option["cards"] - (option["move"]["kind"] == "advance")


def test_near_misses_carry_the_rules_reason(server: Server) -> None:
    ann = server.table("jamaica-en")
    reasons = [(item["move"], item["reason"]) for item in ann.look()["options"]["illegal"]]
    assert ({"kind": "end"}, "must-act") in reasons
    assert ({"kind": "retreat", "from": "s"}, "not-in-the-tunnel") in reasons
    refused = ann.move("end")
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "illegal"
    assert refused.json()["error"]["reason"] == "must-act"


def test_a_move_is_played_once_however_often_it_is_sent(server: Server) -> None:
    ann = server.table("tortuga-en")
    seen = ann.look()
    body = {"id": "one", "version": seen["version"], "move": seen["options"]["legal"][0]["move"]}
    answers = [ann.do("moves", body).json() for _ in range(5)]
    assert [item["repeated"] for item in answers] == [False, True, True, True, True]
    assert len({item["seq"] for item in answers}) == 1
    assert ann.look()["seq"] == answers[0]["seq"]
    other = ann.do("moves", body | {"move": "end"})
    assert other.json()["error"]["code"] == "id-reused"


def test_a_deadlock_is_a_draw_and_the_record_says_so(server: Server) -> None:
    for seed in range(80):
        ann = server.table("jamaica-en-return", pirates=2, pieces=1, deal=1)
        seen = ann.play(200, seed)
        if seen["outcome"] and seen["outcome"]["how"] == "deadlock":
            assert seen["outcome"]["winner"] is None
            assert ann.view().endswith("=0")
            assert '[Result "0"]' in server.get(f"{ann.path}/record", ann.token).text
            return
    raise AssertionError("no game ended in a deadlock")


def test_every_refusal_is_typed(server: Server) -> None:
    ann = server.table("jamaica-en", [TWO_HERE[0], {"kind": "link"}], lots=False)
    assert ann.move("s:B", 0).json()["error"]["code"] == "not-started"
    ben = ann.join()
    seen = ann.look()
    assert seen["you"]["seats"] == [1]
    version = seen["version"]

    def code(person: Any, move: str, seen_version: int = version, **more: Any) -> str:
        answer = person.move(move, seen_version, **more)
        assert answer.status_code in (401, 403, 409, 422)
        return str(answer.json()["error"]["code"])

    assert code(ann, "s:B", version - 1) == "stale"
    assert code(ben, "s:B") == "not-your-turn"
    assert code(ann, "nonsense") == "malformed"
    assert code(ann, "+B") == "illegal"
    assert code(ann, "end") == "illegal"
    assert code(ann, "s:B", seat=2) == "not-allowed"
    assert server.post(f"{ann.path}/moves", {"id": "x", "version": 1, "move": "end"}).status_code == 401
    assert server.post(f"{ann.path}/moves", {"id": "x", "version": 1, "move": "end"}, "wrong").status_code == 401
    assert server.get("/api/tables/nosuchtable1", ann.token).json()["error"]["code"] == "no-such-table"
    ann.do("resign")
    assert code(ann, "s:B", ann.look()["version"]) == "over"
    assert ann.look()["seq"] == ben.look()["seq"]


def test_undo_stops_at_a_draw_in_jamaica_and_at_the_refill_in_tortuga(server: Server) -> None:
    for rules in ("jamaica-en", "tortuga-en"):
        ann = server.table(rules, lots=False)
        assert ann.undo().json()["error"]["reason"] == "nothing-to-undo"
        ann.move(choices(ann, "advance")[0]["move"])
        middle = ann.look()
        ann.move(choices(ann, "advance")[-1]["move"])
        back = ann.undo()
        assert back.status_code == 200
        assert ann.look()["position"] == middle["position"]
        assert [event["type"] for event in ann.look()["events"]].count("move") == 1
        ann.move(choices(ann, "advance")[0]["move"])
        ann.move(choices(ann, "retreat")[-1]["move"])
        seen = ann.look()
        if rules == "jamaica-en":
            assert seen["undo"] | {"message": ""} == {"possible": False, "reason": "cards-dealt", "message": ""}
            assert ann.undo().json()["error"]["reason"] == "cards-dealt"
        else:
            assert seen["undo"]["possible"]
            assert ann.undo().status_code == 200
            ann.move(choices(ann, "end")[0]["move"])
            assert ann.look(seat=1)["undo"]["reason"] == "not-your-turn"
            assert ann.look(seat=2)["undo"]["reason"] == "nothing-to-undo"


def test_undo_stops_at_a_draw_in_the_nest(server: Server) -> None:
    ann = server.table("nest-nl", lots=False)
    ann.move(choices(ann, "advance")[0]["move"])
    assert ann.look()["undo"]["possible"]
    ann.move(choices(ann, "push")[0]["move"])
    told = ann.look()["undo"]
    assert (told["possible"], told["reason"]) == (False, "cards-dealt")
    refused = ann.undo().json()["error"]
    assert (refused["code"], refused["reason"], refused["message"]) == ("no-undo", "cards-dealt", told["message"])


def test_tortuga_undo_wall_is_the_refilled_row(server: Server) -> None:
    ann = server.table("tortuga-en")
    for number in range(400):
        seen = ann.play(1, seed=number)
        cards = seen["events"][-1].get("cards") or []
        if len(cards) >= 12:
            assert seen["undo"]["reason"] == "cards-dealt"
            return
        if seen["stage"] == "over":
            ann = server.table("tortuga-en")
    raise AssertionError("no row was refilled")


def test_a_move_taken_back_is_in_no_log_and_its_id_stays_used(server: Server) -> None:
    ann = server.table("tortuga-en", spectators="public")
    move = choices(ann, "advance")[0]["move"]
    body = {"id": "gone", "version": ann.look()["version"], "move": move}
    played = ann.do("moves", body).json()
    ann.undo()
    for snapshot in (ann.look(), server.get(ann.path).json()):
        assert [event["type"] for event in snapshot["events"]] == ["deal", "undo"]
    again = ann.do("moves", body).json()
    assert again["repeated"]
    assert again["seq"] == played["seq"]
    assert ann.look()["position"]["turn"]["used"] == 0


def test_cards_drawn_from_an_open_row_are_named_to_all(server: Server) -> None:
    ann = server.table("tortuga-en", lots=False, spectators="public")
    seen = ann.look()
    while not any(item["move"]["kind"] == "retreat" for item in seen["options"]["legal"]):
        ann.play(1)
        seen = ann.look()
    row = seen["position"]["row"]
    move = next(item["move"] for item in seen["options"]["legal"] if item["move"]["kind"] == "retreat")
    ann.do("moves", {"id": "back", "version": seen["version"], "move": move})
    for watching in (ann.look(), server.get(ann.path).json()):
        last = watching["events"][-1]
        assert last["drawn"] == row[: last["draws"]]
        assert last["draws"] > 0
