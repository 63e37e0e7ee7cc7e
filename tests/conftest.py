"""Settings that must be in place before numba or torch is imported for the first time."""

import os

import numpy as np
import pytest

# Outside a field of a record lies the next field: without these checks a wrong
# index changes something else and raises nothing. Uncompiled code checks by itself.
if os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"):
    os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
# Tests run in as many processes as there are cores: threads of one torch would wait, spinning, for
# those of another. Programs that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_configure(config: pytest.Config) -> None:
    """Compile once, before several workers would all do so."""
    is_worker = hasattr(config, "workerinput")
    if is_worker or not config.getoption("numprocesses", None):
        return
    from impulse_env import observation
    from impulse_env.game import Game

    game = Game(seed=0)
    game.determinize(0, np.random.default_rng(0))
    observation.observe(game, 0)
    Game.from_bytes(game.to_bytes())


@pytest.fixture(scope="module")
def chromium():
    """A browser, as playwright drives it."""
    sync_api = pytest.importorskip("playwright.sync_api")
    from chromium import find

    # Chromium's sandbox does not work for root.
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=args)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium, file):
    """The page of the fixture `file`, which may complain of nothing and ask for nothing else."""
    page = chromium.new_page(viewport={"width": 1200, "height": 800})
    trouble = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda message: trouble.append(message.text))
    page.on("request", lambda request: trouble.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector("main:not([hidden])")
    yield page
    assert [entry for entry in trouble if entry != file.as_uri()] == []
    page.close()
