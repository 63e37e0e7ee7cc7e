"""Decisions are timed, in one game or in many at once."""

import pytest

import impulse_agents
from impulse_agents.base import Agent
from impulse_agents.playing.decision_speed import decision_seconds
from impulse_env.options import Options


def test_a_decision_takes_a_moment_and_less_beside_others():
    agent = impulse_agents.make("random")
    alone = decision_seconds(agent, Options(3), seconds=0.05)
    assert 0 < decision_seconds(agent, Options(3), 64, seconds=0.05) < alone < 0.005


class Compiled(Agent):
    """Is slow when it is asked first."""

    name = "compiled"

    def __init__(self):
        self.asked = 0

    def act(self, seen, streams):
        self.asked += 1
        if self.asked == 1:
            sum(range(10_000_000))
        return seen.masks.argmax(1)


@pytest.mark.parametrize("games", [1, 20])
def test_what_is_compiled_first_does_not_count_and_some_decisions_are_made(games):
    agent = Compiled()
    assert decision_seconds(agent, Options(), games, seconds=0.0) < 0.005
    assert agent.asked * games >= 30
