"""A transition belongs to one seat: from one decision of the learner to its next."""

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO

from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.engine.constants import TRUNCATED
from impulse_env.errors import ArgumentError, IllegalActionError
from impulse_env.observation import observe_all, section
from impulse_env.options import Options
from impulse_training.selfplay.opponent_pool import OpponentPool
from impulse_training.selfplay.vec_env import SelfPlayVecEnv

GAMES = 6


class LastLegal(Agent):
    """Plays the last legal action: the same choice whoever else is asked with it."""

    name = "last"

    def act(self, seen, streams):
        return seen.masks.shape[1] - 1 - seen.masks[:, ::-1].argmax(axis=1)


class ByHand:
    """One game of an environment, taken over at its learner's decision and stepped by hand."""

    def __init__(self, env, game):
        self.learner = int(env.learner_seats[game])
        self.batch = GameBatch(env.options, [0])
        for field in ("states", "seats", "masks", "observations"):
            getattr(self.batch, field)[0] = getattr(env.batch, field)[game]

    def step(self, action):
        self.batch.step(np.array([action]))
        while self.batch.seats[0] not in (-1, self.learner):
            self.batch.step(LastLegal().act(ObservationBatch.from_batch(self.batch), None))

    @property
    def is_over(self):
        return self.batch.seats[0] == -1

    @property
    def seen(self):
        return observe_all(self.batch.states, np.array([self.learner]))[0]

    @property
    def lead(self):
        state = self.batch.states[0]
        scores = state["score"][: state["players"]]
        return (scores[self.learner] - np.delete(scores, self.learner).mean()) / 20

    @property
    def outcome(self):
        state = self.batch.states[0]
        if state["status"] == TRUNCATED or not self.is_over:
            return 0
        return 1 if state["winner"] == self.learner else -1 / (state["players"] - 1)


def env_of(reward="win", games=GAMES, seed=5, **options):
    opponent_pool = OpponentPool(LastLegal(), [], [], (1, 0, 0))
    return SelfPlayVecEnv(Options(**options), games, opponent_pool, reward, seed)


def random_actions(env, rng):
    streams = RngStreams.from_generator(rng, env.num_envs)
    return RandomAgent().act(ObservationBatch.from_batch(env.batch), streams)


def ends(env, wanted):
    """Play at random; yield reward and info of every episode's last step."""
    rng = np.random.default_rng(0)
    while wanted > 0:
        _, rewards, dones, infos = env.step(random_actions(env, rng))
        for game in np.flatnonzero(dones):
            wanted -= 1
            yield rewards[game], infos[game]


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("players", [2, 3])
def test_each_game_goes_as_when_it_is_stepped_by_hand(reward, players):
    env = env_of(reward, players=players)
    rng = np.random.default_rng(1)
    seen = env.reset()
    hands = [ByHand(env, game) for game in range(GAMES)]
    ended = 0
    while ended < GAMES:
        actions = random_actions(env, rng)
        leads = [hand.lead for hand in hands]
        seen, rewards, dones, infos = env.step(actions)
        for game, hand in enumerate(hands):
            hand.step(actions[game])
            gained = hand.lead - leads[game] if reward == "score" else 0
            assert rewards[game] == pytest.approx(hand.outcome + gained, abs=1e-6)
            assert dones[game] == hand.is_over
            if hand.is_over:
                ended += 1
                assert (infos[game]["terminal_observation"] == hand.seen).all()
                hands[game] = hand = ByHand(env, game)
            assert (seen[game] == hand.seen).all()
            assert (env.action_masks()[game] == hand.batch.masks[0].astype(bool)).all()


def test_every_observation_is_that_of_a_learner_who_decides():
    env = env_of(players=4)
    rng = np.random.default_rng(2)
    seen = env.reset()
    for _ in range(200):
        assert (section(seen, "decider", 4)[:, 0] == 1).all()
        assert env.action_masks().any(axis=1).all()
        seen, _, _, _ = env.step(random_actions(env, rng))


def test_the_winner_alone_is_paid_for_winning():
    results = [(reward, info) for reward, info in ends(env_of(players=3, target_score=5), 40)]
    for reward, info in results:
        assert reward == pytest.approx(1 if info["is_success"] else -0.5)
        assert info["episode"]["r"] == pytest.approx(reward)
    assert {info["is_success"] for _, info in results} == {True, False}


def test_an_episodes_score_rewards_add_up_to_outcome_and_final_lead():
    env = env_of("score", players=2, target_score=8)
    for _, info in ends(env, 10):
        scores = section(info["terminal_observation"], "score", 2)
        lead = (int(scores[0]) - int(scores[1])) / 8
        outcome = 1 if info["is_success"] else -1
        assert info["episode"]["r"] == pytest.approx(outcome + lead, abs=1e-5)


