"""The rules of a card for people who do not know them yet: what is printed, and what it means."""

from typing import Final

from impulse_env.engine.cards import ACTION_BY_CARD, TEXT_BY_CARD
from impulse_env.engine.constants import Card
from impulse_env.text.describe import card_label

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
"""What an action is, in a sentence, by its printed name; pages of the rulebook."""


def rules_of(card: Card) -> dict[str, str]:
    """Return title, printed effect and meaning of a face."""
    return {
        "title": card_label(card),
        "text": TEXT_BY_CARD[card],
        "meaning": MEANINGS[ACTION_BY_CARD[card].lower()],
    }
