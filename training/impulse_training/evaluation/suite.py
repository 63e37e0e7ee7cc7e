"""The opponents of a trained agent's evaluation, and its targets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from impulse_agents.checkpoints import checkpoint_in
from impulse_agents.registry import RULE_BASED
from impulse_env.options import Options
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError

SEARCH: Final = "policy+search"
"""The opponent name for the agent's own search, which plays against the agent without search."""
MIXED: Final = "mixed"
"""The opponent name for different rule-based agents on the other sides, every line-up in turn. It
is skipped at a table of two sides, which has no such line-up."""
OPPONENTS: Final = ("random", *RULE_BASED, MIXED, "ismcts:300", SEARCH)
"""The default suite."""

_TARGETS: Final[dict[tuple[int, int | None], dict[str, float]]] = {
    (2, None): {
        "random": 0.999,
        "greedy": 0.90,
        "core_rush": 0.90,
        "warrior": 0.86,
        "ismcts:300": 0.60,
        SEARCH: 0.60,
    },
    (3, None): {"greedy": 0.65, "core_rush": 0.65, "warrior": 0.58},
    (4, None): {"greedy": 0.62, "core_rush": 0.62, "warrior": 0.54},
    (4, 2): {"greedy": 0.75, "core_rush": 0.75, "warrior": 0.75},
    (5, None): {"core_rush": 0.48, "warrior": 0.40},
    (6, None): {"core_rush": 0.40, "warrior": 0.33},
}
"""The target share of games won, by ``(players, team size)``."""


@dataclass(frozen=True)
class SuiteMatch:
    """A match: one agent alone against another on all other sides.

    Attributes:
        settings: The settings of the match, a tournament with `versus`.
        folder: The name of the folder for its games.
        target: The target share of games won; None without a target.
    """

    settings: Settings
    folder: str
    target: float | None

    @property
    def agent(self) -> str:
        """The agent whose share of the wins is measured."""
        return self.settings.agents[0]

    @property
    def opponent(self) -> str:
        """The agent on all other sides; `MIXED` if there are several."""
        return MIXED if self.settings.first_only else self.settings.agents[1]


def evaluation_suite(
    checkpoint: str,
    players: int,
    team_size: int | None,
    opponents: Sequence[str] = OPPONENTS,
    search: int = 300,
    games: int = 2000,
    seed: int = 0,
) -> list[SuiteMatch]:
    """Return the matches of a trained agent, all on the same deals.

    Args:
        checkpoint: The agent's checkpoint: name or path.
        players: Players of a game.
        team_size: Players per team, None without teams.
        opponents: Agents, `SEARCH` and `MIXED`.
        search: Simulations of that search.
        games: Games of each match, rounded up to whole deals.
        seed: Random seed for the deals and the agents.

    Raises:
        TournamentError: The arguments describe no valid match.
    """
    if twice := [name for name in opponents if opponents.count(name) > 1]:
        raise TournamentError(f"name each opponent once; {twice[0]} appears twice")
    if Options(players, team_size).team_count == 2:
        opponents = [name for name in opponents if name != MIXED]
    if not opponents:
        raise TournamentError("an evaluation needs at least one opponent")
    policy = f"policy:{checkpoint}"
    targets = _TARGETS.get((players, team_size), {})
    meetings = []
    for name in opponents:
        is_mixed = name == MIXED
        agents = {
            SEARCH: (f"{SEARCH}:{checkpoint}:{search}", policy),
            MIXED: (policy, *RULE_BASED),
        }.get(name, (policy, name))
        settings = Settings(
            agents, players, team_size, games, seed, versus=not is_mixed, first_only=is_mixed
        )
        schedule = Schedule(settings)
        folder = _slug(name if name != SEARCH else f"{SEARCH}:{search}")
        meetings.append(SuiteMatch(schedule.settings, folder, targets.get(name)))
    return meetings


def short(agent: str, checkpoint: str) -> str:
    """Return an agent's name; leave out its checkpoint if it is `checkpoint`."""
    if checkpoint_in(agent) != checkpoint:
        return agent
    kind, _, rest = agent.partition(":")
    return kind + rest.removeprefix(checkpoint)


def _slug(name: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", name)
