"""The picture shows the position, hides what a view hides, and is valid SVG without outside references."""

import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.game.played import BIG_HAND, CARD_DUE, DROP_DUE, NEST, ROW_DUE, TORTUGA, WON, positions
from tests.variants import EVERY_KEY

from cartagena.game import Game, Position
from cartagena.game.render.shapes import PIRATES, SIGNS
from cartagena.game.render.svg_cards import fan
from cartagena.game.render.svg_ink import CARD_WIDTH
from cartagena.rulesets import from_data

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).parent.parent.parent


@cache
def drawings() -> tuple[str, ...]:
    return tuple(position.svg() for position in positions())


@cache
def pictures() -> tuple[tuple[Position, ET.Element], ...]:
    return tuple(zip(positions(), map(ET.fromstring, drawings()), strict=True))


def uses(element: ET.Element) -> list[str]:
    """The symbols used in an element, in order."""
    return [use.attrib["href"].removeprefix("#") for use in element.iter(SVG + "use")]


def marked(picture: ET.Element, key: str) -> dict[str, ET.Element]:
    """The groups with a data mark by its value, each of which occurs once."""
    found = [group for group in picture.iter(SVG + "g") if key in group.attrib]
    by_value = {group.attrib[key]: group for group in found}
    assert len(by_value) == len(found)
    return by_value


def all_text(picture: ET.Element) -> str:
    return " ".join(text for text in picture.itertext() if text.strip())


def test_every_pirate_is_drawn_where_it_stands() -> None:
    for position, picture in pictures():
        places = marked(picture, "data-place")
        for seat in range(1, position.seats + 1):
            drawn = [place for place, group in places.items() for use in uses(group) if use == f"pirate-{seat}"]
            assert sorted(drawn) == sorted(position.places(seat)), str(position)


@cache
def sized() -> tuple[tuple[Position, ET.Element], ...]:
    """Openings of rule sets of files, whose islands have other sizes."""
    chosen: list[dict[str, Any]] = [*EVERY_KEY.values()]
    chosen += [{"base": "nest-nl", "islands": islands} for islands in ([1, 1], [1, 4], [4, 1])]
    chosen += [
        {"base": "nest-nl", "signs": "GMT", "style": "random", "islands": [7, 1]},
        {"base": "jamaica-en", "signs": "BDK", "row": 12},
    ]
    openings = [Game.new(from_data(entries), seats=3, seed=5).position for entries in chosen]
    return tuple((opening, ET.fromstring(opening.svg())) for opening in openings)


def test_every_field_is_drawn_once_with_its_sign() -> None:
    for position, picture in pictures() + sized():
        places = marked(picture, "data-place")
        letters = re.sub(r"[/|]", "", position.board)
        assert len(places) == len(letters) + (3 if position.rules.nest else 2)
        for number, letter in enumerate(letters, 1):
            name = position.rules.signs[position.rules.letters.index(letter)].replace(" ", "-")
            signs = [use for use in uses(places[str(number)]) if use.startswith("sign-")]
            assert signs == [f"sign-{name}"]


def test_hands_show_every_card_or_only_backs() -> None:
    hidden = 0
    for position, picture in pictures():
        hands = marked(picture, "data-hand")
        assert sorted(hands) == [str(seat) for seat in range(1, position.seats + 1)]
        for seat in range(1, position.seats + 1):
            drawn, size, cards = uses(hands[str(seat)]), position.hand_size(seat), position.hand(seat)
            if cards is None:
                hidden += 1
                assert drawn == ["card-back"] * size
            else:
                assert sum(use.startswith("card-") for use in drawn) == size
                assert drawn.count("card-freebooter") == sum(count for card, count in cards.items() if "!" in card)
                assert sum(use.startswith("sign-") for use in drawn) == len(cards)
    assert hidden > 20


def test_the_row_lies_in_order_behind_its_arrow() -> None:
    for position, picture in pictures():
        rows = marked(picture, "data-row")
        assert len(rows) == (1 if position.rules.row else 0)
        for row in rows.values():
            names = [position.rules.signs[position.rules.letters.index(card)] for card in position.row]
            assert [use for use in uses(row) if use.startswith("sign-")] == [f"sign-{name}" for name in names]
            assert uses(row)[0] == "card-face"
            empty = [slot for slot in row.iter(SVG + "rect") if "stroke-dasharray" in slot.attrib]
            assert len(empty) == position.rules.row - len(position.row)


def test_stock_discard_and_turn_are_shown() -> None:
    for position, picture in pictures():
        told = all_text(picture)
        stock = "1 card" if position.stock_size == 1 else f"{position.stock_size} cards"
        assert f"Stock: {stock}" in told
        turns = marked(picture, "data-used")
        assert list(turns) == ([] if position.is_over else [str(position.used)])


def test_two_states_that_differ_only_in_hidden_cards_look_the_same() -> None:
    one = Position.parse("jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0")
    other = Position.parse("jamaica-en BPHSDK s,s/s,s B2/PS - B15D17H17K17P16S16 - - 1.0")
    assert one.svg() != other.svg()
    assert one.view(1).svg() == other.view(1).svg()
    assert one.view(1).text() == other.view(1).text()
    assert one.view(2).svg() != other.view(2).svg()


def test_a_title_is_text_and_no_markup() -> None:
    """It comes with records of other people, and pictures lie in pages."""
    title = "</title><script>alert(1)</script> & 'more'"
    picture = Game.new(from_data({"base": "jamaica-en", "title": title, "pieces": 1}), seed=1).position.svg()
    assert "<script" not in picture
    assert ET.fromstring(picture)[0].text.startswith(f"{title}: ")  # type: ignore[union-attr]


