"""Best responses, ablations and the cost of the games: small ones, from end to end."""

import json
from contextlib import contextmanager
from dataclasses import replace

import pytest
from rich.console import Console

from impulse_agents.base import AgentError
from impulse_env.options import OptionError
from impulse_training.bench import training
from impulse_training.bench.bench_options import TrainingArgs
from impulse_training.evaluation import ablation, best_response, trainings
from impulse_training.evaluation.evaluation_options import AblationArgs, BestResponseArgs
from impulse_training.run.common_options import ConfigError
from impulse_training.selfplay import train
from impulse_training.selfplay.loop import Training
from impulse_training.selfplay.train_options import Args as TrainArgs

QUIET = Console(quiet=True)
ARMS = ("network=pointers", "network=map")
TINY = {"num_envs": 8, "rollout_steps": 16, "minibatch_size": 64, "width": 16, "eval_games": 2}


@pytest.fixture(autouse=True)
def small_trainings(monkeypatch):
    """Trainings of 8 games side by side, whatever else is asked for."""

    def small(**given):
        return TrainArgs(**(given | TINY))

    small.num_envs = TINY["num_envs"]
    for module in (ablation, best_response, trainings, training):
        monkeypatch.setattr(module, "TrainArgs", small)


def test_a_best_response_is_reported_over_time(tmp_path):
    args = BestResponseArgs(("random", "miner"), timesteps=512, games=4, points=2, out=tmp_path)
    found = best_response.table(args, QUIET)
    assert [row[0] for row in found.rows] == ["random", "miner"]
    assert len(found.columns) == len(found.rows[0]) == 4
    result = json.loads((tmp_path / "miner" / "exploit.json").read_text())
    assert 0 <= result["interval"][0] <= result["wins"] <= result["interval"][1] <= 1
    assert set(result["curve"]) >= {"256", "512"}


def test_the_target_has_all_other_seats(tmp_path):
    args = BestResponseArgs(("miner",), timesteps=128, games=4, points=1, out=tmp_path)
    best_response.table(args, QUIET)
    kept = json.loads((tmp_path / "miner" / "args.json").read_text())
    assert (kept["self_fraction"], kept["snapshot_fraction"], kept["opponents"]) == (
        0,
        0,
        ["miner"],
    )
    assert kept["reward"] == "win"


def test_in_teams_the_best_response_plays_its_whole_team(tmp_path):
    more = {"players": 4, "team_size": 2}
    more |= {"gamma": 0.99, "gae_lambda": 0.9, "ent_coef": 0.02, "final_learning_rate": 1e-5}
    args = BestResponseArgs(("miner",), timesteps=128, games=4, points=1, out=tmp_path, **more)
    found = best_response.table(args, QUIET)
    assert "4 players in teams of 2" in found.note
    kept = json.loads((tmp_path / "miner" / "args.json").read_text())
    assert more.items() <= kept.items()
    assert kept["alike_fraction"] == 1  # allies are the policy itself, opponents the target


