"""The fixed opponents and deals by which agents are rated."""

from collections.abc import Sequence
from typing import Final

from impulse_agents.checkpoints import BASELINE, checkpoint_for, shipped
from impulse_training.tournament.settings import Settings

Table = tuple[int, int | None]
"""A kind of table: number of players, and players per team or None."""

TABLES: Final[tuple[Table, ...]] = ((2, None), (3, None), (4, None), (4, 2), (5, None), (6, None))
"""The tables at which every agent of the project is rated."""
PANEL: Final = ("ismcts:300", "core_rush", "warrior", "greedy", "trader", "miner")
"""The opponents of every rated agent. Their ratings are fixed and have mean 0. The panel has no
trained agent, so it never has to be replaced."""
PANEL_GAMES: Final = 1_200
"""Games among the agents of the panel at each table."""
JUDGE: Final = "rules"
"""The judge of the luck adjustment; this one works at every table."""
SEED: Final = 19_780_519
"""Random seed for the deals, used nowhere else in the project."""
_SEARCHES: Final = ("ismcts:100", "ismcts:1000")
_GUIDED: Final = (100, 300)
"""Simulations of the searches of a trained network."""


def panel_settings(table: Table) -> Settings:
    """Return the settings of the tournament among the panel."""
    return Settings(PANEL, *table, PANEL_GAMES, SEED)


def settings_for(agent: str, table: Table, games: int) -> Settings:
    """Return the settings of the tournament that rates an agent: every line-up with the panel."""
    return Settings((agent, *PANEL), *table, games, SEED, first_only=True)


def trained_for(table: Table) -> str | None:
    """Return the shipped checkpoint for a kind of table, or None."""
    return name if (name := checkpoint_for(*table)) in shipped() else None


def project_agents(table: Table) -> Sequence[str]:
    """Return the agents of the project outside the panel that are rated at a table."""
    trained = trained_for(table)
    guided = [] if trained is None else [f"policy:{trained}"]
    guided += [f"policy+search:{trained}:{number}" for number in _GUIDED if trained is not None]
    baseline = f"{BASELINE}{checkpoint_for(*table)}"
    baselines = [f"policy:{baseline}"] if baseline in shipped() else []
    return ("random", *_SEARCHES, *guided, *baselines)
