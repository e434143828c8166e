"""The text board shows the position, fits a terminal, and hides what a view hides."""

import re

from tests.game.played import CARD_DUE, DEADLOCK, DROP_DUE, NEST, ROW_DUE, TORTUGA, WON, positions

from cartagena.game import Game, Position
from cartagena.game.render.captions import ENGLISH, title_of
from cartagena.rulesets import from_data

TORTUGA_TEXT = """\
Cartagena, Tortuga                                                    tortuga-en

start   1 2 3
field      1    2    3    4    5    6 |    7    8    9   10   11   12
sign       B    P    H    S    D    K |    D    B    K    P    H    S
pirate     .    .    .    .    3   11 |    .    2    3    .    .    3

field     13   14   15   16   17   18 |   19   20   21   22   23   24
sign       P    K    D    H    S    B |    H    K    P    B    S    D
pirate     .    .    .    .  122    1 |    .    .    .    2    .    .

field     25   26   27   28   29   30 |   31   32   33   34   35   36
sign       K    B    S    D    H    P |    H    D    K    B    P    S
pirate     .    3    .    .    .    2 |    .    .    .    3    .    .

sloop   1

row     -> B D D H K S P B H
stock   36 cards
discard 42 cards: B*6 D*6 H*6 K*8 P*8 S*8

> 1 Blue    6 cards: B D*4 H
  2 Red     4 cards: B H K P
  3 Yellow  5 cards: B H K P S

Blue's turn, 0 of 3 actions taken.
(B bottle, D dagger, H hat, K key, P pistol, S skull)"""


def words(line: str) -> list[str]:
    return line.replace("|", " ").split()[1:]


def read(text: str) -> tuple[dict[str, str], str]:
    """Read the pirates of each place and the signs of all fields from the text."""
    standing: dict[str, str] = {}
    signs, names = "", []
    for line in text.splitlines():
        kind = line.split(" ")[0]
        if kind == "field":
            names = words(line)
        elif kind == "sign":
            signs += "".join(words(line))
        elif kind == "pirate":
            standing.update(zip(names, words(line), strict=True))
        elif kind in ("start", "sloop", "nest"):
            standing[kind[0].replace("s", "s" if kind == "start" else "b")] = "".join(
                words(re.sub(r"at island \d", "", line))
            )
    return standing, signs


def test_the_public_example_reads_as_expected() -> None:
    assert Position.parse(TORTUGA).text() == TORTUGA_TEXT


def test_every_pirate_is_shown_where_it_stands_and_every_field_with_its_sign() -> None:
    for position in positions():
        standing, signs = read(position.text())
        assert signs == re.sub(r"[/|]", "", position.board)
        for seat in range(1, position.seats + 1):
            shown = [place for place, seats in standing.items() for _ in range(seats.count(str(seat)))]
            assert sorted(shown) == sorted(position.places(seat)), str(position)


def test_the_text_fits_a_terminal_and_is_plain() -> None:
    for position in positions():
        for line in position.text().splitlines():
            assert len(line) <= 80
            assert line == line.rstrip()
            assert line.isascii()
            assert not line or line.isprintable()


def unfold(text: str) -> str:
    """Join lines that were wrapped."""
    return re.sub(r"\n {8}(?=\S)", " ", text)


def hand_line(text: str, seat: int) -> str:
    return next(line for line in unfold(text).splitlines() if re.match(rf"[> ] {seat} [A-Z]", line))


def test_hidden_hands_show_their_size_and_no_letter() -> None:
    hidden = 0
    for position in positions():
        for seat in range(1, position.seats + 1):
            line = hand_line(position.text(), seat)
            size = position.hand_size(seat)
            if position.hand(seat) is None:
                hidden += 1
                assert re.fullmatch(rf"[> ] {seat} \w+ +{size} cards?, hidden", line)
            else:
                shown = (card.partition("*") for card in line.partition(":")[2].split())
                assert {card: int(count or 1) for card, _, count in shown} == position.hand(seat)
    assert hidden > 20


def test_a_view_of_a_nest_shows_sloop_nest_and_own_hand_only() -> None:
    text = Position.parse(NEST).view(2).text()
    assert "sloop at island 1 11 2 33" in text
    assert "nest    2 4" in text
    assert "--- island 2 ---" in text
    assert hand_line(text, 2) == "  2 Red     5 cards: C G P S T"
    assert hand_line(text, 1) == "> 1 Blue    5 cards, hidden"
    assert "Blue is captain and may sail free." in text


def test_the_text_tells_what_is_due() -> None:
    assert "12 cards to be laid out in the row. 1 card owed to Yellow." in unfold(Position.parse(ROW_DUE).text())
    assert "row     -> -" in Position.parse(ROW_DUE).text()
    assert "Red's turn, 3 of 3 actions taken. Red must drop a card." in Position.parse(DROP_DUE).text()
    assert "1 card owed to Blue." in Position.parse(CARD_DUE).text()


def test_the_text_tells_forced_passes() -> None:
    passed = "jamaica-en BPHSDK s,b/s,b/s,b -/-/- - B17D17H17K17P17S17 - - 3.0p"
    assert "1 forced pass." in Position.parse(passed + "1").text()
    assert "2 forced passes in a row." in Position.parse(passed + "2").text()


def test_a_finished_game_names_the_winner() -> None:
    won = Position.parse(WON).text()
    assert "Blue has won." in won
    assert hand_line(won, 1).startswith(">")
    assert "No winner: no seat can act." in Position.parse(DEADLOCK).text()


def test_printing_a_game_prints_its_board() -> None:
    game = Game.new("nest-nl", seats=3, seed=1)
    assert str(game) == game.position.text()


def test_a_variant_has_its_own_title_in_every_language() -> None:
    french = {**ENGLISH, "title_jamaica": "Cartagena, Jamaïque"}
    base = {"base": "jamaica-en", "draw": 1}
    titled, named = from_data({**base, "name": "odd", "title": "The odd tunnel"}), from_data({**base, "name": "odd"})
    assert [title_of(rules, french) for rules in (titled, named)] == ["The odd tunnel", "odd"]
    assert title_of(from_data({"base": "jamaica-en+pass"}), french) == "Cartagena, Jamaïque"
