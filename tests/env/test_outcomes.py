"""Turns as people count them: the first is 1, and a game that is cut off ends in its last one."""

import numpy as np
import pytest

from impulse_env.game import Game
from impulse_env.outcomes import turn_number


@pytest.mark.parametrize("most", [1, 3])
def test_turns_are_counted_from_1_and_a_truncated_game_ends_in_its_last(most):
    game, rng, seen = Game(seed=2, max_turns=most), np.random.default_rng(2), []
    while not game.is_over:
        seen.append(turn_number(game.state))
        game.step(int(rng.choice(game.legal_actions())))
    assert sorted(set(seen)) == list(range(1, most + 1))
    assert seen == sorted(seen)
    assert game.turn == turn_number(game.state) == most
