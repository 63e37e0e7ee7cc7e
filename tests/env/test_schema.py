"""JSON that is not what it may be is one sentence: where, what is allowed, and what was found."""

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from impulse_env.schema import SchemaError, checked, read_json

Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True)
class Row:
    """A row."""

    name: str
    players: Annotated[int, Meta(ge=2, le=6)]
    shares: dict[str, Share]
    low: Share | None = None
    kind: Literal["a", "b"] = "a"
    more: tuple[int, ...] = ()


@dataclass(frozen=True)
class File:
    """What is read."""

    rows: list[Row]


class Open(Struct):
    """What may tell more."""

    share: Share = 0.5


def row(**fields):
    return {"rows": [{"name": "x", "players": 2, "shares": {"y": 1}} | fields]}


def test_what_fits_is_made():
    made = checked(row(low=0.25, more=[1, 2]), File)
    assert made == File([Row("x", 2, {"y": 1.0}, 0.25, more=(1, 2))])
    assert read_json('{"share": 1, "else": []}', Open).share == 1


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (row(players=7), "rows[0].players must be a whole number <= 6, not 7"),
        (row(players=True), "rows[0].players must be a whole number, not True"),
        (row(players=2.5), "rows[0].players must be a whole number, not 2.5"),
        (row(players=10**400), "rows[0].players must be a whole number"),
        (row(low="x"), "rows[0].low must be a number or null, not 'x'"),
        (row(low=float("nan")), "rows[0].low must be a number >= 0.0, not nan"),
        (row(low=float("inf")), "rows[0].low must be a number <= 1.0, not inf"),
        (row(shares={"y": "1"}), "a value of rows[0].shares must be a number, not {'y': '1'}"),
        (row(shares={"y": 2}), "a value of rows[0].shares must be a number <= 1.0, not {'y': 2}"),
        (row(kind="c"), "rows[0].kind must be one of 'a', 'b', not 'c'"),
        (row(more=[1, "2"]), "rows[0].more[1] must be a whole number, not '2'"),
        (row(name=None), "rows[0].name must be a text, not None"),
        (
            row(namee="x"),
            "rows[0] has an unknown field 'namee'; did you mean name? (there",
        ),
        ({"rows": [{}]}, "rows[0] has no name"),
        ({"rows": 3}, "rows must be a list, not 3"),
        ([1], "it must be an object, not [1]"),
        ({"rows": [], "x" * 9999: 1}, "it has an unknown field 'xxxx"),
    ],
)
def test_what_does_not_fit_is_named(value, said):
    with pytest.raises(SchemaError) as raised:
        checked(value, File)
    assert str(raised.value).startswith(said)
    assert len(str(raised.value)) < 300


class Closed(Struct, forbid_unknown_fields=True):
    """What tells nothing else."""

    kind: Literal["a", "b"] = "a"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"kind": "c - at `$.x`"}, "kind must be one of 'a', 'b', not 'c - at `$.x`'"),
        ({"kind": "c", "x": 1}, "kind must be one of 'a', 'b', not 'c'"),
        ({"x": 1}, "it has an unknown field 'x' (there are kind)"),
        (
            {"x\x1b - at `$.y`": 1},
            r"it has an unknown field 'x\x1b - at `$.y`' (there are kind)",
        ),
        ({"x\x1b - at `$.y": 1}, r"y has an unknown field 'x\x1b' (there are )"),
    ],
)
def test_what_was_read_cannot_pass_for_a_place(value, said):
    with pytest.raises(SchemaError) as raised:
        checked(value, Closed)
    assert str(raised.value) == said


@pytest.mark.parametrize("value", [{"kind": "x, got " * 200_000}, {"x, got " * 200_000: 1}])
def test_a_long_text_is_looked_at_in_part(value):
    with pytest.raises(SchemaError) as raised:
        checked(value, Closed)
    assert len(str(raised.value)) < 300


def test_a_secret_is_not_repeated():
    for value, said in (
        ({"kind": "c"}, "kind must be one of 'a', 'b'"),
        ({"kind": 1}, "kind must be a text"),
    ):
        with pytest.raises(SchemaError) as raised:
            checked(value, Closed, is_secret=True)
        assert str(raised.value) == said


def test_an_error_names_the_place():
    for value, said in (({"share": 2}, "x.share must be a number <= 1.0"), (3, "x must be an obj")):
        with pytest.raises(SchemaError, match=said):
            checked(value, Open, "x")


@pytest.mark.parametrize("text", ["", "[", "[" * 100_000, b"\xff", "1" * 5000, '{"share": 1'])
def test_invalid_json_is_reported(text):
    with pytest.raises(SchemaError, match="it is not JSON, or cut off"):
        read_json(text, Open)
