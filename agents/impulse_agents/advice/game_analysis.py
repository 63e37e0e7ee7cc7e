"""A trained agent's analysis of a game: it tries every legal action of every decision.

All actions of a decision are tried in the same few worlds, drawn from what the deciding seat knew.
In each world the agent continues for all seats until that seat must decide again outside a battle.
There it gives its side's chance to win. The mean over the worlds is the chance after that action,
see `regret`. The shared worlds reduce the noise of differences between actions.

A second pass plays costly decisions a round further in fresh worlds, and explains them where a
cause is certain, see `explanations`.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.advice.explanations import Costly, explained
from impulse_agents.advice.regret import ProgressCallback, chances_after, chances_of
from impulse_agents.base import Agent, AgentError, ObservationBatch
from impulse_agents.luck.corrections import luck_of
from impulse_agents.luck.game_log import Played
from impulse_agents.luck.values import Judge, NetworkValues
from impulse_agents.playing.continuations import seeds_by, worlds_of
from impulse_agents.rng import RngStreams
from impulse_env.actions import name_of
from impulse_env.batch import take_games
from impulse_env.engine.state import STATE
from impulse_env.frame import own_frame, to_absolute
from impulse_env.game import Game
from impulse_env.records.record import Record, options_of
from impulse_env.replay.analysis import Analysis, Judged, mark_of

WORLDS: Final = 10
_AT_ONCE: Final = 8
"""Costly decisions that are tested at once."""
_LINE: Final = 6
"""Number of decisions in a line."""


def analysed(
    record: Record,
    by: str | Agent,
    seed: int = 0,
    worlds: int = WORLDS,
    tell: ProgressCallback = lambda done, of: None,
    part: tuple[int, int] | None = None,
) -> Analysis:
    """Return a trained agent's analysis of the decisions of a game.

    Consecutive parts make the whole, see `Analysis.of_parts`.

    Args:
        record: The game, which may be unfinished.
        by: A calibrated trained agent, or its name, such as ``policy:2p``.
        seed: Random seed of the worlds.
        worlds: Number of worlds for each decision, 2 or more.
        tell: Called with the progress.
        part: Numbers of the first decision and of the one after the last; None: all decisions.

    Raises:
        AgentError: The agent does not exist, has no calibrated network, or plays other games.
    """
    judge = judge_of(by, record.header.options.players)
    played = _Played.of(record)
    wins = chances_of(judge, played.states, played.seats)
    first, last = (0, len(wins)) if part is None else part
    judged = _judgements(judge, played, range(first, last), seed, worlds, tell)
    span = slice(first, last)
    by_decision, deal = _luck(record, judge)
    return Analysis(
        judge.name,
        tuple(wins[span].tolist()),
        tuple(judged.get(number) for number in range(first, last)),
        tuple(by_decision[span]),
        deal if first == 0 else (),
    )


def with_causes(
    analysis: Analysis,
    record: Record,
    by: str | Agent,
    seed: int = 0,
    first: int = 0,
    tell: ProgressCallback = lambda done, of: None,
) -> Analysis:
    """Return an analysis whose costly decisions were played a round further, with their causes.

    A decision whose loss is not left there has no mark any more, see `mark_of`.

    Args:
        analysis: The analysis of the game, or of a part of it.
        record: The game.
        by: The agent of `analysed`, with the same errors.
        seed: Random seed of the worlds.
        first: Number of the first decision of the part.
        tell: Called with the number of tested decisions, and of all that are costly.
    """
    judge, judged = judge_of(by, record.header.options.players), list(analysis.judged)
    places = [place for place, one in enumerate(judged) if one is not None and mark_of(one)]
    if not places:
        return analysis
    played = _Played.of(record)
    costly = [_costly(played, first + place, cast(Judged, judged[place])) for place in places]
    for start in range(0, len(costly), _AT_ONCE):
        tested = explained(judge, options_of(played.end), costly[start : start + _AT_ONCE], seed)
        for place, one in zip(places[start:], tested, strict=False):
            before = cast(Judged, judged[place])
            later = replace(before, later=one.loss, later_error=one.error, why=one.why)
            judged[place] = later if mark_of(later) else replace(later, line=())
        tell(min(start + _AT_ONCE, len(costly)), len(costly))
    return replace(analysis, judged=tuple(judged))


def _costly(played: "_Played", number: int, judged: Judged) -> Costly:
    """Return a decision of a game as `explained` takes it."""
    seat, legal = int(played.seats[number]), played.legal[number]
    own = own_frame(played.end.players)[seat]
    better = next(action for action in legal if name_of(action) == judged.best)
    state, taken = played.states[number : number + 1], played.chosen[number]
    return Costly(number, state, seat, int(own[taken]), int(own[better]))


def judged_decisions(
    record: Record, by: str | Agent, seats: Container[int], seed: int = 0, worlds: int = WORLDS
) -> dict[int, Judged]:
    """Return only the judgements of some seats' decisions in a game, as in `analysed`.

    Args:
        record: The game.
        by: A trained agent; see `analysed`, also for the errors.
        seats: The seats whose decisions are tried.
        seed: Random seed of the worlds.
        worlds: Number of worlds for each decision.

    Returns:
        Judgements by number of the decision, without decisions that have only one legal action.
    """
    judge = judge_of(by, record.header.options.players)
    played = _Played.of(record)
    numbers = [number for number, seat in enumerate(played.seats.tolist()) if seat in seats]
    return _judgements(judge, played, numbers, seed, worlds)


def judge_of(by: str | Agent, players: int) -> Judge:
    """Return the judge for games with a number of players; raises `AgentError`, see `analysed`."""
    agent = registry.make(by) if isinstance(by, str) else by
    if not hasattr(agent, "fitted_calibration"):
        raise AgentError(
            f"{agent.name} has no network that says how likely a side is to win; use a trained "
            f"agent, such as policy:{players}p"
        )
    judge = cast(Judge, agent)
    judge.check_players(players)
    judge.fitted_calibration()
    return judge


def _judgements(
    judge: Judge,
    played: "_Played",
    numbers: Sequence[int],
    seed: int,
    worlds: int,
    tell: ProgressCallback = lambda done, of: None,
) -> dict[int, Judged]:
    """Return the judgements of some decisions by number, without those with one legal action."""
    trials = _Trials.of(played, numbers, seed, worlds)
    tried = trials.states, trials.seats, trials.action
    chances = chances_after(judge, options_of(played.end), *tried, tell=tell)
    judgements = {}
    for number in numbers:
        legal, chosen = played.legal[number], played.chosen[number]
        rows = trials.decision == number
        if not rows.any():
            continue
        judged = _judged(chances[rows].reshape(worlds, len(legal)), legal, chosen)
        if mark_of(judged):
            world = Game.from_state(trials.states[int(np.argmax(rows))])
            judged = replace(judged, line=_line(judge, world, judged.best))
        judgements[number] = judged
    return judgements


def _judged(by_world: NDArray[np.float32], legal: list[int], chosen: int) -> Judged:
    """Return the judgement of a decision from chances to win, shape ``(worlds, len(legal))``."""
    means = by_world.mean(axis=0)
    best, taken = int(np.argmax(means)), legal.index(chosen)
    lost = by_world[:, best] - by_world[:, taken]
    chances = {name_of(action): float(chance) for action, chance in zip(legal, means, strict=True)}
    error = float(lost.std(ddof=1) / np.sqrt(len(lost)))
    # Rounding can make the mean of the losses negative.
    return Judged(chances, name_of(legal[best]), max(0.0, float(lost.mean())), error)


def _line(judge: Judge, world: Game, action: str) -> tuple[str, ...]:
    """Return a possible continuation of an action in a world, one sentence per decision."""
    sentences, streams = [], RngStreams.from_seeds([0])
    for _ in range(_LINE):
        sentences.append(f"Seat {world.seat}: {world.describe(action)}")
        world.step(action)
        if world.seat is None:
            break
        own = int(judge.act(ObservationBatch.from_game(world), streams)[0])
        action = name_of(to_absolute(own, world.players, world.seat))
    return tuple(sentences)


def _luck(record: Record, judge: Judge) -> tuple[list[tuple[float, ...]], tuple[float, ...]]:
    """Return each side's gain by luck, at each decision and by the deal; see `Analysis`."""
    luck = luck_of(Played.of_records([record]), NetworkValues(judge))
    by_decision: list[tuple[float, ...]] = [()] * len(record.moves)
    deal: tuple[float, ...] = ()
    for decision, change in zip(luck.decision.tolist(), luck.change.tolist(), strict=True):
        if decision < 0:
            deal = tuple(change)
        else:
            by_decision[decision] = tuple(change)
    return by_decision, deal


