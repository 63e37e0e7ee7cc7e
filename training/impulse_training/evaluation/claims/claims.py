"""The file of claims, ``docs/claims.toml``; the comment at its top lists the fields."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from impulse_env.errors import ImpulseError, did_you_mean
from impulse_env.schema import SchemaError, checked
from impulse_training.evaluation.claims.estimate import Estimate
from impulse_training.evaluation.claims.sources import SourceError, resolve, rows_of_standings
from impulse_training.run.provenance.checkout import checkout

_IN_CHECKOUT: Final = Path("docs/claims.toml")
_INSTALLED: Final = Path(__file__).with_name("claims.toml")
"""Path of the file in a wheel."""
STANDINGS: Final = "standings"
_PLACE: Final = re.compile(r"\{(\w+)\}")
_MEASURED: Final = ("value", "low", "high")
"""Names in braces that pages fill in, with the digits of the claim."""


class ClaimError(ImpulseError, ValueError):
    """The file of claims cannot be used, or has no such claim; the message says why."""


@dataclass(frozen=True)
class Claim:
    """A number on a public page.

    Attributes:
        id: A short name, unique in the file.
        statement: The claim in a sentence.
        command: The command line that measured it.
        value: The measured value, in `unit`; None if `source` has it.
        low: Lower end of the 95 % interval; None without one.
        high: Upper end; likewise.
        source: Another place that holds the value, see `sources.resolve`; empty if `value` does.
        unit: Unit of the value, such as "%".
        digits: Decimal places that pages show.
        at: Path of the value in the JSON that the command prints with `--json`, see `sources.at`.
        low_at: Path of the interval's lower end; empty: it has none.
        high_at: Path of its upper end.
        factor: The printed value times this factor is in `unit`.
        seed: Seed of the command, if it takes ``--seed``; None otherwise.
        games: Number of games played; None if the command played none.
        commit: The commit that recorded the measurement.
        minutes: Processor time of the command in minutes; None if unknown.
        minutes_are: Whether `minutes` were measured, or computed from a measured rate.
        copy: A checkpoint in the command that the command overwrites; a verification passes a copy.
        depends_on_machine: Whether another machine gives another value.
        by_hand: The reason why `verify` does not run the command; empty if it does.
        pages: Files that show the number, from the root of the repository.
        text: Its text on a page outside a table, with ``{value}``, ``{low}`` and ``{high}``.
        table: Name of the marks around the table that contains it; empty if no table does.
        row: First cell of its row in the table.
        column: Heading of its column in the table.
        cells: Other cells of that row, by the headings of their columns.
    """

    id: str
    statement: str
    command: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    source: list[str] = field(default_factory=list)
    unit: str = ""
    digits: Annotated[int, Meta(ge=0, le=9)] = 1
    at: str = ""
    low_at: str = ""
    high_at: str = ""
    factor: Annotated[float, Meta(gt=0)] = 1.0
    seed: Annotated[int, Meta(ge=0)] | None = None
    games: Annotated[int, Meta(ge=1)] | None = None
    commit: str = ""
    minutes: Annotated[float, Meta(ge=0)] | None = None
    minutes_are: Literal["measured", "computed"] | None = None
    copy: str = ""
    depends_on_machine: bool = False
    by_hand: str = ""
    pages: list[str] = field(default_factory=list)
    text: str = ""
    table: str = ""
    row: str = ""
    column: str = ""
    cells: dict[str, str] = field(default_factory=dict)

    @cached_property
    def estimate(self) -> Estimate:
        """The value and its interval, from the claim or its source; raises `ClaimError`."""
        if not self.source:
            assert self.value is not None
            return Estimate(self.value, self.low, self.high)
        try:
            return resolve(self.source, self.games)
        except SourceError as error:
            raise ClaimError(f"the source of the claim {self.id}: {error}") from error

    @property
    def shown(self) -> str:
        """The value and its interval as pages show them, without the unit."""
        return self.estimate.text(self.digits)

    @property
    def sentence(self) -> str:
        """Its text on a page outside a table, with numbers; empty if no page has one."""
        found = self.estimate
        parts = {"value": found.value, "low": found.low, "high": found.high}
        numbers = {
            name: Estimate(part).text(self.digits)
            for name, part in parts.items()
            if part is not None
        }
        return self.text.format(**numbers)


_FIELDS: Final = tuple(field.name for field in fields(Claim))


def cheapest_first(claims: list[Claim]) -> list[Claim]:
    """Return the claims in order of cost; those of unknown cost are last."""
    return sorted(claims, key=lambda claim: (claim.minutes is None, claim.minutes or 0.0))


def file_of_claims() -> Path:
    """Return the project's file of claims."""
    top = checkout()
    return _INSTALLED if top is None else top / _IN_CHECKOUT


