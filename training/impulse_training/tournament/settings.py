"""The settings, which determine a tournament's games."""

from dataclasses import dataclass
from typing import Final

from impulse_agents.asking.limits import LimitError, Limits
from impulse_env.errors import ImpulseError
from impulse_env.options import OptionError, Options

MAX_SEED: Final = 2**63 - 1


class TournamentError(ImpulseError, ValueError):
    """A tournament cannot be played, or its folder cannot be read; the message says why."""


@dataclass(frozen=True)
class Settings:
    """The settings of a tournament; equal settings give equal games on any machine.

    Limits of time and memory are an exception: they depend on the speed and memory of the machine.

    A side is a player, or a team, whose members are all the same agent.

    Attributes:
        agents: The names of the agents, all different.
        players: Players of a game, 2 to 6.
        team_size: Players per team, None without teams.
        games: Games of the whole tournament; `Schedule` rounds them up to whole deals.
        seed: Random seed for deals and agents.
        versus: Whether the first of two agents plays one side and the second all others.
        target_score: Points that win a game.
        max_turns: Player turns after which a game is truncated.
        first_only: Whether to play only the line-ups with the first agent.
        time_limit: Seconds per decision; None without a limit.
        game_time_limit: Seconds for all decisions of a seat in a game; None without a limit.
        memory_limit: GiB that the agents of a process may allocate after their creation; None
            without a limit.
    """

    agents: tuple[str, ...]
    players: int = 2
    team_size: int | None = None
    games: int = 1000
    seed: int = 0
    versus: bool = False
    target_score: int = Options.target_score
    max_turns: int = Options.max_turns
    first_only: bool = False
    time_limit: float | None = None
    game_time_limit: float | None = None
    memory_limit: float | None = None

    def __post_init__(self) -> None:
        """Raise `TournamentError` if a setting is invalid; creates no agents."""
        try:
            sides, _ = self.options.team_count, self.limits
        except (LimitError, OptionError) as error:
            raise TournamentError(str(error)) from error
        if self.games < 1:
            raise TournamentError(f"games must be 1 or more, not {self.games}")
        if not 0 <= self.seed <= MAX_SEED:
            raise TournamentError(f"seed must be from 0 to {MAX_SEED}, not {self.seed}")
        if len(self.agents) < 2:
            listed = ", ".join(self.agents) or "none"
            raise TournamentError(f"a tournament takes 2 agents or more, not {listed}")
        if twice := [name for name in self.agents if self.agents.count(name) > 1]:
            raise TournamentError(
                f"agents must all be different, but {twice[0]} is there twice; `impulse match "
                f"{twice[0]} {twice[0]}` plays it against itself"
            )
        if self.versus and len(self.agents) != 2:
            raise TournamentError(f"versus takes exactly 2 agents, not {len(self.agents)}")
        assert sides >= 2, "the rules know no game with a single side"

    @property
    def limits(self) -> Limits:
        """The limits of time and memory; raises `LimitError`."""
        return Limits.of(self)

    @property
    def options(self) -> Options:
        """The options of every game; raises `OptionError`."""
        return Options(
            self.players,
            self.team_size,
            target_score=self.target_score,
            max_turns=self.max_turns,
        )
