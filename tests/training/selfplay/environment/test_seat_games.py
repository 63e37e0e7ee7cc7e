"""Every decision of every seat that the policy plays is handed out, and learned from once."""

import threading

import numpy as np
import pytest
import torch

from impulse_agents import make
from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.heuristics.agent import RuleAgent
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import SearchAgent
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import copy_games
from impulse_env.engine.constants import TRUNCATED
from impulse_env.environments.rewards import score_margins, win_rewards
from impulse_env.errors import ArgumentError, IllegalActionError
from impulse_env.observation import section, size
from impulse_env.options import Options
from impulse_training.selfplay.environment import seat_games
from impulse_training.selfplay.environment.games import GAMES_PER_ROW, Decisions, Ends, Step
from impulse_training.selfplay.environment.opponent_pool import OpponentPool
from impulse_training.selfplay.environment.seat_games import SeatGames
from impulse_training.selfplay.learner import Choices, Sight
from impulse_training.selfplay.rollout import Rollout
from impulse_training.selfplay.train_options import Args

ROWS = 6
GAMMA, LAMBDA = 0.9, 0.8
LONG = 1200
"""Steps in which some games end, although everybody plays at random."""


class NeverAsked(Agent):
    """Stands for the policy in a pool."""

    name = "self"

    def act(self, seen, streams):
        raise AssertionError("the policy was asked for an opponent's decision")


