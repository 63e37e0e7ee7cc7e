"""Games on a device hand out every decision of the policy once, as those on the processor do."""

from collections import Counter

import numpy as np
import pytest
import torch

from impulse_agents import make
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_env.batch import NOBODY
from impulse_env.engine.constants import TRUNCATED
from impulse_env.gpu import HOLD
from impulse_env.options import Options
from impulse_training.run.common_options import ConfigError
from impulse_training.run.storage.result import ResumeError
from impulse_training.selfplay.environment.device_games import DeviceGames
from impulse_training.selfplay.environment.games import GAMES_PER_ROW
from impulse_training.selfplay.environment.opponent_pool import OpponentPool
from impulse_training.selfplay.learner import Choices, Sight
from impulse_training.selfplay.rollout import Rollout
from impulse_training.selfplay.train_options import Args
from networks import untrained

ROWS = 6
GAMMA, LAMBDA = 0.9, 0.8


def env_of(fixed=("random",), share=0.7, reward="score", seed=3, rows=ROWS, alike=0.0, **options):
    agents = [RandomAgent() if name == "random" else make(name) for name in fixed]
    pool = OpponentPool(RandomAgent(), [], agents, (1 - share, 0, share))
    return DeviceGames(Options(**options), rows, pool, reward, seed, "cpu", alike)


def actions_of(env, rng):
    """Return a random legal action for every row."""
    masks = env.action_masks().numpy()
    return torch.from_numpy(np.where(masks, rng.random(masks.shape), -1).argmax(1))


class Chains:
    """The decisions of a training by seat, collected one by one, with their advantages.

    Attributes:
        known: Value and advantage of every decision with a known outcome.
        open: Number of decisions whose outcome is not known yet.
    """

    def __init__(self, steps, values, coming, coming_values):
        chains, self.known = {}, []
        for step, row_values in zip(steps, values, strict=True):
            for seat, paid, value in zip(*step.decisions, row_values, strict=True):
                if seat != NOBODY:
                    chains.setdefault(int(seat), []).append((float(value), float(paid)))
            for ends in step.ends:
                for seat, paid, is_truncated in zip(*ends, strict=True):
                    life = chains.pop(int(seat), []) if seat != NOBODY else []
                    self._close(life, None if is_truncated else (0.0, float(paid)))
        self.open = 0
        ahead = zip(coming_values, coming.paid, strict=True)
        following = dict(zip(coming.seats.tolist(), ahead, strict=True))
        for seat, life in chains.items():
            if seat in following:
                value, paid = following[seat]
                self._close(life, (float(value), float(paid)))
            else:
                self._close(life, None)
                self.open += bool(life)

    def _close(self, life, following):
        advantage = 0.0
        for value, paid in reversed(life):
            if following is not None:
                ahead = following[0] + LAMBDA * advantage
                advantage = following[1] - paid + GAMMA * ahead - value
                self.known.append((value, advantage))
            following = (value, paid)


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3}, {"players": 4, "team_size": 2}]
)
def test_advantages_are_those_of_each_seat_by_itself(options, reward):
    env = env_of(reward=reward, target_score=6, max_turns=60, **options)
    rng, steps = np.random.default_rng(1), 500
    sizes = {"rollout_steps": steps, "num_envs": ROWS, "players": env.options.players}
    args = Args(gamma=GAMMA, gae_lambda=LAMBDA, learn_share=1.0, **sizes)
    rollout = Rollout(args, torch.device("cpu"))
    rollout.begin(rollout)
    env.begin()
    values = torch.from_numpy(rng.random((steps, ROWS)).astype(np.float32))
    ended = 0
    for step in range(steps):
        actions = actions_of(env, rng)
        masks = env.action_masks()
        sight = Sight(env.observations(), masks, torch.zeros((ROWS, 0), dtype=torch.uint8))
        zeros = torch.zeros(masks.shape)
        choices = Choices(actions, values[step], values[step], torch.zeros(ROWS), zeros)
        rollout.add(sight, env.decisions, choices)
        env.step(actions)
        ended += int((env.batch.status != 0).sum())
    coming = torch.from_numpy(rng.random(ROWS).astype(np.float32))
    rollout.finish(env.steps, env.decisions, coming)
    chains = Chains(env.steps, values, env.decisions, coming)
    assert ended > 10
    rows = rollout.learned
    columns = (rollout.columns["values"][rows], rollout.advantages[rows])
    found = zip(*(column.tolist() for column in columns), strict=True)
    for one, other in zip(sorted(found), sorted(chains.known), strict=True):
        assert one == pytest.approx(other, abs=1e-4)
    assert len(rollout.pending) == chains.open > 0


