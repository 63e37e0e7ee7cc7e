"""Fits the weights of the luck adjustment (AIVAT).

Plays games whose seats are drawn from several agents. Half of the games are for the fit: least
squares of the results, minus each agent's mean, on the luck of each kind. The other half measures
how many additional games the adjustment replaces.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_agents.checkpoints import path_of
from impulse_agents.luck import coefficients
from impulse_agents.luck.chance import KINDS, results
from impulse_agents.luck.corrections import drawing_seats, luck_of
from impulse_agents.luck.game_log import Played
from impulse_agents.luck.values import RULES, NetworkValues, RuleValues, Values
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import write_config
from impulse_agents.playing.game_runner import RecordingRunner
from impulse_agents.rng import RngStreams
from impulse_env.files import check_output
from impulse_env.options import Options
from impulse_training.evaluation.calibration.positions import options_of
from impulse_training.evaluation.results import name_of
from impulse_training.report.table import EMPTY, Table

_RIDGE: Final = 1e-6
"""Ridge, as a part of the mean squares: factors stay finite for a kind that never occurs."""
_MOST: Final = 1.5
"""Bound of a factor. A larger one is noise, from a kind with little effect."""
_AT_ONCE: Final = 500
"""Games played at the same time."""


@dataclass(frozen=True)
class Fit:
    """The fitted factors, and their accuracy in other games.

    Attributes:
        factors: By kind, in the order of `KINDS`; 0 for a kind that never occurred.
        spread: The standard deviation of a side's luck in a game, by kind.
        worth: The factor on the number of games that gives the same precision without adjustment.
        games: Number of held-out games; as many others were used for the fit.
    """

    factors: tuple[float, ...]
    spread: tuple[float, ...]
    worth: float
    games: int


def fit_luck(
    values: Values, entrants: Sequence[Agent], options: Options, games: int, seed: int
) -> Fit:
    """Play games, and fit the factors of the luck in them.

    Args:
        values: The judge that estimates the luck.
        entrants: The agents, drawn for each side; an agent may have several sides.
        options: Options of the games.
        games: Number of games, 2 or more, each with its own deal.
        seed: Random seed for everything.
    """
    rng = np.random.default_rng([seed, options.players, options.team_count])
    sides = options.team_count
    won, luck, seated = [], [], []
    for start in range(0, games, _AT_ONCE):
        count = min(_AT_ONCE, games - start)
        deals = rng.integers(2**63, size=count)
        by_side = rng.integers(len(entrants), size=(count, sides))
        by_seat = by_side[:, np.arange(options.players) % sides]
        streams = RngStreams.from_generator(rng, by_seat.size)
        tables = RecordingRunner(entrants, options, deals, by_seat, streams)
        tables.play_to_end()
        played = Played.of_deals(options, deals, tables.actions)
        choosers = drawing_seats(entrants, by_seat)
        found = luck_of(played, values, choosers=choosers)
        won.append(results(tables.batch.states, sides))
        luck.append(found.by_kind.transpose(0, 2, 1))
        seated.append(by_side)
    # A row for each side of each game: what it won beyond its agent's mean, and its luck by kind.
    beyond = _beyond_the_mean(np.concatenate(won), np.concatenate(seated))
    columns = np.concatenate(luck)
    half = games // 2
    factors = _least_squares(columns[:half].reshape(-1, len(KINDS)), beyond[:half].ravel())
    unseen, theirs = beyond[half:].ravel(), columns[half:].reshape(-1, len(KINDS))
    return Fit(
        tuple(factors.tolist()),
        tuple(theirs.std(axis=0).tolist()),
        float(unseen.var() / (unseen - theirs @ factors).var()),
        games - half,
    )


def _beyond_the_mean(won: NDArray[np.float64], seated: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return results minus the agent's mean against the same others, ``(games, sides)``."""
    beyond = won.copy()
    ordered = np.sort(seated, axis=1)
    key = np.concatenate(
        [seated.reshape(-1, 1), np.repeat(ordered, seated.shape[1], axis=0)], axis=1
    )
    _, group = np.unique(key, axis=0, return_inverse=True)
    flat = beyond.ravel()
    means = np.bincount(group.ravel(), flat) / np.bincount(group.ravel())
    flat -= means[group.ravel()]
    return beyond


def _least_squares(
    columns: NDArray[np.float64], target: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a factor for each column, within bounds."""
    scale = columns.T @ columns / len(columns)
    found = np.linalg.solve(scale + _RIDGE * np.eye(len(scale)), columns.T @ target / len(columns))
    return np.clip(found, 0.0, _MOST)


def table(found: Fit, name: str) -> Table:
    """Return the factors as a table."""
    rows = []
    for kind, factor, spread in zip(KINDS, found.factors, found.spread, strict=True):
        seen = spread > 0
        rows.append((kind, f"{100 * spread:.1f}" if seen else EMPTY, f"{factor:.2f}"))
    return Table(
        f"The luck that {name} sees",
        ("Kind", "Spread, points of 100", "Factor"),
        tuple(rows),
        f"In {found.games:,} held-out games, adjusted results are as precise as unadjusted results "
        f"of {found.worth:.2f} times as many games.",
    )


def fit_judge(
    judge: str,
    agents: Sequence[str],
    games: int,
    seed: int,
    players: int | None = None,
    team_size: int | None = None,
) -> tuple[Fit, Path, str]:
    """Fit the factors of a judge by games, and write them where matches read them.

    Args:
        judge: ``rules``, or a calibrated agent: a shipped name such as ``2p``, or a path.
        agents: The agents, drawn for each side, in addition to the judge if it is an agent.
        games: Number of games, 20 or more, each with its own deal.
        seed: Random seed for the deals and the agents.
        players: With ``rules``: players of a game; 2 by default.
        team_size: With ``rules``: players per team.

    Returns:
        The fit, the file that holds the factors, and the judge's name.

    Raises:
        AgentError: An agent does not exist, or the judge is not calibrated.
        OptionError: The options of the game are invalid.
        OutputError: The file cannot be written.
    """
    others = [registry.make(name) for name in agents]
    if judge == RULES:
        options = Options(2 if players is None else players, team_size)
        check_output("JUDGE", coefficients.FILE)
        found = fit_luck(RuleValues(), others, options, games, seed)
        coefficients.keep(options.players, options.team_count, factors_of(found))
        return found, coefficients.FILE, f"{RULES}, {options.players} players"
    path = path_of(judge)
    check_output("JUDGE", path)
    agent = PolicyAgent.load(path)
    drawing = PolicyAgent.load(path, is_stochastic=True)
    entrants = [agent, agent, drawing, *others]
    found = fit_luck(NetworkValues(agent), entrants, options_of(agent), games, seed)
    agent.config["luck"] = {"weights": agent.weights_digest(), **factors_of(found)}
    write_config(path, agent.config)
    return found, path, name_of(judge)


def factors_of(found: Fit) -> dict[str, float]:
    """Return the factor of each kind of luck, rounded to three digits."""
    factors = zip(KINDS, found.factors, strict=True)
    return {kind: round(factor, 3) for kind, factor in factors}
