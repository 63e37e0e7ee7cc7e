"""An integer is one in whatever form a library hands it out; one sentence refuses all else."""

import numpy as np
import pytest

from impulse_env.arguments import checked_integer, checked_integers, integer_of
from impulse_env.errors import ArgumentError, IllegalActionError

FORMS = [
    *(int, np.int64, np.int32, np.uint8, np.array, lambda n: np.array(n, np.int32)),
    *(lambda n: np.array([n]), lambda n: np.array([[n]], np.uint8), np.ma.array),
]
NO_INTEGERS = [
    *(2.0, float("nan"), True, None, "3", b"3", [23], (23,), {}, 3 + 0j, np.float64(23)),
    *(np.bool_(True), np.array(True), np.array(23.0), np.array([2, 3]), np.array([], int)),
    *(np.ma.array(3, mask=True), np.ma.masked, np.array(None), np.array(["3"])),
]


@pytest.mark.parametrize("form", FORMS)
def test_an_integer_is_one_in_every_form(form):
    assert [integer_of(form(number)) for number in range(200)] == list(range(200))
    assert type(integer_of(form(23))) is int
    assert integer_of(10**30) == 10**30
    assert integer_of(np.array(-4)) == -4


@pytest.mark.parametrize("wrong", NO_INTEGERS, ids=repr)
def test_everything_else_is_none(wrong):
    assert integer_of(wrong) is None
    with pytest.raises(ArgumentError, match=r"^seat must be an integer from 0 to 5, not .+"):
        checked_integer("seat", wrong, 0, 5)


def test_tensors_are_read_as_arrays_are():
    torch = pytest.importorskip("torch")
    assert integer_of(torch.tensor(3)) == integer_of(torch.tensor([3], dtype=torch.uint8)) == 3
    for wrong in (torch.tensor(3.0), torch.tensor(True), torch.tensor([1, 2])):
        assert integer_of(wrong) is None
    assert checked_integers("actions", torch.tensor([1, 2]), (2,)).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("given", "limits", "said"),
    [
        (-1, (0, 5), "from 0 to 5, not -1"),
        (6, (0, 5), "from 0 to 5, not 6"),
        (0, (1, None), "of 1 or more, not 0"),
        (1.0, (), r", not 1\.0 \(float\)"),
        ("x" * 999, (), f", not '{'x' * 79}"),
        (np.zeros((2, 2)), (), r", not array\(\[\[0\., 0\.\], \[0\., 0\.\]\]\) \(ndarray\)"),
        (10**5000, (0, 5), "from 0 to 5, not one of type int that is too long to show"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_sentence_says_what_came_and_what_is_allowed(given, limits, said):
    with pytest.raises(IllegalActionError, match=f"^count must be an integer ?{said}$"):
        checked_integer("count", given, *limits, error=IllegalActionError)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (np.zeros(3), r"float64 of shape \(3,\)"),
        (np.zeros(3, bool), r"bool of shape \(3,\)"),
        (np.zeros(2, int), r"int64 of shape \(2,\)"),
        ([1, 2, 10**30], r"object of shape \(3,\)"),
        (np.ma.array([1, 2, 3], mask=[0, 0, 1]), r"int64 of shape \(3,\) with masked elements"),
        ([[1, 2], [3]], r"\[\[1, 2\], \[3\]\] \(list\)"),
        (None, r"object of shape \(\)"),
    ],
)
def test_an_array_must_have_integers_and_the_shape(wrong, said):
    assert checked_integers("actions", np.arange(6, dtype=np.uint8)[::2], (3,)).dtype == np.int64
    with pytest.raises(ArgumentError, match=rf"integers of shape \(3,\), not {said}$"):
        checked_integers("actions", wrong, (3,))
