"""Options and figures of a training reach TensorBoard's HParams, and the tracker asked for."""

import sys
import types

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import plugin_data_pb2

from commands import impulse, refusal
from impulse_training.selfplay.state import state_file

TINY = (
    "--num-envs 8 --rollout-steps 8 --minibatch-size 32 --width 8 --policy-layers 8 "
    "--value-layers 8 --card-dim 2 --opponents random --eval-opponents random --eval-games 2"
).split()


class FakeMlflow(types.ModuleType):
    """What `MlflowWriter` uses of MLflow."""

    def __init__(self):
        super().__init__("mlflow")
        self.said = []
        self.fails_at = None

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*given, **more):
            if name == self.fails_at:
                raise ConnectionError("the server is gone")
            self.said.append((name, given, more))
            if name == "start_run":
                return types.SimpleNamespace(info=types.SimpleNamespace(run_id="run-7"))
            return None

        return call

    def calls(self, name):
        return [(given, more) for called, given, more in self.said if called == name]


class FakeWandb(types.ModuleType):
    """What `WandbWriter` uses of Weights & Biases."""

    def __init__(self):
        super().__init__("wandb")
        self.inits, self.logs, self.files, self.ends = [], [], [], 0

    def init(self, **more):
        self.inits.append(more)
        return types.SimpleNamespace(
            id="abc", log=self.log, log_artifact=self.files.append, finish=self.finish
        )

    def log(self, figures, step):
        self.logs.append((step, figures))

    def finish(self):
        self.ends += 1

    class Artifact:
        def __init__(self, name, type):
            self.name, self.type, self.files = name, type, []

        def add_file(self, path):
            self.files.append(path)


@pytest.fixture
def mlflow(monkeypatch):
    for name in ("MLFLOW_EXPERIMENT_NAME", "MLFLOW_EXPERIMENT_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(sys.modules, "mlflow", FakeMlflow())
    return sys.modules["mlflow"]


@pytest.fixture
def wandb(monkeypatch):
    monkeypatch.delenv("WANDB_PROJECT", raising=False)
    monkeypatch.setitem(sys.modules, "wandb", FakeWandb())
    return sys.modules["wandb"]


def trained(folder, *words):
    return impulse("train", *TINY, "--timesteps", 128, "--out", folder, *words)


def test_tensorboard_shows_options_beside_figures(tmp_path):
    assert trained(tmp_path, "--gamma", 0.5) == 0
    events = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    content = {
        tag: plugin_data_pb2.HParamsPluginData.FromString(data)
        for tag, data in events.PluginTagToContent("hparams").items()
    }
    begun = content["_hparams_/session_start_info"].session_start_info.hparams
    assert begun["gamma"].number_value == 0.5
    assert begun["policy_layers"].string_value == "8"
    assert not {"out", "resume", "tracker"} & set(begun)
    metrics = content["_hparams_/experiment"].experiment.metric_infos
    shown = {metric.name.tag for metric in metrics}
    assert shown == {"curve/rating", "win/random"}
    assert shown <= set(events.Tags()["scalars"])


def test_mlflow_gets_options_figures_and_the_agent(tmp_path, mlflow):
    assert trained(tmp_path, "--tracker", "mlflow") == 0
    assert mlflow.calls("set_experiment") == [(("impulse",), {})]
    assert mlflow.calls("start_run") == [((), {"run_id": None, "run_name": tmp_path.name})]
    ((options,), _), *_ = mlflow.calls("log_params")
    assert (options["num_envs"], options["opponents"]) == (8, "random")
    steps = {more["step"] for _, more in mlflow.calls("log_metrics")}
    assert max(steps) == 128
    told = {name for (figures,), _ in mlflow.calls("log_metrics") for name in figures}
    assert {"curve/rating", "win/random", "curve/entropy", "train/policy_loss"} <= told
    assert all(set(name) <= set("_-. /:") | set(filter(str.isalnum, name)) for name in told)
    assert mlflow.calls("log_artifact") == [((str(tmp_path / "policy.safetensors"),), {})]
    assert len(mlflow.calls("end_run")) == 1


def test_a_resumed_training_continues_with_its_run(tmp_path, mlflow):
    assert trained(tmp_path, "--tracker", "mlflow") == 0
    assert impulse("train", "--resume", tmp_path, "--timesteps", 256, "--gamma", 0.9) == 0
    assert [more["run_id"] for _, more in mlflow.calls("start_run")] == [None, "run-7"]
    assert len(mlflow.calls("log_params")) == 1  # those of a run cannot change
    assert [given[0]["gamma"] for given, _ in mlflow.calls("log_dict")] == [0.998, 0.9]


def test_an_experiment_of_the_environment_is_left_alone(tmp_path, mlflow, monkeypatch):
    monkeypatch.setenv("MLFLOW_EXPERIMENT_NAME", "mine")
    assert trained(tmp_path, "--tracker", "mlflow") == 0
    assert mlflow.calls("set_experiment") == []


def test_wandb_gets_options_figures_and_the_agent(tmp_path, wandb):
    assert trained(tmp_path, "--tracker", "wandb") == 0
    assert impulse("train", "--resume", tmp_path, "--timesteps", 256) == 0
    first, second = wandb.inits
    assert (first["project"], first["name"], first["id"]) == ("impulse", tmp_path.name, None)
    assert first["config"]["gamma"] == 0.998
    assert (second["id"], second["resume"]) == ("abc", "allow")
    assert [step for step, figures in wandb.logs if "curve/rating" in figures] == [128, 256]
    assert [one.files for one in wandb.files] == 2 * [[str(tmp_path / "policy.safetensors")]]
    assert wandb.ends == 2


def test_a_tracker_that_fails_on_the_way_costs_no_training(tmp_path, mlflow, capsys):
    mlflow.fails_at = "log_metrics"
    assert trained(tmp_path, "--tracker", "mlflow") == 0
    assert capsys.readouterr().out.count("stopped sending to MLflow: the server is gone") == 1
    assert mlflow.calls("log_artifact") == []
    assert state_file.load(tmp_path / "state.safetensors")["budget"]["steps"] == 128


def test_a_tracker_that_cannot_begin_is_reported(tmp_path, mlflow, capsys):
    mlflow.fails_at = "start_run"
    assert trained(tmp_path, "--tracker", "mlflow") == 2
    assert refusal(capsys) == "--tracker mlflow cannot be used: the server is gone"


@pytest.mark.parametrize("name", ["wandb", "mlflow"])
def test_a_missing_tracker_is_reported_before_anything_is_written(
    tmp_path, monkeypatch, capsys, name
):
    monkeypatch.setitem(sys.modules, name, None)
    assert trained(tmp_path / "run", "--tracker", name) == 2
    assert refusal(capsys) == (
        f'--tracker {name} needs {name}, which is not installed: pip install "impulse-env[{name}]"'
    )
    assert not (tmp_path / "run").exists()


def test_another_tracker_is_refused(tmp_path, capsys):
    assert trained(tmp_path, "--tracker", "neptune") == 2
    assert "--tracker must be one of" in refusal(capsys)
