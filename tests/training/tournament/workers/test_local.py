"""Several processes play the same games as one, even if some of them are killed."""

import os
import signal
from dataclasses import replace

import pytest

from faulty_agents import FAULTY
from impulse_agents import registry
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.workers import local
from impulse_training.tournament.workers.play import make_agents, play, several

SCHEDULE = Schedule(Settings(("random", "greedy"), games=40, seed=2, target_score=8, max_turns=60))
NUMBERS = range(len(SCHEDULE))


def bare(results):
    return sorted((replace(r, seconds=[]) for r in results), key=lambda result: result.game)


@pytest.fixture(scope="module")
def alone():
    games = several([SCHEDULE[number] for number in NUMBERS])
    return bare(play(SCHEDULE, make_agents(SCHEDULE.settings.agents), games))


def test_a_killed_worker_is_replaced_and_its_games_are_played(alone):
    pool = local._Pool(SCHEDULE.settings, NUMBERS, 2, 4)
    try:
        results, found = pool.results(), []
        for result in results:
            found.append(result)
            if len(found) == 5:
                victim = next(worker for worker in pool.workers if worker.games)
                os.kill(victim.process.pid, signal.SIGKILL)
        assert victim not in pool.workers
    finally:
        pool.stop()
    assert bare(found) == alone


def test_workers_that_always_die_are_an_error(monkeypatch):
    monkeypatch.setattr(local, "_work", os.abort)  # takes no arguments, so every start fails
    with pytest.raises(TournamentError, match="5 workers have died and no game was finished"):
        list(local.play_all(SCHEDULE, NUMBERS, workers=2))


@pytest.mark.slow
def test_an_agent_that_ends_its_process_or_hangs_loses_its_games_and_all_others_are_played():
    dies, hangs = f"{FAULTY}:Dies", f"{FAULTY}:Hangs"
    for agents, more in (((dies, "random"), {}), ((hangs, "random", "greedy"), {"time_limit": 1})):
        schedule = Schedule(Settings(agents, games=6, **more))
        results = list(local.play_all(schedule, range(len(schedule)), workers=2))
        assert sorted(result.game for result in results) == list(range(len(schedule)))
        failed = [result for result in results if result.ended == "failed"]
        assert {result.fault for result in failed} == {"time" if more else "died"}
        assert {result.agents[result.failed] for result in failed} == {agents[0]}
        assert all(result.actions for result in failed)
        assert all((result in failed) == (agents[0] in result.agents) for result in results)


def test_a_worker_that_cannot_make_its_agents_says_so(monkeypatch):
    monkeypatch.setitem(registry._REGISTERED, "only_here", RandomAgent)
    settings = Settings(("random", "only_here"), games=4)
    with pytest.raises(TournamentError, match=r"a worker cannot continue: .*'only_here'"):
        list(local.play_all(Schedule(settings), range(4), workers=2))
