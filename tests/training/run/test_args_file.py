"""The options of a training are read as they were written, or refused in words."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from impulse_training.run.args_file import read_args, write_args
from impulse_training.run.result import ResumeError


@dataclass(frozen=True)
class Options:
    """Of some training."""

    opponents: tuple[str, ...] = ("random",)
    rate: float = 0.5
    out: Path | None = None
    start: Path | None = None


def test_what_is_written_is_read(tmp_path):
    args = Options(("greedy", "miner"), 0.25, start=Path("a/b"))
    write_args(tmp_path, args)
    expected = asdict(args) | {"out": str(tmp_path), "start": str(Path("a/b"))}
    assert read_args(tmp_path, Options) == expected
    assert len(json.loads((tmp_path / "args.json").read_text())["commit"]) in (7, 40)
    assert [path.name for path in tmp_path.iterdir()] == ["args.json"]


def test_options_that_came_later_may_be_missing(tmp_path):
    (tmp_path / "args.json").write_text('{"rate": 0.1}')
    assert read_args(tmp_path, Options) == {"rate": 0.1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no training to resume in .*args.json"),
        ("{", "there is no training to resume in"),
        ("[1]", "holds no options"),
        ('{"rate": 1, "speed": 2, "pace": 3}', "whose options pace, speed are not known"),
    ],
)
def test_what_cannot_be_resumed_is_said(tmp_path, content, message):
    if content is not None:
        (tmp_path / "args.json").write_text(content)
    with pytest.raises(ResumeError, match=message):
        read_args(tmp_path, Options)
