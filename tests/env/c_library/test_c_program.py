"""The sample program of the documentation plays recorded games, and is short."""

import os
import subprocess

import pytest

from c_calls import SAMPLE
from impulse_env import Game
from impulse_env.c_library.starting import OPTION_NAMES
from impulse_env.engine.constants import MAX_PLAYERS
from impulse_env.testing.random_play import random_choice
from impulse_env.testing.signature import SETTINGS


def line_of(settings, seed, actions):
    """A game as a line of the program's file."""
    told = {"team_size": 0, "start_player": -1, "target_score": 20, "hand_limit": 10, "ships": 12}
    told |= {"max_turns": 300, "max_activations": 32, "auto_forced": 1, "draft": 0}
    told |= {name: int(value) for name, value in settings.items() if name != "races"}
    told["draft"] = int(settings.get("races") == "draft")
    numbers = [*(told[name] for name in OPTION_NAMES), *[-1] * MAX_PLAYERS]
    return " ".join(map(str, [*numbers, seed, len(actions), *actions])) + "\n"


def run(program, *words):
    return subprocess.run([program, *words], capture_output=True)


def test_recorded_games_are_equal_after_every_step(program, tmp_path):
    lines, records = [], []
    for seed, settings in enumerate(SETTINGS):
        settings = settings | {"max_turns": 10}
        game, choose, actions = Game(seed=seed, **settings), random_choice(seed), []
        records.append(game.state.tobytes())
        while not game.is_over:
            actions.append(choose(game))
            game.step(actions[-1])
            records.append(game.state.tobytes())
        lines.append(line_of(settings, seed, actions))
    path = tmp_path / "games.txt"
    path.write_text("".join(lines), encoding="ascii")
    done = run(program, path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(records) > 500
    assert done.stdout == b"".join(records)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (line_of({"players": 2}, 1, [179]), "an action is refused: -1"),
        (line_of({"players": 2}, 1, [999]), "an action is refused: -1"),
        (line_of({"players": 7}, 1, []), "the options are not allowed: -10"),
        (line_of({"players": 2, "ships": 2}, 1, []), "the options are not allowed: -15"),
        ("2 0 -1\n", "an option, the seed or the number of actions is missing"),
    ],
)
def test_a_mistake_in_a_recorded_game_is_an_error(program, tmp_path, line, error):
    path = tmp_path / "games.txt"
    path.write_text(line, encoding="ascii")
    done = run(program, path)
    assert (done.returncode, done.stderr.decode()) == (1, f"error: {error}\n")


def test_the_program_measures_random_games(program):
    done = run(program, "--bench", "0.05")
    assert done.returncode == 0
    assert int(done.stdout) > 1000


@pytest.mark.parametrize("seconds", ["x", "1x", "", "0", "-1", "nan", "inf"])
def test_seconds_that_are_no_number_above_0_are_an_error(program, seconds):
    done = run(program, "--bench", seconds)
    assert (done.returncode, done.stdout) == (1, b"")
    why = b"SECONDS must be a number above 0 and at most 1000000"
    assert done.stderr == b"error: " + why + b"\n"


def test_the_program_has_at_most_100_lines():
    assert len(SAMPLE.read_text(encoding="utf-8").splitlines()) <= 100


def test_the_program_runs_without_the_library_beside_it(program, tmp_path):
    """It contains the library: nothing but the system's own is loaded."""
    bare = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    done = subprocess.run([program], capture_output=True, env=bare, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == b"error: usage: play FILE, or play --bench SECONDS\n"
