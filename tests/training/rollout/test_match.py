"""A match is fair and repeatable, and its intervals are Wilson's."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.base import Agent
from impulse_env.batch import GameBatch
from impulse_env.engine.constants import TRUNCATED
from impulse_env.options import Options
from impulse_training.rollout.match import play
from impulse_training.statistics.intervals import wilson


def test_wilson_intervals_agree_with_published_ones():
    # Newcombe 1998, table I: 81 of 263, and the ends.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(20, 20)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_same_match_has_the_same_result():
    entrants = [impulse_agents.make("random"), impulse_agents.make("greedy")]
    first, second = (play(entrants, Options(), 20, seed=3, batch=8) for _ in range(2))
    assert (first.wins == second.wins).all()
    assert (first.turns, first.decisions) == (second.turns, second.decisions)


def test_every_deal_is_played_from_every_side():
    result = play(
        [impulse_agents.make("random")] * 3, Options(players=3, target_score=4), 10, seed=1
    )
    assert result.games == 12
    assert result.wins.sum() + result.truncated == 12


class LastLegal(Agent):
    """Plays the last legal action: it makes no difference on which seat."""

    name = "last"

    def act(self, seen, streams):
        return seen.masks.shape[1] - 1 - seen.masks[:, ::-1].argmax(axis=1)


def test_the_turn_in_which_a_game_ends_counts():
    # It used to be left out of games that somebody won, as nowhere else: 39.9 turns for 40.9.
    options = Options(target_score=5, max_turns=12)
    result = play([LastLegal(), LastLegal()], options, 40, seed=1)
    batch = GameBatch(options, np.random.default_rng(1).integers(2**63, size=20))
    while (batch.seats >= 0).any():
        batch.step(LastLegal().act(batch, None))
    is_won = batch.states["status"] != TRUNCATED
    assert 0 < is_won.sum() < len(is_won)
    assert result.turns == np.mean(batch.states["turn"] + is_won)


def test_the_same_agent_twice_wins_half_of_the_games():
    entrants = [impulse_agents.make("greedy"), impulse_agents.make("greedy")]
    result = play(entrants, Options(), 300, seed=5)
    low, high = result.interval()
    assert low < 0.5 < high


def test_two_agents_fill_the_sides_of_a_team_game():
    entrants = [impulse_agents.make("greedy"), impulse_agents.make("random")]
    result = play(entrants, Options(players=6, team_size=2), 30, seed=2)
    assert result.rate() > 0.6  # par is a third
    assert np.isclose(result.rate(0) + result.rate(1) + result.truncated / result.games, 1)


def test_a_wrong_number_of_agents_is_refused():
    with pytest.raises(ValueError, match="4 sides takes 4 agents, or 2; not 3"):
        play([impulse_agents.make("random")] * 3, Options(players=4), 4)
