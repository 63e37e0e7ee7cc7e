"""What an agent does again and again: decisions in general words, with what they cost."""

import re
from typing import Final

import pandas as pd

from impulse_env.engine.constants import State
from impulse_env.text.describe import describe_action
from lab.regret import Noted, absolute

_FACE: Final = re.compile(r"card \d+ \((\w+), \w+ \d\)")
_PLACE: Final = re.compile(r"\b(cell|gate) \d+(?:-\d+)?")
_NUMBER: Final = re.compile(r"\b\d+\b")
_RACE_TECH: Final = re.compile(r"the Basic Tech of the \w+")


def habit_of(state: State, action: int) -> str:
    """Return what an action is in general: cards by their action, no places and no numbers.

    Args:
        state: The game at the decision.
        action: Absolute.
    """
    text = _FACE.sub(r"\1", describe_action(state, action, with_text=False))
    text = _RACE_TECH.sub("the race's Basic Tech", _PLACE.sub(r"a \1", text))
    return " ".join(_NUMBER.sub("", text).replace(" ,", "").replace("(a cell)", "").split())


def commonest(table: pd.DataFrame, count: int) -> pd.DataFrame:
    """Return the habits that cost most in sum, the dearest first.

    Args:
        table: What `habits` returned; what is alike with and without is no habit.
        count: How many are returned at most.

    Returns:
        A row for each: ``kind``, ``did``, ``instead`` (what would mostly be done) and ``price``.
    """
    rows = table[table.did != table.instead]
    grouped = rows.groupby(["kind", "did"])
    found = pd.DataFrame(
        {
            "price": grouped.price.sum(),
            "instead": grouped.instead.agg(lambda words: words.value_counts().index[0]),
        }
    )
    return found.nlargest(count, "price").reset_index()


def habits(noted: Noted, table: pd.DataFrame) -> pd.DataFrame:
    """Return what `priced` returned with columns ``did`` and ``instead``, see `habit_of`."""
    said: dict[str, list[str]] = {"did": [], "instead": []}
    for row in table.itertuples():
        decision = int(row.decision)
        state = noted.states[decision]
        for name, action in (("did", int(row.taken)), ("instead", int(row.better))):
            said[name].append(habit_of(state, absolute(noted, decision, action)))
    return table.assign(**said)
