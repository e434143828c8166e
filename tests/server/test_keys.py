"""Tokens and invitations: whose chair is whose, also in a rematch and after a renewal, and repeated requests."""

import pytest

from cartagena.server.tables.tokens import new_token

from .rig import Person, Server
from .test_seating import LINK, code


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def played(server: Server) -> tuple[Person, Person]:
    """A host and a guest whose game is over."""
    ann = server.table(seats=LINK, lots=False)
    ben = ann.join(name="Ben")
    ann.do("resign")
    return ann, ben


def test_a_host_cannot_take_the_seat_of_a_guest_in_a_rematch(server: Server) -> None:
    ann, ben = played(server)
    again = Person(server, ann.do("rematch").json()["table"], ann.token)
    [chair] = [seat["seat"] for seat in again.look()["seats"] if not seat["taken"]]
    assert code(again.do(f"invites/{chair}")) == "taken"
    assert code(again.do("join", {})) == "not-allowed"
    assert server.post(f"{again.path}/join", {}, ben.token).status_code == 200
    guest = Person(server, again.table, ben.token)
    assert guest.look()["you"]["seats"] == [1]
    assert again.look()["you"]["seats"] == [2]


def test_a_renewed_token_is_renewed_for_rematches_and_the_old_one_works_nowhere(server: Server) -> None:
    ann, ben = played(server)
    again = ann.do("rematch").json()["table"]
    new = ben.do("token").json()["token"]
    for table in (ann.table, again):
        assert server.get(f"/api/tables/{table}", ben.token).status_code == 401
        assert server.get(f"/api/tables/{table}", new).status_code == 200
    assert code(server.post(f"/api/tables/{again}/join", {}, ben.token)) == "not-allowed"
    newest = Person(server, again, new).do("token").json()["token"]
    assert server.get(ann.path, new).status_code == 401
    assert server.get(ann.path, newest).status_code == 200


def test_a_request_to_join_or_to_renew_that_is_repeated_is_carried_out_once(server: Server) -> None:
    ann = server.table(seats=[*LINK, {"kind": "link"}])
    want = {"invite": ann.invites[0], "name": "Ben", "token": new_token()}
    first, second = (server.post(f"{ann.path}/join", want) for _ in range(2))
    assert first.json()["token"] == second.json()["token"] == want["token"]
    assert [seat["name"] for seat in second.json()["snapshot"]["seats"]] == ["Ann", "Ben", ""]
    renewal = {"token": new_token()}
    answers = [server.post(f"{ann.path}/token", renewal, want["token"]) for _ in range(2)]
    assert [answer.json()["token"] for answer in answers] == [renewal["token"]] * 2
    assert server.get(ann.path, want["token"]).status_code == 401
    back = server.post(f"{ann.path}/token", {"token": want["token"]}, renewal["token"])
    assert code(back) == "not-allowed", "a token that was revoked stays worthless"
    assert server.post(f"{ann.path}/join", {"invite": ann.invites[1], "token": "short"}).status_code == 422


def test_tokens_and_invitations_of_a_table_are_bounded(server: Server) -> None:
    ann = server.table(seats=LINK)
    invites = [ann.do("invites/2") for _ in range(25)]
    assert code(invites[-1]) == "limit"
    answers = []
    for _ in range(25):
        answers.append(server.post(f"{ann.path}/token", {}, ann.token))
        ann.token = answers[-1].json().get("token", ann.token)
    assert code(answers[-1]) == "limit"
    assert ann.look()["you"]["host"], "the token stays valid"