def test_team_mates_win_together():
    env = env_of(players=6, team_size=3, target_score=5)
    for reward, info in ends(env, 20):
        winners = section(info["terminal_observation"], "winner", 6)
        assert winners.sum() == 3
        assert reward == (1 if winners[0] else -1)


def test_a_game_that_nobody_won_is_marked_as_truncated_and_pays_nothing():
    for reward, info in ends(env_of(players=2, max_turns=3), 10):
        assert info["TimeLimit.truncated"]
        assert not info["is_success"]
        assert reward == 0
        assert section(info["terminal_observation"], "turns_left", 2) == 0


def test_a_won_game_is_not_marked_as_truncated():
    for _, info in ends(env_of(players=2, target_score=4), 10):
        assert not info["TimeLimit.truncated"]


def test_the_learner_sits_on_every_seat_and_sees_itself_first():
    env = env_of(players=3, target_score=4)
    seats = set()
    for _, info in ends(env, 30):
        seats.add(info["seat"])
        assert info["opponents"] == ("last", "last")
        assert section(info["terminal_observation"], "winner", 3)[0] == info["is_success"]
    assert seats == {0, 1, 2}


def test_lengths_count_the_decisions_of_the_learner():
    env = env_of(players=2, games=1, target_score=4)
    rng = np.random.default_rng(3)
    env.reset()
    steps, done = 0, [False]
    while not done[0]:
        _, _, done, infos = env.step(random_actions(env, rng))
        steps += 1
    assert infos[0]["episode"]["l"] == steps
    assert infos[0]["episode"]["t"] > 0


@pytest.mark.parametrize("players", [2, 3])
def test_rounds_count_the_turn_in_which_the_game_ended(players):
    # It used to be left out of games that somebody won, so that a match or a tournament of the
    # same games had more rounds than a training saw.
    env = env_of(players=players, target_score=5, max_turns=8)
    truncated = set()
    for _, info in ends(env, 60):
        completed = int(section(info["terminal_observation"], "turn", players))
        is_truncated = info["TimeLimit.truncated"]
        truncated.add(is_truncated)
        turns = completed if is_truncated else completed + 1
        assert info["episode"]["rounds"] == int(np.ceil(turns / players))
    assert truncated == {True, False}


def test_the_same_seed_gives_the_same_episodes():
    env, other = env_of(seed=9), env_of(seed=9)
    rng, other_rng = np.random.default_rng(4), np.random.default_rng(4)
    for _ in range(150):
        left = env.step(random_actions(env, rng))
        right = other.step(random_actions(other, other_rng))
        assert all((a == b).all() for a, b in zip(left[:3], right[:3], strict=True))
    env.seed(1)
    first = env.reset()
    env.seed(1)
    assert (env.reset() == first).all()


def test_what_was_returned_does_not_change_with_the_next_step():
    env = env_of()
    rng = np.random.default_rng(5)
    seen, masks = env.reset(), env.action_masks()
    kept = seen.copy(), masks.copy()
    env.step(random_actions(env, rng))
    assert (seen == kept[0]).all()
    assert (masks == kept[1]).all()


def test_sb3_contrib_finds_the_masks():
    env = env_of()
    assert is_masking_supported(env)
    assert (get_action_masks(env) == env.action_masks()).all()


def test_only_an_algorithm_that_knows_masks_learns_from_it():
    assert MaskablePPO("MlpPolicy", env_of(), n_steps=8, batch_size=8, n_epochs=1).learn(16)
    with pytest.raises(IllegalActionError):
        PPO("MlpPolicy", env_of(), n_steps=64, batch_size=8, n_epochs=1, seed=1).learn(64)


def test_actions_that_are_no_integers_and_seeds_that_are_none_change_nothing():
    env = env_of()
    before, good = env.batch.states.tobytes(), env.action_masks().argmax(1)
    for wrong in (good.astype(float), good[:-1], good > 0, None):
        with pytest.raises(
            IllegalActionError, match=rf"actions must be integers of shape \({GAMES},"
        ):
            env.step(wrong)
    assert env.batch.states.tobytes() == before
    env.step(good)
    with pytest.raises(ArgumentError, match=r"seed must be an integer of 0 or more, not 1\.5"):
        env_of(seed=1.5)


def test_an_unknown_reward_is_refused():
    with pytest.raises(ValueError, match="win, score"):
        env_of("money")
