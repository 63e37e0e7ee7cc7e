"""The agents' cards in short: how strong they are, and how fast they decide.

The figures of the agents that need no training stand in ``agent_cards.json``, with the commands
that printed them; those of a trained agent in ``NAME.json`` beside its weights, which
`impulse agents model-card` writes.
"""

import json
import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from impulse_agents import checkpoints, plugins, registry
from impulse_agents.base import AgentError
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS

_UNTRAINED: Final = Path(__file__).with_name("agent_cards.json")
_MOST_BYTES: Final = 1 << 20
"""Of a card that are read."""


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
    """Return the cards of all agents that have a name: trained ones, searches, rules, others'.

    Raises:
        AgentError: A file beside a trained agent is no card; the message names the field.
    """
    measured = [_read(checkpoints.FOLDER / f"{name}.json") for name in checkpoints.shipped()]
    measured += [[card] for card in json.loads(_UNTRAINED.read_text(encoding="utf-8"))["cards"]]
    found = [_card(card) for group in measured for card in group]
    known = {card.agent for card in found}
    others = [*(f"policy:{name}" for name in checkpoints.shipped()), *registry.own_names()]
    return found + [
        Card(name, _description(name), None, {}, None) for name in others if name not in known
    ]


def _read(path: Path) -> list[dict[str, Any]]:
    """Return the card in a file, whose fields are checked; none without one."""
    if not path.is_file():
        return []
    try:
        told = json.loads(path.read_bytes()[:_MOST_BYTES])
    except (ValueError, RecursionError) as error:
        raise AgentError(f"{path} is no card: it is no JSON, or cut off") from error
    card = told.get("card") if isinstance(told, dict) else None
    if not isinstance(card, dict):
        raise AgentError(f"{path} is no card: card must be an object")
    for name, (holds, allowed) in _FIELDS.items():
        if name not in card or not holds(card[name]):
            said = reprlib.repr(card[name]) if name in card else "missing"
            raise AgentError(f"{path} is no card: card.{name} must be {allowed}, not {said}")
    unknown = sorted(card.keys() - _FIELDS.keys())
    if unknown:
        raise AgentError(f"{path} is no card: card.{unknown[0]} is not known")
    return [card]


def _is_number(said: Any, most: float) -> bool:
    return isinstance(said, int | float) and not isinstance(said, bool) and 0 <= said <= most


def _is_share_by_name(said: Any) -> bool:
    return isinstance(said, dict) and all(_is_number(share, 100) for share in said.values())


_FIELDS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "agent": (lambda said: isinstance(said, str), "a name"),
    "players": (
        lambda said: isinstance(said, int) and said in range(MIN_PLAYERS, MAX_PLAYERS + 1),
        f"a whole number from {MIN_PLAYERS} to {MAX_PLAYERS}",
    ),
    "won": (_is_share_by_name, "numbers from 0 to 100 by name"),
    "decisions_per_second": (lambda said: _is_number(said, 1e12), "a number from 0 to 1e12"),
}
"""Of a card: what each field may be, and the same in words."""


def _card(fields: dict[str, Any]) -> Card:
    return Card(description=_description(fields["agent"]), **fields)


def _description(name: str) -> str:
    kind = registry.KINDS.get(name.partition(":")[0])
    if kind is not None:
        return kind.description
    is_installed = name in plugins.entry_point_names(registry.GROUP)
    return "of an installed package" if is_installed else "registered in this process"
