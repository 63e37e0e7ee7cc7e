"""The accessibility faults that axe-core finds on a page in Chromium."""

import pytest

OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},
}


def faults(page):
    """Return a line for each fault: the rule, and the first element that breaks it."""
    from axe_playwright_python.sync_playwright import Axe

    told = Axe().run(page, options=OPTIONS).response["violations"]
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:160]}" for fault in told]


def in_every_look(test):
    """Run a test for light and dark, on a phone and on a desktop, as its fixture `look`."""
    looks = [(scheme, width) for scheme in ("light", "dark") for width in (360, 1200)]
    return pytest.mark.parametrize("look", looks)(test)


def show(page, look):
    """Show a page in a look of `in_every_look`."""
    scheme, width = look
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
