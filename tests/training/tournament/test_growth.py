"""A tournament grows by games and by agents, and is then as if it had been played so at once."""

import json
from dataclasses import replace

import pytest

from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament import sorting
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store
from simulated import game, identities

NAMES = ("a", "b", "c", "d", "e", "f")


def schedule_of(agents, players=2, deals=3, team_size=None):
    """A schedule of the first agents with so many deals."""
    settings = Settings(NAMES[:agents], players, team_size, seed=9)
    return Schedule(replace(settings, games=deals * Schedule(settings).games_per_deal))


def content(schedule):
    """What is played, without numbers: deals, who sits where, and every seat's chance."""
    games = map(schedule.__getitem__, range(len(schedule)))
    return {(game.deal, tuple(schedule.names(game)), game.chances) for game in games}


def filled(folder, schedule, who="first"):
    """Write all games that are missing there, and return their lines by number."""
    store = Store(folder, schedule.settings)
    with store.alone():
        store.begin(identities(schedule.settings.agents, who))
        sorting.sort_games(store)
        there = {result.game for result in store.results()}
        with store.writing() as writer:
            for number in set(range(len(schedule))) - there:
                played = schedule[number]
                writer.add(game(number, schedule.names(played), [0], deal=played.deal))
    return lines(folder)


def lines(folder, name="games.jsonl"):
    found = (folder / name).read_text().splitlines()
    by_number = {GameResult.from_line(line).game: line for line in found}
    assert len(by_number) == len(found)
    return by_number


TABLES = [(2, 2, None), (4, 2, None), (3, 3, None), (4, 4, None), (2, 4, 2), (3, 6, 2), (4, 6, 2)]


@pytest.mark.parametrize(("agents", "players", "team_size"), TABLES)
@pytest.mark.parametrize("more", [1, 2])
def test_more_agents_leave_the_games_of_the_others_as_they_are(agents, players, team_size, more):
    small = schedule_of(agents, players, team_size=team_size)
    large = schedule_of(agents + more, players, team_size=team_size)
    assert content(small) < content(large)


@pytest.mark.parametrize(("agents", "players", "team_size"), TABLES)
def test_every_game_has_the_number_that_its_deal_and_its_seats_have(agents, players, team_size):
    schedule = schedule_of(agents, players, team_size=team_size)
    for number in range(len(schedule)):
        played = schedule[number]
        assert schedule.number_of(played.deal, schedule.names(played)) == number
    names = schedule.names(schedule[0])
    assert schedule.number_of(schedule[0].deal + 1, names) is None
    assert schedule.number_of(schedule[0].deal, ["stranger", *names[1:]]) is None
    assert schedule.number_of(schedule[0].deal, ["a"] * players) is None


def test_games_and_agents_are_added_to_what_is_there(tmp_path):
    before = filled(tmp_path / "grown", schedule_of(2, deals=2))
    filled(tmp_path / "grown", schedule_of(2, deals=5))
    filled(tmp_path / "grown", schedule_of(3, deals=5))
    grown = filled(tmp_path / "grown", schedule_of(4, deals=7))
    assert grown == filled(tmp_path / "whole", schedule_of(4, deals=7))
    kept = {json.dumps(json.loads(line) | {"game": 0}) for line in before.values()}
    assert kept <= {json.dumps(json.loads(line) | {"game": 0}) for line in grown.values()}
    first, second = ((tmp_path / f / "settings.json").read_bytes() for f in ("grown", "whole"))
    assert first == second
    assert not (tmp_path / "grown" / "replaced.jsonl").exists()


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"games": 8}, "holds 5 deals, which are 10 games of these agents: --games must be "),
        ({"games": 8}, "--games must be 10 or more, not 8$"),
        (
            {"agents": ("a", "b", "c"), "games": 12},
            "which are 30 games .*--games must be 30 or more, not",
        ),
        ({"agents": ("b", "a")}, "its agents are a, b; new ones must come after them"),
        ({"agents": ("c", "a", "b")}, "its agents are a, b; new ones must come after them"),
        ({"seed": 8}, "holds another tournament: seed is 9 there, 8 here"),
        ({"players": 3}, "holds another tournament: players is 2 there, 3 here"),
        ({"players": 4, "team_size": 2}, "holds another tournament: players is 2 there, 4 here"),
        ({"versus": True}, "holds another tournament: versus is False there, True here"),
        ({"time_limit": 2.0}, "time_limit is None there, 2.0 here"),
        ({"max_turns": 9}, "holds another tournament: max_turns is 300 there, 9 here"),
    ],
)
def test_an_invalid_growth_is_refused_in_one_sentence(tmp_path, wanted, message):
    schedule = schedule_of(2, deals=5)
    filled(tmp_path, schedule)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    store = Store(tmp_path, replace(schedule.settings, **wanted))
    with pytest.raises(TournamentError, match=message) as refused:
        store.begin(identities(store.settings.agents))
    assert "\n" not in str(refused.value)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_where_all_sit_at_every_table_no_agent_is_added(tmp_path):
    filled(tmp_path, schedule_of(2, 4))
    message = "cannot take another agent: with 2 for 4 sides, all of them play in every game"
    with pytest.raises(TournamentError, match=message):
        Store(tmp_path, schedule_of(3, 4).settings).check()