class Recorded(RandomAgent):
    """Plays at random, and takes note of how many games it is asked about."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def act(self, seen, streams):
        self.asked.append(len(seen))
        return super().act(seen, streams)


def env_of(shares=(0.3, 0.0, 0.7), rows=ROWS, reward="score", seed=3, **options):
    pool = OpponentPool(NeverAsked(), [], [Recorded()], shares)
    return SeatGames(Options(**options), rows, pool, reward, seed)


def rollout_of(env, steps, **more):
    return rollout_for(steps, env.width, players=env.options.players, **more)


def rollout_for(steps, width, **more):
    sizes = {"rollout_steps": steps, "num_envs": width, "learn_share": 1.0}
    args = Args(**(sizes | {"gamma": GAMMA, "gae_lambda": LAMBDA} | more))
    return Rollout(args, torch.device("cpu"))


def choices_of(actions, values):
    count = len(actions)
    values = torch.as_tensor(values)
    nothing = torch.zeros(count, N_ACTIONS)
    return Choices(torch.as_tensor(actions), values, values, torch.zeros(count), nothing)


def sight_of(seen, masks):
    return Sight(*map(torch.as_tensor, (seen, masks, np.zeros((len(seen), 0), np.uint8))))


class Played:
    """An environment played at random, with a value at random for every decision.

    Attributes:
        lives: By game and seat of each episode: what was seen, of what value, and the lead then.
        ends: The same key's pay at the end, or None if the game was cut off.
    """

    def __init__(self, env):
        self.env, self.rng = env, np.random.default_rng(1)
        self.streams = RngStreams.from_generator(self.rng, env.width)
        self.lives, self.ends, self.episode = {}, {}, np.zeros(len(env.batch.seats), int)
        restart = env._restart

        def noted(games):
            for game in games:
                state, seats = env.batch.states[game : game + 1], range(env.options.players)
                for seat in seats:
                    paid = self._lead(state, seat) + win_rewards(state, np.array([seat]))[0]
                    cut = state["status"][0] == TRUNCATED
                    self.ends[game, seat, self.episode[game]] = None if cut else paid
                self.episode[game] += 1
            restart(games)

        env._restart = noted

    def _lead(self, state, seat):
        return score_margins(state, np.array([seat]))[0] if self.env.reward == "score" else 0

    def roll(self, rollout, steps):
        """Fill a rollout."""
        env, rng = self.env, self.rng
        rollout.begin(rollout)
        env.steps.clear()
        for _ in range(steps):
            seen, masks = env.observations(), env.action_masks()
            values = rng.random(env.width).astype(np.float32)
            for row, game in enumerate(env._rows):
                seat, state = int(env.batch.seats[game]), env.batch.states[game : game + 1]
                key = (int(game), seat, int(self.episode[game]))
                life = self.lives.setdefault(key, [])
                life.append((seen[row].tobytes(), values[row], self._lead(state, seat)))
            batch = ObservationBatch(seen, masks.astype(np.int8), env.batch.seats[env._rows])
            actions = RandomAgent().act(batch, self.streams)
            rollout.add(sight_of(seen, masks), env.decisions, choices_of(actions, values))
            env.step(actions)
        self.coming = rng.random(env.width).astype(np.float32)
        rollout.finish(env.steps, env.decisions, torch.from_numpy(self.coming))

    def advantages(self):
        """Return observation and advantage of every decision, whose consequences are known."""
        found = {}
        coming = {
            (int(game), int(self.env.batch.seats[game]), int(self.episode[game])): row
            for row, game in enumerate(self.env._rows)
        }
        for key, life in self.lives.items():
            following = None  # value, advantage, lead
            if key in self.ends and self.ends[key] is not None:
                following = (0, 0, self.ends[key])
            elif key in coming and key not in self.ends:
                row = coming[key]
                game = self.env._rows[row]
                lead = self._lead(self.env.batch.states[game : game + 1], key[1])
                following = (self.coming[row], 0, lead)
            for place, (seen, value, lead) in reversed(list(enumerate(life))):
                advantage = 0
                if following is not None:
                    gained = following[2] - lead
                    advantage = gained + GAMMA * (following[0] + LAMBDA * following[1]) - value
                    found[key, place] = (seen, value, advantage)
                following = (value, advantage, lead)
        return found


def told(rollout, rows):
    """Return what was seen and its value in some decisions."""
    columns = rollout.columns
    return [
        (columns["observations"][row].numpy().tobytes(), float(columns["values"][row]))
        for row in rows
    ]


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3}, {"players": 4, "team_size": 2}]
)
def test_advantages_are_those_of_each_seat_by_itself(options, reward):
    env = env_of(reward=reward, **options)
    played, rollout = Played(env), rollout_of(env, LONG)
    played.roll(rollout, LONG)
    expected = sorted(played.advantages().values())
    assert len(played.ends) > 4
    rows = rollout.learned
    found = sorted(
        (*one, float(advantage))
        for one, advantage in zip(told(rollout, rows), rollout.advantages[rows], strict=True)
    )
    assert len(found) == len(expected) > 100 * ROWS
    for one, other in zip(found, expected, strict=True):
        assert one[:2] == other[:2]
        assert one[2] == pytest.approx(other[2], abs=1e-4)


def test_every_decision_is_learned_from_once_whenever_the_rollout_ends():
    env = env_of(players=3)
    played, rollout = Played(env), rollout_of(env, 5)
    learned = []
    for _ in range(40):
        played.roll(rollout, 5)
        learned += told(rollout, rollout.learned)
    waiting = told(rollout, rollout.pending)
    everything = [(seen, value) for life in played.lives.values() for seen, value, _ in life]
    assert sorted(learned + waiting) == sorted(everything)
    assert 0 < len(waiting) <= len(env.batch.seats) * 3


def test_the_rows_are_decisions_of_the_policy_each_of_another_game():
    env = env_of(players=4)
    played, rollout = Played(env), rollout_of(env, 60)
    played.roll(rollout, 60)
    for step in env.steps:
        games = step.decisions.seats // 4
        assert (np.diff(games) > 0).all()
    assert (section(env.observations(), "decider", 4)[:, 0] == 1).all()
    assert env.action_masks().any(axis=1).all()


def test_no_game_waits_for_ever():
    env = env_of(players=2)
    played, rollout = Played(env), rollout_of(env, 100)
    played.roll(rollout, 100)
    games = np.concatenate([step.decisions.seats // 2 for step in env.steps[-30:]])
    assert set(games) == set(range(GAMES_PER_ROW * ROWS))


def test_opponents_are_asked_about_many_games_at_a_time():
    env = env_of(rows=64, shares=(0.3, 0, 0.7), players=2)
    played, rollout = Played(env), rollout_of(env, 60)
    opponent = env.opponent_pool.agents[1]
    opponent.asked.clear()
    played.roll(rollout, 60)
    assert np.mean(opponent.asked) > 16


def test_in_self_play_all_seats_are_learned_from():
    env = env_of(shares=(1, 0, 0), players=3)
    played, rollout = Played(env), rollout_of(env, 50)
    played.roll(rollout, 50)
    assert {seat for _, seat, _ in played.lives} == {0, 1, 2}
    assert not env.opponent_pool.agents[1].asked


def test_a_step_describes_the_games_that_ended():
    env = env_of(players=2)
    rng, ended = np.random.default_rng(0), []
    while len(ended) < 12:
        ended += play_at_random(env, rng)
    for episode in ended:
        assert episode["length"] > 0
        assert episode["rounds"] > 0
        assert (episode["return"] > 1) == episode["has_won"]
        assert episode["opponents"] in {("random",), ("self",)}


def play_at_random(env, rng):
    masks = env.action_masks()
    return env.step(np.where(masks, rng.random(masks.shape), -1).argmax(1))


def endings(env, wanted):
    """Play at random; return the last record and the info of so many episodes, or a few more."""
    found, tell, rng = [], env._episodes, np.random.default_rng(0)

    def episodes(over, returns):
        infos = tell(over, returns)
        found.extend(zip(copy_games(env.batch.states[over]), infos, strict=True))
        return infos

    env._episodes = episodes
    while len(found) < wanted:
        play_at_random(env, rng)
    return found


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3}, {"players": 6, "team_size": 3}]
)
def test_an_episode_pays_its_outcome_and_the_final_lead(options, reward):
    results = set()
    for state, info in endings(env_of(reward=reward, target_score=5, **options), 20):
        players, seat, teams = options["players"], info["seat"], int(state["teams"])
        has_won = state["winner"] == seat % teams
        loss = 1 / (teams - 1)
        outcome = 1 if has_won else -loss
        others = [s for s in range(players) if s % teams != seat % teams]
        lead = (state["score"][seat] - state["score"][others].mean()) / 5
        paid = outcome + lead if reward == "score" else outcome
        assert info["return"] == pytest.approx(paid, abs=1e-5)
        assert info["has_won"] == has_won
        assert not info["is_truncated"]
        results.add(bool(has_won))
    assert results == {True, False}


def test_a_game_that_nobody_won_is_marked_as_truncated_and_pays_nothing():
    for _, info in endings(env_of(reward="win", players=2, max_turns=3), 10):
        assert info["is_truncated"]
        assert not info["has_won"]
        assert info["return"] == 0


def test_the_learner_sits_on_every_seat():
    found = endings(env_of(shares=(0, 0, 1), players=3, target_score=4), 30)
    assert {info["seat"] for _, info in found} == {0, 1, 2}
    assert {info["opponents"] for _, info in found} == {("random", "random")}


@pytest.mark.parametrize("players", [2, 3])
def test_rounds_count_the_turn_in_which_the_game_ended(players):
    # It used to be left out of games that somebody won, so that a match or a tournament of the
    # same games had more rounds than a training saw.
    truncated = set()
    for state, info in endings(env_of(players=players, target_score=5, max_turns=8), 60):
        is_truncated = info["is_truncated"]
        truncated.add(is_truncated)
        turns = state["turn"] if is_truncated else state["turn"] + 1
        assert info["rounds"] == int(np.ceil(turns / players))
    assert truncated == {True, False}


def test_lengths_count_the_decisions_of_the_learner():
    env = env_of(shares=(0, 0, 1), rows=1, players=2, target_score=4)
    rng, ended, decisions = np.random.default_rng(3), [], np.zeros(GAMES_PER_ROW, int)
    while not ended:
        decisions[env._rows] += 1
        ended = play_at_random(env, rng)
    assert ended[0]["length"] in decisions


def test_the_same_seed_gives_the_same_episodes():
    env, other = env_of(players=2, seed=9), env_of(players=2, seed=9)
    rng, other_rng = np.random.default_rng(4), np.random.default_rng(4)
    for _ in range(150):
        assert play_at_random(env, rng) == play_at_random(other, other_rng)
        assert (env.observations() == other.observations()).all()


def test_what_was_returned_does_not_change_with_the_next_step():
    env = env_of(players=2)
    seen, masks = env.observations(), env.action_masks()
    kept = seen.copy(), masks.copy()
    play_at_random(env, np.random.default_rng(5))
    assert (seen == kept[0]).all()
    assert (masks == kept[1]).all()


def test_actions_that_are_no_integers_and_seeds_that_are_none_change_nothing():
    env = env_of(players=2)
    before, good = env.batch.states.tobytes(), env.action_masks().argmax(1)
    for wrong in (good.astype(float), good[:-1], good > 0, None):
        with pytest.raises(
            IllegalActionError, match=rf"actions must be integers of shape \({ROWS},"
        ):
            env.step(wrong)
    assert env.batch.states.tobytes() == before
    env.step(good)
    with pytest.raises(ArgumentError, match=r"seed must be an integer of 0 or more, not 1\.5"):
        env_of(seed=1.5)


def test_an_unknown_reward_is_refused():
    with pytest.raises(ValueError, match="win, score"):
        env_of(reward="money")


def test_a_state_continues_to_the_bit():
    def seen_of(env, steps):
        rng = np.random.default_rng(7)
        found = []
        for _ in range(steps):
            noise = rng.random(env.action_masks().shape)
            env.step(np.where(env.action_masks(), noise, -1).argmax(1))
            found.append(env.observations())
        return np.stack(found)

    first, second = env_of(players=3), env_of(players=3, seed=8)
    seen_of(first, 41)
    second.load_state_dict(first.state_dict())
    assert (seen_of(first, 60) == seen_of(second, 60)).all()


def decisions(seats, paid):
    return Decisions(np.array(seats), np.array(paid, np.float32))


def ends(seats, paid, is_truncated):
    return Ends(np.array(seats), np.array(paid, np.float32), np.array(is_truncated))


def test_what_a_cut_off_game_would_have_led_to_is_not_guessed():
    """The latest decision is left out, and the one before takes the value there for the rest."""
    script = [
        Step(decisions([0], [0.0]), []),
        Step(decisions([0], [0.5]), [ends([0, 1], [2.0, 2.0], [True, True])]),
        Step(decisions([0], [0.0]), [ends([0], [9.0], [False]), ends([0, 1], [7, 7], [False] * 2)]),
    ]
    rollout = rollout_for(3, 1)
    rollout.begin(rollout)
    for value in (1.0, 2.0, 3.0):
        choices = choices_of(np.zeros(1, int), np.array([value], np.float32))
        seen = sight_of(np.zeros((1, size(2)), np.uint8), np.ones((1, N_ACTIONS), bool))
        rollout.add(seen, script[int(value) - 1].decisions, choices)
    rollout.finish(script, decisions([3], [0.0]), torch.zeros(1))
    assert rollout.learned.tolist() == [0, 2]
    assert rollout.pending.tolist() == []
    # The table's first game paid 9; the next one ended before anybody of the policy's was asked.
    assert rollout.advantages[[0, 2]].tolist() == pytest.approx([0.5 + GAMMA * 2 - 1, 9 - 3])


def test_minibatches_are_all_decisions_once_and_of_one_size():
    env = env_of(players=2)
    played, rollout = Played(env), rollout_of(env, 40)
    played.roll(rollout, 40)
    sizes, seen = [], []
    for samples in rollout.minibatches(rollout.minibatch_count(50)):
        sizes.append(len(samples.actions))
        seen += [row.numpy().tobytes() for row in samples.sight.observations]
        assert samples.sight.masks.gather(1, samples.actions[:, None]).all()
    values = rollout.columns["values"][: len(rollout.returns)]
    assert torch.allclose(rollout.returns, values + rollout.advantages)
    assert max(sizes) - min(sizes) <= 1
    assert sorted(seen) == sorted(one for one, _ in told(rollout, rollout.learned))
    assert len(sizes) == round(len(rollout.learned) / 50)


def test_a_share_is_learned_from_those_with_the_largest_advantages():
    env, again = env_of(players=2), env_of(players=2)
    whole, quarter = rollout_of(env, 200), rollout_of(again, 200, learn_share=0.25)
    Played(env).roll(whole, 200)
    Played(again).roll(quarter, 200)
    sizes = whole.advantages[whole.learned].abs()
    least = sizes.quantile(0.75)
    assert quarter.learned.equal(whole.learned[sizes >= least])
    assert len(quarter.learned) == pytest.approx(len(whole.learned) / 4, abs=2)
    assert quarter.pending.equal(whole.pending)  # nothing is lost for the next rollout
    env = env_of(players=2)
    of_values = rollout_of(env, 200, learn_share=0.25, value_only=True)
    Played(env).roll(of_values, 200)
    assert of_values.learned.equal(whole.learned)


def test_a_q_critic_bootstraps_from_values_and_judges_by_the_action_taken():
    """Expected SARSA: the result of an action adds to its own number, not to the value."""
    script = [
        Step(decisions([0], [0.0]), []),
        Step(decisions([0], [0.5]), [ends([0], [2.0], [False])]),
    ]
    rollout = rollout_for(2, 1)
    rollout.begin(rollout)
    values, judged = (1.0, 2.0), (1.5, 1.75)
    for step, value, one in zip(script, values, judged, strict=True):
        choices = choices_of(np.zeros(1, int), np.array([value], np.float32))
        choices = choices._replace(judged=torch.tensor([one]))
        seen = sight_of(np.zeros((1, size(2)), np.uint8), np.ones((1, N_ACTIONS), bool))
        rollout.add(seen, step.decisions, choices)
    rollout.finish(script, decisions([3], [0.0]), torch.zeros(1))
    last = 1.5 - 1.75  # the game paid another 1.5
    first = 0.5 + GAMMA * (2.0 + LAMBDA * last) - 1.5
    assert rollout.returns.tolist() == pytest.approx([1.5 + first, 1.75 + last])
    assert rollout.advantages.tolist() == pytest.approx([0.5 + first, -0.25 + last])


def test_a_share_of_new_games_begins_in_the_middle_of_others():
    pool = OpponentPool(NeverAsked(), [], [RandomAgent()], (0.5, 0, 0.5))
    env = SeatGames(Options(players=3, target_score=6), 24, pool, "win", 3, played_starts=0.5)
    rng, described, begun = np.random.default_rng(2), [], []
    restart = env._restart

    def noted(games):
        restart(games)
        begun.extend(
            (bool(env._is_midway[game]), int(env.batch.states["turn"][game])) for game in games
        )

    env._restart = noted
    for _ in range(1500):
        described += play_at_random(env, rng)
    midway = [turn for is_midway, turn in begun if is_midway]
    assert 0.3 < len(midway) / len(begun) < 0.6  # none before a position was noted
    assert max(midway) > 5
    assert {turn for is_midway, turn in begun if not is_midway} == {0}
    met = env.opponent_pool.met.sum()
    env._restart = restart
    assert abs(len(described) - (len(begun) - len(midway))) < 48
    assert 0 < met <= 2 * len(described)


def test_a_played_start_deals_what_nobody_has_seen_again():
    pool = OpponentPool(NeverAsked(), [], [RandomAgent()], (1.0, 0, 0))
    env = SeatGames(Options(players=2), 8, pool, "win", 3, played_starts=1.0)
    rng = np.random.default_rng(2)
    while len(env._played) < 2:
        play_at_random(env, rng)
    env._played = env._played[:1]
    env._restart(np.arange(16))
    states = env.batch.states
    assert len({state["deck"].tobytes() for state in states}) == 16
    assert len({int(state["rng"]) for state in states}) == 16
    for name in ("hand", "score", "turn", "transports"):
        assert (states[name] == env._played[name][0]).all()


def test_a_rollout_too_short_to_know_anything_is_no_error():
    env = env_of(players=6, rows=2)
    played, rollout = Played(env), rollout_of(env, 1)
    for _ in range(3):
        played.roll(rollout, 1)
        assert (
            sum(
                len(samples.actions) for samples in rollout.minibatches(rollout.minibatch_count(64))
            )
            >= 2
        )


@pytest.mark.parametrize("table", [{"players": 4}, {"players": 4, "team_size": 2}])
def test_alike_games_have_one_opponent_and_allies_that_are_the_policy(table):
    """A table of mixed opponents was all that a training met, and one of a kind what it was rated
    by; with teams its ally was somebody else's agent more often than not."""
    options = Options(**table)
    pool = OpponentPool(NeverAsked(), [], [RandomAgent(), make("warrior")], (0.2, 0, 0.8))

    def rows(fraction):
        env = SeatGames(options, 300, pool, "score", 5, alike_fraction=fraction)
        seats = np.arange(4) % options.team_count
        is_other = seats != seats[env.learner_seats][:, None]
        return is_other, env._opponents, env._is_policys()

    is_other, drawn, is_policys = rows(1.0)
    for others, agents in zip(is_other, drawn, strict=True):
        assert len(set(agents[others])) == 1
    assert is_policys[~is_other].all()
    assert set(drawn[is_other]) == {0, 1, 2}
    is_other, drawn, _ = rows(0.5)
    kinds = [len(set(agents[others])) for others, agents in zip(is_other, drawn, strict=True)]
    assert 0.5 < np.mean(np.array(kinds) == 1) < 0.85


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr(seat_games, "GAMES_PER_THREAD", 4)
    monkeypatch.setattr(RuleAgent, "rows_per_thread", 2)
    monkeypatch.setattr(SearchAgent, "rows_per_thread", 1)

    def seen_of(count):
        fixed = [RandomAgent(), make("warrior"), make("ismcts:8")]
        pool = OpponentPool(NeverAsked(), [], fixed, (0.2, 0, 0.8))
        env = SeatGames(Options(players=3), 16, pool, "score", 5, count)
        rng, found = np.random.default_rng(2), []
        for _ in range(80):
            noise = rng.random(env.action_masks().shape)
            env.step(np.where(env.action_masks(), noise, -1).argmax(1))
            found.append(env.observations())
        return np.stack(found)

    assert (seen_of(1) == seen_of(3)).all()


class OneThread(Agent):
    """Another author's agent, which says nothing of threads."""

    def __init__(self):
        self.name = "one thread"
        self.asked_by = set()

    def act(self, seen, streams):
        self.asked_by.add(threading.get_ident())
        return seen.masks.argmax(1)


def test_an_agent_that_says_nothing_of_threads_is_asked_in_one():
    agent = OneThread()
    pool = OpponentPool(NeverAsked(), [], [agent], (0, 0, 1.0))
    env = SeatGames(Options(players=2), 2048, pool, "win", 5, threads=2)
    env.step(env.action_masks().argmax(1))
    assert agent.asked_by == {threading.get_ident()}
