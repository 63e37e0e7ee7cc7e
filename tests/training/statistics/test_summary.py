"""The statistics of a tournament add up, and depend on the games alone."""

from dataclasses import replace

import numpy as np
import pytest

from impulse_env.outcomes import SOURCES
from impulse_training.statistics.intervals import wilson
from impulse_training.statistics.summary import summarise
from simulated import failed_game, game, pairs, simulated, truncated_game

TRUE = {"a": -250.0, "b": -50.0, "c": 100.0, "d": 200.0}


def row_of(statistics, name):
    return next(row for row in statistics.agents if row.name == name)


def test_agents_come_best_first_with_their_shares():
    statistics = summarise(pairs("x", 6, "y", 14))
    assert [row.name for row in statistics.agents] == ["y", "x"]
    won = row_of(statistics, "y").won
    assert (won.games, won.wins, won.share, won.par) == (20, 14, 0.7, 0.5)
    assert (won.low, won.high) == wilson(14, 20)


def test_two_sides_share_the_games_of_the_matrix():
    statistics = summarise(simulated(TRUE, 2, 100, seed=1))
    for i, row in enumerate(statistics.matrix):
        assert row[i].games == 0
        assert row[i].share is None
        for j in set(range(4)) - {i}:
            there, back = row[j], statistics.matrix[j][i]
            assert there.games == back.games
            assert there.wins + back.wins == there.games
        assert sum(share.games for share in row) == statistics.agents[i].won.games
        assert sum(share.wins for share in row) == statistics.agents[i].won.wins


def test_with_more_sides_the_matrix_counts_games_in_which_both_sat():
    results = [
        game(0, ["x", "y", "z"], [0]),
        game(1, ["x", "z", "z"], [1]),
        game(2, ["x"] * 3, [0]),
    ]
    statistics = summarise(results)
    at = {row.name: i for i, row in enumerate(statistics.agents)}
    cells = {a + b: statistics.matrix[at[a]][at[b]] for a in "xyz" for b in "xyz"}
    assert (cells["xz"].games, cells["xz"].wins) == (2, 1)
    assert (cells["zx"].games, cells["zx"].wins) == (2, 1)
    assert (cells["xy"].games, cells["xy"].share, cells["yx"].share) == (1, 1, 0)
    assert cells["zx"].par == pytest.approx((1 / 3 + 2 / 3) / 2)


def test_a_truncated_game_is_won_by_nobody():
    statistics = summarise([*pairs("x", 2, "y", 1), truncated_game(3, ["x", "y"])])
    assert statistics.ended == {"score": 3, "elimination": 0, "truncation": 1, "failed": 0}
    assert row_of(statistics, "x").won.share == 0.5
    assert row_of(statistics, "y").won.share == 0.25
    assert [share.games for share in statistics.seats] == [4, 4]


def test_a_failed_game_counts_as_lost_but_not_for_points_seats_and_length():
    results = pairs("x", 2, "y", 2)
    failed = replace(failed_game(4, ["x", "y"], seat=1), points=[[9] * 6] * 2, turns=1)
    before, after = summarise(results), summarise([*results, failed])
    assert (row_of(after, "y").failures, row_of(after, "y").faults) == (1, {"error": 1})
    assert row_of(after, "x").failures == 0
    assert row_of(after, "x").won.wins == 3
    assert row_of(after, "x").points == row_of(before, "x").points
    assert (after.seats, after.rounds) == (before.seats, before.rounds)


def test_seats_of_a_winning_team_win_together():
    teams = [game(n, ["x", "y", "z"] * 2, [n % 3, n % 3 + 3]) for n in range(4)]
    seats = summarise(teams).seats
    assert [share.wins for share in seats] == [2, 1, 1, 2, 1, 1]
    assert [share.par for share in seats] == pytest.approx([1 / 3] * 6)


def test_points_are_means_of_a_seat_in_a_game():
    results = [
        game(0, ["x", "y"], [0], points=[[1, 2, 3, 4, 5, 6], [0] * 6]),
        game(1, ["x", "x"], [0], points=[[4, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 0]]),
    ]
    statistics = summarise(results)
    assert row_of(statistics, "x").points == pytest.approx((2, 2, 3, 4, 5, 4))
    assert row_of(statistics, "y").points == (0,) * len(SOURCES)


def test_lengths_are_in_rounds_and_in_decisions_of_all_seats():
    results = [game(n, ["x", "y", "z"], [0], turns=turns) for n, turns in enumerate((30, 31, 90))]
    statistics = summarise(results)
    assert (statistics.rounds.mean, statistics.rounds.median) == (17, 11)
    assert statistics.rounds.high == pytest.approx(np.percentile([10, 11, 30], 95))
    assert statistics.games_by_rounds == {10: 1, 11: 1, 30: 1}
    assert statistics.decisions.mean == 30


def test_thinking_time_is_a_mean_over_decisions():
    results = [
        replace(result, seconds=[s, 0.1], decisions=[d, 1])
        for result, s, d in zip(pairs("x", 1, "y", 1), (0.01, 0.5), (10, 90), strict=True)
    ]
    thinking = {row.name: row for row in summarise(results).thinking}
    assert thinking["x"].mean == pytest.approx(5.1)
    assert thinking["x"].per_game.mean == pytest.approx((1 + 500 / 90) / 2)
    assert thinking["y"].mean == pytest.approx(100)


def test_an_agent_that_never_chose_has_no_thinking_time():
    results = [replace(result, decisions=[10, 0]) for result in pairs("x", 1, "y", 1)]
    thinking = {row.name: row for row in summarise(results).thinking}
    assert (thinking["y"].mean, thinking["y"].per_game) == (None, None)


def test_only_the_thinking_time_is_measured():
    results = simulated(TRUE, 4, 25, seed=2, repeated=True)
    rng = np.random.default_rng(0)
    again = [
        replace(results[i], seconds=rng.random(4).tolist()) for i in rng.permutation(len(results))
    ]
    first, second = summarise(results, resamples=50), summarise(again, resamples=50)
    assert first.thinking != second.thinking
    assert replace(first, thinking=()) == replace(second, thinking=())


def test_a_tournament_without_games_has_empty_statistics():
    statistics = summarise([])
    assert (statistics.games, statistics.agents, statistics.rounds) == (0, (), None)


def test_a_tournament_of_failed_games_alone_can_be_summed_up():
    statistics = summarise([failed_game(n, ["x", "y"], seat=0) for n in range(3)])
    assert row_of(statistics, "x").points is None
    assert (statistics.seats, statistics.rounds) == ((), None)
