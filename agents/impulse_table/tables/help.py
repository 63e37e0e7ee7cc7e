"""Help for people who are learning the rules: why a choice is not possible, what a card means."""

from typing import Final

from impulse_env.actions import NAMES, action_of
from impulse_env.engine.action_space import CARD_0, CELL_0, PLACE_0, SHIPS_0
from impulse_env.engine.cards import ACTION_BY_CARD, TEXT_BY_CARD
from impulse_env.engine.constants import Card, Seat
from impulse_env.engine.ops import words
from impulse_env.game import Game
from impulse_env.text.describe import card_label, place_label

MEANINGS: Final = {
    "command": "Move ships through gates. Where Transports arrive, the card of that cell may be "
    "used at once; Cruisers fight enemy Cruisers and destroy Transports (pp. 26-30).",
    "build": "Put new ships on the map: a Transport on a cell, a Cruiser on one of its gates.",
    "draw": "Take cards into your hand, at most 10 in all.",
    "execute": "Use another card at once, then discard it; or use one of your Techs.",
    "mine": "Put cards beside your race: each gem boosts your cards of its color. Two gems raise "
    "a boxed number by 1 (pp. 22-23).",
    "plan": "Put cards into your Plan. Late in a turn you may use all of it; with four cards you "
    "must (p. 13).",
    "refine": "Discard minerals for points.",
    "research": "Put a card over one of your two Techs: each turn you may use one Tech.",
    "sabotage": "Bomb an enemy fleet near your ships: each bomb reveals a card, and one of size "
    "2 or 3 destroys a ship, for a point.",
    "trade": "Discard cards for points: as many as their size.",
}
"""The meaning of an action in a sentence, by its printed name, with pages of the rulebook."""
OVER: Final = "The game is over: there is nothing left to decide."
_LISTED: Final = 4
_RULES: Final = {op.name.lower(): rule for op, rule in words("rule").items()}
"""The rule that limits the choice, by kind of decision; empty if the prompt says everything."""


def rules_of(card: Card) -> dict[str, str]:
    """Return title, printed effect and meaning of a face."""
    return {
        "title": card_label(card),
        "text": TEXT_BY_CARD[card],
        "meaning": MEANINGS[ACTION_BY_CARD[card].lower()],
    }


def who(players: list[str], seat: Seat) -> str:
    """Return e.g. ``seat 1 (greedy)``."""
    return f"seat {seat} ({players[seat]})"


def why_not(game: Game, players: list[str], seats: list[Seat], action: str) -> str:
    """Return why none of these seats can take an action now.

    The answer contains only what the deciding seat knows.

    Args:
        game: The game.
        players: The name of each seat's player.
        seats: The seats that ask.
        action: Stable name of an action that is not legal for them.
    """
    if game.seat is None:
        return OVER
    if not seats:
        return "You are watching: this page has no seat."
    if game.seat not in seats:
        return f"It is not your decision: {who(players, game.seat)} decides now."
    legal = game.legal_actions()
    listed = [game.describe(option) for option in legal[:_LISTED]]
    allowed = (
        f"You may {_joined(listed)}."
        if len(legal) <= _LISTED
        else f"There are {len(legal)} choices, marked and listed."
    )
    rule = _RULES[game.decision.kind]
    return " ".join(filter(None, [f"Not {thing(action)}: {game.decision.prompt}", rule, allowed]))


def thing(action: str) -> str:
    """Return the meaning of an action's name, e.g. ``card 57 (Build, blue 2)``."""
    if action not in NAMES:
        return "that"
    number = action_of(action)
    if CARD_0 <= number < CELL_0:
        return card_label(number - CARD_0)
    if CELL_0 <= number <= SHIPS_0:
        return place_label(number - PLACE_0)
    return action


def _joined(sentences: list[str]) -> str:
    *others, last = sentences
    return f"{'; '.join(others)}; or {last}" if others else last
