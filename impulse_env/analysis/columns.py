"""The columns of the tables: name, type and meaning, in one place."""

from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from impulse_env.actions import NAMES
from impulse_env.engine.ops import KINDS
from impulse_env.options import RACE_NAMES
from impulse_env.outcomes import ENDS, SOURCE_NAMES

POINTS: Final = tuple(f"points_{source}" for source in SOURCE_NAMES)
PLANS: Final = ("none", "delayed", "used", "forced")
NO_RACE_YET: Final = "none"
CATEGORIES: Final[dict[str, tuple[str, ...]]] = {
    "kind": ("over", *KINDS),
    "action": NAMES,
    "end": ENDS,
    "plan": PLANS,
    "race": (*RACE_NAMES, NO_RACE_YET),
}
"""The values of each column of the type "category", by its name."""


class Column(NamedTuple):
    """A column: its name, its pandas type, and what it means, with its unit or range."""

    name: str
    dtype: str
    meaning: str


_GAME: Final = Column("game", "int64", "number of the game, from 0, in the order of reading")
_TURN: Final = Column("turn", "int16", "player turn, from 0; -1 in setup")
_ROUND: Final = Column("round", "int16", "turns divided by players, from 1; 0 in setup")
_SEAT_MEANING: Final = "0 to 5, in turn order"
_SOURCE_MEANINGS: Final = (
    "patrolling the Sector Core",
    "activating the Sector Core",
    "trading",
    "refining",
    "winning battles",
    "destroying ships",
)


def _sources(whose: str) -> tuple[Column, ...]:
    return tuple(
        Column(name, "int16", f"points {whose} for {meaning}")
        for name, meaning in zip(POINTS, _SOURCE_MEANINGS, strict=True)
    )


