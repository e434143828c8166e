"""Positions to try and records to read, without a table."""

import json
from pathlib import Path
from typing import Any

import pytest

from cartagena import Position
from cartagena.rulesets import from_toml
from cartagena.server.http.study_routes import CheckedVariant, ReviewedRecord, StudyPosition, StudyRecord

from .rig import Server

A = (
    "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34 "
    "BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0"
)
SMALL = "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"


@pytest.fixture(scope="module")
def server(shared: Server) -> Server:
    """One server for all of them: each would start a study process of its own."""
    return shared


def ask(server: Server, position: str, *moves: str) -> dict[str, Any]:
    answer = server.post("/api/study/position", {"position": position, "moves": moves})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    StudyPosition.model_validate(found)
    return found


def refusal(server: Server, what: str, body: Any) -> dict[str, Any]:
    answer = server.post(f"/api/study/{what}", body)
    assert answer.status_code in (409, 422), answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert error["message"].endswith(".")
    return error


def test_a_worked_example_is_tried_step_by_step(server: Server) -> None:
    found = ask(server, A, "s:D", "6:D", "6:D")
    assert [step["to"] for step in found["steps"]] == ["7", "15", "24"]
    assert found["text"] == str(Position.parse(A).play("s:D", "6:D", "6:D"))
    assert [item["move"] for item in found["options"]["legal"]] == [{"kind": "end"}]


def test_a_card_that_falls_due_is_dealt_or_named(server: Server) -> None:
    named = ask(server, SMALL, "s:B", "end", "s:D", "5<", "+H")
    assert named["steps"][-1]["cards"] == ["+H"]
    drawn = ask(server, SMALL, "s:B", "end", "s:D", "5<")
    assert drawn["steps"][-1]["cards"][0][0] == "+"
    assert drawn["position"]["turn"]["owed"] == 0


@pytest.mark.parametrize(
    ("position", "moves", "reason"),
    [
        ("nonsense", [], None),
        (SMALL, ["s:K"], "card-not-held"),
        (SMALL, ["1<"], "no-pirate-there"),
        (SMALL, ["what"], None),
    ],
)
def test_what_cannot_be_is_told_with_its_reason(
    server: Server, position: str, moves: list[str], reason: str | None
) -> None:
    error = refusal(server, "position", {"position": position, "moves": moves})
    assert (error["code"], error.get("reason")) == ("illegal", reason)


def test_a_view_can_be_looked_at_but_tells_no_more_than_it_shows(server: Server) -> None:
    view = str(Position.parse(SMALL).view(1))
    found = ask(server, view)
    assert found["position"]["hands"][1] == {"size": 2, "cards": None}
    error = refusal(server, "position", {"position": view, "moves": ["s:B", "end", "s:D"]})
    assert error["reason"] == "hidden-hand"


def test_a_record_is_read_as_steps_and_its_deal_proved(server: Server) -> None:
    ann = server.table("jamaica-en", pirates=1, pieces=1)
    seen = ann.play(400)
    assert seen["stage"] == "over"
    for form in ("text", "json"):
        record = server.get(f"{ann.path}/record", ann.token, format=form).text
        found = server.post("/api/study/record", {"record": record}).json()
        StudyRecord.model_validate(found)
        assert found["proof"]["state"] == "consistent"
        assert found["steps"][-1]["text"] == ann.view()
        played = [event["move"] for event in seen["events"] if event["type"] == "move"]
        assert [step["move"] for step in found["steps"]] == played
    broken = record.replace('"Secret": "', '"Secret": "0').replace('"Secret":"', '"Secret":"0')
    failed = server.post("/api/study/record", {"record": broken}).json()["proof"]
    assert failed["state"] == "failed"
    assert "promised" in failed["message"]


