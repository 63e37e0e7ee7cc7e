"""Ctrl-C and SIGTERM are taken note of once; afterwards everything is as it was."""

import os
import signal
import subprocess
import sys
import time

import pytest

from impulse_training.run.terminal.interrupt import interruptible, resumable

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_taken_note_of(number, capfd):
    before, called = signal.getsignal(number), []
    with interruptible(lambda: called.append(1)) as interrupt:
        assert not interrupt.is_requested
        os.kill(os.getpid(), number)
        assert interrupt.is_requested
    assert called == [1]
    assert signal.getsignal(number) is before
    assert "ending after this update, and saving" in capfd.readouterr().err


@posix
def test_a_second_ctrl_c_ends_at_once():
    with interruptible():
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


@posix
def test_sigterm_may_come_again_and_changes_nothing(capfd):
    called = []
    with interruptible(lambda: called.append(1)):
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
    assert called == [1]
    assert capfd.readouterr().err.count("ending after this update") == 1


_STOPPED = """
import select, sys, time
from impulse_training.run.budget import Budget
from impulse_training.run.terminal.interrupt import interruptible

budget = Budget(1.0, None)
with interruptible(on_continue=budget.skip):
    budget.run(True)
    began = time.perf_counter()
    print("begun", flush=True)
    while not select.select([sys.stdin], [], [], 0.01)[0]:
        budget.tick(0)
    budget.tick(0)
    print(time.perf_counter() - began - budget.seconds)
"""


@posix
def test_the_clock_passes_over_the_time_in_which_the_process_was_stopped():
    with subprocess.Popen(
        [sys.executable, "-c", _STOPPED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGSTOP)
        time.sleep(2)
        process.send_signal(signal.SIGCONT)
        passed_over, _ = process.communicate("\n")
        assert float(passed_over) > 1.5


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (None, "no finished game was saved yet"),
        ("games.jsonl", "no finished game was saved yet"),
        ("of one match/games.jsonl", "finished games are in {folder}, and the same command plays"),
    ],
)
def test_the_message_names_saved_games_if_there_are_some(there, said, tmp_path):
    folder = tmp_path / "t"
    if there is not None:
        (folder / there).parent.mkdir(parents=True)
        (folder / there).write_text("{}\n" if "match" in there else "")
    with pytest.raises(KeyboardInterrupt) as ended, resumable(folder):
        raise KeyboardInterrupt
    assert str(ended.value).startswith("interrupted; " + said.format(folder=folder))