def test_a_variant_without_a_title_has_its_name_there() -> None:
    entries = {"base": "jamaica-en", "name": "narrow", "pieces": 1, "draw": 1}
    for more, title in (({}, "narrow: "), ({"title": "The narrow tunnel"}, "The narrow tunnel: ")):
        position = Game.new(from_data({**entries, **more}), seed=1).position
        assert ET.fromstring(position.svg())[0].text.startswith(title)  # type: ignore[union-attr]
        assert position.text().startswith(title[:-2])


def test_the_picture_refers_to_nothing_outside() -> None:
    """Nothing is fetched, every reference resolves, no id occurs twice."""
    for _, picture in pictures():
        ids = [element.attrib["id"] for element in picture.iter() if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        text = ET.tostring(picture, encoding="unicode")
        assert set(re.findall(r"url\((.*?)\)", text)) <= {f"#{name}" for name in ids}
        assert set(uses(picture)) <= set(ids)
        for element in picture.iter():
            assert element.tag.removeprefix(SVG) in ALLOWED
            assert not re.search(r"https?:", "".join(element.attrib.values()))


ALLOWED = {"svg", "title", "desc", "defs", "symbol", "g", "path", "rect", "circle", "use", "text", "stop"} | {
    "radialGradient",
    "clipPath",
}


def test_an_id_means_the_same_in_every_picture() -> None:
    """A notebook shows many pictures on one page, where ids are shared."""
    known: dict[str, str] = {}
    for _, picture in pictures():
        for element in picture.iter():
            if "id" in element.attrib:
                drawn = ET.tostring(element, encoding="unicode")
                assert known.setdefault(element.attrib["id"], drawn) == drawn


def test_the_picture_is_small_and_deterministic() -> None:
    for position, drawn in zip(positions(), drawings(), strict=True):
        assert len(drawn.encode()) < 150_000
        assert drawn == Position.parse(str(position)).svg()


def test_every_symbol_lies_on_the_sheet() -> None:
    for position, picture in pictures() + sized():
        left, top, width, height = map(float, picture.attrib["viewBox"].split())
        for x, y, wide, tall in boxes(picture, 0, 0):
            assert left <= x <= x + wide <= width, str(position)
            assert top <= y <= y + tall <= height, str(position)


def boxes(element: ET.Element, x: float, y: float) -> list[tuple[float, float, float, float]]:
    """The places of signs, pirates and cards on the sheet."""
    found = []
    for child in element:
        if child.tag == SVG + "symbol":
            continue
        shift = re.match(r"translate\((\S+) (\S+)\)", child.attrib.get("transform", ""))
        u, v = (x + float(shift[1]), y + float(shift[2])) if shift else (x, y)
        if child.tag == SVG + "use" and "width" in child.attrib:
            a = {key: float(child.attrib[key]) for key in ("x", "y", "width", "height")}
            found.append((u + a["x"], v + a["y"], a["width"], a["height"]))
        found += boxes(child, u, v)
    return found


@pytest.mark.parametrize("kinds", [[1], [4, 1, 2], [17] * 6, [14, 1] * 7, [20] * 7])
@pytest.mark.parametrize("room", [200.0, 400.0])
def test_a_fan_keeps_within_its_room(kinds: list[int], room: float) -> None:
    spots = fan(kinds, room)
    assert len(spots) == sum(kinds)
    assert spots == sorted(spots)
    assert spots[0] == 0
    assert spots[-1] + CARD_WIDTH <= room + 1e-9


def test_an_empty_fan_has_no_spots() -> None:
    assert fan([], 300) == []


def test_the_title_and_the_description_tell_the_position() -> None:
    picture = ET.fromstring(Position.parse(NEST).svg())
    assert picture.attrib["role"] == "img"
    assert picture.findtext(SVG + "title") == "Cartagena 2, the Pirate's Nest: Blue's turn"
    description = picture.findtext(SVG + "desc") or ""
    assert "Red at 5, 13, sloop, 18, 25, nest" in description
    assert "Blue is captain and may sail free" in description


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ROW_DUE, "12 cards to be laid out in the row; 1 card owed to Yellow"),
        (DROP_DUE, "Red must drop a card"),
        (CARD_DUE, "1 card owed to Blue"),
        (WON, "Blue has won"),
        (BIG_HAND, "Blue holds 100 cards"),
        (TORTUGA, "Field 17, skull: blue, red, red"),
    ],
)
def test_the_picture_tells_special_states(text: str, said: str) -> None:
    assert said in all_text(ET.fromstring(Position.parse(text).svg()))


def sloop_at(text: str) -> float:
    """The horizontal place of the crew."""
    picture = ET.fromstring(Position.parse(text).svg())
    return min(x for x, _, _, _ in boxes(marked(picture, "data-place")["b"], 0, 0))


def test_the_sloop_lies_at_its_island() -> None:
    assert sloop_at(NEST) < sloop_at(NEST.replace(" 1 1.0c", " 2 1.0"))


def test_a_notebook_shows_the_picture() -> None:
    game = Game.new("hispaniola-en", seats=2, seed=5)
    assert game._repr_svg_() == game.svg() == game.position._repr_svg_() == game.position.svg()


def test_every_sign_of_every_game_and_every_seat_has_a_shape_of_its_own() -> None:
    assert len({sign.strokes for sign in SIGNS.values()}) == len(SIGNS) == 13
    assert len({pirate.head for pirate in PIRATES}) == len({pirate.shape for pirate in PIRATES}) == 5
    assert [pirate.colour for pirate in PIRATES] == ["blue", "red", "yellow", "green", "brown"]
