"""Records of random games, for the tests of this folder."""

from functools import cache
from typing import Any

from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.record import Header, Move, Record, Result, SeatedAgent
from impulse_env.replay.analysis import Analysis, Judged
from impulse_env.testing.random_play import random_choice
from impulse_env.testing.signature import SETTINGS

TABLES: tuple[dict[str, Any], ...] = (
    *SETTINGS,
    {"players": 2, "races": ["ariek", None], "start_player": 1, "max_turns": 9},
)
"""Options of games of every size, with and without teams."""
IDS = tuple("-".join(f"{name}={value}" for name, value in table.items()) for table in TABLES)


@cache
def _played(index: int, seed: int) -> tuple[Record, tuple[bytes, ...]]:
    options = Options(**TABLES[index])
    agents = tuple(SeatedAgent(f"random {seat}", seed + seat) for seat in range(options.players))
    record = Record(Header(options, agents, seed=seed))
    game, choose = Game(seed=seed, **TABLES[index]), random_choice(seed)
    states = [game.to_bytes()]
    while game.seat is not None:
        action = choose(game)
        record.moves.append(Move(game.seat, game.name(action)))
        game.step(action)
        states.append(game.to_bytes())
    record.result = Result.of(game)
    return record, tuple(states)


def played(table: dict[str, Any], seed: int = 0) -> tuple[Record, tuple[bytes, ...]]:
    """Return the record of a whole random game, and its bytes at every step; do not change it."""
    return _played(TABLES.index(table), seed)


def random_game(seed=4, most=10_000, **options):
    """A game of two at random, up to that many decisions, and its record."""
    game, choose = Game(players=2, seed=seed, **options), random_choice(seed)
    record = Record(Header(Options(2, **options), (SeatedAgent("random"),) * 2, seed=seed))
    while not game.is_over and len(record.moves) < most:
        action = game.name(choose(game))
        record.moves.append(Move(game.seat, action))
        game.step(action)
    record.result = Result.of(game)
    return record, game


def short_game(seed=4):
    """The record of a short game of two at random, to two points."""
    return random_game(seed, target_score=2)[0]


def made_up(record):
    """An analysis that no agent made, so that the picture does not change with the agents.

    Of every decision its first legal action is the best, and each further one gives away more.
    """
    wins, judged = [], []
    for move, game in zip(record.moves, record.games(), strict=False):
        legal = [game.name(action) for action in game.legal_actions()]
        chances = {action: 0.9 * 0.86**place for place, action in enumerate(legal)}
        loss = chances[legal[0]] - chances[move.action]
        line = (game.describe(legal[0]),) if loss else ()
        wins.append(chances[move.action])
        judged.append(Judged(chances, legal[0], loss, 0.01, line) if len(legal) > 1 else None)
    luck = [(0.1, -0.1) if number % 10 == 0 else () for number in range(len(wins))]
    return Analysis("made up", tuple(wins), tuple(judged), tuple(luck), (-0.05, 0.05))
