"""Calibrations of the chances that searches find, stored in ``calibrations.json``.

A search evaluates positions by rules of thumb, and takes the best of several estimates. So its
values are not chances to win until they are calibrated with games. A calibration is valid for one
kind of playout and one number of players and teams. A search that a network guides has its
calibration in the network's file.
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
    """Return the calibration of a search; None if it is not calibrated.

    Args:
        playout: The policy of playouts, see `impulse_agents.search.agent.SearchAgent`.
        players: 2 to 6.
        teams: Number of sides; equal to `players` without teams.
    """
    fields = _stored().get((playout, players, teams))
    return None if fields is None else Calibration.read(fields)


def keep(playout: str, players: int, teams: int, found: dict[str, Any]) -> None:
    """Store a calibration, JSON-able, and replace an earlier one; raises OSError."""
    stored = _stored() | {(playout, players, teams): found}
    records = [dict(zip(_KEY, key, strict=True)) | stored[key] for key in sorted(stored)]
    lines = ",\n".join(json.dumps(record) for record in records)
    with replacing(FILE) as file:
        file.write(f"[\n{lines}\n]\n".encode())
    _stored.cache_clear()


@cache
def _stored() -> dict[tuple[str, int, int], dict[str, Any]]:
    records = json.loads(FILE.read_text(encoding="utf-8"))
    return {tuple(record.pop(name) for name in _KEY): record for record in records}
