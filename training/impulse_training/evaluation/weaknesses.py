"""Finds the decisions at which a trained agent loses its chances to win.

The agent plays games against an opponent on all other sides. Its own network then evaluates every
legal action of each of its decisions in the same sampled worlds
(`impulse_agents.advice.game_analysis`). The loss is the chance of the best action minus the chance
of the chosen one, summed by kind of decision. Up to three lost games serve as examples, each by its
most costly decision at which a search also chooses otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console
from rich.progress import track

from impulse_agents import registry
from impulse_agents.advice.advice import advise
from impulse_agents.advice.game_analysis import judge_of, judged_decisions
from impulse_agents.checkpoints import path_of
from impulse_agents.network.agent import PolicyAgent
from impulse_env.files import write_atomically
from impulse_env.replay.analysis import MARKS, Judged, mark_of
from impulse_training.evaluation.calibration.positions import options_of
from impulse_training.evaluation.evaluation_options import WeaknessesArgs
from impulse_training.evaluation.weaknesses_report import EXAMPLES, Example, KindLoss, Weaknesses
from impulse_training.run.machine.processes import spread_out
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.replay import record
from impulse_training.tournament.run import run
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers import local

_SECOND_OPINION: Final = 1000
"""Simulations of the search that must confirm an example."""
_LEAST: Final = MARKS[-1][0]
"""The least loss of an example, as a chance to win."""


@dataclass(frozen=True)
class _Decision:
    """A decision of the agent in a game, with its judgement."""

    step: int
    kind: str
    played: str
    judged: Judged


@dataclass(frozen=True)
class _Candidate:
    """A costly decision of a lost game."""

    result: GameResult
    decision: _Decision


def find(args: WeaknessesArgs, folder: Path, console: Console, typed: str) -> Weaknesses:
    """Play the missing games, analyse all games, and return the weaknesses.

    Raises:
        AgentError: An agent does not exist, is not calibrated, or cannot play these games.
        TournamentError: The folder cannot be used.
    """
    agent = f"policy:{args.checkpoint}"
    trained = PolicyAgent.load(path_of(args.checkpoint))
    table = options_of(trained)
    judge_of(trained, table.players)
    pair = agent, args.opponent
    requested = Settings(pair, table.players, table.team_size, args.games, args.seed, versus=True)
    settings = Schedule(requested).settings
    workers = local.processes(args.workers)
    players = partial(local.play_all, workers=workers)
    run(settings, folder / "games", players, console)
    # Read again with the actions, which `run` does not return.
    results = Store.read(folder / "games").results()[: settings.games]
    by_game = _decisions(settings, results, agent, workers, console)
    is_lost = [agent not in {one.agents[seat] for seat in one.winners} for one in results]
    lost = [
        _Candidate(result, decision)
        for result, decisions, was_lost in zip(results, by_game, is_lost, strict=True)
        if was_lost and result.ended == "score"
        for decision in decisions
        if decision.judged.loss >= _LEAST and mark_of(decision.judged)
    ]
    lost.sort(key=lambda one: -one.decision.judged.loss)
    return Weaknesses(
        agent,
        trained.weights_digest(),
        args.opponent,
        len(results),
        sum(is_lost),
        _by_kind([one for decisions in by_game for one in decisions]),
        tuple(_examples(settings, lost, args.checkpoint, folder)),
        typed,
    )


def _decisions(
    settings: Settings, results: Sequence[GameResult], agent: str, workers: int, console: Console
) -> list[list[_Decision]]:
    """Return the agent's decisions with a choice, by game."""
    look = partial(_look_at, settings, agent)
    looked = spread_out(look, results, workers)
    bar = partial(track, total=len(results), console=console, disable=not console.is_terminal)
    return list(bar(looked, "Analyses"))


def _look_at(settings: Settings, agent: str, result: GameResult) -> list[_Decision]:
    played = record(settings, result)
    own = [seat for seat, name in enumerate(result.agents) if name == agent]
    judged = judged_decisions(played, agent, own)
    kinds = [game.decision.kind for game in played.games() if game.seat is not None]
    return [
        _Decision(step, kinds[step], played.moves[step].action, one) for step, one in judged.items()
    ]


def _by_kind(decisions: Sequence[_Decision]) -> tuple[KindLoss, ...]:
    """Return the losses by kind of decision, the largest first.

    A loss is the largest of several means, so noise alone makes it positive. Only losses larger
    than noise explains count.
    """
    given: dict[str, list[float]] = {}
    for one in decisions:
        given.setdefault(one.kind, []).append(one.judged.loss if mark_of(one.judged) else 0.0)
    rows = [
        KindLoss(kind, len(losses), sum(loss > 0 for loss in losses), float(np.sum(losses)))
        for kind, losses in given.items()
    ]
    return tuple(sorted(rows, key=lambda row: -row.lost))


def _examples(
    settings: Settings, lost: Sequence[_Candidate], checkpoint: str, folder: Path
) -> Iterator[Example]:
    """Yield examples of different games, and draw each; a search must also reject the choice."""
    searcher = registry.make(f"policy+search:{checkpoint}:{_SECOND_OPINION}")
    number = 0
    seen: set[int] = set()
    for candidate in lost:
        if candidate.result.game in seen:
            continue
        played, decision = record(settings, candidate.result), candidate.decision
        game = next(game for step, game in enumerate(played.games()) if step == decision.step)
        assert game.seat is not None
        rng = np.random.default_rng([settings.seed, candidate.result.game])
        best = advise(searcher, game.view(game.seat), rng).suggestions[0].action
        chances = decision.judged.chances
        is_clear = chances[best] - chances[decision.played] >= _LEAST
        if not is_clear or game.describe(best) == game.describe(decision.played):
            continue
        number += 1
        seen.add(candidate.result.game)
        picture = f"lost-{number}.svg"
        write_atomically(folder / picture, game.svg(game.seat))
        yield Example(
            candidate.result.game,
            game.turn,
            game.seat,
            decision.kind,
            game.describe(decision.played),
            chances[decision.played],
            game.describe(best),
            chances[best],
            list(decision.judged.line) if best == decision.judged.best else [],
            picture,
        )
        if number == EXAMPLES:
            return
