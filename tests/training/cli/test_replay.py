"""`impulse replay` in a pipe, on a terminal, and with what does not fit."""

import shlex
import subprocess
import sys

import pytest

from commands import PROGRAM, impulse, refusal
from recorded import TABLES, played

SHORT = TABLES[8]


LAST = len(played(SHORT)[0].moves)


@pytest.fixture
def path(tmp_path):
    played(SHORT)[0].save(tmp_path / "game.jsonl")
    return tmp_path / "game.jsonl"


def test_into_a_pipe_the_whole_game_is_printed(path, capsys):
    assert impulse("replay", path) == 0
    out = capsys.readouterr().out
    assert out.startswith("seat 0: random 0, seat 1: random 1\n")
    assert out.count("\nCell: number and card") == 10, "the board at each turn and at the end"
    assert "The game is over" in out
    assert "\x1b" not in out
    assert "hand 5: " in out, "all hands are shown"


def test_into_a_pipe_the_game_is_printed_from_a_step_on(path, capsys):
    assert impulse("replay", path) == 0
    whole = capsys.readouterr().out
    for step, boards in ((1, 10), (LAST // 2, 5), (LAST, 1)):
        assert impulse("replay", path, "--step", step) == 0
        out = capsys.readouterr().out
        assert out.count("\nCell: number and card") == boards
        assert out[-500:] == whole[-500:]


def test_by_a_seat_the_other_hands_stay_hidden(path, capsys):
    assert impulse("replay", path, "--viewer", "1") == 0
    lines = capsys.readouterr().out.splitlines()
    owners = [lines[row - 1].split()[-8:] for row, line in enumerate(lines) if "    hand" in line]
    hidden = [line for line in lines if line.startswith("    hand") and ":" not in line[:12]]
    assert len(hidden) * 2 == len(owners)


def test_a_page_is_written_and_its_size_printed(path, tmp_path, capsys):
    out = tmp_path / "out" / "page.html"
    assert impulse("replay", path, "--html", out, "--viewer", "public") == 0
    assert capsys.readouterr().out == f"{out} ({out.stat().st_size / 1000:.0f} kB)\n"
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_what_does_not_fit_is_one_line(path, tmp_path, capsys):
    torn = tmp_path / "torn.jsonl"
    torn.write_text(path.read_text(encoding="utf-8")[:-30], encoding="utf-8")
    for arguments, message in (
        ([torn], "the line is torn: it has no end, so the record was cut off here"),
        ([tmp_path / "none.jsonl"], "No such file"),
        ([path, "--viewer", "2"], "the viewer must be all, public or a seat from 0 to 1, not '2'"),
        ([path, "--viewer", "me"], "not 'me'"),
        (
            [path, "--step", "99"],
            f"step must be from 0 to {LAST}, not 99: {path} has {LAST} decisio",
        ),
        ([path, "--step", "-1", "--html", tmp_path / "a.html"], f"from 0 to {LAST}, not -1: "),
        ([path, "--step", "99", "--analyse", "policy:2p"], f"from 0 to {LAST}, not 99: "),
    ):
        assert impulse("replay", *arguments) == 2
        assert message in refusal(capsys)
    assert impulse("replay", torn, "--partial") == 0
    assert "The record was cut off here." in capsys.readouterr().out


def test_a_reader_who_has_seen_enough_is_no_error(path):
    reader = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{shlex.join(PROGRAM)} replay {path} | head -n 1"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert reader.stdout == "seat 0: random 0, seat 1: random 1\n"
    assert reader.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_on_a_terminal_keys_step_through_it(path):
    from on_a_terminal import Terminal

    with Terminal("replay", str(path), "--step", "20") as terminal:
        assert "\x1b[3" in terminal.wait_for("e viewer  q quit"), "there are colours"
        terminal.type("\x1b[C")
        terminal.wait_for("Step 21 of")
        terminal.type("\x1b[F")
        terminal.wait_for("The game is over")
        terminal.type("e")
        terminal.wait_for("what everybody sees")
        terminal.type("q")
        assert terminal.end() == 0
