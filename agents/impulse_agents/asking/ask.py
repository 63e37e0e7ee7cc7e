"""Asks an agent: the one place where what it raises or answers is turned into its fault.

An agent of another author prints to standard error while it is asked, and has a global random state
of its own.
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
"""Packages whose agents keep what is promised."""

T = TypeVar("T")


def ask(agent: Agent, question: Callable[[], T]) -> T:
    """Return what an agent answers; other threads must not ask meanwhile.

    Args:
        agent: Who is asked.
        question: Asks, and raises `BadAnswerError` where the answer is none.

    Raises:
        AgentFaultError: It raised an error, or its answer is none.
        AgentError: It says that it cannot play what it is given; the message names it.
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
    except BaseException as error:  # SystemExit, too, is for the command to raise
        raise AgentFaultError(AgentFault.of(name, error)) from error


@contextmanager
def _apart(agent: Agent) -> Iterator[None]:
    # By its class and name: an agent need not be hashable.
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
    """Return what an agent chooses in some games, as `Agent.act_in_batch`: legal actions.

    Args:
        agent: Who is asked; see `Agent.act_in_batch` for what follows.
        batch: The games.
        games: Which of them.
        streams: Generators.
        rows: The generator of each of the games.
        threads: How many threads at most, where `Agent.rows_per_thread` allows more than one.

    Raises:
        AgentError: See `ask`; streams may have moved on.
    """
    masks, seats, players = batch.masks, batch.seats, batch.options.players
    return ask(
        agent,
        lambda: checked(
            _answers(agent, batch, games, streams, rows, threads), masks, seats, players, games
        ),
    )


def _answers(
    agent: Agent,
    batch: GameBatch,
    games: NDArray[np.intp],
    streams: RngStreams,
    rows: NDArray[np.intp],
    threads: int,
) -> NDArray[np.int64]:
    """Return what `ask_in_batch` does, unchecked."""
    least = agent.rows_per_thread
    if threads == 1 or least is None:
        return agent.act_in_batch(batch, games, streams, rows)
    parts = in_slices(
        lambda part: agent.act_in_batch(batch, games[part], streams, rows[part]),
        len(games),
        threads,
        least,
    )
    return np.concatenate(parts)


def checked(
    answer: object,
    masks: NDArray[np.int8],
    seats: NDArray[np.int8],
    players: int,
    games: NDArray[np.intp],
) -> NDArray[np.int64]:
    """Return an agent's answer: a legal action for each game, in the own frame.

    Args:
        answer: What the agent answered.
        masks: Its legal actions in any number of games, shape ``(n, N_ACTIONS)``.
        seats: Who decides there, shape ``(n,)``.
        players: Of each game.
        games: In which it was asked, shape ``(k,)``.

    Raises:
        BadAnswerError: It is none.
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
    """Return how much speaks for each action by `Agent.action_probabilities`; see `ask`."""

    def question() -> NDArray[np.float32]:
        shares: NDArray[np.float32] = np.asarray(agent.action_probabilities(seen, streams))
        if shares.shape != seen.masks.shape or shares.dtype.kind != "f":
            raise BadAnswerError(
                f"an agent's probabilities are floats in shape {seen.masks.shape}; these are "
                f"{shares.dtype}, shape {shares.shape}"
            )
        return shares

    return ask(agent, question)


def ask_in_game(agent: Agent, game: Game, rng: np.random.Generator) -> AbsoluteAction:
    """Return what an agent chooses for the seat that decides, as `Agent.act_in_game`: legal.

    It is handed the view of that seat.

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
    """Let every agent decide once, so that whatever has to be compiled is.

    Raises:
        AgentError: An agent cannot play these games at all. What else it does wrong is left to the
            games.
    """
    for agent in agents:
        with suppress(AgentFaultError):
            decide_once(agent, options)


def decide_once(agent: Agent, options: Options) -> None:
    """Let an agent decide in a game of no account; raises `AgentError`, see `ask`."""
    only = np.arange(1)
    ask_in_batch(agent, GameBatch(options, [0]), only, RngStreams.from_seeds([0]), only)
