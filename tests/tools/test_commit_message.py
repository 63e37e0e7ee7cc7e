"""Messages of commits begin with their area and an imperative, and are short."""

import subprocess
import sys

import pytest
import yaml

import commit_message
from commit_message import problem_of
from paths import ROOT


@pytest.mark.parametrize(
    "message",
    [
        "engine: award sabotage points once",
        "tests: bring the fixtures together",
        "docs: feed the index from the pages\n\nThe pages change more often.\n",
        "network: process rows in threads",
        "Merge branch 'effects' into next",
        'Revert "engine: award sabotage points once"',
        "fixup! engine: award sabotage points once",
        "env: " + "x" * 67,
        "run: cancel a pool\n# Please enter the commit message.\n",
    ],
)
def test_a_good_message_passes(message):
    assert problem_of(message) is None


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Award sabotage points once", "must look like"),
        ("engine: Award sabotage points", "must look like"),
        ("", "must look like"),
        ("engine: awarded sabotage points once", "imperative"),
        ("engine: awarding sabotage points once", "imperative"),
        ("engine: awards sabotage points once", "imperative"),
        ("engine: the points of sabotage", "imperative"),
        ("engine: award sabotage points.", "full stop"),
        ("env: " + "x" * 68, "73 characters"),
        ("engine: award points\nonce", "blank"),
    ],
)
def test_any_other_is_refused_in_a_sentence(message, words):
    assert words in problem_of(message)


def test_the_hook_runs_it_on_the_file_of_a_message(tmp_path):
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert hooks["default_install_hook_types"] == ["pre-commit", "commit-msg"]
    (hook,) = [one for one in hooks["repos"][0]["hooks"] if one["id"] == "commit-message"]
    assert hook["entry"].split()[1] == "tests/tools/commit_message.py"
    assert hook["stages"] == ["commit-msg"]
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("engine: awarded points\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, commit_message.__file__, file], capture_output=True, text=True
    )
    assert run.returncode == 1
    assert run.stderr.startswith("commit message: the subject must begin")
