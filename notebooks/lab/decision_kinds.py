"""Decisions in general words: advice for them, and the action."""

import re
from typing import Final

from impulse_env.engine.constants import State
from impulse_env.engine.ops import words
from impulse_env.text.describe import describe_action

_THEMES: Final = {op.name.lower(): theme for op, theme in words("theme").items()}
LESSONS: Final = {
    "which fleet goes where": "Before a fleet moves, name every cell that it could reach, and what "
    "would be activated and met there.",
    "whether to use something": "Ask of what is on offer what it changes for the rest of the turn, "
    "not only what it brings at once.",
    "what is built where": "Ask which Command could move the new ship next turn.",
    "what goes to battle": "Ask what a reinforcement would be worth in the hand.",
    "which card of the hand": "Ask who uses the card next: on the Impulse the other player does, "
    "on the map whoever lands there.",
}
"""General advice by topic of the decision."""
_FACE: Final = re.compile(r"card \d+ \((\w+), \w+ \d\)")
_PLACE: Final = re.compile(r"\b(cell|gate) \d+(?:-\d+)?")
_NUMBER: Final = re.compile(r"\b\d+\b")
_RACE_TECH: Final = re.compile(r"the Basic Tech of the \w+")


def theme_of(kind: str) -> str:
    """Return a player's name for a kind of decision, a key of `LESSONS`."""
    return _THEMES[kind]


def habit_of(state: State, action: int) -> str:
    """Return an action in general words: cards by their action, without places and numbers.

    Args:
        state: The game at the decision.
        action: Absolute.
    """
    text = _FACE.sub(r"\1", describe_action(state, action, with_text=False))
    text = _RACE_TECH.sub("the race's Basic Tech", _PLACE.sub(r"a \1", text))
    return " ".join(_NUMBER.sub("", text).replace(" ,", "").replace("(a cell)", "").split())