# --- Agents that have changed --------------------------------------------------------------------


def changed(folder, schedule, *codes):
    """Let the agents be these, and sort; return how many games were put aside for each agent."""
    store = Store(folder, schedule.settings)
    pairs = zip(schedule.settings.agents, codes, strict=True)
    store.begin([identities([name], code)[0] for name, code in pairs])
    return sorting.sort_games(store)


def test_only_the_games_of_a_changed_agent_are_put_aside(tmp_path):
    schedule = schedule_of(3, deals=4)
    whole = filled(tmp_path, schedule)
    assert changed(tmp_path, schedule, "first", "first", "second") == {"c": 16}
    left, aside = lines(tmp_path), lines(tmp_path, "replaced.jsonl")
    assert len(left) == 8
    assert left | aside == whole
    assert all("c" not in GameResult.from_line(line).agents for line in left.values())
    assert len(Store.read(tmp_path).results()) == 8


def test_an_agent_that_is_again_what_it_was_has_its_games_back(tmp_path):
    schedule = schedule_of(3, deals=4)
    whole = filled(tmp_path, schedule)
    changed(tmp_path, schedule, "first", "first", "second")
    filled_anew = filled(tmp_path, schedule, "third")
    assert not set(filled_anew.values()) & set(whole.values())
    assert changed(tmp_path, schedule, "first", "first", "first") == {"a": 16, "b": 16, "c": 16}
    assert lines(tmp_path) == whole
    # Those that the three have played as the third; as the second, c has played none.
    assert len(lines(tmp_path, "replaced.jsonl")) == 24


@pytest.mark.parametrize("written", [1, 2])
def test_a_crash_while_games_are_sorted_loses_none(tmp_path, monkeypatch, written):
    schedule = schedule_of(3, deals=4)
    whole = filled(tmp_path, schedule)
    real, left = sorting._write, [written]

    def crashing(path, content):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        real(path, content)

    monkeypatch.setattr(sorting, "_write", crashing)
    with pytest.raises(KeyboardInterrupt):
        changed(tmp_path, schedule, "first", "first", "second")
    assert len(Store.read(tmp_path).results()) == 8
    monkeypatch.undo()
    changed(tmp_path, schedule, "first", "first", "second")
    assert lines(tmp_path) | lines(tmp_path, "replaced.jsonl") == whole


def test_a_grown_folder_counts_old_games_of_changed_agents_nowhere(tmp_path):
    filled(tmp_path, schedule_of(2, deals=4))
    filled(tmp_path, schedule_of(3, deals=4), "second")
    store = Store.read(tmp_path)
    assert [result.game for result in store.results()] == list(range(24))
    assert {identity.parts["code"] for identity in store.identities} == {"first", "second"}
    assert all(min(result.identities) >= 2 for result in store.results())
    assert len(lines(tmp_path, "replaced.jsonl")) == 8
