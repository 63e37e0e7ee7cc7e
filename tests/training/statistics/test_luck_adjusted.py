"""Results with the luck taken out: unbiased, with intervals that hold what they promise."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.luck.values import RuleValues
from impulse_env.options import Options
from impulse_training.rollout.match import play
from impulse_training.statistics.bootstrap import percentile_interval, resampled_means
from impulse_training.statistics.intervals import wilson
from impulse_training.statistics.luck_adjusted import FEWEST_DEALS, Adjusted


def drawn(rng, deals, of_a_deal=2, skill=0.1, noise=0.1):
    """Results that are skill, luck and noise, as games have them; and the luck."""
    games = deals * of_a_deal
    luck = rng.normal(0, 0.4, games)
    shared = np.repeat(rng.normal(0, noise, deals), of_a_deal)
    return 0.5 + skill + luck + shared, luck, np.repeat(np.arange(deals), of_a_deal)


def test_luck_is_taken_out_and_the_benefit_is_reported():
    won, luck, deals = drawn(np.random.default_rng(1), 2000)
    found = Adjusted.of(won, luck, deals)
    assert found.plain == pytest.approx(won.mean())
    assert found.share == pytest.approx((won - luck).mean())
    # Of a deal's mean: noise 0.1, luck 0.4 / sqrt(2).
    assert found.factor == pytest.approx((0.1**2 + 0.4**2 / 2) / 0.1**2, rel=0.1)


def test_games_of_a_deal_count_once():
    """Each game twice over has twice the games and the same interval."""
    won, luck, deals = drawn(np.random.default_rng(2), 100, of_a_deal=1)
    once = Adjusted.of(won, luck, deals)
    twice = Adjusted.of(np.repeat(won, 2), np.repeat(luck, 2), np.repeat(deals, 2))
    assert twice.interval == pytest.approx(once.interval)
    assert twice.plain_interval == pytest.approx(once.plain_interval)


def test_intervals_are_those_of_deals_drawn_again():
    """With deals of several sizes: the bootstrap knows no formula."""
    rng = np.random.default_rng(6)
    deals = np.repeat(np.arange(300), rng.integers(1, 5, 300))
    luck = rng.normal(0, 0.4, len(deals))
    won = 0.6 + luck + rng.normal(0, 0.2, 300)[deals]
    found = Adjusted.of(won, luck, deals)
    for values, interval in ((won - luck, found.interval), (won, found.plain_interval)):
        totals = np.bincount(deals, values)[:, None]
        counts = np.bincount(deals).astype(float)[:, None]
        drawn = percentile_interval(resampled_means(totals, counts, 20_000, seed=7))[:, 0]
        assert drawn == pytest.approx(interval, abs=0.05 * (interval[1] - interval[0]))


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(3)
    hits = np.zeros(2)
    for _ in range(1000):
        won, luck, deals = drawn(rng, 60)
        found = Adjusted.of(won, luck, deals)
        ends = (found.interval, found.plain_interval)
        hits += [low <= 0.6 <= high for low, high in ends]
    assert (np.abs(hits / 1000 - 0.95) < 0.025).all()


def test_without_spread_or_with_few_deals_nothing_is_claimed():
    few = FEWEST_DEALS - 1
    found = Adjusted.of(*drawn(np.random.default_rng(4), few))
    assert found.interval is None
    assert found.plain_interval is None
    sure = Adjusted.of(np.ones(60), np.zeros(60), np.arange(60) // 2)
    assert sure.factor is None
    assert sure.interval is None
    assert sure.plain_interval == wilson(30, 30)


@pytest.mark.parametrize("rate", [0.95, 0.98, 0.995])
def test_the_plain_interval_of_who_nearly_always_wins_holds_the_truth(rate):
    rng, zeros, deals = np.random.default_rng(5), np.zeros(60), np.arange(60)
    ends = [
        Adjusted.of((rng.random(60) < rate).astype(float), zeros, deals).plain_interval
        for _ in range(400)
    ]
    assert np.mean([low <= rate <= high for low, high in ends]) >= 0.93
    assert np.max(ends) == 1


def test_a_match_tells_both():
    entrants = [impulse_agents.make(name) for name in ("warrior", "greedy")]
    plain = play(entrants, Options(), 60, seed=2)
    found = play(entrants, Options(), 60, seed=2, values=RuleValues())
    assert (found.wins == plain.wins).all(), "the games are the same"
    assert plain.adjusted == ()
    assert [one.plain for one in found.adjusted] == [found.rate(0), found.rate(1)]
    assert sum(one.share for one in found.adjusted) == pytest.approx(1)
    again = play(entrants, Options(), 60, seed=2, batch=7, values=RuleValues())
    # Other batches give the agents other chance, so other games; what is told of them is as sound.
    assert again.adjusted[0].factor is not None


def test_an_entrant_on_several_sides_has_the_luck_of_all():
    entrants = [impulse_agents.make(name) for name in ("warrior", "greedy")]
    found = play(entrants, Options(4), 40, seed=2, values=RuleValues())
    shares = [one.share for one in found.adjusted]
    assert sum(shares) == pytest.approx(1)
    assert found.adjusted[0].plain == found.rate(0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "players"), [(("greedy", "core_rush"), 2), (("trader", "warrior"), 2)]
)
def test_adjusting_changes_no_mean_in_a_hundred_thousand_games(names, players):
    """Once with the stronger agent first, once with the weaker."""
    entrants = [impulse_agents.make(name) for name in names]
    found = play(entrants, Options(players), 100_000, seed=9, values=RuleValues()).adjusted[0]
    low, high = found.interval
    least, most = found.plain_interval
    assert found.factor > 1.1
    assert high - low < most - least
    # The two are of the same games: what differs is the luck, whose error is the root of the rest.
    error = np.sqrt((most - least) ** 2 - (high - low) ** 2) / 3.92
    assert abs(found.share - found.plain) < 4 * error


@pytest.mark.slow
def test_intervals_of_small_matches_hold_what_many_games_say():
    entrants = [impulse_agents.make(name) for name in ("greedy", "warrior")]
    truth = play(entrants, Options(), 40_000, seed=1).rate()
    matches = [
        play(entrants, Options(), 100, seed=s, values=RuleValues()) for s in range(1000, 1400)
    ]
    hits = [
        match.adjusted[0].interval[0] <= truth <= match.adjusted[0].interval[1] for match in matches
    ]
    assert 0.92 <= np.mean(hits) <= 0.98
