"""A tournament's folder gives its games to the analysis, whatever became of them."""

import json

import pytest

import impulse_agents
from impulse_env import analysis, observation
from impulse_env.errors import RecordError
from impulse_training.tournament.games_for_analysis import tournament_games
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers.play import play, several
from simulated import identities

SCHEDULE = Schedule(Settings(("random", "greedy"), 4, 2, 8, target_score=8, max_turns=20))


class Raising(impulse_agents.Agent):
    """Gives up in its second turn."""

    name = "raising"

    def act(self, seen, streams):
        turns = [observation.section(row, "turn", players=2)[0] for row in seen.observations]
        if max(turns) >= 2:
            raise RuntimeError("out of ideas")
        return seen.masks.argmax(axis=1)


def stored(folder, schedule, entrants):
    store = Store(folder, schedule.settings)
    store.begin(identities(schedule.settings.agents))
    games = several([schedule[number] for number in range(len(schedule))])
    with store.writing() as writer:
        for result in play(schedule, entrants, games):
            writer.add(result)
    return store


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    entrants = [impulse_agents.make("random"), impulse_agents.make("greedy")]
    return stored(tmp_path_factory.mktemp("tournament"), SCHEDULE, entrants)


def test_the_tables_say_what_the_tournament_wrote_down(store):
    found = analysis.tables(tournament_games(store.folder))
    lines = [json.loads(line) for line in store.games.read_text().splitlines()]
    assert found.games.seed.tolist() == [line["deal"] for line in lines]
    assert found.games.agents.tolist() == [tuple(line["agents"]) for line in lines]
    assert found.games.winners.tolist() == [tuple(line["winners"]) for line in lines]
    assert found.games.turns.tolist() == [line["turns"] for line in lines]
    assert found.games.source.iloc[2] == f"{store.games}, line 3"
    for game, line in enumerate(lines):
        seats = found.seats[found.seats.game == game]
        assert seats.score.tolist() == line["scores"]
        assert seats.filter(like="points_").values.tolist() == line["points"]
        assert seats.decisions.tolist() == line["decisions"]
        assert seats.seconds.tolist() == line["seconds"]


def test_a_failed_game_is_there_up_to_the_failure(tmp_path):
    schedule = Schedule(Settings(("random", "greedy"), games=2))
    store = stored(tmp_path, schedule, [Raising(), impulse_agents.make("greedy")])
    found = analysis.tables(tournament_games(tmp_path))
    assert set(found.games.end) == {"failed"}
    assert found.games.decisions.tolist() == [len(result.actions) for _, result in store.numbered()]
    assert found.seats[found.seats.won].agent.tolist() == ["greedy", "greedy"]


def test_an_invalid_line_is_reported_with_its_number(store, tmp_path):
    copy = Store(tmp_path, SCHEDULE.settings)
    copy.begin(identities(SCHEDULE.settings.agents))
    lines = store.games.read_text().splitlines(keepends=True)
    copy.games.write_text("".join([*lines[:2], "{}\n"]))
    with pytest.raises(TournamentError, match=r"games\.jsonl, line 3: it has no game"):
        list(tournament_games(tmp_path))
    changed = json.loads(lines[1]) | {"scores": [9, 9, 9, 9]}
    copy.games.write_text("".join([lines[0], json.dumps(changed) + "\n"]))
    with pytest.raises(RecordError, match=r"games\.jsonl, line 2: .*recorded are"):
        analysis.tables(tournament_games(tmp_path))


def test_a_torn_line_and_a_game_that_is_there_twice_are_passed_over(store, tmp_path):
    copy = Store(tmp_path, SCHEDULE.settings)
    copy.begin(identities(SCHEDULE.settings.agents))
    lines = store.games.read_text().splitlines(keepends=True)
    copy.games.write_text("".join([lines[0], lines[0], lines[1], lines[2][:40]]))
    assert [one.where.split(", ")[1] for one in tournament_games(tmp_path)] == ["line 1", "line 3"]


def test_a_folder_without_a_tournament_is_reported(tmp_path):
    with pytest.raises(TournamentError, match="no tournament in"):
        list(tournament_games(tmp_path))
