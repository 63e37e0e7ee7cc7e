"""A resumed training obeys every option that is given, or says why it cannot."""

import shutil
from dataclasses import fields, replace

import pytest
import torch

from commands import impulse, refusal
from impulse_training.run import learning_curve
from impulse_training.run.common_options import ConfigError
from impulse_training.selfplay.loop import Training
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.state.resume import REFUSED, merged_args, resumed_args
from impulse_training.selfplay.train import train
from impulse_training.selfplay.train_options import Args
from trainings import tiny

TINY = tiny(
    snapshots=3,
    snapshot_every=1,
    snapshots_at_once=2,
    opponents=("random", "miner", "core_rush"),
    learning_rate=1e-3,
    timesteps=2048,
)
OTHER = {
    "minutes": 2.0,
    "timesteps": 2112,
    "epochs": 1,
    "gamma": 0.9,
    "gae_lambda": 0.5,
    "clip_range": 0.1,
    "ent_coef": 0.2,
    "vf_coef": 0.1,
    "learn_share": 0.5,
    "overlap": False,
    "behavior_kl": 0.1,
    "ent_power": 0.5,
    "ent_floor": 0.001,
    "magnet": "average",
    "played_starts": 0.5,
    "resume": None,  # how it is resumed
    "value_only": True,
    "self_fraction": 0.1,
    "snapshot_fraction": 0.3,
    "fixed_fraction": 0.9,
    "alike_fraction": 0.5,
    "opponents": ("core_rush", "greedy"),
    "snapshots": 2,
    "snapshot_every": 3,
    "snapshots_at_once": 1,
    "resample_every": 7,
    "rollout_steps": 16,
    "minibatch_size": 64,
    "learning_rate": 5e-4,
    "final_learning_rate": 1e-4,
    "device": "cpu",
    "threads": 2,
    "bfloat16": True,
    "eval_opponents": ("greedy",),
    "eval_every": 3.0,
    "eval_steps": 64,
    "eval_games": 4,
    "save_every": 5.0,
    "keep_snapshots": 1,
    "tracker": "mlflow",
}
"""Another value for every option that a resumed training obeys."""
REFUSED_VALUES = {
    "players": 3,
    "team_size": 2,
    "reward": "win",
    "coalition": True,
    "network": "map",
    "network_args": '{"a": 1}',
    "width": 16,
    "policy_layers": (16,),
    "value_layers": (),
    "card_dim": 4,
    "seed": 2,
    "warm_start": "2p",
    "num_envs": 16,
    "games": "device",
    "critic": "hands",
    "average": 0.9,
    "out": "elsewhere",
    "overwrite": True,
}


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The folder of a training of 2,048 steps."""
    return train(replace(TINY, out=tmp_path_factory.mktemp("first") / "run")).folder


@pytest.fixture
def folder(first, tmp_path):
    return shutil.copytree(first, tmp_path / "run")


def test_every_option_is_obeyed_or_refused():
    """An option that is added belongs into `REFUSED`, or into `OTHER` and the tests below."""
    names = {field.name for field in fields(Args)} - {"recipe", "legs"}  # they resume by themselves
    assert names == OTHER.keys() | REFUSED.keys()
    assert not OTHER.keys() & REFUSED.keys()
    assert REFUSED.keys() == REFUSED_VALUES.keys()


@pytest.mark.parametrize("name", REFUSED_VALUES)
def test_what_cannot_change_is_refused_and_changes_nothing(folder, name):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    flag = f"--{name.replace('_', '-')} cannot be .* is resumed: {REFUSED[name]}"
    with pytest.raises(ConfigError, match=flag):
        train(resumed_args(folder, **{name: REFUSED_VALUES[name]}))
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert {path: after[path] for path in before if path.name != ".lock"} == {
        path: content for path, content in before.items() if path.name != ".lock"
    }


def test_what_is_left_out_is_as_it_was(first):
    assert merged_args(resumed_args(first), TINY) == replace(TINY, resume=first)


@pytest.mark.parametrize(
    ("given", "limits"),
    [
        ({}, (None, 2048)),
        ({"timesteps": 999}, (None, 999)),
        ({"minutes": 3.0}, (3.0, None)),
        ({"minutes": 3.0, "timesteps": 999}, (3.0, 999)),
    ],
)
def test_a_limit_that_is_given_takes_the_place_of_those_before(first, given, limits):
    args = merged_args(resumed_args(first, **given), TINY)
    assert (args.minutes, args.timesteps) == limits


class BegunError(Exception):
    """The training that was about to begin."""

    def __init__(self, made):
        super().__init__()
        self.made = made


@pytest.fixture
def begun_with(monkeypatch):
    """Return the resumed training with some options, before it trains."""

    def run(made):
        raise BegunError(made)

    monkeypatch.setattr(Training, "run", run)

    def call(folder, **options):
        with pytest.raises(BegunError) as caught:
            train(resumed_args(folder, **options))
        return caught.value.made

    return call


def test_how_it_learns_changes(folder, begun_with):
    names = ("gamma", "gae_lambda", "ent_coef", "vf_coef")
    more = ("epochs", "clip_range", "rollout_steps", "minibatch_size", "threads", "bfloat16")
    rounds = begun_with(folder, **{name: OTHER[name] for name in (*names, *more)}).rounds
    assert [getattr(rounds.args, name) for name in names] == [OTHER[name] for name in names]
    assert (rounds.args.epochs, rounds.args.clip_range) == (1, 0.1)
    assert (rounds.args.rollout_steps, rounds.args.minibatch_size) == (16, 64)
    assert rounds.rollout._args.gae_lambda == 0.5
    assert torch.get_num_threads() == 2
    assert torch.get_float32_matmul_precision() == "medium"
    torch.set_float32_matmul_precision("highest")


@pytest.fixture
def averaged(tmp_path):
    """The folder of a training with an average of its weights."""
    return train(replace(TINY, timesteps=64, average=0.9, out=tmp_path / "run")).folder


def test_the_methods_change(averaged, begun_with):
    names = ("learn_share", "behavior_kl", "ent_power", "ent_floor", "magnet", "played_starts")
    made = begun_with(averaged, **{name: OTHER[name] for name in names})
    assert [getattr(made.rounds.args, name) for name in names] == [OTHER[name] for name in names]
    assert made.env._played_starts == 0.5
    assert made.rounds.learner._args.magnet == "average"
    assert made.rounds.rollout._args.learn_share == 0.5


@pytest.fixture(params=[False, True])
def overlap_and_folder(request, tmp_path):
    """Whether the rollouts of a training overlap, and its folder."""
    args = replace(TINY, timesteps=64, overlap=request.param, out=tmp_path / "run")
    return request.param, train(args).folder


def test_whether_rollouts_overlap_changes(overlap_and_folder, begun_with):
    before, path = overlap_and_folder
    rounds = begun_with(path, overlap=not before).rounds
    assert rounds.args.is_overlapping is not before
    updates = rounds.updates
    rounds.round()
    rounds.round()
    assert rounds.updates == updates + (2 if before else 1)


def test_whom_it_meets_changes_and_what_is_known_of_those_who_stay_is_kept(folder, begun_with):
    names = ("opponents", "self_fraction", "snapshot_fraction", "fixed_fraction", "snapshots")
    made = begun_with(folder, snapshots_at_once=1, **{name: OTHER[name] for name in names})
    kept = state_file.load(folder / "state.safetensors")["opponent_pool"]
    pool = made.env.opponent_pool
    assert pool.shares == (0.1, 0.3, 0.9)
    assert [agent.name for agent in pool.agents[2:]] == ["core_rush", "greedy"]
    assert len(pool.past) == 2
    assert pool.met[2] == kept["met"][5] > 0  # core_rush, the third of the fixed ones
    assert pool.met[3] == 0
    assert made.env._opponents.max() <= 3
    made.env.step(made.env.action_masks().argmax(1))


def test_when_what_is_done_changes(folder, begun_with):
    names = ("eval_every", "eval_steps", "save_every", "snapshot_every", "resample_every")
    made = begun_with(folder, keep_snapshots=1, **{name: OTHER[name] for name in names})
    assert [getattr(made.args, name) for name in names] == [OTHER[name] for name in names]
    assert made.folder.keep_snapshots == 1


def test_the_learning_rate_continues_and_takes_what_is_given(folder, begun_with):
    rate = begun_with(folder).rounds.rate
    assert rate() == pytest.approx(1e-4)
    made = begun_with(folder, timesteps=2368)
    assert made.rounds.rate() == pytest.approx(1e-4)
    made = begun_with(folder, timesteps=2368, learning_rate=5e-4)
    assert made.rounds.rate() == pytest.approx(5e-4)
    made.budget.steps = 2208
    assert made.rounds.rate() == pytest.approx(2.75e-4)
    made.budget.steps = 2368
    assert made.rounds.rate() == pytest.approx(5e-5)
    made = begun_with(folder, timesteps=2368, final_learning_rate=7e-5)
    assert made.rounds.rate() == pytest.approx(1e-4)
    made.budget.steps = 2368
    assert made.rounds.rate() == pytest.approx(7e-5)


def test_by_steps_alone_where_they_are_limited(folder, begun_with):
    """Legs of a recipe are limited by steps, and learn the same on any machine."""
    made = begun_with(folder, timesteps=2368, learning_rate=1.0)
    rates = []
    for seconds in (0.0, 1e6):
        made.budget.seconds, made.budget.steps = seconds, 2208
        rates.append(made.rounds.rate())
    assert rates[0] == rates[1]


def test_another_panel_has_columns_of_its_own_in_the_curve(folder):
    trained = train(resumed_args(folder, eval_opponents=("greedy",), eval_games=4, timesteps=2176))
    points = learning_curve.read(folder / "curve.csv")
    assert {"win/random", "win/greedy"} <= points[0].keys()
    assert "win/random" not in trained.curve[-1]
    assert 4 * trained.curve[-1]["win/greedy"] == int(4 * trained.curve[-1]["win/greedy"])
    again = train(resumed_args(folder, timesteps=2240))
    assert len(learning_curve.read(folder / "curve.csv")) == len(again.curve) == 3


def test_a_training_with_other_opponents_continues_to_its_end(folder):
    changes = {name: OTHER[name] for name in ("opponents", "snapshots", "snapshots_at_once")}
    trained = train(resumed_args(folder, timesteps=2368, rollout_steps=16, **changes))
    assert trained.steps == 2048 + 3 * 16 * 8
    legs = trained.agent.config["training"]["legs"]
    assert legs[1]["args"]["opponents"] == ["core_rush", "greedy"]
    kept = state_file.load(folder / "state.safetensors")
    assert kept["args"]["opponents"] == ["core_rush", "greedy"]
    assert kept["opponent_pool"]["met"].sum() > 0


def test_shares_of_the_time_are_shares(folder):
    trained = train(resumed_args(folder, timesteps=2368))
    for point in trained.curve:
        assert 0 < point["env_share"] < 1
        assert 0 <= point["opponents_share"] < 1
        assert point["env_share"] + point["opponents_share"] <= 1


# --- The command line ----------------------------------------------------------------------------


def test_on_the_command_line_what_is_typed_counts_even_if_it_is_the_default(folder, capsys):
    assert impulse("train", "--resume", folder, "--width", 256) == 2
    assert refusal(capsys).startswith("--width cannot be 256 when a run with 8 is resumed")
    # The default of `--epochs`, which is what it was.
    assert impulse("train", "--resume", folder, "--epochs", 2, "--num-envs", 8) == 0


def test_flags_that_were_set_stay_set(folder):
    assert impulse("train", "--resume", folder, "--bfloat16", "--timesteps", 2060) == 0
    assert impulse("train", "--resume", folder, "--bfloat16", "--timesteps", 2120) == 0
    assert impulse("train", "--resume", folder, "--timesteps", 2180) == 0
    assert state_file.load(folder / "state.safetensors")["args"]["bfloat16"]
    torch.set_float32_matmul_precision("highest")
