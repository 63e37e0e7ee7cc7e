"""The agents' cards in short: how strong they are, and how fast they decide.

The figures of the agents that need no training stand in ``agent_cards.json``, with the commands
that printed them; those of a trained agent in ``NAME.json`` beside its weights, which
`impulse agents model-card` writes.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from msgspec import Meta

from impulse_agents import checkpoints, plugins, registry
from impulse_agents.base import AgentError
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.schema import SchemaError, read_json

T = TypeVar("T")

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


@dataclass(frozen=True)
class _Measured:
    """What a file says of an agent."""

    agent: str
    players: Annotated[int, Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
    won: dict[str, Annotated[float, Meta(ge=0, le=100)]]
    decisions_per_second: Annotated[float, Meta(ge=0, le=1e12)]


@dataclass(frozen=True)
class _OfOne:
    card: _Measured
    commands: Any = ()


@dataclass(frozen=True)
class _OfMany:
    cards: list[_Measured]
    commands: Any = ()


def cards() -> list[Card]:
    """Return the cards of all agents that have a name: trained ones, searches, rules, others'.

    Raises:
        AgentError: A file beside a trained agent is no card; the message names the field.
    """
    files = (checkpoints.FOLDER / f"{name}.json" for name in checkpoints.shipped())
    measured = [_read(path, _OfOne).card for path in files if path.is_file()]
    measured += _read(_UNTRAINED, _OfMany).cards
    found = [Card(description=_description(one.agent), **asdict(one)) for one in measured]
    known = {card.agent for card in found}
    others = [*(f"policy:{name}" for name in checkpoints.shipped()), *registry.own_names()]
    return found + [
        Card(name, _description(name), None, {}, None) for name in others if name not in known
    ]


def _read(path: Path, kind: type[T]) -> T:
    """Return what a file says, whose fields are checked."""
    try:
        return read_json(path.read_bytes()[:_MOST_BYTES], kind)
    except SchemaError as error:
        raise AgentError(f"{path} is no card: {error}") from error


def _description(name: str) -> str:
    kind = registry.KINDS.get(name.partition(":")[0])
    if kind is not None:
        return kind.description
    is_installed = name in plugins.entry_point_names(registry.GROUP)
    return "of an installed package" if is_installed else "registered in this process"