COLUMNS: Final[dict[str, tuple[Column, ...]]] = {
    "games": (
        _GAME,
        Column("source", "str", "file, and line if it holds several games"),
        Column("seed", "UInt64", "of the deal, modulo 2**64; <NA>: it began with a position"),
        Column("players", "int8", "2 to 6"),
        Column("sides", "int8", "teams, or players where there are none"),
        Column("agents", "object", "tuple of str: who plays, by seat"),
        Column("start_seat", "int8", "seat that began"),
        Column("end", "category", ", ".join(ENDS)),
        Column("winners", "object", "tuple of int: the winning seats"),
        Column("turns", "int16", "player turns, the last one included"),
        Column("rounds", "int16", "turns divided by players, rounded up"),
        Column("decisions", "int32", "decisions that the record holds"),
        Column("margin", "float64", "winning side's best score less the best other; NaN: no win"),
    ),
    "seats": (
        _GAME,
        Column("seat", "int8", _SEAT_MEANING),
        Column("agent", "str", "who plays it"),
        Column("side", "int8", "seats of a team have the same"),
        Column("order", "int8", "0 for the seat that began, 1 for the next, and so on"),
        Column("race", "category", "name of the race"),
        Column("home_card", "int16", "printed number of the card on the home cell; 0: none yet"),
        Column("won", "bool", "whether it, or its team, won"),
        Column("score", "int16", "points at the end"),
        *_sources("in all"),
        Column("tech_0", "int16", "card in Tech slot 0 at the end; 0: the Basic Tech"),
        Column("tech_1", "int16", "card in Tech slot 1 at the end; 0: the Basic Tech"),
        Column("researched", "int16", "cards researched during the game"),
        Column("plan", "int8", "cards in the Plan at the end"),
        Column("gems", "int8", "icons on the mineral cards at the end"),
        Column("ships", "int8", "ships on the map at the end"),
        Column("eliminated", "bool", "whether it was out before the end"),
        Column("turns", "int16", "own turns begun"),
        Column("decisions", "int32", "own decisions that the record holds"),
        Column("seconds", "float64", "s spent deciding; NaN: not recorded"),
    ),
    "turns": (
        _GAME,
        _TURN,
        _ROUND,
        Column("seat", "int8", "whose turn it is"),
        Column("agent", "str", "who plays it"),
        Column("score", "int16", "points when it begins"),
        Column("lead", "int16", "points ahead of the best other side then"),
        Column("gained", "int16", "points it gets in the turn"),
        *_sources("of these"),
        Column("gained_by_others", "int16", "points all others get in it"),
        Column("hand", "object", "tuple of int: printed numbers, before a card is added"),
        Column("added", "int16", "card added to the Impulse; 0: none, the hand was empty"),
        Column("impulse", "int8", "cards on the Impulse then, the added one included"),
        Column("impulse_used", "int8", "how many of them were used"),
        Column("tech", "int8", "Tech slot that was used first, 0 or 1; -1: none"),
        Column("tech_card", "int16", "card in it; 0: a Basic Tech, or none used"),
        Column("planned", "int8", "cards in the Plan when it is used or delayed"),
        Column("plan", "category", ", ".join(PLANS)),
        Column("plan_used", "int8", "cards of the Plan that were used"),
        Column("battles", "int8", "battles fought in the turn"),
        Column("decisions", "int32", "decisions of this seat in it that the record holds"),
    ),
    "decisions": (
        _GAME,
        Column("number", "int32", "of the decision in the record, from 0; -1: made by the engine"),
        _TURN,
        _ROUND,
        Column("seat", "int8", "who decides"),
        Column("agent", "str", "who plays it"),
        Column("active", "int8", "whose turn it is"),
        Column("kind", "category", "as `Game.decision.kind`"),
        Column("legal", "int16", "legal actions; 1: forced"),
        Column("action", "category", "what was chosen, by its absolute name"),
        Column("card", "int16", "card that it names or that is offered; 0: none"),
        Column("effect", "int16", "card in use; 0: none, -1: common Basic Tech, -2: the race's"),
        Column("score", "int16", "own points before"),
        Column("lead", "int16", "points ahead of the best other side before"),
        Column("gained", "int16", "own points until the next decision"),
        Column("gained_by_others", "int16", "points of all others until then"),
        Column("hand", "object", "tuple of int: printed numbers of the own hand"),
        Column("wins", "float64", "chance to win by the agent, 0 to 1; NaN: not recorded"),
        Column("probability", "float64", "that the agent gave the action, 0 to 1; NaN likewise"),
        Column("seconds", "float64", "s that it took; NaN likewise"),
    ),
    "battles": (
        _GAME,
        _TURN,
        Column("gate", "str", 'where, as "5-10"'),
        *(
            Column(f"{side}{suffix}", dtype, meaning)
            for side in ("attacker", "defender")
            for suffix, dtype, meaning in (
                ("", "int8", f"seat of the {side}"),
                ("_agent", "str", f"who plays the {side}"),
                ("_ships", "int8", "Cruisers in the battle"),
                ("_hand", "int8", "cards in hand before any is laid"),
                ("_usable", "int8", "icons on those of them that would count"),
                ("_laid", "int8", "cards laid face-down"),
                ("_bluffs", "int8", "how many of these did not count"),
                ("_icons", "float64", "icons in the end; NaN: a new deck was needed meanwhile"),
            )
        ),
        Column("odds", "float64", "chance of the attacker if nobody laid a card, 0 to 1"),
        Column("attacker_won", "bool", "whether the attacker won"),
        Column("points", "int16", "the winner's, for the battle and the ships destroyed"),
    ),
}
"""The columns of each table, in order."""


def frame(table: str, data: dict[str, Any]) -> pd.DataFrame:
    """Return a table with exactly its columns, in order and of their types."""
    made = {}
    for column in COLUMNS[table]:
        values = data.pop(column.name)
        if column.dtype == "category":
            values = pd.Categorical(values, categories=CATEGORIES[column.name])
        elif column.dtype == "object":
            values = _objects(values)
        elif column.dtype == "UInt64":
            values = pd.array(values, dtype=column.dtype)  # a Series would round large ones
        made[column.name] = pd.Series(values).astype(column.dtype)
    assert not data, f"no columns of {table}: {', '.join(data)}"
    return pd.DataFrame(made)


def no_rows(table: str) -> pd.DataFrame:
    """Return a table with its columns and nothing in it."""
    return frame(table, {column.name: [] for column in COLUMNS[table]})


def _objects(values: Any) -> np.ndarray:
    """Return values as an array of objects: numpy would take tuples for rows."""
    held = np.empty(len(values), object)
    held[:] = values
    return held


def column_table(table: str) -> str:
    """Return the columns of a table as Markdown."""
    lines = ["| Column | Type | Meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {dtype} | {meaning} |" for name, dtype, meaning in COLUMNS[table]]
    return "\n".join(lines)
