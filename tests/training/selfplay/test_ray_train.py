"""Ray Train starts the processes of a training as torchrun does."""

import pytest
import torch

from impulse_training.run.storage.tree_file import read_tree
from impulse_training.selfplay.state.state_file import MOST_BYTES, STATE
from trainings import tiny

pytest.importorskip("ray.train")
pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),  # Ray 2.60 of its own options
]


def test_two_workers_of_ray_train_learn_together(tmp_path):
    import ray
    from ray.train import RunConfig, ScalingConfig
    from ray.train.torch import TorchTrainer

    def work(options):
        from impulse_training.selfplay.train import train
        from impulse_training.selfplay.train_options import Args

        train(Args(**options))

    out = tmp_path / "run"
    options = {**vars(tiny(width=16, timesteps=512)), "out": out}
    ray.init(num_cpus=2, include_dashboard=False)
    try:
        TorchTrainer(
            work,
            train_loop_config=options,
            scaling_config=ScalingConfig(num_workers=2),
            run_config=RunConfig(storage_path=str(tmp_path / "ray")),
        ).fit()
    finally:
        ray.shutdown()
    states = [read_tree(folder / STATE, MOST_BYTES) for folder in (out, out / "rank-1")]
    assert states[0]["budget"]["steps"] == 512
    for name, weights in states[0]["network"].items():
        assert torch.equal(weights, states[1]["network"][name])
    assert (states[0]["env"]["states"] != states[1]["env"]["states"]).any()