def test_a_stopped_best_response_continues(tmp_path, monkeypatch):
    args = BestResponseArgs(("miner",), timesteps=512, games=4, points=2, out=tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Training, "evaluate", lambda self: self.stop() or {})
        patch.setattr(
            best_response.match, "play", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            best_response.table(args, QUIET)
    assert len(best_response.table(args, QUIET).rows) == 1


@pytest.fixture
def interrupting(monkeypatch):
    """Return a context manager in which trainings are interrupted after 256 decisions."""

    @contextmanager
    def after_some():
        whole = train.train

        def interrupted(given):
            return replace(whole(replace(given, timesteps=256)), was_interrupted=True)

        with monkeypatch.context() as patch:
            patch.setattr(train, "train", interrupted)
            yield

    return after_some


def test_an_interrupted_best_response_tells_how_far_it_is_and_no_result(tmp_path, interrupting):
    args = BestResponseArgs(("miner",), timesteps=512, games=4, points=2, out=tmp_path)
    with interrupting():
        with pytest.raises(KeyboardInterrupt, match=r"256 of 512 decisions; the same command"):
            best_response.table(args, QUIET)
    assert not (tmp_path / "miner" / "exploit.json").exists()
    assert len(best_response.table(args, QUIET).rows) == 1


def test_an_interrupted_ablation_tells_how_far_it_is_and_begins_no_other(tmp_path, interrupting):
    args = AblationArgs(ARMS, seeds=(1,), timesteps=512, games=2, out=tmp_path)
    with interrupting(), pytest.raises(KeyboardInterrupt, match=r"256 of 512 decisions; the same"):
        ablation.table(args, QUIET)
    assert [folder.name for folder in tmp_path.iterdir()] == ["network-pointers-1"]
    assert [row[0] for row in ablation.table(args, QUIET).rows] == [*ARMS]


def test_the_training_gets_the_device(tmp_path):
    args = BestResponseArgs(("miner",), timesteps=128, games=4, device="nowhere", out=tmp_path)
    with pytest.raises(ConfigError, match="--device nowhere cannot be used"):
        best_response.table(args, QUIET)


def test_an_unknown_target_is_a_clear_error(tmp_path):
    with pytest.raises(AgentError, match="unknown agent 'wizard'"):
        best_response.table(BestResponseArgs(("wizard",), out=tmp_path / "new"), QUIET)
    assert not (tmp_path / "new").exists()


def test_arms_are_measured_against_the_first_and_by_a_best_response(tmp_path):
    arms = ("learn_share=1", "average=0.9,magnet=average")
    args = AblationArgs(arms, seeds=(1,), timesteps=128, games=4, response=128, out=tmp_path)
    found = ablation.table(args, QUIET)
    assert [row[0] for row in found.rows] == [*arms, f"{arms[1]}: its average"]
    wins, responses = (
        found.columns.index(name) for name in ("against the first, %", "best response wins, %")
    )
    assert all(0 <= float(row[wins]) <= 100 for row in found.rows)
    assert all(0 <= float(row[responses]) <= 100 for row in found.rows)
    folder = tmp_path / "average-0.9-magnet-average-1"
    kept = json.loads((folder / "response-average" / "args.json").read_text())
    assert kept["opponents"] == [f"policy:{folder / 'average.safetensors'}"]
    assert (kept["warm_start"], kept["fixed_fraction"]) == (str(folder / "average.safetensors"), 1)
    assert kept["average"] == 0  # a response has the shared options alone


def test_settings_of_an_arm():
    text = "learn-share=0.5,network=map,opponents=greedy+warrior,policy_layers=8+4,bfloat16=true"
    assert ablation.settings(text) == {
        "learn_share": 0.5,
        "network": "map",
        "opponents": ("greedy", "warrior"),
        "policy_layers": (8, 4),
        "bfloat16": True,
    }
    assert ablation.settings("") == {}
    for wrong, says in {
        "epoch=2": r"'epoch=2' must be NAME=VALUE .* did you mean epochs",
        "epochs": "'epochs' must be NAME=VALUE",
        "seed=2": "'seed=2' must be NAME=VALUE",
        "epochs=two": "epochs must be a whole number",
    }.items():
        with pytest.raises(OptionError, match=says):
            ablation.settings(wrong)


def test_every_kind_of_network_gets_the_same_steps(tmp_path):
    args = AblationArgs(ARMS, seeds=(1, 2), timesteps=256, games=2, out=tmp_path)
    found = ablation.table(args, QUIET)
    assert [row[0] for row in found.rows] == [*ARMS]
    assert all("±" in cell for row in found.rows for cell in row[1:])
    ratings = [name for name in found.columns if name.startswith("after ")]
    assert len(ratings) == 2  # an update has 128 decisions
    assert found == ablation.table(args, QUIET)  # nothing is trained again
    kept = [
        json.loads((tmp_path / f"network-{kind}-1" / "args.json").read_text())
        for kind in ("pointers", "map")
    ]
    assert [one.pop("network") for one in kept] == ["pointers", "map"]
    assert [one.pop("out") for one in kept] != []
    assert kept[0] == kept[1]


def test_the_games_cost_something():
    rounds = training.measure(TrainingArgs(updates=1, repeats=3), 8)
    assert len(rounds) == 3
    for ours, alone in rounds:
        assert min(ours.games, ours.opponents) > 0
        assert alone.opponents == 0
        for parts in (ours, alone):
            assert min(parts.update, parts.policy, parts.rate) > 0