@dataclass(frozen=True)
class _Played:
    """The decisions of a game, n of them.

    Attributes:
        states: The full states, shape ``(n,)``.
        seats: The deciding seats, shape ``(n,)``, int8.
        legal: The legal actions at each, absolute.
        chosen: The chosen actions, absolute.
        end: The game after all of them.
    """

    states: np.ndarray
    seats: NDArray[np.int8]
    legal: list[list[int]]
    chosen: list[int]
    end: Game

    @classmethod
    def of(cls, record: Record) -> "_Played":
        states = np.zeros(len(record.moves), STATE)
        seats: list[int] = []
        legal: list[list[int]] = []
        chosen: list[int] = []
        for number, game in enumerate(record.games()):
            if number == len(record.moves):
                return cls(states, np.array(seats, np.int8), legal, chosen, game)
            states[number] = game.state
            seats.append(record.moves[number].seat)
            legal.append(list(game.legal_actions()))
            chosen.append(game.action(record.moves[number].action))
        raise AssertionError("a record yields one more game than moves")


@dataclass(frozen=True)
class _Trials:
    """A game for every legal action in every world, at the decision.

    Attributes:
        decision: The number of the decision of each game, shape ``(m,)``.
        action: The action to try, in the seat's own frame, shape ``(m,)``.
        seats: The deciding seats, shape ``(m,)``.
        states: The games, shape ``(m,)``; those of the same world are consecutive.
    """

    decision: NDArray[np.intp]
    action: NDArray[np.int64]
    seats: NDArray[np.int64]
    states: np.ndarray

    @classmethod
    def of(cls, played: _Played, numbers: Sequence[int], seed: int, worlds: int) -> "_Trials":
        decision, action, seeds = [], [], []
        for number in numbers:
            legal = played.legal[number]
            if len(legal) < 2:
                continue
            # Seeds depend on the number, so that a part of the game has the worlds of the whole.
            drawn = seeds_by(np.random.default_rng((seed, number)), worlds)
            decision += [number] * (worlds * len(legal))
            action += legal * worlds
            seeds.append(np.repeat(drawn, len(legal)))
        rows = np.array(decision, np.intp)
        states, seats = take_games(played.states, rows), played.seats[rows].astype(np.int64)
        if len(rows):
            states = worlds_of(states, seats, np.concatenate(seeds))
        own = own_frame(played.end.players)[seats, np.array(action, np.int64)]
        return cls(rows, own, seats, states)
