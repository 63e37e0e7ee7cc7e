"""A tournament's folder holds every finished game once, whatever interrupts it."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from impulse_agents import AgentError
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.run import run
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import FORMAT, Store
from impulse_training.tournament.workers import local
from simulated import identities

SETTINGS = Settings(("random", "greedy"), games=10, seed=4, target_score=8, max_turns=60)


def players(schedule, numbers):
    return local.play_all(schedule, numbers, workers=1, tables=4)


def go(folder, settings=SETTINGS, players=players):
    """Play what is missing; return the results and what was printed."""
    text = io.StringIO()
    results = run(settings, folder, players, Console(file=text, width=200))
    return results, text.getvalue()


def lines(folder):
    """The lines of the games by number, without the time that differs from run to run."""
    text = (folder / "games.jsonl").read_text()
    results = [GameResult.from_line(line) for line in text.splitlines()]
    assert len({result.game for result in results}) == len(results)
    return {result.game: replace(result, seconds=[]).to_line() for result in results}


def interrupted_after(count, error=KeyboardInterrupt):
    def some(schedule, numbers):
        for number, result in enumerate(players(schedule, numbers)):
            if number == count:
                raise error
            yield result

    return some


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    go(folder)
    return lines(folder)


def test_every_game_is_a_line(tmp_path, whole):
    results, _ = go(tmp_path / "new" / "folder")
    assert [result.game for result in results] == list(range(10)) == sorted(whole)
    assert lines(tmp_path / "new" / "folder") == whole
    settings = json.loads((tmp_path / "new" / "folder" / "settings.json").read_text())
    assert settings["agents"] == ["random", "greedy"]
    assert (settings["games"], settings["seed"], settings["format"]) == (10, 4, FORMAT)


def test_an_interrupted_tournament_continues_where_it_was(tmp_path, whole):
    with pytest.raises(KeyboardInterrupt):
        go(tmp_path, players=interrupted_after(3))
    assert len(lines(tmp_path)) == 3
    results, text = go(tmp_path)
    assert "3 games are in" in text
    assert "7 are missing" in text
    assert lines(tmp_path) == whole
    assert len(results) == 10


def test_a_finished_tournament_plays_nothing(tmp_path):
    first, _ = go(tmp_path)
    before = (tmp_path / "games.jsonl").read_bytes()
    second, text = go(tmp_path, players=interrupted_after(0))
    assert second == first
    assert text == ""
    assert (tmp_path / "games.jsonl").read_bytes() == before


@pytest.mark.parametrize("left", [1, 40, -1])
def test_a_line_that_a_crash_has_torn_is_played_again(tmp_path, whole, left):
    go(tmp_path)
    path = tmp_path / "games.jsonl"
    *kept, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(kept) + last[:left])
    assert len(Store.read(tmp_path).results()) == 9
    go(tmp_path)
    assert lines(tmp_path) == whole


def test_a_game_that_comes_twice_counts_once(tmp_path, whole):
    def twice(schedule, numbers):
        for result in players(schedule, numbers):
            yield from (result, result)

    results, _ = go(tmp_path, players=twice)
    assert len(results) == 10
    assert lines(tmp_path) == whole


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seed": 5}, "seed is 4 there, 5 here"),
        ({"target_score": 9}, "target_score is 8 there, 9 here"),
    ],
)
def test_a_folder_of_another_tournament_is_refused(tmp_path, changed, message):
    go(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(TournamentError, match=f"holds another tournament: {message}"):
        go(tmp_path, replace(SETTINGS, **changed))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_damaged_line_is_named(tmp_path):
    go(tmp_path)
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write('{"game":3}\n')
    with pytest.raises(TournamentError, match=r"games\.jsonl, line 11: it has no deal"):
        go(tmp_path)


def test_two_processes_do_not_write_to_one_folder(tmp_path):
    pytest.importorskip("fcntl")
    with Store(tmp_path, SETTINGS).alone():
        with pytest.raises(
            TournamentError, match=r"process \d+ on .* is writing to .*: wait until"
        ):
            go(tmp_path)


def test_an_unknown_agent_is_refused_before_anything_is_written(tmp_path):
    said = r"unknown agent 'gredy'; did you mean greedy\? there are random"
    with pytest.raises(AgentError, match=said):
        go(tmp_path / "new", replace(SETTINGS, agents=("random", "gredy")))
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("version", [1, 2, 99])
def test_a_tournament_of_another_version_is_refused_in_words(tmp_path, version):
    # In the first version games ended by "truncated" where records say "truncation"; in the second
    # nothing told which version of an agent had played.
    store = Store(tmp_path, SETTINGS)
    store.begin(identities(SETTINGS.agents))
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": version}))
    message = rf"of another version \(format {version}, not 5\); choose another folder"
    for use in (lambda: Store.read(tmp_path), store.check):
        with pytest.raises(TournamentError, match=message):
            use()


def test_only_tournaments_are_read(tmp_path):
    with pytest.raises(TournamentError, match=r"there is no tournament in .*no settings.json"):
        Store.read(tmp_path)
    (tmp_path / "settings.json").write_text('{"format": 5}')
    with pytest.raises(TournamentError, match=r"settings\.json is damaged: it has no agents"):
        Store.read(tmp_path)
