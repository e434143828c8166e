"""The page of the observation and action spaces, made from the code that defines them."""

from cartagena.kernel import layout as at
from cartagena.rl.spaces import actions, observation

ACTIONS = (
    ("advance", at.ADVANCE, at.RETREAT, "place × 16 + card", "`17:B`, `s:D`, `b:C!`"),
    ("retreat", at.RETREAT, at.PUSH, "place", "`18<`, `b<`"),
    ("push", at.PUSH, at.SAIL, "seat × 64 + place", "`3@14`"),
    ("sail", at.SAIL, at.END, "", "`sail`"),
    ("end", at.END, at.DROP, "", "`end`"),
    ("drop", at.DROP, at.DEAL, "card", "`drop:D`"),
    ("deal", at.DEAL, at.ACTIONS, "card; chance only, never in a mask", "`+D`"),
)


def page() -> str:
    """The whole page."""
    lines = [
        "# Observation and action spaces",
        "",
        "Made from `cartagena.rl.spaces`; all adapters share them. [Research](../research.md) explains their use.",
        "",
        f"## Actions: {actions.COUNT:,}",
        "",
        "| action | first | last | first + | notation |",
        "| --- | --- | --- | --- | --- |",
        *(f"| {name} | {first} | {after - 1} | {how} | {shown} |" for name, first, after, how, shown in ACTIONS),
        "",
        f"## The observation: {observation.SIZE} entries, version {observation.VERSION}",
        "",
        "| field | first | last | shape | largest | meaning |",
        "| --- | --- | --- | --- | --- | --- |",
        *map(row, observation.FIELDS),
        "",
        "## The field `rules`",
        "",
        "| entry | name | largest | meaning |",
        "| --- | --- | --- | --- |",
        *(f"| {n} | {name} | {most} | {about} |" for n, (name, most, about) in enumerate(observation.RULES)),
        "",
    ]
    return "\n".join(lines)


def row(field: observation.Field) -> str:
    shape = " × ".join(map(str, field.shape))
    last = field.start + field.size - 1
    return f"| `{field.name}` | {field.start} | {last} | {shape} | {field.high} | {field.about.replace('``', '`')} |"
