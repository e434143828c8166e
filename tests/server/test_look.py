"""One look at many tables: each is told as to a request of its own, and counts as one."""

from typing import Any

import pytest

from cartagena.server.protocol.contacts import MOST_LOOKS
from cartagena.server.protocol.responses import Looks

from .rig import Person, Server, running
from .test_seating import LINK

LAST = 2**31 - 1


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def seat_of(person: Person, token: str | None = None) -> dict[str, str]:
    return {"table": person.table, "token": token or person.token}


def looks(server: Server, *seats: dict[str, str]) -> list[dict[str, Any]]:
    answer = server.post("/api/look", {"seats": list(seats)})
    assert answer.status_code == 200, answer.text
    Looks.model_validate_json(answer.text)
    found: list[dict[str, Any]] = answer.json()["tables"]
    return found


def alone(server: Server, seat: dict[str, str]) -> dict[str, Any]:
    """What a request for one table tells."""
    answer = server.get(f"/api/tables/{seat['table']}/events", seat["token"], after=LAST).json()
    error = answer.get("error")
    return {"table": seat["table"], "update": None if error else answer, "error": error}


def test_each_table_is_told_as_to_a_request_of_its_own(server: Server) -> None:
    ann = server.table("jamaica-en", LINK, lots=False)
    waiting = server.table(seats=LINK)
    over = server.table()
    ben = ann.join()
    ann.play(2)
    over.do("resign", {"seat": 1})
    public = server.table(spectators="public")
    seats = [seat_of(each) for each in (ann, waiting, over, ben, public)]
    seats += [seat_of(ann, waiting.token), seat_of(ann, ann.invites[0]), seat_of(public, "x")]
    seats += [{"table": "nosuchtable1", "token": ann.token}, seat_of(ann)]
    found = looks(server, *seats)
    assert found == [alone(server, seat) for seat in seats]
    odd, after = looks(server, {"table": "No table!", "token": "x"}, seat_of(ann))
    assert (odd["error"]["code"], after["error"]) == ("no-such-table", None)
    assert [each["error"] and each["error"]["code"] for each in found[:5]] == [None] * 5
    assert [each["error"] and each["error"]["code"] for each in found[-2:]] == ["no-such-table", None]
    assert found[5]["error"]["code"] == found[6]["error"]["code"] == "not-seated"
    assert found[0]["update"]["events"] == []
    hands = [each["update"]["position"]["hands"] for each in (found[0], found[3])]
    assert [hand["cards"] is None for hand in (*hands[0], *hands[1])] == [False, True, True, False]


def test_a_look_has_few_tables(server: Server) -> None:
    ann = server.table()
    most = [seat_of(ann)] * MOST_LOOKS
    assert len(looks(server, *most)) == MOST_LOOKS
    for seats in ([], [*most, seat_of(ann)], [{"table": ann.table}]):
        answer = server.post("/api/look", {"seats": seats})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "malformed")


def test_what_is_told_of_hands_is_not_compressed(server: Server) -> None:
    """Beside names and talk that others choose, the length of a compressed answer would tell of hidden cards."""
    ann = server.table()
    body = {"seats": [seat_of(ann)] * 9}
    answer = server.http.post("/api/look", json=body, headers={"Accept-Encoding": "br, gzip, zstd"})
    assert len(answer.content) > 9000
    assert "content-encoding" not in answer.headers


def test_a_look_counts_as_a_request_for_each_table(sqlite: str) -> None:
    with running(sqlite, requests=60, window_seconds=3600) as server:
        ann = server.table()  # the first request
        looks(server, *[seat_of(ann)] * 30)
        refused = server.post("/api/look", {"seats": [seat_of(ann)] * 30})
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too-many")
        left = 60 - 1 - 30 - 1  # a look that is refused counts as the request that it is
        assert [server.get(ann.path, ann.token).status_code for _ in range(left + 1)] == [200] * left + [429]
