"""Ask an agent: the only place that turns its errors and wrong answers into faults.

While another author's agent is asked, its output goes to standard error, and it has its own global
random state.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from impulse_agents.asking.faults import AgentFault, AgentFaultError
from impulse_agents.asking.global_random import own_random_state
from impulse_agents.base import (
    Agent,
    AgentError,
    BadAnswerError,
    IllegalAnswerError,
    ObservationBatch,
    whole_answer,
    whole_answers,
)
from impulse_agents.network.compiled import in_slices
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS, is_legal, name_of, with_name
from impulse_env.batch import GameBatch
from impulse_env.frame import AbsoluteAction, to_absolute
from impulse_env.game import Game
from impulse_env.options import Options

_OWN: Final = ("impulse_agents", "impulse_training")
"""Packages whose agents print nothing and use no global random state."""

T = TypeVar("T")


def ask(agent: Agent, question: Callable[[], T]) -> T:
    """Return an agent's answer; no other thread may ask at the same time.

    Args:
        agent: The agent.
        question: Asks the agent, and raises `BadAnswerError` for an invalid answer.

    Raises:
        AgentFaultError: The agent raised an error, or its answer is invalid.
        AgentError: The agent cannot play such games; the message names it.
    """
    name = str(getattr(agent, "name", type(agent).__name__))
    is_own = type(agent).__module__.partition(".")[0] in _OWN
    try:
        with nullcontext() if is_own else _apart(agent):
            return question()
    except (AgentFaultError, KeyboardInterrupt):
        raise
    except BadAnswerError as error:
        raise AgentFaultError(AgentFault.of(name, error)) from error
    except AgentError as error:
        if name in str(error):
            raise
        raise AgentError(f"{name}: {error}") from error
    except BaseException as error:  # also SystemExit: an agent must not end the command
        raise AgentFaultError(AgentFault.of(name, error)) from error


@contextmanager
def _apart(agent: Agent) -> Iterator[None]:
    # Identified by class and name, since an agent need not be hashable.
    owner = type(agent), str(getattr(agent, "name", ""))
    with redirect_stdout(sys.stderr), own_random_state(owner):
        yield


def ask_in_batch(
    agent: Agent,
    batch: GameBatch,
    games: NDArray[np.intp],
    streams: RngStreams,
    rows: NDArray[np.intp],
    threads: int = 1,
) -> NDArray[np.int64]:
    """Return an agent's legal actions in some games, by `Agent.act_in_batch`.

    Args:
        agent: The agent; see `Agent.act_in_batch` for the other arguments.
        batch: The games.
        games: Numbers of the games.
        streams: Generators.
        rows: The row in `streams` of each game's generator.
        threads: Largest number of threads, if `Agent.rows_per_thread` allows more than one.

    Raises:
        AgentError: See `ask`; the generators may have advanced.
    """
    masks, seats, players = batch.masks, batch.seats, batch.options.players
    least = agent.rows_per_thread

    def answers() -> NDArray[np.int64]:
        if threads == 1 or least is None:
            return agent.act_in_batch(batch, games, streams, rows)
        parts = in_slices(
            lambda part: agent.act_in_batch(batch, games[part], streams, rows[part]),
            len(games),
            threads,
            least,
        )
        return np.concatenate(parts)

    return ask(agent, lambda: checked(answers(), masks, seats, players, games))


def checked(
    answer: object,
    masks: NDArray[np.int8],
    seats: NDArray[np.int8],
    players: int,
    games: NDArray[np.intp],
) -> NDArray[np.int64]:
    """Return an agent's answer as legal actions, one for each game, in the seats' own frames.

    Args:
        answer: The agent's answer.
        masks: The legal actions in any number of games, shape ``(n, N_ACTIONS)``.
        seats: The deciding seats of these games, shape ``(n,)``.
        players: Players of each game.
        games: Numbers of the games of the answer, shape ``(k,)``.

    Raises:
        BadAnswerError: The answer is invalid.
    """
    answers = whole_answers(answer, len(games))
    legal = (answers >= 0) & (answers < N_ACTIONS)
    legal[legal] = masks[games[legal], answers[legal]] != 0
    if not legal.all():
        row = int(np.argmin(legal))
        game, action = games[row], int(answers[row])
        seat = int(seats[game])
        offered = np.flatnonzero(masks[game])
        names = [name_of(to_absolute(int(own), players, seat)) for own in offered]
        is_known = 0 <= action < N_ACTIONS
        name = f" ({name_of(to_absolute(action, players, seat))})" if is_known else ""
        raise IllegalAnswerError(f"illegal action {action}{name}; legal are: {', '.join(names)}")
    return answers


def ask_for_shares(
    agent: Agent, seen: ObservationBatch, streams: RngStreams
) -> NDArray[np.float32]:
    """Return the checked shares of `Agent.action_probabilities`; see `ask` for the errors."""

    def question() -> NDArray[np.float32]:
        shares: NDArray[np.float32] = np.asarray(agent.action_probabilities(seen, streams))
        if shares.shape != seen.masks.shape or shares.dtype.kind != "f":
            raise BadAnswerError(
                f"an agent's probabilities must be floats in shape {seen.masks.shape}; these are "
                f"{shares.dtype} in shape {shares.shape}"
            )
        return shares

    return ask(agent, question)


def ask_in_game(agent: Agent, game: Game, rng: np.random.Generator) -> AbsoluteAction:
    """Return an agent's legal action for the deciding seat, by `Agent.act_in_game`.

    The agent gets only the seat's view.

    Raises:
        AgentError: See `ask`, or the game is over.
    """
    if game.seat is None:
        raise AgentError("the game is over: there is nothing to choose")
    view = game.view(game.seat)

    def question() -> AbsoluteAction:
        action = whole_answer(agent.act_in_game(view, rng))
        if not is_legal(game.legal_mask(), action):
            legal = ", ".join(map(game.name, game.legal_actions()))
            raise IllegalAnswerError(f"illegal action {with_name(action)}; legal are: {legal}")
        return action

    return ask(agent, question)


def warm(agents: Sequence[Agent], options: Options) -> None:
    """Let every agent decide once, so that all its code is compiled.

    Raises:
        AgentError: An agent cannot play these games at all. Other faults are ignored; they will
            show in the games.
    """
    for agent in agents:
        with suppress(AgentFaultError):
            decide_once(agent, options)


def decide_once(agent: Agent, options: Options) -> None:
    """Let an agent decide in a game that does not count; raises `AgentError`, see `ask`."""
    only = np.arange(1)
    ask_in_batch(agent, GameBatch(options, [0]), only, RngStreams.from_seeds([0]), only)
