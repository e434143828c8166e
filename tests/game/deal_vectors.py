"""Records whose deals ``verify`` and the page judge alike: python -m tests.game.deal_vectors

Both sides test the committed file ``deal_vectors.json``; this writes it anew. A case is a record, what a person kept
from before the deal, and what follows: the findings, or the sentence that says what is wrong.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tests.variants import every_key

from cartagena import Move, Record, UnfairDeal
from cartagena.game import fair_deal
from cartagena.game.notation.cards import card_numbers
from cartagena.game.variants import variant_text
from cartagena.rulesets.browser import variant

PATH: Final = Path(__file__).parent / "deal_vectors.json"
SECRET, OTHER = "5a" * 32, "5b" * 32
TABLE: Final = {"Table": "t1", "Rules": "jamaica-en"}
ANN, BEN = "anns", "bens"


def dealt(tags: dict[str, str], seats: int, moves: int = 30, form: int = 3) -> Record:
    """An honest record of a table with these tags and salts, with the first legal moves that bring cards."""
    chance = fair_deal.chance_of(SECRET, fair_deal.salts_of(tags, seats))
    opening = position = fair_deal.opening_of(tags, seats, chance)
    done: list[Move] = []
    cards = 0
    while len(done) < moves and not position.is_over:
        if position.is_chance:
            move, cards = fair_deal.next_card(position, chance, cards), cards + 1
        else:
            move = position.legal_moves[-1 if len(done) % 4 else 0]
        done.append(move)
        position = position.play(move)
    terms = {1: None, 2: fair_deal.terms_of(tags, seats), 3: fair_deal.bound_terms(tags, seats)}[form]
    lots = {"Lots": " ".join(map(str, fair_deal.draw_lots(chance, seats)))} if "Lots" in tags else {}
    return Record(opening, done, {**tags, **lots, "Commitment": fair_deal.commitment(SECRET, terms), "Secret": SECRET})


def changed(record: Record, **tags: str | None) -> Record:
    """The record with other tags; None takes one away."""
    merged = {**record.tags, **tags}
    return Record(record.opening, record.moves, {tag: value for tag, value in merged.items() if value is not None})


def with_other_card(record: Record) -> Record:
    """The record up to its first dealt card, which is another one."""
    number = next(index for index, entry in enumerate(record.moves) if entry.move.is_chance)
    position = list(record.positions())[number]
    other = next(card for card in position.chances() if card != record.moves[number].move.card)
    return Record(record.opening, [*(entry.move for entry in record.moves[:number]), f"+{other}"], record.tags)


def cases() -> Iterator[tuple[str, Record, dict[str, Any]]]:
    """The name of each case, its record, and what the person Ann of chair 1 kept."""
    people = {**TABLE, "Lots": "", "Salt1": ANN, "Salt2": BEN}
    mixed = {**TABLE, "Lots": "", "Salt1": ANN, "Computers": "2", "ComputersLater": "3"}
    honest, alone = dealt(people, 2), dealt(mixed, 3)
    kept: dict[str, Any] = {"promised": honest.tags["Commitment"], "salts": [ANN], "chairs": [1], "computers": []}
    beside = {**kept, "promised": alone.tags["Commitment"], "computers": [2, 3]}
    yield "two people", honest, kept
    yield "computers of the set-up and given later", alone, beside
    yield "with sizes of its own", (sized := dealt({**people, "Pirates": "3", "Deal": "4"}, 2)), {
        **kept, "promised": sized.tags["Commitment"],
    }  # fmt: skip
    yield "the nest", (nest := dealt({**people, "Rules": "nest-nl", "Style": "random"}, 2)), {
        **kept, "promised": nest.tags["Commitment"],
    }  # fmt: skip
    for name in ("tunnel", "board", "nest"):
        rules = every_key()[name]
        tags = {**people, "Rules": rules.name, "Variant": variant_text(rules)}
        yield f"rules of one's own: {name}", (own := dealt(tags, 2)), {**kept, "promised": own.tags["Commitment"]}
    for form in (1, 2):
        older = dealt(people, 2, form=form)
        yield f"a promise of form {form}", older, {**kept, "promised": older.tags["Commitment"]}
    yield "nothing was kept", alone, {}
    yield "only the commitment was kept", honest, {"promised": kept["promised"]}
    yield "the chair is not known", honest, {**kept, "chairs": [], "computers": None}
    yield "made up as a whole", dealt({**people, "Table": "t2"}, 2), kept
    yield "dealt from another secret", changed(honest, Secret=OTHER), kept
    yield "dealt with other salts", changed(honest, Salt2="other"), kept
    yield "the own salt is missing", dealt({**people, "Salt1": "other"}, 2), kept
    yield "the salts in another order", dealt({**people, "Salt1": BEN, "Salt2": ANN}, 2), kept
    yield "a salt was chosen for a computer", dealt({**mixed, "Salt2": "try1020"}, 3), beside
    yield "a salt was chosen for a computer given later", dealt({**mixed, "Salt3": "try1020"}, 3), beside
    yield "a computer is said to be a person", dealt({**mixed, "ComputersLater": "", "Salt3": "try1020"}, 3), beside
    yield "a computer of the set-up is said to be a person", changed(alone, Computers=None), beside
    yield (
        "a salt for a computer, before the promise named them",
        (second := dealt({**TABLE, "Lots": "", "Salt1": ANN, "Salt2": "try1020"}, 2, form=2)),
        {**kept, "promised": second.tags["Commitment"], "computers": [2]},
    )
    strange = dealt({**people, "Table": "t1:table=t1"}, 2)
    yield (
        "the secret is said to be longer",
        changed(strange, Secret=f"{SECRET}:table=t1", Table="t1"),
        {**kept, "promised": strange.tags["Commitment"]},
    )
    yield "the rules have other sizes", changed(honest, Pirates="3"), kept
    tags = {**people, "Rules": "tortuga-en"}
    row5, row4 = (dealt({**tags, "Variant": f'{{"base": "tortuga-en", "row": {row}}}'}, 2) for row in (5, 4))
    promise = row5.tags["Commitment"]
    yield (
        "a variant whose rules were changed after the deal",
        changed(row4, Commitment=promise),
        {**kept, "promised": promise},
    )
    yield "the record of another table", changed(honest, Table="t2"), kept
    yield "other lots", changed(honest, Lots="9 9"), kept
    yield "another opening", Record(dealt({**people, "Salt2": "x"}, 2).opening, [], honest.tags), kept
    yield "another card", with_other_card(honest), kept
    yield "no secret", changed(honest, Secret=None), kept


def judged(name: str, record: Record, kept: dict[str, Any]) -> dict[str, Any]:
    """A case as the file holds it."""
    try:
        answer: dict[str, Any] = {"found": asdict(fair_deal.find(record, **kept))}
    except UnfairDeal as error:
        answer = {"wrong": str(error)}
    rules = record.opening.rules
    edition = {**variant(rules), "faces": list(map(list, card_numbers(rules)))} if rules.is_variant else {}
    own = {"edition": edition} if edition else {}
    return {"name": name, "record": str(record), "kept": kept, **answer, **own}


def vectors() -> list[dict[str, Any]]:
    return [judged(*case) for case in cases()]


if __name__ == "__main__":
    lines = [json.dumps(each, separators=(",", ":")) for each in vectors()]
    PATH.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
