"""The figures of the game on the page are rows that `impulse games complexity` prints."""

from impulse_training.bench import complexity
from impulse_training.report.printing import markdown
from pages import ROOT, text_of

PAGE = text_of(ROOT / "docs/research_problem.md")


def cells(text):
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in text.strip().splitlines()]


def test_the_table_has_the_rows_of_the_command():
    written = cells(PAGE.split("<!-- impulse games complexity -->\n")[1].split("<!-- end -->")[0])
    printed = cells(markdown(complexity.measure("random", range(2, 7), games=1, seed=1)))
    assert [row[0] for row in written] == [row[0] for row in printed]
    assert written[0] == printed[0]
    is_fixed = [row[0].startswith("Bytes") for row in printed]
    assert [row for row, fixed in zip(written, is_fixed, strict=True) if fixed] == [
        row for row, fixed in zip(printed, is_fixed, strict=True) if fixed
    ]
