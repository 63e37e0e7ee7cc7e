"""Random games for the tests of the tables, and a slow reference that plays them again."""

from dataclasses import asdict
from functools import cache

from impulse_env.actions import NAMES
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.record import Header, SeatedAgent, record_of
from impulse_env.records.recorded_games import RecordedGame
from impulse_env.testing.random_play import random_choice

TABLES = (
    {"players": 2},
    {"players": 3, "auto_forced": False},
    {"players": 4, "team_size": 2},
    {"players": 5, "races": "draft"},
    {"players": 6, "team_size": 3},
    {"players": 6, "hand_limit": 6, "max_turns": 40},
)


@cache
def record(index, seed=2):
    """The record of a random game."""
    options = Options(**TABLES[index])
    names = tuple(SeatedAgent(f"agent {seat % 2}") for seat in range(options.players))
    game, choose, actions = Game(seed=seed, **TABLES[index]), random_choice(seed), []
    while game.seat is not None:
        actions.append(choose(game))
        game.step(actions[-1])
    return record_of(Header(options, names, seed=seed), actions)


def play(index, seed=2):
    return RecordedGame.of_record(record(index, seed), f"game {index}")


def games_of(played):
    """Play through `Game`, forced choices included: yield (game, action, number in the record)."""
    options = asdict(played.header.options)
    is_forced, options["auto_forced"] = options["auto_forced"], False
    game = Game(seed=played.header.seed, **options)
    number = 0
    while game.seat is not None:
        legal = game.legal_actions()
        if is_forced and len(legal) == 1:
            yield game, legal[0], -1
            game.step(legal[0])
        else:
            action = int(played.actions[number])
            yield game, action, number
            game.step(action)
            number += 1
    assert number == len(played.actions)
    yield game, None, None


def name(action):
    return NAMES[action]
