"""A recorded game is told again, and one that does not end as recorded is found out."""

from dataclasses import replace

import pytest

import impulse_agents
from impulse_env.records.reader import parse
from impulse_training.tournament.replay import find, record, replay
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers.play import play, several
from simulated import identities

SCHEDULE = Schedule(Settings(("random", "greedy"), 4, 2, 6, target_score=8, max_turns=20))


class Raising(impulse_agents.Agent):
    """Cannot play."""

    name = "raising"
    summary = "raises"

    def act(self, seen, streams):
        raise RuntimeError("out of ideas")


@pytest.fixture(scope="module")
def results():
    entrants = [impulse_agents.make("random"), impulse_agents.make("greedy")]
    found = play(SCHEDULE, entrants, several([SCHEDULE[n] for n in range(len(SCHEDULE))]))
    return sorted(found, key=lambda result: result.game)


def test_a_game_is_described_in_words(results):
    for result in results:
        text = list(replay(SCHEDULE.settings, result))
        assert text[0].startswith(f"Game {result.game}, deal {result.deal}: seat 0 ")
        assert sum(line.startswith("    > ") for line in text) == len(result.actions)
        assert text[-1].startswith("The end")
        assert text[-1].endswith(f"points {result.scores}")


def test_a_game_as_a_record_is_the_described_game(results):
    for result in results:
        made = record(SCHEDULE.settings, result)
        assert parse(made.text()) == made
        assert [agent.name for agent in made.header.agents] == result.agents
        assert [agent.seed for agent in made.header.agents] == list(SCHEDULE[result.game].chances)
        *_, last = made.games()
        assert (last.scores, last.winners) == (result.scores, result.winners)
        told = [
            line.removeprefix("    > ").partition(":")[0]
            for line in replay(SCHEDULE.settings, result)
            if line.startswith("    > ")
        ]
        assert [move.action for move in made.moves] == told


def test_a_failed_game_as_a_record_says_who_failed():
    entrants = [impulse_agents.make("random"), Raising()]
    result = next(play(SCHEDULE, entrants, several([SCHEDULE[0]])))
    made = record(SCHEDULE.settings, result)
    assert made.result.end == "stopped"
    assert made.result.why == f"greedy on seat {result.failed} failed"
    assert parse(made.text()) == made


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: {"scores": [s + 1 for s in r.scores]}, "ends with points .*; recorded are"),
        (lambda r: {"winners": [0, 1]}, r"won by seats .*; recorded are \[0, 1\]"),
        (lambda r: {"actions": r.actions[:-1]}, "is recorded up to .* only, but as ended"),
        (lambda r: {"actions": [*r.actions, 0]}, "is over, but 1 .*left|illegal action 0"),
        (lambda r: {"actions": [179, *r.actions]}, "does not go as recorded: illegal action 179"),
        (lambda r: {"deal": r.deal + 1}, "game 2 "),
    ],
)
def test_a_line_that_is_not_the_game_is_found_out(results, change, message):
    wrong = replace(results[2], **change(results[2]))
    with pytest.raises(TournamentError, match=message):
        list(replay(SCHEDULE.settings, wrong))
    with pytest.raises(TournamentError, match=message):
        record(SCHEDULE.settings, wrong)


def test_a_failed_game_ends_with_the_reason():
    entrants = [impulse_agents.make("random"), Raising()]
    result = next(play(SCHEDULE, entrants, several([SCHEDULE[0]])))
    text = list(replay(SCHEDULE.settings, result))
    assert text[-2] == f"The end, in turn 1: greedy on seat {result.failed} failed"
    assert "RuntimeError: out of ideas" in text[-1]


def test_a_game_that_is_not_there_is_named(tmp_path, results):
    store = Store(tmp_path, SCHEDULE.settings)
    store.begin(identities(SCHEDULE.settings.agents))
    with store.writing() as writer:
        written = writer.add(results[1])
    assert find(Store.read(tmp_path), 1) == written
    with pytest.raises(TournamentError, match=r"game 0 is not in .*, which holds 1 of 6 games"):
        find(store, 0)
