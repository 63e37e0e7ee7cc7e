"""Games of agents with their probabilities and chances to win at each decision."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impulse_agents.asking.ask import ask, ask_for_shares, checked
from impulse_agents.asking.faults import AgentFault
from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.playing.game_runner import LenientRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import take_games
from impulse_env.dataset.parquet import AnnotatedGame
from impulse_env.options import Options
from impulse_env.outcomes import END_BY_STATUS
from impulse_env.records.record import Header, SeatedAgent
from impulse_env.records.recorded_games import RecordedGame

_UNKNOWN = float("nan")


class AnnotatingRunner(LenientRunner):
    """Games that record the probabilities and chances of agents that give them.

    Attributes:
        shares: For each game and decision the probabilities of the legal actions, in ascending
            order in the frame of the seat; None if the agent gives none.
        notes: For each game and decision the chance to win, and the probability of the chosen
            action; NaN if the agent gives none.
    """

    def __init__(self, *arguments: Any) -> None:
        """See `GameRunner` for the arguments."""
        super().__init__(*arguments)
        tables = len(self.batch.seats)
        self.shares: list[list[NDArray[np.float32] | None]] = [[] for _ in range(tables)]
        self.notes: list[list[tuple[float, float]]] = [[] for _ in range(tables)]
        self._reported: dict[int, tuple[NDArray[np.float32], float]] = {}

    def ask(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Ask the agent, and store its answer until the decision is applied."""
        agent = self.entrants[entrant]
        if not agent.gives_probabilities:
            return super().ask(entrant, tables)
        batch, rows = self.batch, self.rows(tables)
        own = self.streams.take(rows)
        seen = ObservationBatch.from_batch(batch, tables, agent.needs_views)
        shares = ask_for_shares(agent, seen, own)
        states = take_games(batch.states, tables)
        wins = ask(agent, lambda: _chances(agent, seen.observations, states, seen.seats))
        for row, table in enumerate(tables.tolist()):
            self._reported[table] = shares[row], float(wins[row])
        if agent.is_stochastic:
            return super().ask(entrant, tables)
        self.streams.put(rows, own)
        return checked(
            shares.argmax(axis=1), batch.masks, batch.seats, batch.options.players, tables
        )

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Record the actions with the agents' answers."""
        super().before_step(tables, actions)
        for table, action in zip(tables.tolist(), actions.tolist(), strict=True):
            reported = self._reported.pop(table, None)
            if reported is None:
                self.shares[table].append(None)
                self.notes[table].append((_UNKNOWN, _UNKNOWN))
                continue
            shares, wins = reported
            self.shares[table].append(shares[self.batch.masks[table] != 0])
            self.notes[table].append((wins, float(shares[action])))


def _chances(
    agent: Any, observations: NDArray[np.uint8], states: np.ndarray, seats: NDArray[np.int8]
) -> NDArray[np.floating]:
    """Return the chances to win of a calibrated network; NaN for any other agent."""
    if getattr(agent, "calibration", None) is None or not hasattr(agent, "win_probabilities"):
        return np.full(len(states), _UNKNOWN)
    found: NDArray[np.floating] = agent.win_probabilities(
        agent.evaluate(observations)[1], states, seats
    )
    return found


def play_annotated(
    entrants: Sequence[Agent],
    options: Options,
    games: int,
    seed: int,
    part: int,
    first: int,
) -> tuple[list[AnnotatedGame], list[AgentFault]]:
    """Play the games of a part; the same arguments give the same games.

    Games in which an agent fails are left out, and their faults are reported.

    Args:
        entrants: An agent for each seat; they move one seat from game to game.
        options: Options of the games.
        games: Number of games, each with its own deal.
        seed: Random seed of the whole data set.
        part: The number of the part.
        first: The number of its first game.
    """
    rng = np.random.default_rng([seed, part])
    deals = rng.integers(2**63, size=games)
    players = options.players
    numbers = first + np.arange(games)
    by_seat = (np.arange(players) - numbers[:, None]) % players
    streams = RngStreams.from_generator(rng, games * players)
    tables = AnnotatingRunner(entrants, options, deals, by_seat, streams)
    tables.play_to_end()
    states, sides = tables.batch.states, options.team_count
    annotated = []
    for table in (one for one in range(games) if one not in tables.faults):
        agents = tuple(SeatedAgent(entrants[at].name) for at in by_seat[table].tolist())
        notes = np.full((len(tables.actions[table]), 3), _UNKNOWN)
        notes[:, :2] = tables.notes[table]
        play = RecordedGame(
            f"game {numbers[table]}",
            Header(options, agents, seed=int(deals[table])),
            np.array(tables.actions[table], np.int64),
            END_BY_STATUS[int(states["status"][table])],
            tuple(s for s in range(players) if s % sides == states["winner"][table]),
            tuple(states["score"][table, :players].tolist()),
            notes,
            (_UNKNOWN,) * players,
        )
        annotated.append(AnnotatedGame(play, tables.shares[table]))
    return annotated, list(tables.faults.values())
