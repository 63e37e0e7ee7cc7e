"""The rule-based agents play what their style scores highest, and so play as it says."""

import numpy as np
import pytest

import impulse_agents
from fuzzed import GAMES, NAMES, decisions
from helpers import game
from impulse_agents.base import ObservationBatch
from impulse_agents.heuristics.agent import RuleAgent
from impulse_agents.heuristics.styles import STYLE_NAMES
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.engine.constants import PointSource
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_training.rollout import match
from rules_of_thumb import STYLE, best

CHOICE = {"core_rush": 6, "warrior": 9, "miner": 23, "trader": 11}
"""Cards: Command two Cruisers, three bombs, mine a red card, trade a red card."""


def test_the_rule_based_agents_are_the_styles():
    assert set(STYLE_NAMES) == {"balanced", *CHOICE}
    for name in CHOICE:
        assert name in impulse_agents.RULE_BASED
        assert isinstance(impulse_agents.make(name), RuleAgent)


@pytest.mark.parametrize("style", CHOICE)
def test_a_style_lays_the_card_on_the_impulse_that_it_likes(style):
    made = game(
        phase="add_impulse",
        hand=[*CHOICE.values(), 18],
        transports={8: 1},
        cruisers={"8-9": 2},
        rival={"transports": {12: 1}, "cruisers": {"10-11": 1}},
    )
    action = impulse_agents.make(style).act_in_game(made, np.random.default_rng(0))
    assert made.name(action) == f"card {CHOICE[style]}"


@pytest.mark.parametrize("style", STYLE_NAMES)
@pytest.mark.parametrize("number", [0, 2, 6], ids=[NAMES[n] for n in (0, 2, 6)])
def test_one_of_the_actions_with_the_highest_score_is_played(style, number):
    agent, rng = RuleAgent(style), np.random.default_rng(0)
    deciding = [Game.from_state(state) for state in decisions(number)[::GAMES]]
    deciding = [made for made in deciding if made.seat is not None]
    for made in deciding[:: max(1, len(deciding) // 30)]:
        assert made.name(agent.act_in_game(made, rng)) in best(made, STYLE[style])


def test_equals_are_drawn_by_lot():
    # Both research, and neither is larger.
    made = game(phase="add_impulse", hand=[2, 101])
    agent, found = RuleAgent("trader"), set()
    for seed in range(20):
        found.add(made.name(agent.act_in_game(made, np.random.default_rng(seed))))
    assert found == {"card 2", "card 101"} == set(best(made, STYLE["trader"]))


def test_the_random_agent_draws_every_legal_action_alike():
    masks = np.zeros((30_000, 180), np.int8)
    masks[:, [0, 7, 179]] = 1
    seen = ObservationBatch(np.empty((30_000, 0), np.uint8), masks, np.zeros(30_000, np.int8))
    drawn = impulse_agents.make("random").act(seen, RngStreams.from_seeds(range(30_000)))
    counts = np.bincount(drawn, minlength=180)
    assert counts[[0, 7, 179]].sum() == 30_000
    assert (abs(counts[[0, 7, 179]] - 10_000) < 400).all()


# --- Whole games --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", impulse_agents.RULE_BASED)
def test_rule_based_agents_beat_random(name, players):
    entrants = [impulse_agents.make(name), impulse_agents.make("random")]
    assert match.play(entrants, Options(players=players), 200, seed=1).interval()[0] > 0.85


def points_by_source(name):
    """The share of its points that an agent scores by each source, in games against itself."""
    agent, streams = impulse_agents.make(name), RngStreams.from_seeds(range(60))
    batch = GameBatch(Options(), range(60))
    while (batch.seats >= 0).any():
        playing = np.flatnonzero(batch.seats >= 0)
        actions = np.zeros(len(batch.seats), np.int64)
        actions[playing] = agent.act_in_batch(batch, playing, streams, playing)
        batch.step(actions)
    points = batch.states["points"][:, :2, : PointSource.GIVEN].sum((0, 1))
    return points / points.sum()


def test_each_style_scores_where_it_says():
    shares = {name: points_by_source(name) for name in impulse_agents.RULE_BASED}
    for name, sources in {
        "core_rush": [PointSource.CORE_PATROL],
        "warrior": [PointSource.BATTLE, PointSource.SHIPS],
        "miner": [PointSource.REFINE],
        "trader": [PointSource.TRADE],
    }.items():
        mine = {other: share[sources].sum() for other, share in shares.items()}
        assert max(mine, key=mine.get) == name, mine
