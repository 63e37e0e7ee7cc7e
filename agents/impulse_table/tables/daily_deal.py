"""Tables of an occasion, told by their names: today's deal, and a first game.

Today's deal is the same for everybody who begins it on the same date, with the same opponents whose
chance is drawn alike: whoever decides the same gets the same game.
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
"""Of today's deal: agents that need no extra and count simulations, not seconds."""
FIRST_OPPONENT: Final = "miner"
"""Of a first game: of the rule-based agents it wins least."""
FIRST_TARGET: Final = 10
"""Points that win a first game, so that it takes some ten minutes."""
FIRST: Final = "first"

_NAME: Final = re.compile(r"(\d{4}-\d\d-\d\d|first)-[A-Za-z0-9_-]{12}")
_SEED_BYTES: Final = 7
_MOST_RESULTS: Final = 100


def todays_deal(day: date) -> Table:
    """Return a new table with the deal of that day."""
    wanted = NewTable(seats=[PERSON, *OPPONENTS], seed=_seed(day, "deal"))
    return Table.create(wanted, f"{day.isoformat()}-", _seed(day, "agents"))


def first_game() -> Table:
    """Return a new table for somebody who does not know the game."""
    wanted = NewTable(seats=[PERSON, FIRST_OPPONENT], start_player=0, target_score=FIRST_TARGET)
    return Table.create(wanted, f"{FIRST}-")


def occasion_of(name: str) -> str | None:
    """Return the day of a table's deal, `FIRST`, or None for every other table."""
    found = _NAME.fullmatch(name)
    return found[1] if found else None


def result_line(saved: SavedTable, game: Game) -> str | None:
    """Return how today's deal ended, in a line to be compared.

    None if the table has another deal, the game goes on, or another agent was let in.
    """
    day = occasion_of(saved.name)
    players = [holder.player for holder in saved.seats]
    if day in (None, FIRST) or not game.is_over or players != [PERSON, *OPPONENTS]:
        return None
    how = "won" if 0 in game.winners else "lost"
    own, other = game.scores
    return f"Impulse {day}: {how} {own}\N{EN DASH}{other} in {turn_number(game.state)} turns"


def results(store: Store, day: date) -> list[dict[str, Any]]:
    """Return what came of that day's deal in this folder, the best first.

    It reads files and plays their games again, some milliseconds each. Names of tables, which let
    whoever knows them watch, are not told.
    """
    found = []
    mine = [name for name in store.names() if occasion_of(name) == day.isoformat()]
    for name in mine[:_MOST_RESULTS]:
        try:
            saved, game = store.check(name)
        except TableError:
            continue  # the check at the server's start has named it
        line = result_line(saved, game)
        if line is not None:
            has_won = 0 in game.winners
            found.append((not has_won, game.turn if has_won else 0, -game.scores[0], line))
    return [{"place": place, "line": row[-1]} for place, row in enumerate(sorted(found), 1)]


def _seed(day: date, what: str) -> int:
    digest = hashlib.sha256(f"impulse {day.isoformat()} {what}".encode()).digest()
    return int.from_bytes(digest[:_SEED_BYTES], "big")
