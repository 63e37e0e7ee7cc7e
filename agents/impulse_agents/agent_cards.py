"""The agents' cards in short: their measured strength and speed.

``agent_cards.json`` has the figures of the agents that need no training, with the commands that
printed them. For a trained agent, `impulse agents model-card` writes them into ``NAME.json`` beside
its weights.
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
"""Bytes of a card that are read."""


@dataclass(frozen=True)
class Card:
    """Measured strength and speed of an agent.

    Attributes:
        agent: Its name.
        description: What it does, in a few words.
        players: Number of players in the measured games; None if it was not measured.
        won: Games won in per cent, by the name of the agent on all other sides.
        decisions_per_second: On one core, in many games at once if the agent can do that; None if
            it was not measured.
    """

    agent: str
    description: str
    players: int | None
    won: dict[str, float]
    decisions_per_second: float | None


@dataclass(frozen=True)
class _Measured:
    """The figures of an agent in a file."""

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
    """Return the cards of all named agents: trained, searching, rule-based, of other authors.

    Raises:
        AgentError: A file beside a trained agent is not a card; the message names the field.
    """
    files = (checkpoints.FOLDER / f"{name}.json" for name in checkpoints.shipped())
    measured = [_read(path, _OfOne).card for path in files if path.is_file()]
    measured += _read(_UNTRAINED, _OfMany).cards
    complete = [Card(description=_description(one.agent), **asdict(one)) for one in measured]
    known = {card.agent for card in complete}
    others = [*(f"policy:{name}" for name in checkpoints.shipped()), *registry.own_names()]
    return complete + [
        Card(name, _description(name), None, {}, None) for name in others if name not in known
    ]


def _read(path: Path, kind: type[T]) -> T:
    """Return the checked content of a file; raises `AgentError`."""
    try:
        return read_json(path.read_bytes()[:_MOST_BYTES], kind)
    except SchemaError as error:
        raise AgentError(f"{path} is not a card: {error}") from error


def _description(name: str) -> str:
    kind = registry.KINDS.get(name.partition(":")[0])
    if kind is not None:
        return kind.description
    is_installed = name in plugins.entry_point_names(registry.GROUP)
    return "of an installed package" if is_installed else "registered in this process"
