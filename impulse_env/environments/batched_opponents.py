"""Opponents that decide in many games in one call, and the loop that plays them.

Opponents of the single-seat environment work here unchanged: those without support for batches are
called game by game.
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
"""The generator of each game, which provides all randomness of its opponents."""


@runtime_checkable
class BatchOpponent(Protocol):
    """An opponent that decides in many games in one call, as agents of `impulse_agents` do."""

    def act_in_games(
        self, batch: GameBatch, games: NDArray[np.intp], rngs: Generators
    ) -> NDArray[np.int64]:
        """Return a legal action for each game, in the own frame of the seat that decides there.

        The rows `games` of the batch's observations, masks and seats hold what a seat may know. The
        records also contain hidden information; opponents must not read them.

        Args:
            batch: Running games; must not be changed.
            games: Indices of the games to decide in, shape ``(k,)``.
            rngs: The generator of each of these games, length k.

        Returns:
            Shape ``(k,)``, integers.
        """


def choose_by_agent(
    games: NDArray[np.intp],
    agents: NDArray[np.int64],
    choose: Callable[[int, NDArray[np.intp]], NDArray[np.int64]],
) -> NDArray[np.int64]:
    """Return an action for each game, with one call per agent for all games it decides in.

    Args:
        games: Indices of the games, shape ``(k,)``.
        agents: The number of the agent that decides in each of them, shape ``(k,)``.
        choose: Returns an agent's actions, given its number and the games.

    Raises:
        IllegalActionError: `choose` does not return one integer per game.
    """
    actions = np.empty(len(games), np.int64)
    for agent in np.unique(agents):
        is_asked = agents == agent
        its_games = games[is_asked]
        chosen = choose(int(agent), its_games)
        actions[is_asked] = checked_integers("actions", chosen, its_games.shape, IllegalActionError)
    return actions


def is_waiting(deciding: NDArray[np.int8], own: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return in which games a seat other than the own seat decides, shape ``(n,)``."""
    return (deciding != NOBODY) & (deciding != own)


def choose_in_games(
    opponent: Opponent | GameOpponent | BatchOpponent,
    batch: GameBatch,
    games: NDArray[np.intp],
    rngs: Generators,
) -> NDArray[np.int64]:
    """Return an opponent's actions in some games, in the own frames of the deciding seats.

    The actions are those that it would choose in each game alone, with the same generator.

    Raises:
        IllegalActionError: The opponent does not return one action per game.
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
        observed = batch.observations[game].copy(), batch.masks[game].copy()
        return checked_answer(opponent(*observed, rng), seat)
    view = Game.from_state(batch.states[game]).view(seat)
    answer = checked_answer(opponent.act_in_game(view, rng), seat)
    return to_own(answer, batch.options.players, seat)


def play_others(
    batch: GameBatch,
    games: NDArray[np.intp],
    own: NDArray[np.int64],
    choose: Callable[[GameBatch, NDArray[np.intp]], NDArray[np.int64]],
) -> None:
    """Continue games until each is at a decision of its own seat, or over.

    The games are gathered once and stepped together; their number falls with every step.

    Args:
        batch: Changed in place, with its observations; those of games that end stay unchanged.
        games: Indices of games in which another seat decides, ascending, shape ``(k,)``.
        own: The own seat in every game of the batch, shape ``(n,)``.
        choose: Returns an action for each game of a smaller batch, given that batch and the
            indices of its games in the large one.

    Raises:
        IllegalActionError: An action is not legal; games in which other seats decided may have
            advanced.
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
            rows = np.flatnonzero(is_kept)
            games, few = games[rows], _gathered(few, rows)
    running = played[batch.seats[played] != NOBODY]
    if len(running):
        states = take_games(batch.states, running)
        batch.observations[running] = observe_all(states, own[running])


def are_legal(masks: NDArray[np.int8], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each action is legal in its row of the masks, shape ``(n,)``."""
    is_action = (actions >= 0) & (actions < N_ACTIONS)
    places = actions + np.arange(0, masks.size, N_ACTIONS)
    return is_action & (masks.take(places, mode="clip") != 0)


def refusal(batch: GameBatch, row: int, action: int, game: int) -> str:
    """Return the error message for an illegal action in a row of a batch; `game` is its number."""
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
    """Write some rows of a smaller batch back; `games` are the indices of all of its rows."""
    into = games[rows]
    put_games(batch.states, into, take_games(few.states, rows))
    batch.seats[into], batch.masks[into] = few.seats[rows], few.masks[rows]
