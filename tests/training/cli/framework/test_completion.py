"""The script of `impulse tools completion` completes commands and options as they are typed."""

import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from commands import impulse
from impulse_training.cli.framework.completion import script
from impulse_training.cli.framework.tree import COMMANDS

SHELLS = ("bash", "zsh", "fish")
POSITIONAL = (
    *("targets", "folder", "checkpoint", "agents", "candidates"),
    *("judge", "words", "command", "agent"),
)


def completed(*words):
    """What bash offers for the last of these words."""
    asked = " ".join(f"'{word}'" for word in words)
    line = f"COMP_WORDS=({asked}); COMP_CWORD={len(words) - 1}; _tyro_impulse; "
    folder = Path(sys.executable).parent  # the script asks python3
    run = subprocess.run(
        ["bash", "-c", f'PATH="{folder}:$PATH"; {script("bash")}\n{line} echo "${{COMPREPLY[@]}}"'],
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_knows_every_command_and_its_options(shell, capsys):
    assert impulse("tools", "completion", "--shell", shell) == 0
    out = capsys.readouterr().out
    assert out.strip() == script(shell).strip()
    for name, command in COMMANDS.items():
        assert f"'{name.split()[-1]}'" in out
        for field in fields(command.options):
            no = "no-" if field.default is True else ""
            option = f"--{no}{field.name.replace('_', '-')}"
            assert option in out or field.name in POSITIONAL
    for known in ("--num-envs", "--warm-start", "--team-size", "--eval-opponents", "--json"):
        assert f"'{known}'" in out
    for unknown in ("--no-peers", "--no-no-cold", "--no-json"):
        assert unknown not in out


def test_without_a_shell_it_is_that_of_bash(capsys):
    impulse("tools", "completion")
    assert capsys.readouterr().out.strip() == script("bash").strip()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_accepts_its_script(shell, tmp_path):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(script(shell), encoding="utf-8")
    subprocess.run([program, "-n", str(tmp_path / "script")], check=True)


def test_zsh_gets_the_command_that_it_completes():
    """It evaluates the script, while tyro's is made for a folder of functions."""
    assert script("zsh").rstrip().endswith("compdef _tyro_impulse impulse")


def test_bash_completes_what_is_typed():
    assert completed("impulse", "tra") == ["train"]
    assert completed("impulse", "train", "r") == ["rllib"]
    assert completed("impulse", "games", "re") == ["record"]
    assert completed("impulse", "tournament", "re") == ["report"]
    assert completed("impulse", "train", "rllib", "--num-e") == ["--num-envs"]
    assert completed("impulse", "train", "--num-e") == ["--num-envs"]
    assert completed("impulse", "match", "--js") == ["--json"]
    assert completed("impulse", "tools", "completion", "--shell", "f") == ["fish"]
