"""Claims on strategy, each with the test that could have refuted it."""

from typing import Any

import pandas as pd


class Claims:
    """Statements, each with the difference that would be above 0 if it were true."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def add(self, statement: str, found: pd.Series, scale: float = 1.0) -> pd.DataFrame:
        """Note a statement with what `analysis.difference` returned; return its row.

        It holds if the whole interval is above 0, is refuted if all of it is below, and stays open
        if 0 is in it or there is none.

        Args:
            statement: What is claimed.
            found: ``difference``, ``low``, ``high`` and the rows of either group.
            scale: What the figures are multiplied by, 100 for shares in %.
        """
        verdict = "holds" if found.low > 0 else "refuted" if found.high < 0 else "open"
        row = {"claim": statement, "verdict": verdict}
        row |= {name: round(scale * found[name], 2) for name in ("difference", "low", "high")}
        row["rows"] = f"{int(found.rows_first):,} / {int(found.rows_second):,}"
        self._rows.append(row)
        return pd.DataFrame([row]).set_index("claim")

    def table(self) -> pd.DataFrame:
        """Return all statements in the order in which they were added."""
        return pd.DataFrame(self._rows).set_index("claim")
