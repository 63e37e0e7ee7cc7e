"""Named levels of opponents, and the agent of each level at each kind of table.

The levels are those of `NAMES`, weakest first. Their order follows the agents' ratings in
`impulse_agents.standings`, within their intervals.
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
"""The default level."""

_AGENTS: Final[dict[str, tuple[str, ...]]] = {
    "beginner": ("miner",),
    "easy": ("trader",),
    "medium": ("warrior",),
    "hard": ("policy:{trained}", "ismcts:100"),
    "expert": ("policy+search:{trained}:100", "ismcts:300"),
    "strongest": ("policy+search:{trained}:300", "ismcts:1000"),
}
"""The agents of each level; the first that can play does. Without a network for the table, or
without torch, that is a search with the rules of thumb."""


@dataclass(frozen=True)
class Level:
    """A level of opponents at one kind of table.

    Attributes:
        name: One of `NAMES`.
        agent: The agent that plays at this level.
        rating: Its strength in whole Elo points, see `impulse_agents.standings`; None if it was
            not measured.
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
        team_size: Players of a team; None: no teams.
        rated: The known ratings; those that the project ships if not given.

    Raises:
        StandingsError: The shipped ratings cannot be read.
    """
    trained = checkpoint_for(players, team_size)
    has_trained = trained in shipped() and find_spec("torch") is not None
    rows = standings.read() if rated is None else rated
    known = {row.agent: round(row.rating) for row in rows if row.table == (players, team_size)}
    levels = []
    for name in NAMES:
        agents = [agent for agent in _AGENTS[name] if has_trained or "{" not in agent]
        agent = agents[0].format(trained=trained)
        levels.append(Level(name, agent, known.get(agent)))
    return levels


def agent_of(level: str, players: int, team_size: int | None = None) -> str:
    """Return the name of the agent of a level; the kind of table is as in `levels_at`.

    Raises:
        AgentError: The level is unknown; the message lists all levels.
    """
    for known in levels_at(players, team_size):
        if known.name == level:
            return known.agent
    near = did_you_mean(level, NAMES) or ";"
    raise AgentError(f"unknown level {level!r}{near} there are {', '.join(NAMES)}")
