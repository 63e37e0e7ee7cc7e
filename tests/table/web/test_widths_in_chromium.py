"""Every page besides the table fits from a phone to a wide screen, and can be touched."""

import pytest

from page_sizes import fits, small_targets
from recorded import short_game
from table_pages import picture

pytestmark = pytest.mark.browser

TOUCH = {"has_touch": True, "is_mobile": True}
SIZES = {360: (740, TOUCH), 768: (1024, TOUCH), 1280: (720, {}), 1920: (1080, {})}


@pytest.fixture(scope="module")
def analysed(chromium, served, tmp_path_factory):
    """The address of a game's analysis on the server, where other choices can be tried."""
    file = tmp_path_factory.mktemp("record") / "game.jsonl"
    short_game().save(file)
    page = chromium.new_page()
    page.goto(f"{served.address}analysis")
    page.set_input_files("#file", file)
    page.wait_for_url("**/analysis/record-*", timeout=120_000)
    yield page.url
    page.close()


@pytest.fixture(params=["start", "analysis", "board", "nowhere"])
def kind(request):
    return request.param


@pytest.fixture
def address(kind, served, analysed):
    own = {"start": "", "analysis": "analysis", "nowhere": "table/there-is-none"}
    return analysed if kind == "board" else served.address + own[kind]


@pytest.mark.parametrize("width", SIZES)
def test_it_fits_and_can_be_touched(visit, kind, address, width):
    height, device = SIZES[width]
    page = visit(address, width, height, **device)
    page.wait_for_load_state("networkidle")
    if kind == "board":
        page.wait_for_selector("#analysis:not([hidden])")
        page.locator("#choices .try").first.wait_for()
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    picture(page, f"width-{kind}-{width}")
    assert fits(page)
    if device:
        assert small_targets(page) == []
