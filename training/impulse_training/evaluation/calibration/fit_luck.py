"""How much of the luck that a value sees is luck: `impulse agents fit-luck rules`, or `2p`.

Half of some games, whose seats are drawn from several agents, are fitted to: results minus what
the agents have on average, by least squares on the luck of each kind. The others show how many
games the adjusting is worth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

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
from impulse_env.options import Options, check_least
from impulse_training.evaluation.calibration.positions import options_of
from impulse_training.evaluation.evaluation_options import FitLuckArgs
from impulse_training.evaluation.results import name_of
from impulse_training.report.printing import print_table
from impulse_training.report.table import EMPTY, Table
from impulse_training.run.screen import Screen

_RIDGE: Final = 1e-6
"""Of the mean squares: factors stay finite where a kind does not happen."""
_MOST: Final = 1.5
"""A larger factor is noise, as a kind has that changes little."""
_AT_ONCE: Final = 500
"""Games that are played side by side."""


@dataclass(frozen=True)
class Fit:
    """What was fitted, and how good it was in other games.

    Attributes:
        factors: By kind, in the order of `KINDS`, 0 where there was none of it.
        spread: The standard deviation of a side's luck in a game, by kind.
        worth: How many times as many games would be as good without adjusting.
        games: Games that this was found in; as many others were fitted to.
    """

    factors: tuple[float, ...]
    spread: tuple[float, ...]
    worth: float
    games: int


def fit_luck(
    values: Values, entrants: Sequence[Agent], options: Options, games: int, seed: int
) -> Fit:
    """Play games, and return what of the luck in them is luck.

    Args:
        values: What sees the luck.
        entrants: Who plays, drawn for each side; the same agent may have several.
        options: What is played.
        games: How many, each of a deal of its own; 2 or more.
        seed: Of all chance.
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
    """Return results minus what an agent has against these others, shape ``(games, sides)``."""
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
    columns: NDArray[np.float64], wanted: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a factor for each column, within bounds."""
    scale = columns.T @ columns / len(columns)
    found = np.linalg.solve(scale + _RIDGE * np.eye(len(scale)), columns.T @ wanted / len(columns))
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
        f"In {found.games:,} games that nothing was fitted to, results without these parts of the "
        f"luck are as good as those of {found.worth:.2f} times as many games with it.",
    )


def main(args: FitLuckArgs) -> dict[str, Any]:
    """Fit, write the factors down, and print them.

    Raises:
        AgentError: There is no such agent, or it is not calibrated.
    """
    check_least(args, 20, "games")
    check_least(args, 0, "seed")
    console = Screen()
    others = [registry.make(name) for name in args.agents]
    if args.judge == RULES:
        options = Options(2 if args.players is None else args.players, args.team_size)
        check_output("JUDGE", coefficients.FILE)
        values: Values = RuleValues()
        found = fit_luck(values, others, options, args.games, args.seed)
        coefficients.keep(options.players, options.team_count, _record(found))
        path, name = coefficients.FILE, f"{RULES}, {options.players} players"
    else:
        path = path_of(args.judge)
        check_output("JUDGE", path)
        agent = PolicyAgent.load(path)
        options = options_of(agent)
        values = NetworkValues(agent)
        drawing = PolicyAgent.load(path, is_stochastic=True)
        found = fit_luck(values, [agent, agent, drawing, *others], options, args.games, args.seed)
        agent.config["luck"] = {"weights": agent.weights_digest(), **_record(found)}
        write_config(path, agent.config)
        name = name_of(args.judge)
    print_table(console, table(found, name))
    console.print(f"{path} says from now on what is taken out")
    return {"path": str(path), "worth": found.worth, **_record(found)}


def _record(found: Fit) -> dict[str, float]:
    factors = zip(KINDS, found.factors, strict=True)
    return {kind: round(factor, 3) for kind, factor in factors}
