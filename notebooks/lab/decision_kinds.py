"""Decisions in general words: what they are about, what to look at, and what was done there."""

import re
from typing import Final

from impulse_env.engine.constants import State
from impulse_env.text.describe import describe_action

GROUPS: Final = {
    "card added to the Impulse": ("add_impulse",),
    "which Tech": ("use_tech", "basic_discard", "basic_mode"),
    "use a card or not": (
        "use_impulse",
        "use_plan_card",
        "use_executed",
        "use_researched",
        "activate",
    ),
    "Plan": ("use_plan", "plan_card", "research_planned", "choose_copy"),
    "fleet moves": ("choose_fleet", "choose_ships", "choose_move", "place_explored"),
    "battle": ("reinforce",),
    "which card to spend": (
        "trade_card",
        "mine_card",
        "research_card",
        "research_slot",
        "refine_card",
        "execute",
        "keep_revealed",
        "reveal_next",
        "discard_for_deck",
    ),
    "building and sabotage": (
        "build_location",
        "build_ship",
        "sabotage_fleet",
        "sabotage_owner",
    ),
    "home card": ("place_home", "draft_race"),
}
"""Kinds of decisions by what they are about."""
_MOVES: Final = ("choose_fleet", "choose_ships", "choose_move", "sabotage_fleet", "sabotage_owner")
_USES: Final = (
    *("use_tech", "use_impulse", "use_plan", "use_plan_card", "activate", "use_executed"),
    *("use_researched", "basic_mode", "execute", "reveal_next", "keep_revealed"),
)
THEMES: Final = {
    "which fleet goes where": _MOVES,
    "whether to use something": _USES,
    "what is built where": ("build_location", "build_ship"),
    "what goes to battle": ("reinforce",),
}
"""Kinds of decision by what a player would call them; all others are `CARDS`."""
CARDS: Final = "which card of the hand"
LESSONS: Final = {
    "which fleet goes where": "Before a fleet moves, name every cell that it could reach, and what "
    "would be activated and met there.",
    "whether to use something": "Ask of what is on offer what it changes for the rest of the turn, "
    "not only what it brings at once.",
    "what is built where": "Ask which Command could move the new ship next turn.",
    "what goes to battle": "Ask what a reinforcement would be worth in the hand.",
    CARDS: "Ask who uses the card next: on the Impulse the other player does, on the map whoever "
    "lands there.",
}
"""What to look at before such a decision, in general."""
_FACE: Final = re.compile(r"card \d+ \((\w+), \w+ \d\)")
_PLACE: Final = re.compile(r"\b(cell|gate) \d+(?:-\d+)?")
_NUMBER: Final = re.compile(r"\b\d+\b")
_RACE_TECH: Final = re.compile(r"the Basic Tech of the \w+")


def group_of(kind: str) -> str:
    """Return what a kind of decision is about, of `GROUPS`; itself if it is in none."""
    return next((group for group, kinds in GROUPS.items() if kind in kinds), kind)


def theme_of(kind: str) -> str:
    """Return what a player would call a kind of decision, of `THEMES` or `CARDS`."""
    return next((theme for theme, kinds in THEMES.items() if kind in kinds), CARDS)


def habit_of(state: State, action: int) -> str:
    """Return what an action is in general: cards by their action, no places and no numbers.

    Args:
        state: The game at the decision.
        action: Absolute.
    """
    text = _FACE.sub(r"\1", describe_action(state, action, with_text=False))
    text = _RACE_TECH.sub("the race's Basic Tech", _PLACE.sub(r"a \1", text))
    return " ".join(_NUMBER.sub("", text).replace(" ,", "").replace("(a cell)", "").split())
