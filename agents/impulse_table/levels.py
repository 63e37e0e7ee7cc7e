"""How strong an opponent is to be, in a word, and which agent that is at which table.

The words are those of `NAMES`, weakest first; the agents' ratings, by which the words stand in that
order, are those of `impulse_agents.standings`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from impulse_agents import standings
from impulse_agents.base import AgentError
from impulse_agents.checkpoints import checkpoint_for, shipped
from impulse_agents.standings import Standing
from impulse_env.errors import did_you_mean

NAMES: Final = ("beginner", "easy", "medium", "hard", "expert", "strongest")
"""All levels, weakest first."""
USUAL: Final = "medium"
"""The level of those who have not said any."""

_AGENTS: Final[dict[str, tuple[str, ...]]] = {
    "beginner": ("miner",),
    "easy": ("trader",),
    "medium": ("warrior",),
    "hard": ("policy:{trained}", "ismcts:100"),
    "expert": ("policy+search:{trained}:100", "ismcts:300"),
    "strongest": ("policy+search:{trained}:300", "ismcts:1000"),
}
"""The agents of a level, the first that can play: a network, or where there is none for the table
or torch is not installed, a search by the rules of thumb."""


@dataclass(frozen=True)
class Level:
    """How strong an opponent is to be.

    Attributes:
        name: One of `NAMES`.
        agent: Who plays like that, at one kind of table.
        rating: Its strength there in whole Elo points, see `impulse_agents.standings`; None if it
            was not measured.
    """

    name: str
    agent: str
    rating: int | None


def levels_at(
    players: int, team_size: int | None = None, rated: Sequence[Standing] | None = None
) -> list[Level]:
    """Return the levels at a kind of table, weakest first.

    Args:
        players: Players of a game, 2 to 6.
        team_size: Players of a team; None: each for themselves.
        rated: What is known of strengths; that of the project if not given.

    Raises:
        StandingsError: The ratings that come with the project cannot be read.
    """
    trained = checkpoint_for(players, team_size)
    has_trained = trained in shipped() and find_spec("torch") is not None
    rows = standings.read() if rated is None else rated
    known = {row.agent: round(row.rating) for row in rows if row.table == (players, team_size)}
    found = []
    for name in NAMES:
        agents = [agent for agent in _AGENTS[name] if has_trained or "{" not in agent]
        agent = agents[0].format(trained=trained)
        found.append(Level(name, agent, known.get(agent)))
    return found


def agent_of(level: str, players: int, team_size: int | None = None) -> str:
    """Return the name of the agent that plays at a level, at a kind of table as of `levels_at`.

    Raises:
        AgentError: There is no such level; the message lists those that there are.
    """
    for found in levels_at(players, team_size):
        if found.name == level:
            return found.agent
    near = did_you_mean(level, NAMES) or ";"
    raise AgentError(f"unknown level {level!r}{near} there are {', '.join(NAMES)}")
