"""Which settings learn better: `impulse train ablation --arms learn_share=1 learn_share=0.25`.

Trains with every setting, with the same decisions, start and seeds. Measures the rating, the win
rate against the first setting, and the win rate of a best response with its own budget. After a
stop or a kill, the same command continues.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_origin, get_type_hints

import numpy as np
from rich.console import Console

from impulse_agents.network.agent import PolicyAgent
from impulse_env.errors import did_you_mean
from impulse_env.files import write_atomically
from impulse_env.options import OptionError, check_least, check_once
from impulse_env.schema import SchemaError, checked
from impulse_training.evaluation.evaluation_options import AblationArgs
from impulse_training.evaluation.trainings import train_response, train_to_end
from impulse_training.report.table import Table
from impulse_training.rollout import match
from impulse_training.run.common_options import ConfigError
from impulse_training.run.learning_curve import Point
from impulse_training.selfplay.state.folder import AVERAGE, POLICY
from impulse_training.selfplay.train_options import Args as TrainArgs

_OURS: Final = (
    *("seed", "out", "overwrite", "resume", "recipe", "legs", "warm_start", "timesteps", "minutes"),
    *("players", "threads", "eval_steps", "eval_games", "save_every"),
)
"""Options that an arm does not set."""
_TYPES: Final = {
    name: kind for name, kind in get_type_hints(TrainArgs).items() if name not in _OURS
}
"""Types of the options that it may set."""


@dataclass(frozen=True)
class Result:
    """The result of a setting with one seed.

    Attributes:
        curve: The evaluations, first to last.
        wins: Win rate against the first setting with the same seed, 1/2 for that itself.
        response: Win rate of the best response; None without one.
    """

    curve: list[Point]
    wins: float
    response: float | None


def settings(text: str) -> dict[str, Any]:
    """Return options of `impulse train` from ``name=value,name=value``; raises `OptionError`.

    The values of an option with several are joined by ``+``.
    """
    found: dict[str, Any] = {}
    for one in text.split(",") if text else ():
        written, is_given, value = one.partition("=")
        name = written.strip().replace("-", "_")
        if name not in _TYPES or not is_given:
            raise OptionError(
                f"{one!r} must be NAME=VALUE with an option of impulse train that may differ"
                f"{did_you_mean(name, sorted(_TYPES))}"
            )
        try:
            found[name] = checked(_value(value.strip(), _TYPES[name]), _TYPES[name], name)
        except SchemaError as error:
            raise OptionError(str(error)) from error
    return found


def _value(text: str, kind: Any) -> Any:
    """Return the value of an option: a number or a word, or a list of them."""
    if get_origin(kind) is tuple:
        return [_value(part, None) for part in text.split("+")]
    with suppress(ValueError):
        return json.loads(text)
    return text


class Ablation:
    """The runs of an ablation, in its folder.

    Args:
        args: The options.
        console: Says which run is under way.
    """

    def __init__(self, args: AblationArgs, console: Console) -> None:
        check_least(args, 1, "timesteps", "games", "threads")
        check_least(args, 0, "seeds", "response")
        check_once(args, "arms", "seeds")
        if not (args.arms and args.seeds):
            raise ConfigError("an ablation needs at least one arm and one seed")
        self.args, self._console = args, console
        self._options = {arm: settings(args.shared) | settings(arm) for arm in args.arms}

    def results(self) -> dict[str, list[Result]]:
        """Train and measure; return the results of the seeds by row of the table.

        An arm with an average of its weights has a second row for that.

        Raises:
            KeyboardInterrupt: A training run was interrupted; the message says how far it came.
        """
        found: dict[str, list[Result]] = {}
        # Seed by seed, so that an early stop leaves something to compare.
        for seed in self.args.seeds:
            for arm in self.args.arms:
                self._console.print(f"{arm}, seed {seed}")
                curve = train_to_end(self._training(arm, seed)).curve
                found.setdefault(arm, []).append(self._measured(arm, seed, POLICY, curve))
                if self._options[arm].get("average"):
                    averaged = [_of_average(point) for point in curve]
                    result = self._measured(arm, seed, AVERAGE, averaged)
                    found.setdefault(f"{arm}: its average", []).append(result)
        return found

    def _folder(self, arm: str, seed: int) -> Path:
        name = "".join(c if c.isalnum() or c in ".-_" else "-" for c in arm.rpartition(":")[2])
        return self.args.out / f"{name}-{seed}"

    def _training(self, arm: str, seed: int) -> TrainArgs:
        args = self.args
        return TrainArgs(
            **self._options[arm],
            players=args.players,
            timesteps=args.timesteps,
            seed=seed,
            out=self._folder(arm, seed),
            warm_start=args.warm_start,
            threads=args.threads,
            eval_steps=max(1, args.timesteps // 4),
            eval_games=args.games,
            save_every=60.0,
        )

    def _measured(self, arm: str, seed: int, file: str, curve: list[Point]) -> Result:
        """Measure the agent in a file of a run, or read what was measured before."""
        folder = self._folder(arm, seed)
        saved = folder / f"{Path(file).stem}-measured-{self.args.games}-{self.args.response}.json"
        if not saved.is_file():
            wins = self._against(folder / file, self._folder(self.args.arms[0], seed) / POLICY)
            response = self._response(folder / file, seed) if self.args.response else None
            write_atomically(saved, json.dumps({"wins": wins, "response": response}) + "\n")
        return Result(curve, **json.loads(saved.read_text(encoding="utf-8")))

    def _response(self, target: Path, seed: int) -> float:
        """Train a best response to the agent in a file; return its win rate."""
        args = self.args
        trained = train_response(
            f"policy:{target}",
            target.parent / f"response-{target.stem}",
            args.response,
            1,
            **settings(args.shared),
            players=args.players,
            seed=seed,
            warm_start=str(target),
            threads=args.threads,
            eval_games=2,
        )
        return self._against(trained.checkpoint, target)

    def _against(self, one: Path, other: Path) -> float:
        agents = [PolicyAgent.load(one), PolicyAgent.load(other)]
        options = TrainArgs(players=self.args.players).options
        return match.play(agents, options, self.args.games).rate()


def _of_average(point: Point) -> Point:
    """Return a point of the curve with the rating of the average."""
    return point | {"rating": point["average/rating"]}


def table(args: AblationArgs, console: Console) -> Table:
    """Train with every setting; return a table with a row for each.

    Raises:
        ConfigError, OptionError: An option is empty, unknown or out of range.
        KeyboardInterrupt: A training run was interrupted; the message says how far it came.
    """
    found = Ablation(args, console).results()
    rows = []
    for arm, of_seeds in found.items():
        curves = [result.curve for result in of_seeds]
        ratings = [_spread([one["rating"] for one in at]) for at in zip(*curves, strict=True)]
        rates = _spread([points[-1]["steps_per_second"] for points in curves])
        wins = _spread([100 * result.wins for result in of_seeds], 1)
        responses = [100 * each.response for each in of_seeds if each.response is not None]
        rows.append((arm, *ratings, wins, *([_spread(responses, 1)] if responses else []), rates))
    steps = [point["steps"] for point in found[args.arms[0]][0].curve]
    return Table(
        f"Settings after {args.timesteps:,} decisions",
        (
            "Setting",
            *(f"after {count / 1e6:.2g}M" for count in steps),
            "against the first, %",
            *(["best response wins, %"] if args.response else []),
            "steps/s",
        ),
        tuple(rows),
        f"{args.players} players; Elo points from {args.games:,} games against each agent of a "
        "panel whose mean rating is 0; win rates over as many games. "
        + (f"Best responses get {args.response:,} decisions. " if args.response else "")
        + f"Means ± standard deviations over seeds {', '.join(map(str, args.seeds))}."
        + (f" All runs: {args.shared}." if args.shared else "")
        + (f" Start: {args.warm_start}." if args.warm_start else ""),
    )


def _spread(values: Sequence[float], digits: int = 0) -> str:
    """Return mean and standard deviation as text."""
    deviation = f" ± {np.std(values, ddof=1):.{digits}f}" if len(values) > 1 else ""
    return f"{np.mean(values):z.{digits}f}{deviation}"
