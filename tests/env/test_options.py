"""What is given by a keyword is checked, and a sentence says what would do."""

from types import SimpleNamespace

import pytest

from impulse_env.options import OptionError, check_keywords, check_least


def test_numbers_that_are_large_enough_are_let_through():
    given = SimpleNamespace(games=1, seed=0, steps=None, widths=(), many=(2, 3), share=0.5)
    check_least(given, 0, "games", "seed", "steps", "widths", "many", "share")
    check_least(given, 1, "games", "steps", "widths", "many")
    check_least(given, 0.5, "share")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "games must be 1 or more, not 0"),
        (-3, "games must be 1 or more, not -3"),
        ((4, 0, -1), "games must be 1 or more, not 0"),
        (float("nan"), "games must be 1 or more, not nan"),
        (float("inf"), "games must be 1 or more, not inf"),
    ],
)
def test_the_first_number_that_is_too_small_is_named(value, said):
    with pytest.raises(OptionError, match=f"^{said}$"):
        check_least(SimpleNamespace(games=value), 1, "games")


def test_an_unknown_keyword_names_the_nearest():
    check_keywords(["players"], ["players", "team_size"])
    with pytest.raises(OptionError, match=r"no option 'team_sise'; did you mean team_size\?"):
        check_keywords(["players", "team_sise"], ["players", "team_size"])
