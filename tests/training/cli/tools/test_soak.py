"""`impulse tools soak`: random games with every record checked, interrupted and gone on with."""

import json
import os
import signal

import numpy as np
import pytest

from commands import impulse, refusal
from impulse_training.bench import soak
from impulse_training.bench.soak import TABLES, SoakError, options_of, play_block, setting_of
from impulse_training.cli.tools.soak import Args, main

DECISIONS = 9000


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of few games."""
    monkeypatch.setattr(soak, "GAMES", 3)


def args_of(folder, **more):
    return Args(decisions=DECISIONS, workers=1, out=folder, **more)


def interrupt_after(monkeypatch, blocks):
    """Press Ctrl-C while the block of that number is played."""

    def play(seed, number):
        if number == blocks:
            os.kill(os.getpid(), signal.SIGINT)
        return play_block(seed, number)

    monkeypatch.setattr(soak, "play_block", play)


def break_game(monkeypatch, game, decision):
    """A ship vanishes from the sum of a game of every block after that decision."""
    play = soak.play_checked

    def broken(states, randomness, most):
        decisions, _ = play(states, randomness, decision)
        states["ships_on_map"][game, 0] -= 1
        later, faults = play(states, randomness, most)
        return decisions + later, faults

    monkeypatch.setattr(soak, "play_checked", broken)


def test_blocks_reach_every_number_of_players_every_team_size_and_every_option():
    drawn = [options_of(number, np.random.default_rng([0, number])) for number in range(400)]
    assert {(options.players, options.team_size) for options in drawn} == set(TABLES)
    assert {options.hand_limit for options in drawn} == set(range(6, 11))
    assert {options.ships for options in drawn} == set(range(3, 13))
    assert {options.auto_forced for options in drawn} == {False, True}
    assert {"draft", None} < {options.races for options in drawn}
    assert {options.start_player for options in drawn} == {None, *range(6)}
    assert len({options.max_activations for options in drawn}) > 30
    assert min(options.target_score for options in drawn) < 5


def test_a_soak_says_what_it_did(tmp_path, capsys):
    result = main(args_of(tmp_path))
    assert result["passed"]
    assert result["total"]["decisions"] >= DECISIONS
    assert result["total"]["checks"] == result["total"]["decisions"] + result["total"]["games"]
    # On a slow machine the lines of progress come before the table.
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert lines[0] == "| setting | games | decisions | checks | faults |"
    assert {line.split(" | ")[0][2:] for line in lines[2:-1]} <= {
        setting_of(number) for number in range(len(TABLES))
    }
    assert lines[-1].startswith("| all | ")


def test_an_interrupted_soak_continues_and_does_the_same(tmp_path, monkeypatch, capsys):
    whole = main(args_of(tmp_path / "whole"))
    with monkeypatch.context() as pressed:
        interrupt_after(pressed, 1)
        part = main(args_of(tmp_path / "parts"))
    assert part["blocks"] == 2
    assert "interrupted; to continue, run the same command" in capsys.readouterr().out
    done = main(args_of(tmp_path / "parts"))
    assert done["total"] == whole["total"]
    assert done["settings"] == whole["settings"]
    kept = json.loads((tmp_path / "parts" / "state.json").read_text())
    assert kept["blocks"] == done["blocks"]


def test_a_fault_is_named_with_what_reproduces_it(tmp_path, monkeypatch, capsys):
    break_game(monkeypatch, game=1, decision=40)
    words = ["tools", "soak", "--decisions", "1", "--workers", "1", "--out", tmp_path]
    assert impulse(*words) == 1
    printed = capsys.readouterr().out
    assert "seed 0, block 0, game 1, after decision 40: ships_on_map[0] must be" in printed
    assert impulse("tools", "soak", "--block", "0", "--out", tmp_path / "not") == 1
    assert "seed 0, block 0, game 1, after decision 40: ships_on_map[0]" in capsys.readouterr().out
    assert not (tmp_path / "not").exists()


def test_two_processes_do_what_one_does(tmp_path, monkeypatch):
    monkeypatch.undo()  # other processes have blocks of the usual size
    one = main(Args(decisions=1, workers=1, out=tmp_path / "one"))
    two = main(Args(decisions=1, workers=2, out=tmp_path / "two"))
    assert one["settings"] == two["settings"]


def test_a_folder_of_another_seed_is_refused(tmp_path, capsys):
    main(args_of(tmp_path))
    with pytest.raises(SoakError, match="has seed 0, not 1: choose another --out"):
        main(args_of(tmp_path, seed=1))
    assert main(args_of(tmp_path, seed=1, overwrite=True))["seed"] == 1


@pytest.mark.parametrize("text", ["", "[]", '{"seed": 0, "settings": 3}', '{"what": 1}'])
def test_a_damaged_state_is_refused(tmp_path, text, capsys):
    (tmp_path / "state.json").write_text(text)
    assert impulse("tools", "soak", "--decisions", "1", "--out", tmp_path) == 2
    assert "does not hold a soak; --overwrite starts again" in refusal(capsys)
