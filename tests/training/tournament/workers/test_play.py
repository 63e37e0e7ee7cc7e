"""Games of a tournament do not depend on each other, and an agent that fails loses its own only."""

import re
from dataclasses import replace
from time import sleep

import numpy as np
import pytest

import impulse_agents
from impulse_agents.asking.ask import warm
from impulse_agents.base import AgentError
from impulse_env.game import Game
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.workers.play import make_agents, play, several

NAMES = ("greedy", "random")


def short(players=2, team_size=None, games=12, names=NAMES, **more):
    return Schedule(
        Settings(names, players, team_size, games, target_score=8, max_turns=60, **more)
    )


def played(schedule, entrants=None, tables=256, numbers=None):
    numbers = range(len(schedule)) if numbers is None else numbers
    entrants = make_agents(schedule.settings.agents) if entrants is None else entrants
    results = play(schedule, entrants, several([schedule[n] for n in numbers]), tables)
    return sorted((replace(r, seconds=[]) for r in results), key=lambda result: result.game)


@pytest.mark.parametrize("table", [(2, None), (3, None), (4, 2), (6, 3)])
def test_games_are_the_same_whichever_are_played_together(table):
    schedule = short(*table)
    whole = played(schedule)
    assert [result.game for result in whole] == list(range(len(schedule)))
    assert played(schedule, tables=1) == whole
    assert played(schedule, tables=5) == whole
    assert played(schedule, numbers=[7, 3]) == [whole[3], whole[7]]


def test_a_result_tells_how_the_game_went():
    schedule = short(4, 2)
    for result in played(schedule):
        game = schedule[result.game]
        assert result.deal == game.deal
        assert result.agents == [NAMES[agent] for agent in game.seating]
        assert sum(result.decisions) == len(result.actions)
        assert [sum(points) for points in result.points] == result.scores
        assert result.ended in ("score", "elimination", "truncation")
        assert result.winners in ([], [0, 2], [1, 3])
        assert (result.winners == []) == (result.ended == "truncation")
        assert 0 < result.turns <= 60
        assert (result.failed, result.error) == (None, None)


def test_every_player_turn_counts():
    schedule = Schedule(Settings(("random", "greedy"), games=20, target_score=8, max_turns=9))
    results = played(schedule)
    assert {result.ended for result in results} >= {"score", "truncation"}
    for result in results:
        game = Game(2, result.deal, target_score=8, max_turns=9)
        for action in result.actions:
            game.step(action)
        assert game.is_over
        assert result.turns == game.turn + (not game.is_truncated)


def test_time_is_measured_for_every_seat():
    schedule = short(games=2)
    for result in play(schedule, make_agents(schedule.settings.agents), several([schedule[0]])):
        assert all(0 < seconds < 5 for seconds in result.seconds)


class Failing(impulse_agents.Agent):
    """Plays at random, and fails in about one decision of 32."""

    name = "failing"
    summary = "fails"

    def __init__(self, how):
        self.how = how
        self.random = impulse_agents.make("random")

    def act(self, seen, streams):
        chosen = self.random.act(seen, streams)
        # It knows nothing of the game, but the last bit of its generator is as good as any.
        unlucky = (streams.states & np.uint64(31)) == 0
        if not unlucky.any():
            return chosen
        if self.how == "raises":
            raise RuntimeError("out of ideas")
        if self.how == "shape":
            return chosen[:, None]
        if self.how == "floats":
            return chosen + 0.5
        if self.how == "illegal":
            return np.where(unlucky, seen.masks.argmin(axis=1), chosen)
        return np.where(unlucky, 100_000, chosen)


@pytest.mark.parametrize(
    ("how", "fault", "message"),
    [
        ("raises", "error", "RuntimeError: out of ideas"),
        ("shape", "type", r"integers of shape \(1,\), not int64 of shape \(1, 1\)"),
        ("floats", "type", "not float64"),
        ("illegal", "illegal", r"illegal action \d+ \([a-z][a-z0-9 -]*\); legal are: [a-z]"),
        ("outside", "illegal", "illegal action 100000; legal are: "),
    ],
)
@pytest.mark.parametrize("table", [(2, None), (4, 2)])
def test_who_fails_loses_the_game_and_the_tournament_continues(how, fault, message, table):
    schedule = short(*table, games=12, names=("failing", "random"))
    entrants = [Failing(how), impulse_agents.make("random")]
    results = played(schedule, entrants)
    assert len(results) == len(schedule)
    failed = [result for result in results if result.ended == "failed"]
    assert failed
    for result in failed:
        sides = schedule.sides
        assert (result.agents[result.failed], result.fault) == ("failing", fault)
        assert all(result.agents[seat] == "random" for seat in result.winners)
        assert len(result.winners) == schedule.settings.players // sides * (sides - 1)
        assert re.search(message, result.error), result.error
        assert sum(result.decisions) == len(result.actions)
    assert played(schedule, entrants, tables=1) == results


def test_games_continue_where_only_the_question_for_many_fails():
    class Shy(Failing):
        def act(self, seen, streams):
            chosen = self.random.act(seen, streams)
            if len(seen) > 1:
                raise RuntimeError("one at a time")
            return chosen

    schedule = short(games=6)
    assert played(schedule, [Shy(""), impulse_agents.make("random")]) == played(
        schedule, [impulse_agents.make("random")] * 2
    )


def test_an_agent_that_can_play_no_game_is_found_before_the_first():
    class Elsewhere(Failing):
        def act(self, seen, streams):
            raise AgentError("made for another table")

    with pytest.raises(AgentError, match="another table"):
        warm([impulse_agents.make("random"), Elsewhere("")], short().settings.options)
    warm([Failing("raises")], short().settings.options)


class Slow(Failing):
    """Counts in how many games it is asked at once; every answer takes longer than is quick."""

    def __init__(self, is_batched):
        super().__init__("slow")
        self.is_batched = is_batched
        self.asked = []

    def act(self, seen, streams):
        self.asked.append(len(seen))
        sleep(0.021)
        return np.argmax(seen.masks, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("is_batched", "most"), [(False, 8), (True, 64)])
def test_a_slow_agent_is_asked_in_many_games_at_once_if_that_is_faster(is_batched, most):
    schedule = short(games=100, names=("slow", "random"))
    slow = Slow(is_batched)
    results = play(schedule, [slow, slow], several([schedule[n] for n in range(100)]))
    for _ in range(3):
        next(results)
    assert most // 2 <= max(slow.asked) <= most
