"""The contents of the boxes and the set-up of a game."""

from collections import Counter

import pytest
from tests.support import booklet, count, word

from cartagena import Game, RuleSetError
from cartagena.rulesets import by_name, names

TUNNELS = [name for name in names() if not name.startswith("nest")]
PRINTED = {"BPHSDK", "DBKPHS", "HKPBSD", "KBSDHP", "PKDHSB", "HDKBPS"}
NEST_PRINTED = {"STMDCPG", "DCGMPST", "GPDCMTS", "TPMCGSD", "PSGDCTM"}


@booklet("de nl", "contents", "six signs: skull, hat, dagger, bottle, key and pistol")
@booklet("en sv", "contents", "each piece shows a different order of the six signs")
@booklet("ruling", "misprints", "the English and Swedish lists forget the pistol")
@pytest.mark.parametrize("name", TUNNELS)
def test_there_are_six_signs_the_pistol_included(name: str) -> None:
    rules = by_name(name)
    assert set(rules.signs) == {"skull", "hat", "dagger", "bottle", "key", "pistol"}
    assert set(rules.printed) == PRINTED
    assert all(sorted(piece) == sorted(rules.letters) for piece in rules.printed)


@booklet("nest", "material", "five pieces show seven motifs in different orders")
def test_the_nest_has_seven_motifs_on_five_pieces() -> None:
    rules = by_name("nest-nl")
    assert rules.signs == ("compass", "ducats", "cannon", "map", "parrot", "spyglass", "treasure chest")
    assert set(rules.printed) == NEST_PRINTED
    assert all(sorted(piece) == sorted(rules.letters) for piece in rules.printed)


@booklet("en de nl sv", "preparations", "the arrow card is no part of the deck")
@booklet("en de nl sv", "contents", "seventeen cards of each sign")
@booklet("nest", "material", "fifteen cards of each motif, one with a golden edge")
@pytest.mark.parametrize(("name", "total"), [*((name, 102) for name in TUNNELS), ("nest-nl", 105)])
def test_the_whole_deck_is_on_the_table(name: str, total: int) -> None:
    position = Game.new(name, seats=3, seed=1).position
    cards = count(word(position, "hands")) + count(word(position, "row")) + count(word(position, "stock"))
    assert cards.total() == total
    per_sign = Counter({card[0]: 0 for card in cards})
    for card, number in cards.items():
        per_sign[card[0]] += number
    assert set(per_sign.values()) == {15 if name == "nest-nl" else 17}
    assert {number for card, number in cards.items() if "!" in card} == ({1} if name == "nest-nl" else set())


@booklet("en de nl sv", "contents", "six pirates in each of five colours")
@booklet("nest", "material", "six pirates in each of five colours")
@booklet("en de nl sv", "preparations", "the six pirates of every player stand at one end of the passage")
@booklet("nest", "preparation", "all pirates start left of the small island")
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_seat_starts_with_six_pirates_at_the_start(name: str, seats: int) -> None:
    position = Game.new(name, seats=seats, seed=2).position
    assert [position.places(seat) for seat in range(1, seats + 1)] == [["s"] * 6] * seats


@booklet("en de nl sv", "preparations", "six cards are dealt to each player")
@booklet("nest", "preparation", "seven cards are dealt to each player")
@pytest.mark.parametrize("name", names())
def test_hands_are_dealt(name: str) -> None:
    position = Game.new(name, seats=5, seed=3).position
    assert [position.hand_size(seat) for seat in range(1, 6)] == [7 if name == "nest-nl" else 6] * 5


@booklet("en de nl sv", "Tortuga version", "twelve cards lie face up in a row")
@booklet("en de nl sv", "Jamaica version", "there is no row, only a stock")
@pytest.mark.parametrize("name", names())
def test_only_tortuga_and_hispaniola_have_a_row_of_twelve(name: str) -> None:
    position = Game.new(name, seats=2, seed=4).position
    assert len(position.row) == (12 if name.startswith(("tortuga", "hispaniola")) else 0)


