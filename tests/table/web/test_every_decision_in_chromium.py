"""The table at every kind of decision: axe finds nothing wrong, and one can choose."""

import pytest

from accessible import faults
from impulse_env.engine.ops import KINDS

pytestmark = pytest.mark.browser

SCHEMES = ("light", "dark")


def test_axe_finds_nothing_wrong_at_any_kind_of_decision(visit, tables):
    assert tables.keys() == set(KINDS)
    page = visit()
    for number, (kind, address) in enumerate(tables.items()):
        page.emulate_media(color_scheme=SCHEMES[number % 2])
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("#options button")
        assert faults(page) == [], kind
