"""`impulse match` says what its games settle, with the error rates that it states."""

import numpy as np
import pytest

from impulse_training.cli import match
from impulse_training.cli.match import Args, main
from impulse_training.rollout.match import MatchError, MatchResult


def result(scores, sides=2):
    """A match whose deals have these means for the first of two agents."""
    first = np.repeat(scores, sides)
    return MatchResult(("a", "b"), np.stack([first, 1 - first], axis=1), None, sides, 9.0, 90.0)


def drawn(rng, share, deals):
    """Deals of two games, each won by so much chance."""
    return rng.binomial(2, share, deals) / 2


def test_it_prints_and_returns_the_shares(capsys):
    found = main(Args(("greedy", "random"), games=20, seed=1))
    assert found["games"] == 20
    assert [one["agent"] for one in found["agents"]] == ["greedy", "random"]
    assert set(found) == {"games", "truncated", "turns", "decisions", "agents", "faults"}
    assert "20 games, 0 truncated" in capsys.readouterr().out


def test_it_stops_when_a_difference_is_certain(capsys):
    found = main(Args(("greedy", "random"), games=5000, difference=0.1))
    assert found["games"] == 200
    assert found["test"]["accepted"] == pytest.approx(0.6)
    assert "decided: greedy wins 60.0% rather than 50.0% (error rates" in capsys.readouterr().out


def test_a_difference_may_be_one_less_and_at_a_larger_table(capsys):
    args = Args(("random", "greedy"), players=3, games=600, difference=-0.2)
    found = main(args)
    assert found["test"]["accepted"] == pytest.approx(1 / 3 - 0.2)
    assert "decided: random wins 13.3% rather than 33.3%" in capsys.readouterr().out


def test_without_an_answer_it_says_so(capsys):
    found = main(Args(("greedy", "greedy"), games=50, difference=0.02))
    assert found["test"]["accepted"] is None
    assert "undecided: greedy may win 50.0% or 52.0%" in capsys.readouterr().out


def test_error_rates_hold():
    """Of matches between equals few find a difference, of unequal ones few miss it."""
    rng = np.random.default_rng(1)
    wrong = np.zeros(2)
    for _ in range(300):
        for row, share in enumerate((0.5, 0.6)):
            args = Args(("a", "b"), difference=0.1, alpha=0.1, beta=0.1)
            test = match._test(args, 0.5)
            is_settled = match._settled_by(test)
            scores = drawn(rng, share, 4000)
            assert is_settled(result(scores))
            wrong[row] += test.accepted != pytest.approx(share)
    assert (wrong / 300 < 0.13).all()


@pytest.mark.parametrize(
    ("share", "deals", "verdict"),
    [(0.5, 20_000, "equivalent"), (0.6, 20_000, "different"), (0.5, 900, "open")],
)
def test_likeness_is_found_only_where_the_interval_lies_within_bounds(
    share, deals, verdict, capsys
):
    scores = drawn(np.random.default_rng(2), share, deals)
    found = match._report_equivalence(result(scores), 0.02, 0.05)
    assert found["verdict"] == verdict
    said = capsys.readouterr().out
    assert "within 2.0% of par, 50.0%" in said
    assert ("games would decide" in said) == (verdict == "open")


@pytest.mark.parametrize("deals", [1, 2, 5])
def test_a_few_deals_that_are_all_alike_do_not_show_likeness(deals, capsys):
    found = match._report_equivalence(result(np.full(deals, 0.5)), 0.1, 0.05)
    assert found["verdict"] == "open"
    assert -found["low"] == pytest.approx(found["high"])
    assert found["high"] > 0.1
    assert "inf" not in capsys.readouterr().out


def test_with_luck_taken_out_fewer_games_settle_it():
    plain, adjusted = (
        main(Args(("warrior", "miner"), games=3000, difference=0.08, adjust=judge))
        for judge in (None, "rules")
    )
    assert plain["test"]["accepted"] is not None
    assert adjusted["test"]["accepted"] is not None
    assert adjusted["games"] <= plain["games"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"difference": 0.0}, "difference must not be 0"),
        (
            {"difference": 0.5},
            "difference must not be 0, and par . difference must be between 0 and 1",
        ),
        ({"equivalence": 0.0}, "equivalence must be above 0 and below 0.5, not 0.0"),
        ({"difference": 0.1, "alpha": 0.5}, "alpha must be above 0 and below 0.5, not 0.5"),
        ({"difference": 0.1, "beta": 0.0}, "beta must be above 0 and below 0.5, not 0.0"),
    ],
)
def test_bounds_without_sense_are_refused(given, said):
    with pytest.raises(MatchError, match=said):
        main(Args(("greedy", "random"), **given))
