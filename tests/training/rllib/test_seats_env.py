"""RLlib learns this game: whose transition is whose, what is legal, and a training on a cluster."""

from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest
import torch

pytest.importorskip("ray.rllib", exc_type=ImportError)

from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

import impulse_agents
from impulse_agents.network.agent import PolicyAgent
from impulse_env.errors import ArgumentError, IllegalActionError
from impulse_env.game import Game
from impulse_training.rllib.algorithm import Workers, ppo_config
from impulse_training.rllib.env import SeatsConfig, SeatsEnv
from impulse_training.rllib.module import MaskedPolicy
from impulse_training.rllib.opponents import LEARNER, OpponentWeights, PolicyMapping
from impulse_training.rllib.rllib_options import Args
from impulse_training.rllib.train import train
from impulse_training.run.machine.ray_cluster import ClusterError
from impulse_training.run.storage.result import ResumeError

pytestmark = [
    pytest.mark.ray,
    # RLlib warns of what it is going to change, and Ray leaves sockets and pipes to the end.
    pytest.mark.filterwarnings("ignore"),
]

NETWORK = {"width": 16, "policy": (16,), "value": (16,), "card_dim": 4}
SMALL = Args(
    width=16,
    policy_layers=(16,),
    value_layers=(16,),
    card_dim=4,
    num_envs=4,
    train_batch_size=256,
    minibatch_size=64,
    snapshots=1,
    eval_games=4,
)


