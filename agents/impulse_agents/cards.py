"""The agents' cards in short: how strong they are, and how fast they decide.

The figures of the agents that need no training stand in ``cards.json``, with the commands that
printed them; those of a trained agent in ``NAME.json`` beside its weights, which
`impulse model-card` writes.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from impulse_agents import checkpoints, plugins, registry

_UNTRAINED: Final = Path(__file__).with_name("cards.json")


@dataclass(frozen=True)
class Card:
    """What is known of an agent.

    Attributes:
        agent: Its name.
        description: What it does, in a few words.
        players: Players of the games in which it was measured; None if it was not.
        won: Games won in per cent, alone against agents of that name on all other sides.
        decisions_per_second: On one core, in many games at once if it can.
    """

    agent: str
    description: str
    players: int | None
    won: dict[str, float]
    decisions_per_second: float | None


def cards() -> list[Card]:
    """Return the cards of all agents that have a name: trained ones, searches, rules, others'."""
    measured = [_read(checkpoints.FOLDER / f"{name}.json") for name in checkpoints.shipped()]
    measured += [[card] for card in json.loads(_UNTRAINED.read_text(encoding="utf-8"))["cards"]]
    found = [_card(card) for group in measured for card in group]
    known = {card.agent for card in found}
    others = [*(f"policy:{name}" for name in checkpoints.shipped()), *registry.own_names()]
    return found + [
        Card(name, _description(name), None, {}, None) for name in others if name not in known
    ]


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8"))["card"]] if path.is_file() else []


def _card(fields: dict[str, Any]) -> Card:
    return Card(description=_description(fields["agent"]), **fields)


def _description(name: str) -> str:
    kind = registry.KINDS.get(name.partition(":")[0])
    if kind is not None:
        return kind.description
    is_installed = name in plugins.entry_point_names(registry.GROUP)
    return "of an installed package" if is_installed else "registered in this process"
