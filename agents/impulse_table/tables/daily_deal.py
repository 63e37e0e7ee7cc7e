"""Tables for an occasion, which their names show: today's deal, and a first game.

Today's deal is the same for everybody who begins it on the same date. The opponents and their seeds
are the same, too: equal decisions lead to equal games.
"""

import hashlib
import re
from datetime import date
from typing import Any, Final

from impulse_env.game import Game
from impulse_env.outcomes import turn_number
from impulse_table.tables.protocol import PERSON, NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import SavedTable, Table, TableError

OPPONENTS: Final = ("ismcts:300",)
"""Opponents of today's deal: agents that need no extra and count simulations, not seconds."""
FIRST_OPPONENT: Final = "miner"
"""Opponent of a first game: the rule-based agent that wins least."""
FIRST_TARGET: Final = 10
"""Points to win a first game, so that it takes about ten minutes."""
FIRST: Final = "first"

_NAME: Final = re.compile(r"(\d{4}-\d\d-\d\d|first)-[A-Za-z0-9_-]{12}")
_SEED_BYTES: Final = 7
_MOST_RESULTS: Final = 100


def todays_deal(day: date) -> Table:
    """Return a new table with the deal of that day."""
    new = NewTable(seats=[PERSON, *OPPONENTS], seed=_seed(day, "deal"))
    return Table.create(new, f"{day.isoformat()}-", _seed(day, "agents"))


def first_game() -> Table:
    """Return a new table for somebody who does not know the game."""
    new = NewTable(seats=[PERSON, FIRST_OPPONENT], start_player=0, target_score=FIRST_TARGET)
    return Table.create(new, f"{FIRST}-")


def occasion_of(name: str) -> str | None:
    """Return the date of a table with a daily deal, `FIRST` for a first game, None for others."""
    match = _NAME.fullmatch(name)
    return match[1] if match else None


def result_line(saved: SavedTable, game: Game) -> str | None:
    """Return the result of a daily deal, in one line to compare; the winner's points come first.

    None if the table has another deal, the game is not over, or another agent has played.
    """
    day = occasion_of(saved.name)
    players = [holder.player for holder in saved.seats]
    if day in (None, FIRST) or not game.is_over or players != [PERSON, *OPPONENTS]:
        return None
    if saved.seats[0].helpers:  # an agent has decided for the person
        return None
    own, other = game.scores
    won = 0 in game.winners
    how = f"won {own}\N{EN DASH}{other}" if won else f"lost {other}\N{EN DASH}{own}"
    return f"Impulse {day}: {how} in {turn_number(game.state)} turns"


def results(store: Store, day: date) -> list[dict[str, Any]]:
    """Return the results of a day's deal in a folder, the best first.

    Reads each table's file and replays its game, which takes a few milliseconds. The result has no
    names of tables, because a name lets anybody watch.
    """
    rows = []
    mine = [name for name in store.names() if occasion_of(name) == day.isoformat()]
    for name in mine[:_MOST_RESULTS]:
        try:
            saved, game = store.check(name)
        except TableError:
            continue  # the check at the server's start has reported it
        line = result_line(saved, game)
        if line is not None:
            has_won = 0 in game.winners
            rows.append((not has_won, game.turn if has_won else 0, -game.scores[0], line))
    return [{"place": place, "line": row[-1]} for place, row in enumerate(sorted(rows), 1)]


def _seed(day: date, what: str) -> int:
    digest = hashlib.sha256(f"impulse {day.isoformat()} {what}".encode()).digest()
    return int.from_bytes(digest[:_SEED_BYTES], "big")
