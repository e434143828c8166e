"""Write a review into its record: an evaluation for each decision, and a comment where win chance was lost."""

import re
from typing import Final

from cartagena.errors import StudyError, takes
from cartagena.game import Entry, Record

from .judge import Decision
from .review import Review

MARK: Final = re.compile(r"(?:^|\s)\[%review [^\]]*\]")
"""The comment of a review, which another review replaces."""
DIGITS: Final = 4


@takes(StudyError, review=Review)
def annotated(review: Review) -> Record:
    """Return the record with the review in it. Comments that were there stay; an earlier review is replaced.

    After a review from one seat's view, the decisions of the other seats have no evaluation.

    >>> from cartagena import Limit, Record
    >>> from cartagena.study import annotated, review
    >>> record = Record.parse("jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0\\n5:S 6:B")
    >>> [len(entry.evaluation) for entry in annotated(review(record, Limit(nodes=50))).moves]
    [2, 2]
    """
    judged = {decision.number: decision for decision in review.decisions}
    entries = [
        annotated_entry(entry, judged[number]) if number in judged else bare_entry(entry)
        for number, entry in enumerate(review.record.moves, 1)
    ]
    return Record(review.record.opening, entries, review.record.tags)


def annotated_entry(entry: Entry, decision: Decision) -> Entry:
    """Return the move with its evaluation, and a comment for an inaccuracy or worse."""
    own = MARK.sub("", entry.comment).strip()
    said = remark(decision)
    comment = f"{own} {said}".strip()
    return Entry(entry.move, comment, [round(value, DIGITS) for value in decision.after])


def bare_entry(entry: Entry) -> Entry:
    """Return a move that this review does not judge, without what an earlier review said of it."""
    return entry if entry.move.is_chance else Entry(entry.move, MARK.sub("", entry.comment).strip())


def remark(decision: Decision) -> str:
    """Return the comment of a decision: class, points lost and the best turn. A good one has none."""
    if decision.kind in ("best", "good"):
        return ""
    better = " ".join(map(str, decision.turns[0].moves)) if decision.turns else str(decision.best)
    return f"[%review {decision.kind} -{100 * decision.cost:.1f} better {better}]"