def read(path: Path | None = None) -> list[Claim]:
    """Return the claims of a file, or of the project's file, in file order.

    A claim with ``each`` stands for one claim per row of ``each``; the fields of the row are added
    to its own. ``each = "standings"`` takes the rows of the standings, with the fields ``agent``,
    ``seats`` (4x2, for example), ``games`` and ``command``. In a text, ``{name}`` is replaced by
    the field of that name.

    Raises:
        ClaimError: The file is not a file of claims; the message names the claim and the field.
        OSError: The file cannot be read.
    """
    path = path or file_of_claims()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ClaimError(f"{path} is not TOML: {error}") from error
    unknown = sorted(set(content) - {"claim"})
    rows = content.get("claim")
    if unknown or not isinstance(rows, list):
        raise ClaimError(
            f"{path} must hold only [[claim]] tables{f', not {unknown[0]}' if unknown else ''}"
        )
    found = [_claim(one, path) for row in rows for one in _each(row, path)]
    seen: set[str] = set()
    for claim in found:
        if claim.id in seen:
            raise ClaimError(f"{path} has two claims named {claim.id}")
        seen.add(claim.id)
    return found


def chosen(claims: list[Claim], names: tuple[str, ...]) -> list[Claim]:
    """Return the claims with these ids or in these tables; all claims without names.

    Raises:
        ClaimError: A name is neither the id of a claim nor a table.
    """
    for name in names:
        known = {word for claim in claims for word in (claim.id, claim.table) if word}
        if name not in known:
            near = did_you_mean(name, sorted(known))
            raise ClaimError(
                f"there is no claim and no table {name!r}{near} (`impulse tools claims` lists them)"
            )
    return [claim for claim in claims if not names or {claim.id, claim.table} & set(names)]


def _each(row: Any, path: Path) -> Iterator[dict[str, Any]]:
    """Yield the fields of each claim that a ``[[claim]]`` table describes."""
    if not isinstance(row, dict):
        raise ClaimError(f"{path}: a claim must be a table, not {row!r}")
    shared = {name: value for name, value in row.items() if name != "each"}
    each = row.get("each", [{}])
    if each == STANDINGS:
        each = rows_of_standings()
    if not isinstance(each, list) or not all(isinstance(more, dict) for more in each):
        raise ClaimError(f"{path}, {row.get('id')}: each must be rows of fields, or {STANDINGS!r}")
    for more in each:
        merged = {**shared, **more}
        texts = {name: value for name, value in merged.items() if name not in _MEASURED}
        used = set(_PLACE.findall(str(list(merged.values()))))
        for name in merged:
            if name not in _FIELDS and name not in used:
                raise ClaimError(
                    f"{path}, {merged.get('id')}: no text has {{{name}}}, and a claim has no such "
                    f"field{did_you_mean(name, _FIELDS)}"
                )
        yield {name: _filled(value, texts) for name, value in merged.items()}


def _filled(value: Any, texts: Mapping[str, Any]) -> Any:
    """Return a value with each name in braces replaced by its text."""
    if isinstance(value, str):
        return _PLACE.sub(lambda found: str(texts.get(found[1], found[0])), value)
    if isinstance(value, list):
        return [_filled(one, texts) for one in value]
    if isinstance(value, dict):
        return {name: _filled(one, texts) for name, one in value.items()}
    return value


def _claim(row: dict[str, Any], path: Path) -> Claim:
    """Return the claim of a table, without fields that only fill texts."""
    name = row.get("id", "a claim without an id")
    try:
        claim = checked({name: row[name] for name in row if name in _FIELDS}, Claim)
    except SchemaError as error:
        raise ClaimError(f"{path}, {name}: {error}") from error
    if (claim.value is None) == (not claim.source):
        raise ClaimError(f"{path}, {name}: a claim has either a value or a source")
    if (claim.minutes is None) != (claim.minutes_are is None):
        raise ClaimError(f"{path}, {name}: minutes and minutes_are belong together")
    if bool(claim.low_at) != bool(claim.high_at) or (claim.low is None) != (claim.high is None):
        raise ClaimError(f"{path}, {name}: an interval has two ends")
    return claim
