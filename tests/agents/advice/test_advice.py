"""What agents think of a decision, from what the seat that decides may know."""

import numpy as np
import pytest
import torch

import impulse_agents
from calibrated import calibrated
from impulse_agents import registry
from impulse_agents.advice.advice import advise
from impulse_agents.advice.analyse import analyse
from impulse_agents.base import AgentError, ObservationBatch, Variation
from impulse_agents.search.agent import Budget
from impulse_agents.search.network_agent import PolicySearchAgent
from impulse_env.frame import to_own
from impulse_env.game import Game
from impulse_env.testing.random_play import random_choice
from networks import NETWORK, untrained

ALL = ["policy", "policy+search", "ismcts:20", "greedy", "warrior", "random"]


def agent_of(name, players=2, **more):
    if not name.startswith("policy"):
        return impulse_agents.make(name)
    policy = untrained(players, NETWORK, **more)
    return policy if name == "policy" else PolicySearchAgent(policy, Budget(20))


def positions(players=2, every=23):
    game, choose = Game(players, seed=5), random_choice(5)
    while not game.is_over and game.turn < 25:
        for _ in range(every):
            if not game.is_over:
                game.step(choose(game))
        if not game.is_over:
            yield game


def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("name", ALL)
def test_suggestions_are_legal_and_the_best_comes_first(name):
    agent = agent_of(name)
    for game in positions():
        advice = advise(agent, game, rng(), count=3)
        actions = [game.action(one.action) for one in advice.suggestions]
        assert 1 <= len(actions) <= 3
        assert set(actions) <= set(game.legal_actions())
        assert len(set(actions)) == len(actions)
        assert advice.by == agent.name
        shares = [one.share for one in advice.suggestions]
        if shares != [None]:
            assert shares[0] == max(shares)
            assert sum(shares) <= 1 + 1e-6


@pytest.mark.parametrize("name", ["policy", "policy+search", "ismcts:20", "greedy", "warrior"])
def test_the_first_suggestion_is_what_the_agent_plays(name):
    agent = agent_of(name)
    for game in positions():
        best = advise(agent, game, rng()).suggestions[0]
        assert agent.act_in_game(game, rng()) == game.action(best.action)


def test_probabilities_are_the_networks_in_the_absolute_frame():
    policy = agent_of("policy", players=3)
    for game in positions(players=3):
        advice = advise(policy, game, rng(), count=1000)
        seen = ObservationBatch.from_game(game)
        logits, _ = policy.evaluate(seen.observations)
        legal = np.where(seen.masks[0] != 0, logits[0], -np.inf)
        expected = torch.softmax(torch.from_numpy(legal), 0).numpy()
        assert len(advice.suggestions) == len(game.legal_actions())
        for one in advice.suggestions:
            own = to_own(game.action(one.action), game.players, game.seat)
            assert one.share == pytest.approx(expected[own], abs=1e-6)
        assert advice.wins is None, "it is not calibrated"


@pytest.mark.parametrize("reward", ["score", "win"])
def test_a_calibrated_policy_tells_the_chance_of_the_seat_that_decides(reward):
    policy = calibrated(agent_of("policy", players=3, trained={"reward": reward}))
    for game in positions(players=3):
        wins = advise(policy, game, rng()).wins
        seen = ObservationBatch.from_game(game)
        outcome = policy.evaluate(seen.observations)[1][0]
        if reward == "score":
            own = game.scores[game.seat]
            outcome += (own - (sum(game.scores) - own) / 2) / 20
        progress = np.sqrt(max(game.scores) / 20)
        odds = 2 * outcome + 0.25 * outcome**3 + 0.5 * progress - 0.25
        assert wins == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-5)


def test_a_search_tells_tries_and_chances():
    for game in positions():
        for one in advise(agent_of("ismcts:20"), game, rng()).suggestions:
            assert one.visits >= 1
            assert 0 <= one.wins <= 1


class Searching(impulse_agents.Agent):
    """Somebody else's search, which shows its lines in a way of its own."""

    name = "theirs"

    def act(self, seen, streams):
        return seen.masks.argmax(axis=1)

    def variations(self, seen, streams, count=3, depth=6):
        line = (seen.action_name(0, self.act(seen, streams)[0]), "pass")
        return [Variation(line[:depth], 7, 1.0, 0.5)][:count]


def test_a_search_of_another_author_is_analysed(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", {"theirs": Searching})
    game = Game(2, seed=3)
    (line,) = analyse(game, "theirs", depth=1)
    assert (line.visits, line.actions) == (7, (game.name(Searching().act_in_game(game, rng())),))
    assert advise(Searching(), game, rng()).suggestions[0].action == line.actions[0]
    with pytest.raises(AgentError, match="greedy does not search"):
        analyse(game, "greedy")


@pytest.mark.parametrize("name", ALL)
def test_agents_say_which_tables_they_play(name):
    agent = agent_of(name, players=3)
    agent.check_players(3)
    if name.startswith("policy"):
        with pytest.raises(AgentError, match="trained for 3 players"):
            agent.check_players(2)
    else:
        agent.check_players(2)


@pytest.mark.parametrize("name", ALL)
def test_nothing_hidden_changes_it(name):
    agent = agent_of(name)
    for game in positions(every=31):
        other = game.determinize(game.seat, np.random.default_rng(9))
        view = game.view(game.seat)
        assert advise(agent, game, rng()) == advise(agent, other, rng())
        assert advise(agent, game, rng()) == advise(agent, view, rng())


def test_what_cannot_be_advised():
    over = Game(seed=1, target_score=1)
    choose = random_choice(1)
    while not over.is_over:
        over.step(choose(over))
    with pytest.raises(AgentError, match="over"):
        advise(impulse_agents.make("random"), over, rng())
    with pytest.raises(AgentError, match="trained for 3 players"):
        advise(agent_of("policy", players=3), Game(2, seed=0), rng())
