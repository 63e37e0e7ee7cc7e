"""What the chances that searches find have meant in games, kept in ``calibrations.json``.

A search weighs a position by rules of thumb, or finds the best of several guesses: what it finds is
no chance until games have shown how often sides won. It holds for its way of playing on from a
leaf, and for so many players. A search that a network guides is calibrated in the network's file.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from impulse_agents.calibration import Calibration
from impulse_env.files import replacing

FILE: Final = Path(__file__).with_name("calibrations.json")
"""A list of records, one for each playout, number of players and of teams."""
_KEY: Final = ("playout", "players", "teams")


def find(playout: str, players: int, teams: int) -> Calibration | None:
    """Return what a search finds means; None if no games were played for it.

    Args:
        playout: Who plays on from a leaf, see `impulse_agents.search.agent.SearchAgent`.
        players: 2 to 6.
        teams: How many sides there are: as many as players where nobody is in a team.
    """
    found = _kept().get((playout, players, teams))
    return None if found is None else Calibration.read(found)


def keep(playout: str, players: int, teams: int, found: dict[str, Any]) -> None:
    """Keep a calibration, JSON-able, in place of what was known; raises OSError."""
    kept = _kept() | {(playout, players, teams): found}
    records = [dict(zip(_KEY, key, strict=True)) | kept[key] for key in sorted(kept)]
    lines = ",\n".join(json.dumps(record) for record in records)
    with replacing(FILE) as file:
        file.write(f"[\n{lines}\n]\n".encode())
    _kept.cache_clear()


@cache
def _kept() -> dict[tuple[str, int, int], dict[str, Any]]:
    records = json.loads(FILE.read_text(encoding="utf-8"))
    return {tuple(record.pop(name) for name in _KEY): record for record in records}