def test_the_rows_are_decisions_of_the_policy_each_of_another_game():
    env = env_of(players=3, share=0.95)
    rng, held = np.random.default_rng(1), 0
    for _ in range(200):
        seats, rows = env.batch.seats.numpy(), env._rows.numpy()
        assert (np.diff(rows) > 0).all()
        own = env._is_policys().numpy()
        for row, seat in zip(rows, env.decisions.seats.tolist(), strict=True):
            decides = own[row, seats[row]]
            assert seat == (row * 3 + seats[row] if decides else NOBODY)
        assert (env.observations().numpy() == env.batch.observations.numpy()[rows]).all()
        ready = int(env._is_policys_turn().sum())
        assert (env.decisions.seats != NOBODY).sum() == min(ready, ROWS)
        held += ready < ROWS
        env.step(actions_of(env, rng))
        assert not env.batch.illegal.any()
    assert held > 0


def test_no_game_waits_for_ever():
    env = env_of(players=2, share=0.3)
    rng, last = np.random.default_rng(1), Counter()
    for number in range(100):
        last.update({game: number - last[game] for game in env._rows.tolist()})
        env.step(actions_of(env, rng))
    assert set(last) == set(range(GAMES_PER_ROW * ROWS))
    assert min(last.values()) > 80


def test_returns_are_the_outcomes_and_the_leads():
    env = env_of(players=3, target_score=6)
    rng, seen = np.random.default_rng(1), 0
    while seen < 12:
        seats, scores = env._is_policys().numpy(), None
        env.step(actions_of(env, rng))
        ends, over = env.steps[-1].ends[0], env.batch.status.numpy() != 0
        given = {int(s): float(p) for s, p in zip(ends.seats, ends.paid, strict=True) if s >= 0}
        expected = {}
        for game in np.flatnonzero(over):
            scores = env.batch.scores.numpy()[game]
            for seat in np.flatnonzero(seats[game]):
                has_won = env.batch.winners[game] == seat
                outcome = 0 if env.batch.status[game] == TRUNCATED else 1 if has_won else -1 / 2
                lead = (scores[seat] - np.delete(scores, seat).mean()) / 6
                expected[int(game) * 3 + int(seat)] = outcome + lead
        assert given == pytest.approx(expected, abs=1e-4)
        seen += over.sum()