def test_a_record_without_a_secret_has_no_proof_and_a_broken_one_is_told(server: Server) -> None:
    plain = f'[Rules "jamaica-en"]\n\n{SMALL}\n\n1. s:B end\n'
    found = server.post("/api/study/record", {"record": plain}).json()
    assert found["proof"] == {"state": "none", "message": ""}
    assert [step["move"] for step in found["steps"]] == [{"kind": "advance", "from": "s", "card": "B"}, {"kind": "end"}]
    assert refusal(server, "record", {"record": "1. s:B end"})["code"] == "illegal"
    assert refusal(server, "record", {"record": plain.replace("s:B", "s:K")})["reason"] == "card-not-held"
    assert refusal(server, "record", {"record": "x" * 60_001})["code"] == "malformed"


def test_rules_of_your_own_are_checked_and_can_be_played(server: Server) -> None:
    file = 'base = "tortuga-en"\nname = "short-row"\ntitle = "A short row"\nrow = 5\npass = true\nseats = 3\n'
    found = CheckedVariant.model_validate(server.post("/api/study/variant", {"text": file}).json())
    assert (found.name, found.title, found.seats) == ("short-row", "A short row", 3)
    told = {each.key: (each.value, each.usual) for each in found.differs}
    assert told == {"row": ("5", "12"), "pass": ("yes", "no"), "seats": ("3", "any")}
    again = server.post("/api/study/variant", {"text": found.text}).json()
    assert again["setup"] == found.setup, "the tag of a record says the same"
    ann = server.table(seats=[{"kind": "here"}, {"kind": "link"}], lobby=True, **found.setup)
    assert ann.look()["setup"]["variant"] == from_toml(file).to_data()
    [listed] = [each for each in server.get("/api/tables").json()["tables"] if each["table"] == ann.table]
    assert (listed["rules"], listed["title"]) == ("tortuga-en+pass", "A short row")


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ('base = "tortuga-en"\nrow = 13', "rules.toml: row must be a whole number from 0 to 12, not 13."),
        ('base = "tortuga-en"\nrow = = 3', "rules.toml: not valid TOML (Invalid value (at line 2, column 7))."),
        ("row = 5", "rules.toml: base must name the rule set to start from"),
        ('{"base": "tortuga-en", "rows": 5}', "the variant: rows is not a key; the keys are base"),
    ],
)
def test_rules_that_cannot_be_played_are_told_with_what_is_wrong(server: Server, file: str, sentence: str) -> None:
    assert sentence in refusal(server, "variant", {"text": file})["message"]
    assert refusal(server, "variant", {"text": "#" * 16_001})["code"] == "malformed"


def test_rules_that_have_sizes_only_leave_a_record_that_can_be_proved(server: Server) -> None:
    file = {"base": "jamaica-en+pass", "pirates": 1, "pieces": 1}
    ann = server.table("jamaica-en+pass", variant=file)
    assert ann.look()["setup"]["variant"] is None
    checked = server.post("/api/study/variant", {"text": json.dumps(file)}).json()
    assert checked["setup"] == {"rules": "jamaica-en+pass", "pirates": 1, "pieces": 1}
    assert ann.play(900)["stage"] == "over"
    record = server.get(f"{ann.path}/record", ann.token).text
    assert server.post("/api/study/record", {"record": record}).json()["proof"]["state"] == "consistent"


@pytest.mark.usefixtures("compiled_code")
def test_a_finished_game_is_reviewed_and_a_running_one_refused(server: Server) -> None:
    told = json.loads((Path(__file__).parents[1] / "study/vectors.json").read_text(encoding="utf-8"))[0]
    found = ReviewedRecord.model_validate(server.post("/api/study/review", {"record": told["record"]}).json())
    assert [each.number for each in found.decisions] == [each["number"] for each in told["decisions"]]
    for index, seat in enumerate(found.seats):
        shares = [each.luck[index] for each in found.draws] + [values[index] for values in found.shares.values()]
        assert 1 / 2 + seat.opening + sum(shares) + seat.ending == pytest.approx(seat.result)
    running = told["record"].replace('[Result "1"]', '[Result "*"]').rstrip().rsplit(" ", 1)[0]
    assert refusal(server, "review", {"record": running})["code"] == "not-over"
