"""Games side by side go as each alone would."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.playing.continuations import dealt, worlds_of
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import copy_games
from impulse_env.options import Options

OPTIONS = Options(players=3, target_score=6)
BY_SEAT = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 0, 1]])


def ended(games, generators):
    """Play some games of random and rule-based agents; return their last records.

    Args:
        games: Numbers of the rows of `BY_SEAT`.
        generators: Of each game: one, or one for each seat.
    """
    agents = [impulse_agents.make(name) for name in ("random", "greedy", "warrior")]
    games = np.array(games)
    seeds = (games[:, None] * 10 + np.arange(generators)).ravel()
    streams = RngStreams.from_seeds(seeds.tolist())
    tables = GameRunner(agents, OPTIONS, games, BY_SEAT[games], streams)
    assert tables.play_to_end() > 0
    return tables.batch.states


@pytest.mark.parametrize("generators", [1, 3])
def test_a_game_goes_as_it_does_alone(generators):
    together = ended([0, 1, 2, 3], generators)
    assert (ended([2, 0], generators) == together[[2, 0]]).all()
    for game in range(4):
        assert ended([game], generators)[0] == together[game]


def test_positions_are_played_on_from_and_stay_as_they_are():
    agent, deals = impulse_agents.make("greedy"), np.arange(4)
    states, seats = dealt(OPTIONS, deals), np.zeros((4, 3), np.int64)
    before = copy_games(states)
    runners = [
        GameRunner([agent], OPTIONS, games, seats, RngStreams.from_seeds(range(4)))
        for games in (deals, states)
    ]
    for tables in runners:
        tables.play_to_end()
    assert (runners[0].batch.states == runners[1].batch.states).all()
    assert (states == before).all()
    assert runners[0].deals.tolist() == deals.tolist()
    assert runners[1].deals is None


def test_worlds_are_of_what_the_seat_knows_and_alike_by_seed():
    states = np.repeat(dealt(OPTIONS, [5]), 3)
    before = copy_games(states)
    worlds = worlds_of(states, np.ones(3, np.int64), np.array([7, 7, 8], np.uint64))
    assert worlds[0] == worlds[1] != worlds[2]
    assert (worlds["hand"][:, 1] == states["hand"][:, 1]).all()
    assert (states == before).all()
    rng = np.random.default_rng(0)
    drawn = np.random.default_rng(0).integers(1, 1 << 64, size=3, dtype=np.uint64)
    seats = np.zeros(3, np.int64)
    assert (worlds_of(states, seats, rng) == worlds_of(states, seats, drawn)).all()
