"""Tournaments drawn from known strengths, without playing."""

import numpy as np

from impulse_agents.identity import Identity
from impulse_training.statistics.elo import ELO
from impulse_training.statistics.game_results import GameResult


def game(number, agents, winners, *, deal=None, ended="score", failed=None, turns=20, points=None):
    """A finished game in which little matters; every seat takes 10 decisions in 0.02 s."""
    players = len(agents)
    return GameResult(
        game=number,
        deal=number if deal is None else deal,
        agents=list(agents),
        winners=list(winners),
        ended=ended,
        scores=[20 if seat in winners else 5 for seat in range(players)],
        points=points or [[1, 2, 3, 4, 5, 5 if seat in winners else 0] for seat in range(players)],
        turns=turns,
        decisions=[10] * players,
        seconds=[0.02] * players,
        actions=[],
        failed=failed,
        fault=None if failed is None else "error",
        error=None if failed is None else "Traceback: <b>boom</b>",
    )


def identities(names, code="first"):
    """Return identities of agents that have only names and a text for their code."""
    return [Identity(name, {"agent": name, "code": code}) for name in names]


def failed_game(number, agents, seat, team=1):
    """A game that the side of a seat lost by an error; `team` players to a side."""
    sides = len(agents) // team
    winners = [other for other in range(len(agents)) if other % sides != seat % sides]
    return game(number, agents, winners, ended="failed", failed=seat)


def truncated_game(number, agents):
    return game(number, agents, [], ended="truncation", turns=1000)


def pairs(name, wins, other, losses):
    """Games of two agents, each on a deal of its own."""
    return [game(n, [name, other], [0 if n < wins else 1]) for n in range(wins + losses)]


def simulated(ratings, sides, deals, seed, *, repeated=False):
    """A tournament of agents with these Elo ratings, each deal played from all sides.

    Agents are drawn for each deal, with `repeated` so that one can hold several sides.
    """
    rng = np.random.default_rng(seed)
    names = list(ratings)
    results = []
    for deal in range(deals):
        sitting = [names[i] for i in rng.choice(len(names), sides, replace=repeated)]
        for turn in range(sides):
            agents = sitting[turn:] + sitting[:turn]
            weights = np.exp([ratings[name] / ELO for name in agents])
            winner = int(rng.choice(sides, p=weights / weights.sum()))
            results.append(game(len(results), agents, [winner], deal=deal))
    return results
