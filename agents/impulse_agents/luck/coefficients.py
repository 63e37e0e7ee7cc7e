"""How much of the luck that a value sees to take out of a result, fitted to other games beforehand.

A value that knew everything would have 1 everywhere. A coarse one sees luck where there is little:
then less takes out more noise. Whatever the coefficients are, the mean stays what it is, as long as
they were fixed before the games were looked at.
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
"""Those of the rule-based evaluation: a list of records, one for each size of game."""


@dataclass(frozen=True)
class Coefficients:
    """A factor for each kind of chance.

    Attributes:
        by_kind: Shape ``(len(KINDS),)``.
        is_fitted: Whether they were fitted to games; else all are 1.
    """

    by_kind: NDArray[np.float64]
    is_fitted: bool

    @classmethod
    def read(cls, found: Mapping[str, Any] | None, weights: str | None = None) -> Self:
        """Return what a record tells; all 1 if there is none, or it is of other weights.

        Args:
            found: Factors by kind, and the digest of the weights where it is a network's.
            weights: The digest that it should have.
        """
        if found is None or found.get("weights") != weights or not set(KINDS) <= found.keys():
            return cls(np.ones(len(KINDS)), is_fitted=False)
        return cls(np.array([float(found[kind]) for kind in KINDS]), is_fitted=True)


def of_rules(players: int, sides: int) -> Coefficients:
    """Return those of the rule-based evaluation in games of so many players and sides."""
    return Coefficients.read(_kept().get((players, sides)))


def keep(players: int, sides: int, found: Mapping[str, Any]) -> None:
    """Keep those of the rule-based evaluation in place of what was known; raises OSError."""
    kept = _kept() | {(players, sides): dict(found)}
    records = [{"players": of[0], "sides": of[1], **kept[of]} for of in sorted(kept)]
    lines = ",\n".join(json.dumps(record) for record in records)
    with replacing(FILE) as file:
        file.write(f"[\n{lines}\n]\n".encode())
    _kept.cache_clear()


@cache
def _kept() -> dict[tuple[int, int], dict[str, Any]]:
    records = json.loads(FILE.read_text(encoding="utf-8"))
    return {(record.pop("players"), record.pop("sides")): record for record in records}