def test_the_games_that_ended_are_described_and_reported():
    env = env_of(players=2, share=1.0, target_score=5)
    rng = np.random.default_rng(1)
    env.begin()
    rounds = {}
    for _ in range(150):
        env.step(actions_of(env, rng))
        status, turns = env.batch.status.numpy(), env.batch.turns.numpy()
        for game in np.flatnonzero(status):
            whole = int(turns[game]) + int(status[game] != TRUNCATED)  # with the last turn
            rounds[game] = -(-whole // 2)
    described = env.end()
    assert sorted(one["rounds"] for one in described) == sorted(rounds.values())
    assert len(described) > 3
    assert env.opponent_pool.met[1] == sum(not one["is_truncated"] for one in described)
    for one in described:
        assert one["opponents"] == ("random",)
        assert one["rounds"] > 0
        assert 0 < one["length"] <= 150
        assert (one["return"] > 1) == one["has_won"]
    env.begin()
    assert env.end() == []


def test_alike_games_have_one_opponent_and_allies_that_are_the_policy():
    env = env_of(("random", "warrior"), 0.8, rows=200, alike=1.0, players=4, team_size=2)
    sides = np.arange(4) % 2
    is_other = sides != sides[env.learner_seats.numpy()][:, None]
    for others, drawn in zip(is_other, env._opponents.numpy(), strict=True):
        assert len(set(drawn[others])) == 1
    assert env._is_policys().numpy()[~is_other].all()
    shares = np.bincount(env._opponents.numpy()[is_other], minlength=3) / is_other.sum()
    assert shares == pytest.approx(env.opponent_pool.probabilities(), abs=0.08)


def test_a_trained_opponent_decides_in_a_constant_number_of_games():
    trained = untrained(2)
    pool = OpponentPool(RandomAgent(), [], [trained], (0.6, 0, 0.4))
    env = DeviceGames(Options(players=2), 20, pool, "win", 3, "cpu")
    rng, taken = np.random.default_rng(1), []
    player = env._players[0][0]
    act = player.act

    def noted(batch, waits, randomness):
        found = act(batch, waits, randomness)
        assert (found[~waits] == HOLD).all()
        taken.append(int((found != HOLD).sum()))
        return found

    player.act = noted
    for _ in range(60):
        env.step(actions_of(env, rng))
        assert not env.batch.illegal.any()
    assert max(taken) <= 24  # 1.5 times 40 % of 40 games
    assert min(taken) > 0


def test_a_trained_opponent_decides_first_where_the_policy_has_waited_longest():
    """It used to decide in any of its games, so some waited for ever."""
    pool = OpponentPool(RandomAgent(), [], [untrained(3)], (0.5, 0, 0.5))
    env = DeviceGames(Options(players=3), 40, pool, "win", 3, "cpu")
    (player, _), rng = env._players[0], np.random.default_rng(1)
    env._players[0] = (player, 6)  # of about 30 games that wait for it
    act, longest = player.act, []

    def noted(batch, waits, randomness):
        seats = batch.seats.long()[:, None]
        is_its = (env._opponents.gather(1, seats)[:, 0] == 1) & ~env._is_policys_turn()
        waited = env._now - env._asked_at
        assert waits.sum() == min(6, is_its.sum())
        assert not (waits & ~is_its).any()
        if (is_its & ~waits).any():
            assert waited[waits].min() >= waited[is_its & ~waits].max()
            longest.append(int(waited[is_its].max()))
        return act(batch, waits, randomness)

    player.act = noted
    seen = set()
    for _ in range(150):
        seen |= set(env._rows[env.decisions.seats != NOBODY].tolist())
        env.step(actions_of(env, rng))
        assert not env.batch.illegal.any()
    assert len(longest) > 100
    assert max(longest) < 75
    assert seen == set(range(80))


def test_a_state_continues_to_the_bit():
    def seen_of(env, steps):
        rng = np.random.default_rng(7)
        found = []
        for _ in range(steps):
            env.step(actions_of(env, rng))
            found.append(torch.cat([env.observations().flatten(), env.decisions.seats]))
        return torch.stack(found)

    first, second = env_of(players=3), env_of(players=3, seed=8)
    seen_of(first, 41)
    second.load_state_dict(first.state_dict())
    assert seen_of(first, 60).equal(seen_of(second, 60))
    with pytest.raises(ResumeError, match="their number or their format differs"):
        env_of(players=3, rows=5).load_state_dict(first.state_dict())


def test_an_opponent_that_cannot_play_there_is_refused():
    with pytest.raises(ConfigError, match=r"--games device: .* cannot play on a device; .*host"):
        env_of(("ismcts:8",))