@booklet("en de nl sv", "preparations", "the pieces join into a passage of 36 spaces, in thousands of ways")
@booklet("de nl", "preparations", "either end may be the start")
@pytest.mark.parametrize("name", TUNNELS)
def test_the_printed_pieces_make_a_tunnel_in_any_order_and_direction(name: str) -> None:
    boards = {Game.new(name, seed=seed).position.board for seed in range(60)}
    assert len(boards) > 50
    turned = 0
    for board in boards:
        pieces = board.split("/")
        assert {piece if piece in PRINTED else piece[::-1] for piece in pieces} == PRINTED
        assert len(board.replace("/", "")) == 36
        turned += sum(piece not in PRINTED for piece in pieces)
    assert 100 < turned < 260


@booklet("nest", "preparation", "the pieces make an island of two and an island of three")
@booklet("ruling", "components", "any two pieces make the first island")
def test_the_nests_pieces_make_two_islands() -> None:
    boards = [Game.new("nest-nl", seed=seed).position.board for seed in range(60)]
    assert all([len(island.split("/")) for island in board.split("|")] == [2, 3] for board in boards)
    first = {
        piece if piece in NEST_PRINTED else piece[::-1] for board in boards for piece in board.split("|")[0].split("/")
    }
    assert first == NEST_PRINTED


@booklet("nest", "sail", "at the beginning the sloop lies at the first island")
@booklet("nest", "preparation", "the sloop lies between the islands, at the small one")
def test_the_sloop_starts_at_the_first_island() -> None:
    assert word(Game.new("nest-nl", seed=1).position, "sloop") == "1"
    assert word(Game.new("jamaica-en", seed=1).position, "sloop") == "-"


@booklet("en de nl sv", "how to play", "one player begins: lots are drawn for the seats, and seat 1 starts")
@booklet("nest", "course of play", "one player begins, and turns go round clockwise")
@pytest.mark.parametrize("name", names())
def test_seat_one_starts(name: str) -> None:
    game = Game.new(name, seats=4, seed=5)
    assert game.turn == 1
    assert word(game.position, "turn") == "1.0"


@booklet("ruling", "components", "style random shuffles the signs on every piece")
@pytest.mark.parametrize("pieces", [1, 7, 8])
def test_random_pieces_show_every_sign_once(pieces: int) -> None:
    game = Game.new("jamaica-en", seed=6, style="random", pieces=pieces)
    laid = game.position.board.split("/")
    assert len(laid) == pieces
    assert all(sorted(piece) == sorted("BDHKPS") for piece in laid)


@booklet("ruling", "components", "a shorter tunnel takes some of the printed pieces")
@pytest.mark.parametrize("pieces", range(1, 7))
def test_a_shorter_tunnel_takes_some_of_the_printed_pieces(pieces: int) -> None:
    laid = Game.new("jamaica-en", seed=7, pieces=pieces).position.board.split("/")
    used = {piece if piece in PRINTED else piece[::-1] for piece in laid}
    assert used <= PRINTED
    assert len(used) == pieces


@booklet("ruling", "sizes", "0 to 12 cards are dealt, 2 to 20 of each sign are in the deck")
@pytest.mark.parametrize("deal", range(13))
@pytest.mark.parametrize("name", ["jamaica-en+cards20", "tortuga-en+cards20", "nest-nl+cards20"])
def test_hands_of_other_sizes_are_dealt(name: str, deal: int) -> None:
    position = Game.new(name, seats=5, seed=8, deal=deal).position
    assert [position.hand_size(seat) for seat in range(1, 6)] == [deal] * 5


@booklet("ruling", "row", "the first row is shorter where the deck is small")
def test_the_first_row_is_shorter_where_the_deck_is_small() -> None:
    position = Game.new("tortuga-en+cards2", seats=5, seed=9, deal=2).position
    assert len(position.row) == 2
    assert word(position, "stock") == "-"


@booklet("ruling", "sizes", "2 to 5 seats")
@pytest.mark.parametrize("seats", [-1, 0, 1, 6, 9, True, "3", 2.0])
def test_a_table_has_two_to_five_seats(seats: object) -> None:
    with pytest.raises(RuleSetError, match="seats must be a whole number from 2 to 5"):
        Game.new("jamaica-en", seats=seats, seed=1)  # type: ignore[arg-type]


def test_a_deck_too_small_for_the_deal_is_refused() -> None:
    with pytest.raises(RuleSetError, match="deal must be from 0 to 2 with 5 seats and 12 cards, not 6"):
        Game.new("jamaica-en+cards2", seats=5, seed=1)
