"""In games of a coalition, one seat is the target's, and all others are paid together."""

import numpy as np
import pytest

from impulse_agents.base import Agent
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_env.batch import copy_games
from impulse_env.engine.constants import NO_SEAT
from impulse_env.options import Options
from impulse_training.run.common_options import ConfigError
from impulse_training.selfplay.environment.coalition import CoalitionGames, check_coalition
from impulse_training.selfplay.environment.opponent_pool import OpponentPool
from impulse_training.selfplay.option_checks import check_args
from impulse_training.selfplay.train_options import Args


class NeverAsked(Agent):
    """Stands for the policy in a pool."""

    name = "self"

    def act(self, seen, streams):
        raise AssertionError("the policy was asked for an opponent's decision")


def env_of(players, rows=40, fixed=1, seed=3, target_score=5):
    pool = OpponentPool(NeverAsked(), [], [RandomAgent() for _ in range(fixed)], (0, 0, 1.0))
    return CoalitionGames(
        Options(players=players, target_score=target_score), rows, pool, "win", seed
    )


def play_at_random(env, rng):
    masks = env.action_masks()
    return env.step(np.where(masks, rng.random(masks.shape), -1).argmax(1))


@pytest.mark.parametrize("players", [3, 5])
def test_the_target_has_one_seat_and_the_policy_all_others(players):
    env = env_of(players, rows=600, fixed=2)
    is_targets = ~env._is_policys()
    assert (is_targets.sum(1) == 1).all()
    assert set(env._opponents[is_targets]) == {1, 2}
    assert (env.learner_seats != is_targets.argmax(1)).all()
    for seats in (is_targets.argmax(1), env.learner_seats):
        counts = np.bincount(seats, minlength=players)
        assert counts.min() > 0.7 * len(seats) / players
    seats = env.decisions.seats
    assert not is_targets.ravel()[seats].any()
    assert len(set(seats % players)) == players


def test_all_seats_of_a_coalition_get_the_same_pay_and_the_pool_meets_the_target_alone():
    env, rng, kept = env_of(3), np.random.default_rng(0), []
    tell_ends = env._ends

    def ends_of(over):
        ends = tell_ends(over)
        targets = (~env._is_policys()[over]).argmax(1)
        kept.append((over, targets, copy_games(env.batch.states[over]), ends))
        return ends

    env._ends = ends_of
    episodes = []
    while len(episodes) < 60:
        episodes += play_at_random(env, rng)
    described, wins = iter(episodes), 0
    for over, targets, states, ends in kept:
        for game, target, state in zip(over, targets, states, strict=True):
            has_won = state["winner"] not in (target, NO_SEAT)
            wins += has_won
            due = 0.0 if state["winner"] == NO_SEAT else 1.0 if has_won else -0.5
            mine = ends.seats // 3 == game
            assert sorted(ends.seats[mine] % 3) == [seat for seat in range(3) if seat != target]
            assert ends.paid[mine].tolist() == [due, due]
            info = next(described)
            assert (info["has_won"], info["return"]) == (has_won, due)
            place = info["opponents"].index("random")
            assert (info["seat"] + 1 + place) % 3 == target
            assert info["opponents"][1 - place] == "self"
    assert 0.4 < wins / len(episodes) < 0.95  # two seats of three, all at random
    assert env.opponent_pool.met.tolist() == [0, len(episodes)]
    assert env.opponent_pool.win_rates()[1] > 0.5


def test_running_games_pay_nothing():
    env = env_of(4)
    assert (env.decisions.paid == 0).all()


def test_saved_games_continue_with_the_same_seats():
    env, other = env_of(3, rows=8), env_of(3, rows=8, seed=9)
    for _ in range(30):
        play_at_random(env, np.random.default_rng(1))
    other.load_state_dict(env.state_dict())
    assert (other._is_policys() == env._is_policys()).all()
    first, second = np.random.default_rng(2), np.random.default_rng(2)
    for _ in range(120):
        assert play_at_random(env, first) == play_at_random(other, second)
    assert (other.batch.states == env.batch.states).all()
    assert (other._opponents == env._opponents).all()


@pytest.mark.parametrize("table", [{"players": 2}, {"players": 4, "team_size": 2}])
def test_with_two_sides_a_coalition_is_refused(table):
    with pytest.raises(ConfigError, match=r"three players .* no teams: with two sides, a best"):
        check_coalition(Options(**table))
    check_coalition(Options(players=3))


FIXED = {"players": 3, "reward": "win", "self_fraction": 0.0, "snapshot_fraction": 0.0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reward": "score"}, "reward \"win\", which all its seats share, not 'score'"),
        ({"self_fraction": 0.1}, "its target is a fixed agent"),
        ({"snapshot_fraction": 0.1}, "its target is a fixed agent"),
        ({"opponents": ()}, "its target is a fixed agent"),
        ({"players": 2}, "a coalition needs three players or more"),
    ],
)
def test_a_training_of_a_coalition_needs_a_fixed_target(change, message):
    check_args(Args(coalition=True, timesteps=100, **FIXED))
    with pytest.raises(ConfigError, match=message):
        check_args(Args(coalition=True, timesteps=100, **(FIXED | change)))
