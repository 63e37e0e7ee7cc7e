"""Updates the tables of the pages from `docs/claims.toml`: `make claims`.

A page has a table between ``<!-- claims: NAME -->`` and ``<!-- end -->``. ``<!-- claims: NAME short
-->`` omits the intervals. After it, ``rows: a, b`` selects these rows.
"""

import re

from impulse_training.evaluation.claims.claims import read
from impulse_training.report.printing import markdown
from impulse_training.report.table import EMPTY, Table
from pages import PAGES, name_of, text_of

_BLOCK = re.compile(
    r"(<!-- claims: ([\w-]+)( short)?(?: rows: ([^\n]+?))? -->\n).*?(<!-- end -->)", re.DOTALL
)


def table_of(claims, name, is_short=False, rows=None):
    """Return the table of a name, with its rows and columns in the order of the file."""
    found, others, columns = {}, {}, []
    for claim in claims:
        if claim.table != name or (rows is not None and claim.row not in rows):
            continue
        if claim.column not in columns:
            columns.append(claim.column)
        shown = claim.estimate.without_interval if is_short else claim.estimate
        found.setdefault(claim.row, {})[claim.column] = shown.text(claim.digits)
        others.setdefault(claim.row, {}).update(claim.cells)
    if not found:
        raise LookupError(f"no claim has the table {name!r}")
    more = list(dict.fromkeys(head for cells in others.values() for head in cells))
    heads = ["", *more, *columns]
    cells = [
        (row, *({**others[row], **found[row]}.get(head, EMPTY) for head in heads[1:]))
        for row in found
    ]
    return Table(name, tuple(heads), tuple(cells))


def with_tables(text, claims):
    """Return a page with all its tables updated."""

    def block(match):
        start, name, short, rows, end = match.groups()
        chosen = None if rows is None else [row.strip() for row in rows.split(",")]
        return start + markdown(table_of(claims, name, bool(short), chosen)) + end

    return _BLOCK.sub(block, text)


if __name__ == "__main__":
    every = read()
    for page in PAGES:
        before = text_of(page)
        after = with_tables(before, every)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"{name_of(page)}: written")
