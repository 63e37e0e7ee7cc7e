"""Nothing lies over a choice, at any kind of decision and on any screen."""

import pytest

from page_sizes import SIZES, TOUCH, covered, fits
from table_pages import picture

pytestmark = pytest.mark.browser

DEVICES = {
    "phone": (TOUCH, [size for size, device in SIZES.items() if device]),
    "laptop": ({}, [size for size, device in SIZES.items() if not device]),
}


@pytest.mark.parametrize("kind", ["phone", "laptop"])
def test_nothing_lies_over_a_choice(visit, tables, kind):
    device, sizes = DEVICES[kind]
    page = visit(**device)
    trouble = []
    for number, (decision, address) in enumerate(tables.items()):
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("#options button", state="attached")
        for is_hinted in (False, True):
            if is_hinted:
                page.click("#hint-button")
                page.wait_for_selector("#hint .share", state="attached")
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                if number == 0 and is_hinted:
                    picture(page, f"hint-{width}x{height}")
                trouble += [(decision, width, is_hinted, what) for what in covered(page)]
                assert fits(page)
    assert trouble == []
