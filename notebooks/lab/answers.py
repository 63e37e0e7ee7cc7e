"""Answers and claims: sentences whose numbers come from the cell that shows them.

An answer is shown as text, and kept beside it for the table of all notebooks' answers in
`notebooks/README.md`, which `make answers` writes anew from what the notebooks hold.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd
from IPython.display import display

MIME: Final = "application/vnd.impulse.answer+json"
"""Of an answer in a notebook's outputs."""
BEGIN: Final = "<!-- answers: written by `make answers` -->"
END: Final = "<!-- end of answers -->"
_INTERVAL: Final = re.compile(r"(?<=\*\* )\[[^\]]*\]")
"""Behind a figure of a text that is shown."""


@dataclass(frozen=True)
class Figure:
    """A measured number with its interval.

    Attributes:
        value: The number.
        low: Where its interval begins.
        high: Where it ends.
        unit: What stands behind the number, such as " %" or " points".
        digits: Behind the decimal point.
    """

    value: float
    low: float
    high: float
    unit: str = " %"
    digits: int = 1

    @classmethod
    def of(
        cls, found: pd.Series, scale: float = 100.0, unit: str = " %", digits: int = 1
    ) -> "Figure":
        """Return a row of `estimates.estimate`, or what `estimates.difference` returned.

        Args:
            found: ``mean`` or ``difference``, ``low`` and ``high``.
            scale: What it is multiplied by.
            unit: See `Figure`.
            digits: See `Figure`.
        """
        value = found["mean"] if "mean" in found else found["difference"]
        return cls(scale * value, scale * found["low"], scale * found["high"], unit, digits)

    def __str__(self) -> str:
        return f"{self.value:.{self.digits}f}{self.unit}"

    @property
    def interval(self) -> str:
        """The interval in brackets."""
        return f"[{self.low:.{self.digits}f}, {self.high:.{self.digits}f}]"

    def against(
        self, bound: float, above: str, below: str, undecided: str = "no clear difference"
    ) -> str:
        """Return the word for where the whole interval lies, or that for one that holds the bound.

        Args:
            bound: What the number is held against.
            above: If all of the interval is larger.
            below: If all of it is smaller.
            undecided: If neither.
        """
        return above if self.low > bound else below if self.high < bound else undecided


def answer(question: str, text: str, **figures: Figure) -> None:
    """Show an answer and keep it for the table of answers.

    Args:
        question: What was asked, as the heading names it.
        text: The answer, with figures by name in braces; every number in it is to be one of them.
        figures: The numbers. In the text shown each has its interval behind it.

    Raises:
        KeyError: The text names a figure that is not given.
    """
    shown = {name: f"**{figure}** {figure.interval}" for name, figure in figures.items()}
    kept = {
        "question": question,
        "answer": text.format(**{name: str(figure) for name, figure in figures.items()}),
        "intervals": {name: figure.interval for name, figure in figures.items()},
    }
    words = text.format(**shown)
    display({"text/markdown": f"> {words}", "text/plain": words, MIME: kept}, raw=True)


def kept_in(notebook: Path) -> Iterator[dict[str, Any]]:
    """Yield the answers that a notebook holds, in order."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if MIME in data:
                # A notebook's file has names in the order of the alphabet; the text has its own.
                shown = "".join(data["text/plain"])
                yield data[MIME] | {"in_order": _INTERVAL.findall(shown)}


def table_of(folder: Path) -> str:
    """Return the table of all answers in a folder's notebooks, in Markdown."""
    lines = ["| question | answer | 95 % intervals | command |", "|---|---|---|---|"]
    for notebook in sorted(folder.glob("*.ipynb")):
        for kept in kept_in(notebook):
            intervals = ", ".join(kept["in_order"])
            said = kept["answer"].replace("|", "\\|")
            link = f"[{kept['question']}]({notebook.name})"
            command = f"`make notebooks ONLY={notebook.stem[:2]}`"
            lines.append(f"| {link} | {said} | {intervals} | {command} |")
    return "\n".join(lines)


def with_table(text: str, folder: Path) -> str:
    """Return a page with the table between its marks written anew.

    Raises:
        ValueError: The marks are missing.
    """
    if BEGIN not in text or END not in text:
        raise ValueError(f"the page needs a line {BEGIN!r} and one {END!r}")
    head, rest = text.split(BEGIN, 1)
    return f"{head}{BEGIN}\n\n{table_of(folder)}\n\n{END}{rest.split(END, 1)[1]}"


class Claims:
    """Statements, each with the difference that would be above 0 if it were true."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def add(self, statement: str, found: pd.Series, scale: float = 1.0) -> pd.DataFrame:
        """Note a statement with what `estimates.difference` returned; return its row.

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
