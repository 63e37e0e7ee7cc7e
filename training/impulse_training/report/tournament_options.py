"""Options of the commands that play and report tournaments, and of those that show results."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from impulse_env.options import Options
from impulse_training.tournament.play import TABLES
from impulse_training.tournament.settings import Settings

Replays = Literal["none", "notable", "all"]
"""Of which games there are to be pages."""


@dataclass(frozen=True)
class TournamentArgs:
    """Play a tournament: every line-up of the agents on every deal, on every side of the table.

    The same settings give the same games, however many processes or machines play them. Finished
    games are kept: the same command again plays the missing ones, with more --games those too, and
    with more agents behind the first ones theirs. Games of an agent that has changed since are
    played again.
    """

    agents: tuple[str, ...] = (
        "greedy",
        "random",
    )
    """Who plays; an unknown name lists those that exist."""
    players: int = 2
    """Players of a game, 2 to 6."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    versus: bool = False
    """The first of two agents on one side, the second on all others."""
    first_only: bool = False
    """Play only the line-ups with the first agent."""
    games: int = 1000
    """Of the whole tournament; rounded up to whole deals."""
    seed: int = 0
    """Of the deals and the agents."""
    target_score: int = Options.target_score
    """Points that win."""
    max_turns: int = Options.max_turns
    """Player turns after which a game is truncated."""
    time_limit: float | None = None
    """Seconds that an agent may take for a decision; who takes longer fails. Agents then decide in
    a process of their own, in one game at a time."""
    game_time_limit: float | None = None
    """Seconds that a seat may take for all of its decisions in a game."""
    memory_limit: float | None = None
    """GiB that agents may take beside what they have when they are made; on Linux alone."""
    out: Path = Path("runs/tournament")
    """Folder of the tournament."""
    workers: int | None = None
    """Processes; as many as there are cores if not given."""
    tables: int = TABLES
    """Most games side by side in a process."""
    ray: str | None = None
    """Play on the Ray cluster of this address, or "auto"."""
    ray_installed: bool = False
    """Do not send the code to the cluster: it is there."""
    anchor: str | None = None
    """Agent that has rating 0; else the mean is 0."""
    replays: Replays = "none"
    """Write pages of the games worth a look, or of all, and link them from the report: about 0.1 MB
    and two seconds of a core for each."""
    analyse: str | None = None
    """On these pages, let this trained agent, such as policy:2p, say how well each choice was made:
    some seconds more for each."""
    adjust: str | None = None
    """Also tell what agents won with the luck taken out, as judged by this: rules, or a trained
    agent such as policy:2p."""
    replay: int | None = None
    """Print this game of the folder again instead, in words."""
    record: Path | None = None
    """With --replay: write the game into this file instead."""

    @property
    def settings(self) -> Settings:
        """What determines the games; raises `TournamentError`."""
        return Settings(
            self.agents,
            self.players,
            self.team_size,
            self.games,
            self.seed,
            self.versus,
            self.target_score,
            self.max_turns,
            self.first_only,
            self.time_limit,
            self.game_time_limit,
            self.memory_limit,
        )


@dataclass(frozen=True)
class ReportArgs:
    """Make the report of a tournament again from its games, and print its tables."""

    folder: Path
    """Folder of the tournament: holds games.jsonl and settings.json."""
    anchor: str | None = None
    """The agent that has rating 0; otherwise the mean is 0."""
    replays: Replays = "none"
    """Write pages of the games worth a look, or of all, where there are none yet, and link them
    from the report."""
    analyse: str | None = None
    """On these pages, let this trained agent, such as policy:2p, say how well each choice was
    made."""
    adjust: str | None = None
    """Also tell what agents won with the luck taken out, as judged by this: rules, or a trained
    agent such as policy:2p."""
    workers: int | None = None
    """Processes that write these pages; as many as there are cores if not given."""