def by_chance(observation, rng):
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def played(env, seed):
    """Play a game with actions by chance; yield the agent, then what `step` returned."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    while True:
        ((agent, observation),) = seen.items()
        outcome = env.step({agent: by_chance(observation, rng)})
        yield agent, outcome
        seen, _, ended, cut, _ = outcome
        if ended["__all__"] or cut["__all__"]:
            return


# --- The environment -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2},
        {"players": 5},
        {"players": 4, "team_size": 2},
        {"players": 6, "team_size": 3, "max_turns": 9},
    ],
)
def test_every_seat_is_paid_what_it_won(options):
    env = SeatsEnv({"table": SeatsConfig(options)})
    for seed in range(5):
        returns, acted = defaultdict(float), set()
        for agent, (seen, rewards, ended, cut, infos) in played(env, seed):
            acted.add(agent)
            assert set(seen) == set(rewards) == set(infos)
            for paid, reward in rewards.items():
                returns[paid] += reward
            if not (ended["__all__"] or cut["__all__"]):
                assert len(seen) == 1
        assert set(seen) == acted
        assert cut["__all__"] == ("max_turns" in options)
        assert ended["__all__"] != cut["__all__"]
        winners = [f"player_{seat}" for seat in np.flatnonzero(infos[agent]["winners"])]
        losers = options["players"] - len(winners)
        for agent in acted:
            share = 1.0 if agent in winners else -len(winners) / losers if winners else 0.0
            assert returns[agent] == pytest.approx(share)


def test_eliminated_players_are_not_asked():
    env = SeatsEnv({"table": SeatsConfig({"players": 6, "target_score": 100})})
    eliminations = 0
    for seed in range(5):
        for _, (seen, _, ended, cut, _) in played(env, seed):
            if not (ended["__all__"] or cut["__all__"]):
                (agent,) = seen
                out = env.env.game.state["eliminated"][:6]
                assert not out[env.possible_agents.index(agent)]
                eliminations = max(eliminations, int(out.sum()))
    assert eliminations > 0


def test_fixed_agents_leave_one_seat_to_rllib():
    env = SeatsEnv({"table": SeatsConfig({"players": 4}, {"random": 0.5, "greedy": 0.5})})
    left = set()
    for seed in range(6):
        asked = {agent for agent, _ in played(env, seed)}
        assert len(asked) == 1
        left |= asked
    assert len(left) > 1


def test_seeds_and_workers_deal_the_games():
    def first(seed, worker):
        context = type("Context", (dict,), {"worker_index": worker})
        seen, _ = SeatsEnv(context(table=SeatsConfig({"players": 2}))).reset(seed=seed)
        return next(iter(seen.values()))["observation"].tolist()

    assert first(3, 1) == first(3, 1)
    assert first(3, 1) != first(3, 2)


def test_what_is_not_allowed_is_refused():
    env = SeatsEnv({"table": SeatsConfig({"players": 2})})
    seen, _ = env.reset(seed=0)
    ((agent, observation),) = seen.items()
    (other,) = set(env.possible_agents) - {agent}
    with pytest.raises(IllegalActionError, match=f"{agent} is to act, not {other}"):
        env.step({other: 0})
    with pytest.raises(IllegalActionError):
        env.step({agent: int(np.flatnonzero(observation["action_mask"] == 0)[0])})
    with pytest.raises(IllegalActionError, match="action must be an integer"):
        env.step({agent: 2.0})
    with pytest.raises(ArgumentError, match="seed must be an integer of 0 or more, not 'abc'"):
        env.reset(seed="abc")


# --- What RLlib makes of it ----------------------------------------------------------------------


class Recorded(SeatsEnv):
    """Writes down each finished game: agent, observation, action, and what was returned."""

    games: list = []  # noqa: RUF012

    def reset(self, **kwargs):
        self.lines = []
        self.seen, infos = super().reset(**kwargs)
        return self.seen, infos

    def step(self, action_dict):
        ((agent, action),) = action_dict.items()
        observation = self.seen[agent]
        assert observation["action_mask"][action] == 1
        outcome = super().step(action_dict)
        self.seen = outcome[0]
        self.lines.append((agent, observation, int(action), outcome))
        if outcome[2]["__all__"] or outcome[3]["__all__"]:
            self.games.append(self.lines)
        return outcome


@pytest.mark.parametrize(
    ("options", "fixed"),
    [
        ({"players": 2}, {}),
        ({"players": 6, "team_size": 2, "max_turns": 12}, {}),
        ({"players": 3}, {"random": 0.4}),
    ],
)
def test_rllib_keeps_each_seats_transitions(options, fixed):
    """Episodes are cut every 16 steps, in the middle of what others do."""
    table = SeatsConfig({**options, "reward": "score"}, fixed)
    config = ppo_config(
        table, OpponentWeights(1, 0, {}, 0), NETWORK, Workers(0, 2, 0, 0), seed=1
    ).environment(Recorded)
    config.env_runners(rollout_fragment_length=16)
    runner = MultiAgentEnvRunner(config=config, worker_index=0)
    Recorded.games = []
    chunks, finished = defaultdict(list), []
    while len(Recorded.games) < 3:
        for episode in runner.sample():
            for agent, part in episode.agent_episodes.items():
                chunks[episode.id_, agent].append(part)
            if episode.is_done:
                finished.append(episode.id_)

    for game, episode in zip(Recorded.games, finished, strict=True):
        wanted = defaultdict(list)
        for agent, observation, action, (_, rewards, *_) in game:
            wanted[agent].append([observation, action, 0.0])
            for paid, reward in rewards.items():
                if wanted[paid]:
                    wanted[paid][-1][2] += reward
                else:
                    assert reward == 0
        _, _, ended, cut, _ = game[-1][3]
        assert {agent for other, agent in chunks if other == episode} == set(wanted)
        for agent, rows in wanted.items():
            parts = chunks[episode, agent]
            assert sum(map(len, parts)) == len(rows)
            assert parts[-1].is_terminated == ended["__all__"]
            assert parts[-1].is_truncated == cut["__all__"]
            found = iter(rows)
            for part in parts:
                size = len(part)
                seen = part.get_observations(slice(0, size))
                for row in range(size):
                    observation, action, reward = next(found)
                    for key, value in observation.items():
                        assert np.array_equal(seen[key][row], value)
                    assert part.get_actions(row) == action
                    assert part.get_rewards(row) == pytest.approx(reward)


def made_policy():
    env = SeatsEnv({"table": SeatsConfig({"players": 2})})
    return MaskedPolicy(
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config={"players": 2, "network": NETWORK},
    )


def first_decisions():
    env = SeatsEnv({"table": SeatsConfig({"players": 2})})
    seen = [next(iter(env.reset(seed=seed)[0].values())) for seed in range(20)]
    return {Columns.OBS: {k: torch.as_tensor(np.stack([s[k] for s in seen])) for k in seen[0]}}


def test_new_weights_are_played_from_the_next_decision_on():
    """What is computed of the weights beforehand belongs to the old ones."""
    table = SeatsConfig({"players": 2})
    config = ppo_config(table, OpponentWeights(1, 0, {}, 0), NETWORK, Workers(0, 2, 0, 0), seed=1)
    runner = MultiAgentEnvRunner(config=config, worker_index=0)
    other, batch = made_policy(), first_decisions()

    def logits(module):
        return module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]

    before = logits(runner.module[LEARNER])
    runner.set_state({COMPONENT_RL_MODULE: {LEARNER: other.get_state()}})
    assert torch.equal(logits(runner.module[LEARNER]), logits(other))
    assert not torch.equal(logits(other), before)


def test_illegal_actions_are_never_drawn_and_the_loss_stays_finite():
    module, batch = made_policy(), first_decisions()
    found = module.forward_train(batch)
    drawn = module.get_train_action_dist_cls().from_logits(found[Columns.ACTION_DIST_INPUTS])
    masks = batch[Columns.OBS]["action_mask"]
    for _ in range(200):
        assert masks.gather(1, drawn.sample()[:, None]).all()
    drawn.entropy().sum().backward()
    assert all(torch.isfinite(p.grad).all() for p in module.parameters() if p.grad is not None)
    kept = module.compute_values(batch, found[Columns.EMBEDDINGS])
    assert torch.allclose(module.compute_values(batch), kept)
    inputs = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
    assert torch.allclose(inputs, found[Columns.ACTION_DIST_INPUTS])


def test_one_seat_is_always_the_learner_and_the_others_are_shared_out():
    opponent_weights = OpponentWeights(
        current=0.3,
        past=0.2,
        fixed={"random": 0.25, "greedy": 0.25},
        snapshots=2,
    )
    assert sum(opponent_weights.chances.values()) == pytest.approx(0.5)
    seating = PolicyMapping(3, opponent_weights)
    modules = [
        [seating(f"player_{seat}", SimpleNamespace(id_=f"game {number}")) for seat in range(3)]
        for number in range(2000)
    ]
    assert all(LEARNER in game for game in modules)
    past = np.mean([[name != LEARNER for name in game] for game in modules])
    # Of two seats in three, those that the environment leaves.
    assert past == pytest.approx(2 / 3 * 0.2 / 0.5, abs=0.03)


# --- Training ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_machines():
    """The address of a cluster of two nodes with one core each."""
    ray_cluster = pytest.importorskip("ray.cluster_utils")
    made = ray_cluster.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made.address
    made.shutdown()


def changed(**values):
    return Args(**{**SMALL.__dict__, **values})


def test_a_training_on_a_cluster_leaves_an_agent_that_plays(two_machines, tmp_path, capsys):
    args = changed(players=3, address=two_machines, installed=True, env_runners=2, snapshot_every=1)
    first = train(changed(**{**args.__dict__, "timesteps": 600, "out": tmp_path / "first"}))
    assert first.steps >= 600
    assert first.restarts == 0  # an illegal action would have ended a process
    assert "wins against random" in capsys.readouterr().out

    agent, rng = impulse_agents.make(f"policy:{first.checkpoint}"), np.random.default_rng(0)
    game = Game(players=3, seed=1)
    while game.seat is not None:
        game.step(agent.act_in_game(game, rng))

    again = {**args.__dict__, "resume": first.folder / "checkpoint"}
    stays = train(changed(**{**again, "timesteps": 600, "out": tmp_path / "stays"}))
    assert stays.steps == first.steps
    before, after = (PolicyAgent.load(t.checkpoint).network.state_dict() for t in (first, stays))
    assert all(torch.equal(before[name], after[name]) for name in before)

    more = train(changed(**{**again, "timesteps": first.steps + 200, "out": tmp_path / "more"}))
    assert more.steps >= first.steps + 200
    assert more.restarts == 0
    after = PolicyAgent.load(more.checkpoint).network.state_dict()
    assert any(not torch.equal(before[name], after[name]) for name in before)

    with pytest.raises(ResumeError, match="was trained with players 3, not 2"):
        train(changed(**{**again, "players": 2, "timesteps": 600}))


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ({"players": 7}, ValueError, "players must be"),
        ({"opponents": ("wizard",)}, ValueError, "unknown agent 'wizard'"),
        ({"minibatch_size": 512}, ValueError, "minibatch_size must be 256"),
        ({"learners": 2}, ValueError, "learners must be 0 or 1"),
        ({"snapshots": 0}, ValueError, "snapshots must be 1 or more"),
        ({"timesteps": None}, ValueError, "minutes or of timesteps"),
        ({"address": "127.0.0.1:1"}, ClusterError, r"no Ray cluster at '127\.0\.0\.1:1'"),
        ({"address": "ray://head:10001"}, ClusterError, "on a machine of the cluster"),
    ],
)
def test_invalid_options_are_reported_before_anything_starts(values, error, message, tmp_path):
    with pytest.raises(error, match=message):
        train(changed(**{"timesteps": 100, "out": tmp_path / "run", **values}))
    assert not (tmp_path / "run").exists()


def test_more_processes_than_cores_are_refused(two_machines, tmp_path):
    with pytest.raises(ClusterError, match="take 3 CPUs, and there are 2"):
        train(changed(address=two_machines, installed=True, env_runners=3, timesteps=100))
