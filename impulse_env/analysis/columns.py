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
    """A column: its name, its pandas type, and its meaning with unit or range."""

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
        Column("source", "str", "file, with the line if it holds several games"),
        Column("seed", "UInt64", "seed of the deal, modulo 2**64; <NA>: began with a position"),
        Column("players", "int8", "number of players, 2 to 6"),
        Column("sides", "int8", "number of teams; without teams, of players"),
        Column("agents", "object", "tuple of str: the agents, by seat"),
        Column("start_seat", "int8", "seat that began"),
        Column("end", "category", ", ".join(ENDS)),
        Column("winners", "object", "tuple of int: the winning seats"),
        Column("turns", "int16", "player turns, including the last one"),
        Column("rounds", "int16", "turns divided by players, rounded up"),
        Column("decisions", "int32", "decisions in the record"),
        Column("margin", "float64", "winning side's best score minus best other; NaN: no winner"),
    ),
    "seats": (
        _GAME,
        Column("seat", "int8", _SEAT_MEANING),
        Column("agent", "str", "agent on the seat"),
        Column("side", "int8", "number of the side, equal for the seats of a team"),
        Column("order", "int8", "0 for the seat that began, 1 for the next, and so on"),
        Column("race", "category", "name of the race"),
        Column("home_card", "int16", "printed number of the card on the home cell; 0: none yet"),
        Column("won", "bool", "whether the seat, or its team, won"),
        Column("score", "int16", "points at the end"),
        *_sources("in all"),
        Column("tech_0", "int16", "card in Tech slot 0 at the end; 0: the Basic Tech"),
        Column("tech_1", "int16", "card in Tech slot 1 at the end; 0: the Basic Tech"),
        Column("researched", "int16", "cards researched during the game"),
        Column("plan", "int8", "cards in the Plan at the end"),
        Column("gems", "int8", "icons on the mineral cards at the end"),
        Column("ships", "int8", "ships on the map at the end"),
        Column("eliminated", "bool", "whether the seat was eliminated before the end"),
        Column("turns", "int16", "own turns begun"),
        Column("decisions", "int32", "own decisions in the record"),
        Column("seconds", "float64", "time for own decisions, in s; NaN: not recorded"),
    ),
    "turns": (
        _GAME,
        _TURN,
        _ROUND,
        Column("seat", "int8", "seat whose turn it is"),
        Column("agent", "str", "agent on the seat"),
        Column("score", "int16", "points at the beginning of the turn"),
        Column("lead", "int16", "points ahead of the best other side at the beginning"),
        Column("gained", "int16", "points gained in the turn"),
        *_sources("of these"),
        Column("gained_by_others", "int16", "points that all others gained in the turn"),
        Column("hand", "object", "tuple of int: printed numbers, before a card is added"),
        Column("added", "int16", "card added to the Impulse; 0: none, the hand was empty"),
        Column("impulse", "int8", "cards on the Impulse, including the added one"),
        Column("impulse_used", "int8", "number of them that were used"),
        Column("tech", "int8", "Tech slot that was used first, 0 or 1; -1: none"),
        Column("tech_card", "int16", "card in that slot; 0: a Basic Tech, or none used"),
        Column("planned", "int8", "cards in the Plan when it is used or delayed"),
        Column("plan", "category", ", ".join(PLANS)),
        Column("plan_used", "int8", "cards of the Plan that were used"),
        Column("battles", "int8", "battles fought in the turn"),
        Column("decisions", "int32", "decisions of this seat in the turn, in the record"),
    ),
    "decisions": (
        _GAME,
        Column("number", "int32", "number of the decision in the record, from 0; -1: forced"),
        _TURN,
        _ROUND,
        Column("seat", "int8", "seat that decides"),
        Column("agent", "str", "agent on the seat"),
        Column("active", "int8", "seat whose turn it is"),
        Column("kind", "category", "kind of decision, as in `Game.decision.kind`"),
        Column("legal", "int16", "number of legal actions; 1: forced"),
        Column("action", "category", "absolute name of the chosen action"),
        Column("card", "int16", "card that the action names or that is on offer; 0: none"),
        Column("effect", "int16", "card in use; 0: none, -1: common Basic Tech, -2: the race's"),
        Column("score", "int16", "own points before"),
        Column("lead", "int16", "points ahead of the best other side before"),
        Column("gained", "int16", "own points until the next decision"),
        Column("gained_by_others", "int16", "points of all others until the next decision"),
        Column("hand", "object", "tuple of int: printed numbers of the own hand"),
        Column("wins", "float64", "the agent's chance to win, 0 to 1; NaN: not recorded"),
        Column("probability", "float64", "the agent's probability of the action; NaN: the same"),
        Column("seconds", "float64", "time for the decision, in s; NaN: the same"),
    ),
    "battles": (
        _GAME,
        _TURN,
        Column("gate", "str", 'gate of the battle, such as "5-10"'),
        *(
            Column(f"{side}{suffix}", dtype, meaning)
            for side in ("attacker", "defender")
            for suffix, dtype, meaning in (
                ("", "int8", f"seat of the {side}"),
                ("_agent", "str", f"agent of the {side}"),
                ("_ships", "int8", "Cruisers in the battle"),
                ("_hand", "int8", "cards in hand before any is laid"),
                ("_usable", "int8", "icons on the cards of that hand that would count"),
                ("_laid", "int8", "cards laid face-down"),
                ("_bluffs", "int8", "laid cards that did not count"),
                ("_icons", "float64", "icons at the end; NaN: the battle needed a new deck"),
            )
        ),
        Column("odds", "float64", "attacker's chance to win without laid cards, 0 to 1"),
        Column("attacker_won", "bool", "whether the attacker won"),
        Column("points", "int16", "the winner's points for the battle and the destroyed ships"),
    ),
}
"""The columns of each table, in order."""


def frame(table: str, data: dict[str, Any]) -> pd.DataFrame:
    """Return a table with exactly its columns, in order and with their types."""
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
    """Return a table with its columns and no rows."""
    return frame(table, {column.name: [] for column in COLUMNS[table]})


def _objects(values: Any) -> np.ndarray:
    """Return values as an array of objects; numpy would convert tuples to rows."""
    held = np.empty(len(values), object)
    held[:] = values
    return held


def column_table(table: str) -> str:
    """Return the columns of a table as Markdown."""
    lines = ["| Column | Type | Meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {dtype} | {meaning} |" for name, dtype, meaning in COLUMNS[table]]
    return "\n".join(lines)
