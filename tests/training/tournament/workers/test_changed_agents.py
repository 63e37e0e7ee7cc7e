"""A tournament that goes on plays the games of an agent that has changed again, and says so."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from impulse_training.tournament.run import run
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers import local

FIRST = '''
"""An agent of somebody."""
from impulse_agents import Agent


class First(Agent):
    """The first action."""

    def act(self, seen, streams):
        return seen.masks.argmax(axis=1)
'''
SHORT = {"seed": 4, "target_score": 5, "max_turns": 20}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "their_agent.py"
    path.write_text(FIRST)
    return path


def settings_of(file, games=6, others=("random", "greedy")):
    return Settings((*others, f"{file}:First"), games=games, **SHORT)


def go(folder, settings, workers=1):
    """Play; return the results without times, and what was printed."""
    text = io.StringIO()

    def players(schedule, numbers):
        return local.play_all(schedule, numbers, workers, tables=4)

    results = run(settings, folder, players, Console(file=text, width=400))
    return [replace(result, seconds=[]) for result in results], text.getvalue()


def test_games_of_code_that_has_changed_are_played_again(tmp_path, file):
    settings = settings_of(file)
    first, _ = go(tmp_path / "t", settings)
    file.write_text(FIRST.replace("return seen.masks", "return 1 * seen.masks"))
    second, printed = go(tmp_path / "t", settings)
    before, now = (identity.short for identity in Store.read(tmp_path / "t").identities[2:])
    assert before != now
    # One line; the terminal may be narrower.
    assert printed.splitlines()[0] == (
        f"{file}:First has changed ({before} before, {now} now): 4 of its games are played "
        f"again, the old ones are in {tmp_path / 't' / 'replaced.jsonl'}"
    )
    assert "2 games are in" in printed
    assert [replace(game, identities=[]) for game in first] == [
        replace(game, identities=[]) for game in second
    ]
    assert len((tmp_path / "t" / "replaced.jsonl").read_text().splitlines()) == 4
    assert go(tmp_path / "t", settings)[1] == ""


def test_comments_and_docstrings_change_nothing(tmp_path, file):
    settings = settings_of(file)
    go(tmp_path / "t", settings)
    told = FIRST.replace("of somebody", "of somebody else")
    told = told.replace("return", "# the first\n        return")
    file.write_text(told)
    assert go(tmp_path / "t", settings)[1] == ""


def test_twenty_games_and_twenty_more_are_forty(tmp_path, file):
    settings = settings_of(file, 20, ("random",))
    go(tmp_path / "grown", settings)
    grown, printed = go(tmp_path / "grown", replace(settings, games=40), workers=2)
    assert "20 games are in" in printed
    assert "20 are missing" in printed
    whole, _ = go(tmp_path / "whole", replace(settings, games=40))
    assert [game.to_line() for game in grown] == [game.to_line() for game in whole]
    assert len(whole) == 40


def test_an_agent_more_plays_only_its_own_games(tmp_path, file):
    go(tmp_path / "grown", settings_of(file, 6, ("random",)))
    added = Settings(("random", f"{file}:First", "greedy"), games=18, **SHORT)
    grown, printed = go(tmp_path / "grown", added)
    assert "6 games are in" in printed
    assert "12 are missing" in printed
    whole, _ = go(tmp_path / "whole", added)
    assert [game.to_line() for game in grown] == [game.to_line() for game in whole]


def test_a_worker_that_finds_another_agent_plays_nothing(file):
    schedule = Schedule(settings_of(file, 12))
    pool = local._Pool(schedule.settings, range(12), 1, 4)
    try:
        pool.digests = ("0" * 64, *pool.digests[1:])
        pool.workers[0].process.kill()  # whoever takes its place reads the files anew
        with pytest.raises(TournamentError, match="random was 000000000000 when the tournament"):
            list(pool.results())
    finally:
        pool.stop()
