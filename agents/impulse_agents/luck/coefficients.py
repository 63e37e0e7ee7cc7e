"""Coefficients of the luck adjustment, fitted to other games in advance.

They are the share of the measured luck to take out of a result. A perfect value function would have
1 everywhere. A coarse one overestimates luck, and a smaller coefficient removes more noise. The
mean of the results does not depend on the coefficients, if they are fixed before the games.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from impulse_agents.luck.chance import KINDS
from impulse_env.files import replacing

FILE: Final = Path(__file__).with_name("rules.json")
"""Coefficients of the rule-based evaluation: a list of records, one for each size of game."""


@dataclass(frozen=True)
class Coefficients:
    """A factor for each kind of random event.

    Attributes:
        by_kind: The factors, shape ``(len(KINDS),)``.
        is_fitted: Whether they were fitted to games; otherwise all are 1.
    """

    by_kind: NDArray[np.float64]
    is_fitted: bool

    @classmethod
    def read(cls, record: Mapping[str, Any] | None, weights: str | None = None) -> Self:
        """Return the coefficients of a record; all 1 without one, or if its weights differ.

        Args:
            record: Factors by kind, and for a network the digest of its weights.
            weights: The expected digest.
        """
        if record is None or record.get("weights") != weights or not set(KINDS) <= record.keys():
            return cls(np.ones(len(KINDS)), is_fitted=False)
        return cls(np.array([float(record[kind]) for kind in KINDS]), is_fitted=True)


def of_rules(players: int, sides: int) -> Coefficients:
    """Return the coefficients of the rule-based evaluation for a size of game."""
    return Coefficients.read(_stored().get((players, sides)))


def keep(players: int, sides: int, found: Mapping[str, Any]) -> None:
    """Store new coefficients of the rule-based evaluation for a size of game; raises OSError."""
    stored = _stored() | {(players, sides): dict(found)}
    records = [{"players": of[0], "sides": of[1], **stored[of]} for of in sorted(stored)]
    lines = ",\n".join(json.dumps(record) for record in records)
    with replacing(FILE) as file:
        file.write(f"[\n{lines}\n]\n".encode())
    _stored.cache_clear()


@cache
def _stored() -> dict[tuple[int, int], dict[str, Any]]:
    records = json.loads(FILE.read_text(encoding="utf-8"))
    return {(record.pop("players"), record.pop("sides")): record for record in records}
