"""Answers and claims: sentences whose numbers come from the cell that shows them.

A cell shows an answer as text. Its output also stores a summary for the table of all answers in
`notebooks/README.md`, which `make answers` writes from the notebooks' outputs.
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
"""Type of an answer in a notebook's outputs."""
BEGIN: Final = "<!-- answers: written by `make answers` -->"
END: Final = "<!-- end of answers -->"
LONGEST: Final = 25
"""The most words of a summary."""
_FIGURE: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Figure:
    """A measured number with its interval.

    Attributes:
        value: The number.
        low: Lower end of its interval.
        high: Upper end.
        unit: The text after the number, such as " %" or " points".
        digits: Digits after the decimal point.
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
        """Return the figure of a row of `estimates.estimate`, or of `estimates.difference`.

        Args:
            found: ``mean`` or ``difference``, ``low`` and ``high``.
            scale: A factor on the number.
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
        """Return a word by the place of the interval relative to a bound.

        Args:
            bound: The bound.
            above: The word if the whole interval is above it.
            below: The word if the whole interval is below it.
            undecided: The word otherwise.
        """
        return above if self.low > bound else below if self.high < bound else undecided


def answer(question: str, text: str, *, summary: str, **figures: Figure) -> None:
    """Show an answer and store its summary for the table of answers.

    Args:
        question: The question, as in the heading.
        text: The answer, with figures by name in braces; every number in it must be one of them.
        summary: The answer in one sentence of at most `LONGEST` words with exactly one figure.
        figures: The numbers. In the displayed text each is followed by its interval.

    Raises:
        KeyError: A text names a figure that is missing in `figures`.
        ValueError: The summary is too long, or does not have exactly one figure.
    """
    shown = {name: f"**{figure}** {figure.interval}" for name, figure in figures.items()}
    plain = {name: str(figure) for name, figure in figures.items()}
    names = _FIGURE.findall(summary)
    if len(names) != 1:
        raise ValueError(f"a summary needs exactly one figure, not {len(names)}: {summary!r}")
    sentence = summary.format(**plain)
    if len(sentence.split()) > LONGEST:
        raise ValueError(f"a summary has at most {LONGEST} words: {sentence!r}")
    stored = {
        "question": question,
        "answer": text.format(**plain),
        "intervals": {name: figure.interval for name, figure in figures.items()},
        "summary": sentence,
        "interval": figures[names[0]].interval,
    }
    words = text.format(**shown)
    display({"text/markdown": f"> {words}", "text/plain": words, MIME: stored}, raw=True)


def answers_in(notebook: Path) -> Iterator[dict[str, Any]]:
    """Yield the answers in a notebook's outputs, in order."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if MIME in data:
                yield data[MIME]


def table_of(folder: Path) -> str:
    """Return the table of all answers in a folder's notebooks, in Markdown."""
    lines = ["| Question | Answer | 95 % interval | Command |", "|---|---|---|---|"]
    for notebook in sorted(folder.glob("*.ipynb")):
        for stored in answers_in(notebook):
            summary = stored["summary"].replace("|", "\\|")
            link = f"[{stored['question']}]({notebook.name})"
            command = f"`make notebooks ONLY={notebook.stem[:2]}`"
            lines.append(f"| {link} | {summary} | {stored['interval']} | {command} |")
    return "\n".join(lines)


def with_table(text: str, folder: Path) -> str:
    """Return a page with an updated table between its marks.

    Raises:
        ValueError: The marks are missing.
    """
    if BEGIN not in text or END not in text:
        raise ValueError(f"the page needs a line {BEGIN!r} and one {END!r}")
    head, rest = text.split(BEGIN, 1)
    return f"{head}{BEGIN}\n\n{table_of(folder)}\n\n{END}{rest.split(END, 1)[1]}"


class Claims:
    """Statements, each with a difference that is above 0 if the statement is true."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def add(self, statement: str, found: pd.Series, scale: float = 1.0) -> pd.DataFrame:
        """Add a statement with the result of `estimates.difference`; return its row.

        The statement holds if the whole interval is above 0 and is refuted if it is below. It stays
        open if the interval contains 0 or is NaN.

        Args:
            statement: The claim.
            found: ``difference``, ``low``, ``high`` and the rows of either group.
            scale: A factor on the figures, 100 for shares in %.
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
