"""Nothing leaks: two games that differ only in what a role cannot see answer it with the same bytes."""

from pathlib import Path
from typing import Any

import pytest

from cartagena import Position

from .rig import Server, receive
from .secrecy import ASKED, OPERATION, STUDY, all_endpoints, masked, pairs_trial
from .test_seating import LINK
from .twins import make_pair


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def test_the_pairs_are_asked_about_every_endpoint() -> None:
    assert all_endpoints() == ASKED | OPERATION | STUDY


def test_pairs_that_differ_only_in_secrets_are_byte_equal(sqlite: str, tmp_path: Path) -> None:
    found = pairs_trial(sqlite, tmp_path, number=12)
    assert found["different"] == 0, found["first"]


def test_the_pairs_do_differ_and_a_leak_would_be_seen() -> None:
    pair = make_pair("jamaica-en", 3, 1, 20, 7)
    assert pair is not None
    one, two = (str(twin.opening) for twin in pair)
    assert one != two
    assert str(pair[0].opening.view(1)) == str(pair[1].opening.view(1))
    assert masked(one, "x") != masked(two, "x")


def test_a_seat_sees_no_other_hand_until_the_game_is_over(server: Server) -> None:
    ann = server.table("jamaica-en", LINK, lots=False, spectators="public")
    ben = ann.join()
    for seat, person in ((1, ann), (2, ben)):
        hands = person.look()["position"]["hands"]
        assert hands[seat - 1]["cards"] is not None
        assert hands[2 - seat]["cards"] is None
    ann.play(60)
    told: Any = server.get(ann.path).json()
    assert all(hand["cards"] is None for hand in told["position"]["hands"])
    ann.do("resign")
    assert all(hand["cards"] is not None for hand in ben.look()["position"]["hands"])
    after = server.get(ann.path).json()
    assert all(hand["cards"] is None for hand in after["position"]["hands"]), "spectators did not sit there"
    assert after["fair"]["secret"] is None
    assert server.get(f"{ann.path}/record").status_code == 401


def test_hidden_deals_are_shown_to_who_drew_only(server: Server) -> None:
    ann = server.table("jamaica-en", LINK, lots=False, spectators="public")
    ben = ann.join()
    drawn = None
    while drawn is None:
        for person in (ann, ben):
            seen = person.look()
            for item in (seen["options"] or {"legal": []})["legal"]:
                if item["cards"]:
                    with server.socket(ann.table, {}) as live:
                        receive(live)
                        assert person.move(item["move"]).status_code == 200
                        drawn = receive(live)["events"][-1]
                    break
            else:
                person.play(1, seed=seen["seq"])
                continue
            break
    assert set(drawn["cards"]) == {"+?"}
    mine = [person.look()["events"][-1]["cards"] for person in (ann, ben)]
    assert sorted("+?" in cards for cards in mine) == [False, True]
    heard = [person.look()["events"][-1]["draws"] for person in (ann, ben)]
    assert heard == [len(drawn["cards"])] * 2 == [drawn["draws"]] * 2


def test_cards_taken_from_the_row_are_counted_though_none_was_dealt(server: Server) -> None:
    ann = server.table("tortuga-en", lots=False)
    while not (back := [item for item in ann.look()["options"]["legal"] if item["cards"]]):
        ann.play(1, seed=ann.look()["seq"])
    assert ann.move(back[0]["move"]).status_code == 200
    event = ann.look()["events"][-1]
    assert (event["cards"], event["draws"]) == ([], back[0]["cards"])


def test_spectators_only_where_the_table_lets_them(server: Server) -> None:
    ann = server.table("tortuga-en")
    assert server.get(ann.path).status_code == 401
    with server.socket(ann.table, {}) as live:
        assert receive(live, "rejected")["code"] == "not-seated"
    public = server.table("tortuga-en", spectators="public")
    seen = server.get(public.path, detail="text").json()
    assert seen["you"] == {"seat": 0, "seats": [], "host": False}
    assert Position.parse(seen["text"]).is_view
