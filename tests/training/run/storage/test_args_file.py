"""The options of a training are read as they were written, or refused in words."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from impulse_training.run.storage.args_file import args_of, options_of, write_args
from impulse_training.run.storage.result import ResumeError


@dataclass(frozen=True)
class Options:
    """Of some training."""

    opponents: tuple[str, ...] = ("random",)
    rate: float = 0.5
    out: Path | None = None
    start: Path | None = None


def test_the_file_tells_every_option_and_the_commit(tmp_path):
    write_args(tmp_path, Options(("greedy", "miner"), 0.25, start=Path("a/b")))
    kept = json.loads((tmp_path / "args.json").read_text())
    assert len(kept.pop("commit")) in (7, 40)
    assert kept == {
        "opponents": ["greedy", "miner"],
        "rate": 0.25,
        "out": str(tmp_path),
        "start": str(Path("a/b")),
    }
    assert [path.name for path in tmp_path.iterdir()] == ["args.json"]


def test_options_come_back_as_they_were():
    args = Options(("greedy", "miner"), 0.25, start=Path("a/b"))
    assert args_of(options_of(args), Options, Path("x")) == args
    assert json.loads(json.dumps(options_of(args))) == options_of(args)


def test_options_that_came_later_may_be_missing():
    assert args_of({"rate": 0.1}, Options, Path("x")) == Options(rate=0.1)


def test_options_that_are_not_known_are_named():
    message = r"state\.safetensors comes from another version, with the unknown options pace, speed"
    with pytest.raises(ResumeError, match=message):
        args_of({"rate": 1, "speed": 2, "pace": 3}, Options, Path("state.safetensors"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rate": "1"}, "rate must be a number, not '1'"),
        ({"rate": float("nan")}, "rate must be a number, not nan"),
        ({"opponents": [1]}, r"opponents\[0\] must be a text, not 1"),
        ({"out": 3}, "out must be a path, not 3"),
    ],
)
def test_options_of_another_type_are_named(options, said):
    with pytest.raises(ResumeError, match=f"x: the option {said}"):
        args_of(options, Options, Path("x"))
