"""What is told of many games at once agrees with each game alone."""

import numpy as np
import pytest

from impulse_env.batch import random_playouts, turns_played
from impulse_env.engine.constants import TRUNCATED
from impulse_env.engine.state import STATE
from impulse_env.game import Game
from impulse_env.options import Options


def test_a_game_that_has_not_ended_counts_the_turn_under_way():
    assert turns_played(np.zeros(0, STATE)).shape == (0,)
    games = [Game(2, seed=seed) for seed in range(3)]
    for _ in range(200):
        for game in games:
            if not game.is_over:
                game.step(game.legal_actions()[0])
        found = turns_played(np.stack([game.state for game in games]))
        assert found.dtype == np.int64
        assert found.tolist() == [game.turn + (not game.is_truncated) for game in games]


@pytest.mark.parametrize("table", [{"players": 2}, {"players": 4, "team_size": 2}])
def test_a_truncated_game_has_as_many_turns_as_were_allowed(table):
    playouts = random_playouts(40, seed=1, target_score=5, max_turns=12, **table)
    is_truncated = playouts.states["status"] == TRUNCATED
    assert 0 < is_truncated.sum() < 40
    turns = turns_played(playouts.states)
    assert (turns[is_truncated] == 12).all()
    assert (turns == playouts.turns).all()
    # The turn in which somebody won was never completed, and counts all the same.
    assert (turns[~is_truncated] == playouts.states["turn"][~is_truncated] + 1).all()
    assert (playouts.rounds == -(-turns // Options(**table).players)).all()
