"""The rules as one page for a language model, with the effects of all cards."""

import re
from functools import cache
from importlib.resources import files
from typing import Final

from impulse_env.engine.cards import ACTION_BY_CARD, NUMBER_BY_CARD, TEXT_BY_CARD
from impulse_env.engine.constants import FACES, Card, Color

_SHORTER: Final = (
    (r"\bcards?\b ?", ""),
    (r"\byour |\bthe |\ban? ", ""),
    (r"\. Then,? ", ", then "),
    (r" for one move apiece\. Each must move to same", ", one move each to same cell"),
    (r" OR Execute one of Techs", " or Tech"),
)
_COLOR: Final = f"({'|'.join(color.name.lower() for color in Color)})"


def effect_of(card: Card) -> str:
    """Return the printed effect, without the words that the action and the digest say anyway."""
    text = TEXT_BY_CARD[card].removesuffix(".")
    verb, _, rest = text.partition(" ")
    text = rest if verb.lower() == ACTION_BY_CARD[card].lower() else text
    for pattern, short in _SHORTER:
        text = re.sub(pattern, short, text)
    return text.strip()


@cache
def rules_digest() -> str:
    """Return the rules, all cards, the notation and all calls, in at most 3,000 tokens."""
    text = (files("impulse_env.language") / "digest.md").read_text(encoding="utf-8")
    return text.replace("{cards}", _cards())


def _cards() -> str:
    """Return a line for every action: its effects, and the numbers of the cards that have them."""
    lines = []
    for action in dict.fromkeys(ACTION_BY_CARD):
        numbers: dict[str, list[str]] = {}
        for card in range(FACES):
            if ACTION_BY_CARD[card] == action:
                colors, effect = _colors_apart(effect_of(card))
                numbers.setdefault(effect, []).append(f"{NUMBER_BY_CARD[card]}{colors}")
        effects = [f"{effect}: {', '.join(cards)}" for effect, cards in numbers.items()]
        lines.append(f"- {action.capitalize()}: {'; '.join(effects)}.")
    return "\n".join(lines)


def _colors_apart(effect: str) -> tuple[str, str]:
    """Return the colours that an effect names, and the effect with COLOUR in their place."""
    found = re.search(rf"{_COLOR}( or {_COLOR})?", effect)
    if found is None:
        return "", effect
    return f" {found[0]}", effect.replace(found[0], "COLOUR")
