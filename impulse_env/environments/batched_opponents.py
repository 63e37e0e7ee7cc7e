"""Opponents that decide in many games in one call, and the loop that plays them.

An opponent of the environment for one seat plays here unchanged: one that knows no batches is asked
game by game.
"""

import copy
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.arguments import checked_integers
from impulse_env.batch import NOBODY, GameBatch, put_games, take_games
from impulse_env.environments.opponents import GameOpponent, Opponent, checked_answer
from impulse_env.errors import IllegalActionError
from impulse_env.frame import OwnAction, to_own
from impulse_env.game import Game
from impulse_env.observation import observe_all

Generators: TypeAlias = Sequence[np.random.Generator]
"""The generator of each game, from which all chance of its opponents comes."""


@runtime_checkable
class BatchOpponent(Protocol):
    """An opponent that decides in many games in one call, as agents of `impulse_agents` do."""

    def act_in_games(
        self, batch: GameBatch, games: NDArray[np.intp], rngs: Generators
    ) -> NDArray[np.int64]:
        """Return a legal action for each game, in the own frame of who decides there.

        What a seat may know is in the rows `games` of the batch's observations, masks and seats;
        the records hold what is hidden, too, and are not to be looked at.

        Args:
            batch: Running games, not to be changed.
            games: Which of them, shape ``(k,)``.
            rngs: The generator of each, k of them.
        """


def choose_by_agent(
    games: NDArray[np.intp],
    agents: NDArray[np.int64],
    choose: Callable[[int, NDArray[np.intp]], NDArray[np.int64]],
) -> NDArray[np.int64]:
    """Return an action for each game, asking every agent once for all games it decides in.

    Args:
        games: Which games, shape ``(k,)``.
        agents: The number of the agent that decides in each of them, shape ``(k,)``.
        choose: Returns an agent's actions, given its number and the games.

    Raises:
        IllegalActionError: What it returns is no integer for each of the games.
    """
    actions = np.empty(len(games), np.int64)
    for agent in np.unique(agents):
        is_asked = agents == agent
        asked = games[is_asked]
        chosen = choose(int(agent), asked)
        actions[is_asked] = checked_integers("actions", chosen, asked.shape, IllegalActionError)
    return actions


def is_waiting(deciding: NDArray[np.int8], own: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return in which games somebody else than the own seat decides, shape ``(n,)``."""
    return (deciding != NOBODY) & (deciding != own)


def choose_in_games(
    opponent: Opponent | GameOpponent | BatchOpponent,
    batch: GameBatch,
    games: NDArray[np.intp],
    rngs: Generators,
) -> NDArray[np.int64]:
    """Return what an opponent chooses in some games, in the own frames of who decides there.

    It chooses what it would in each game alone, with the same generator.

    Raises:
        IllegalActionError: What it returns is no integer for each game, or none of the actions.
    """
    if isinstance(opponent, BatchOpponent):
        chosen = opponent.act_in_games(batch, games, rngs)
        return checked_integers("opponent: actions", chosen, games.shape, IllegalActionError)
    each = [_chosen(opponent, batch, game, rng) for game, rng in zip(games, rngs, strict=True)]
    return np.array(each, np.int64)


def _chosen(
    opponent: Opponent | GameOpponent, batch: GameBatch, game: np.intp, rng: np.random.Generator
) -> OwnAction:
    seat = int(batch.seats[game])
    if not isinstance(opponent, GameOpponent):
        seen = batch.observations[game].copy(), batch.masks[game].copy()
        return checked_answer(opponent(*seen, rng), seat)
    view = Game.from_state(batch.states[game]).view(seat)
    answer = checked_answer(opponent.act_in_game(view, rng), seat)
    return to_own(answer, batch.options.players, seat)


def play_others(
    batch: GameBatch,
    games: NDArray[np.intp],
    own: NDArray[np.int64],
    choose: Callable[[GameBatch, NDArray[np.intp]], NDArray[np.int64]],
) -> None:
    """Play games on until each is at a decision of its own seat, or over.

    They are gathered once and stepped together; there are fewer of them every time.

    Args:
        batch: Changed in place, also what its seats see. Where a game ends, nothing is seen.
        games: Those in which somebody else decides, ascending, shape ``(k,)``.
        own: The own seat in every game of the batch, shape ``(n,)``.
        choose: Returns an action for each game of a smaller batch, given that and their numbers
            in the large one.

    Raises:
        IllegalActionError: An action is not legal; the games in which others decided are then
            where they were before, or further.
    """
    if len(games) == 0:
        return
    played, few = games, _gathered(batch, games)
    while len(games):
        chosen = choose(few, games)
        actions = checked_integers("opponent: actions", chosen, games.shape, IllegalActionError)
        try:
            few.step(actions)
        except IllegalActionError as error:
            row = int(are_legal(few.masks, actions).argmin())
            wrong = refusal(few, row, actions[row], games[row])
            raise IllegalActionError(f"opponent: {wrong}") from error
        is_kept = is_waiting(few.seats, own[games])
        if not is_kept.all():
            _put_back(batch, games, few, np.flatnonzero(~is_kept))
            kept = np.flatnonzero(is_kept)
            games, few = games[kept], _gathered(few, kept)
    running = played[batch.seats[played] != NOBODY]
    if len(running):
        states = take_games(batch.states, running)
        batch.observations[running] = observe_all(states, own[running])


def are_legal(masks: NDArray[np.int8], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each action is legal by its row of the masks, shape ``(n,)``."""
    is_action = (actions >= 0) & (actions < N_ACTIONS)
    places = actions + np.arange(0, masks.size, N_ACTIONS)
    return is_action & (masks.take(places, mode="clip") != 0)


def refusal(batch: GameBatch, row: int, action: int, game: int) -> str:
    """Return why an action is refused in a row of a batch, which is a game of that number."""
    return (
        f"illegal action {int(action)} in game {int(game)}, turn {int(batch.states[row]['turn'])}, "
        f"of player_{int(batch.seats[row])}; legal are {np.flatnonzero(batch.masks[row]).tolist()}"
    )


def _gathered(batch: GameBatch, rows: NDArray[np.intp]) -> GameBatch:
    """Return a batch of copies of some games."""
    few = copy.copy(batch)
    few.states = take_games(batch.states, rows)
    few.seats, few.masks = batch.seats[rows], batch.masks[rows]
    few.observations = batch.observations[rows]
    return few


def _put_back(
    batch: GameBatch, games: NDArray[np.intp], few: GameBatch, rows: NDArray[np.intp]
) -> None:
    """Write some rows of a smaller batch back; `games` are the numbers of all of its rows."""
    into = games[rows]
    put_games(batch.states, into, take_games(few.states, rows))
    batch.seats[into], batch.masks[into] = few.seats[rows], few.masks[rows]
