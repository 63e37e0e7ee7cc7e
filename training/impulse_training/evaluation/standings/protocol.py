"""Against whom an agent is placed, and on which deals: always the same."""

from collections.abc import Sequence
from typing import Final

from impulse_agents.checkpoints import checkpoint_for, shipped
from impulse_training.tournament.settings import Settings

Table = tuple[int, int | None]
"""A kind of table: players, and players of a team."""

TABLES: Final[tuple[Table, ...]] = ((2, None), (3, None), (4, None), (4, 2), (5, None), (6, None))
"""Those that every agent of the project is placed at."""
PANEL: Final = ("ismcts:300", "core_rush", "warrior", "greedy", "trader", "miner")
"""The agents that every other meets: their ratings have the mean 0, and stay. Nothing trained is
among them, so that no agent has learned from them alone and none of them is ever replaced."""
PANEL_GAMES: Final = 1_200
"""Of the panel at each table, everybody against everybody."""
JUDGE: Final = "rules"
"""Who sees the luck that is taken out of the shares: the one that knows every table."""
SEED: Final = 19_780_519
"""Of the deals, which no training and no other table of the project has."""
_SEARCHES: Final = ("ismcts:100", "ismcts:1000")
_GUIDED: Final = (100, 300)
"""Simulations of the searches of a trained network."""


def panel_settings(table: Table) -> Settings:
    """Return the tournament of the panel, everybody against everybody."""
    return Settings(PANEL, *table, PANEL_GAMES, SEED)


def settings_for(agent: str, table: Table, games: int) -> Settings:
    """Return the tournament that places an agent: every line-up of the panel with it."""
    return Settings((agent, *PANEL), *table, games, SEED, first_only=True)


def trained_for(table: Table) -> str | None:
    """Return the shipped checkpoint for a kind of table; None if there is none."""
    return name if (name := checkpoint_for(*table)) in shipped() else None


def project_agents(table: Table) -> Sequence[str]:
    """Return the agents of the project, besides the panel, that are placed at a table."""
    trained = trained_for(table)
    guided = [] if trained is None else [f"policy:{trained}"]
    guided += [f"policy+search:{trained}:{number}" for number in _GUIDED if trained is not None]
    return ("random", *_SEARCHES, *guided)
