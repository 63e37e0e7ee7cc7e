"""The game in the browser alone: the page of the documentation's site, in Chromium."""

import functools
import http.server
import json
import threading

import numpy as np
import pytest

import play_page
from accessible import faults
from impulse_agents import registry
from impulse_agents.asking.ask import ask_in_game
from impulse_env.game import Game
from impulse_env.records.reader import parse
from impulse_env.records.record import Header, Move, Record, Result, SeatedAgent
from impulse_table.tables.table import SavedTable, Table
from impulse_table.workers.agent_tasks import choose

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WAIT = 60_000
MOST_MS = {"greedy": 100, "core_rush": 100, "miner": 100, "random": 100, "policy:sb3-2p": 1000}
"""Milliseconds within which 95 % of an agent's decisions must be made."""

GAMES = (
    (["random", "random"], 11),
    (["greedy", "core_rush"], 5),
    (["policy:sb3-2p", "miner"], 2**62 + 3),
)
"""Agents and seeds of games."""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    site = tmp_path_factory.mktemp("site")
    line = play_page.build(site)
    if "left out" in line:
        pytest.skip(line)
    return site / play_page.FOLDER


@pytest.fixture(scope="module")
def address(folder):
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(chromium, address):
    """The page once it is loaded; it may ask no other machine and make no error."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.trouble = []
    page.on("pageerror", lambda error: page.trouble.append(str(error)))
    page.on(
        "console", lambda line: line.type in ("error", "warning") and page.trouble.append(line.text)
    )
    context.on(
        "request",
        lambda asked: (
            asked.url.startswith((address, "blob:", "data:")) or page.trouble.append(asked.url)
        ),
    )
    load(page, f"{address}?seed=7")
    yield page
    assert page.trouble == []
    context.close()


def load(page, address):
    page.goto(address)
    page.wait_for_selector("html:is([data-ready], [data-failed])", state="attached")
    assert page.get_attribute("html", "data-failed") is None


def played(names, seed, agent_seed):
    """Return the record of a game of agents, with the generators of a table."""
    game = Game(seed=seed)
    record = Record(Header.of_game(game, [SeatedAgent(name) for name in names]), [])
    agents = [registry.make(name) for name in names]
    while not game.is_over:
        rng = np.random.default_rng((agent_seed, len(record.moves)))
        action = ask_in_game(agents[game.seat], game, rng)
        record.moves.append(Move(game.seat, game.name(action)))
        game.step(action)
    record.result = Result.of(game)
    return record.text()


def test_it_has_at_most_20_megabytes(folder):
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 20_000_000


def test_whole_games_equal_those_of_cpython_and_decisions_are_quick(page):
    for names, seed in GAMES:
        text = json.dumps([names, seed, 7])
        answer = json.loads(page.evaluate("text => impulse.ask('playOut', text)", text))
        assert answer["record"] == played(names, seed, 7), names
        for name, times in answer["times"].items():
            assert np.quantile(times, 0.95) <= MOST_MS[name], (name, np.mean(times), max(times))


def begin(page, opponent):
    """Begin a game in which agents make no pauses."""
    page.select_option("#begin-level", opponent)
    page.click("#begin-new")
    page.wait_for_selector("#options button")
    page.select_option("#pace", "0")


def take_first_choice(page):
    page.wait_for_timeout(600)  # sooner, the page takes it for a double click
    before = page.inner_text("#prompt"), page.locator("#entries li").count()
    page.locator("#options button").first.click()
    page.wait_for_function(
        "([prompt, lines]) => document.querySelector('#prompt').textContent !== prompt"
        " || document.querySelectorAll('#entries li').length !== lines",
        arg=before,
    )
    page.wait_for_selector("#options button, #record-button[aria-disabled=false]")


def test_a_person_plays_and_continues_without_a_network(page, address):
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    begin(page, "greedy")
    for _ in range(6):
        take_first_choice(page)
    page.click("#hint-button")
    page.wait_for_selector("#hint li")
    lines = page.locator("#entries li").count()
    load(page, address)
    page.click("#begin-new")
    assert page.inner_text("#begin-status").startswith("A saved game is not over")
    page.click("#begin-resume")
    page.wait_for_selector("#options button")
    assert page.locator("#entries li").count() >= lines


MISSING = {
    "delete window.Worker": "lacks Worker",
    "delete window.WebAssembly": "lacks WebAssembly",
    "delete HTMLScriptElement.prototype.noModule": "lacks modules",
}


@pytest.mark.parametrize("script", MISSING)
def test_an_old_browser_gets_the_reason(chromium, address, script):
    page = chromium.new_page()
    page.add_init_script(script)
    page.goto(address)
    page.wait_for_selector("html[data-failed]", state="attached")
    assert MISSING[script] in page.inner_text("#begin-status")
    assert page.is_hidden("#begin-bar")
    page.close()


@pytest.mark.parametrize("file", ["pyodide.mjs", "pyodide.asm.wasm", "sources.zip"])
def test_a_file_that_cannot_be_loaded_ends_the_wait(chromium, address, file):
    context = chromium.new_context(service_workers="block")
    context.route(f"**/{file}", lambda asked: asked.abort())
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-failed]", state="attached", timeout=WAIT)
    assert "network" in page.inner_text("#begin-status")
    context.close()


NO_STORAGE = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }})"


def test_a_browser_without_storage_plays_with_lessons_and_notices(page, address):
    page.context.add_init_script(NO_STORAGE)
    load(page, f"{address}?seed=7")
    assert faults(page) == []
    assert page.evaluate("document.querySelector('#begin-bar').position") == 1
    assert page.inner_text("#begin-level option:checked") == "Medium (greedy: looks one step ahead)"
    page.click("#begin-new")
    page.wait_for_selector("#options button")
    page.wait_for_selector("#lesson-text")
    assert ": 20 in this game." in page.inner_text("#lesson-text")
    page.click("#links-button")
    assert page.is_hidden("#seat-list")
    assert page.is_hidden("#watching")
    page.check("#turn-tone")
    page.click("#links .primary")
    page.click("#help-button")
    assert "Chat" not in page.inner_text("#help")


@pytest.mark.parametrize("text", ["{", "{}", "null"])
def test_a_damaged_saved_game_is_refused_and_another_begins(page, address, text):
    page.evaluate("text => localStorage.setItem('impulse.play', text)", text)
    load(page, address)
    page.click("#begin-resume")
    page.wait_for_selector("#begin-status:not(:empty)")
    said = page.inner_text("#begin-status")
    assert said.startswith("The saved game cannot be opened: it is ")
    page.click("#begin-new")
    page.wait_for_selector("#options button")


def test_a_game_to_the_end_gives_the_record_that_cpython_gives(page, address):
    begin(page, "core_rush")
    for _ in range(3):
        take_first_choice(page)
    page.click("#leave-button")
    page.select_option("#leave-agent", "greedy")
    page.click("#play-on")
    page.click("#played-for button")
    page.wait_for_selector("#options button")
    page.click("#leave-button")
    page.click("#play-on")
    page.wait_for_selector("#record-button[aria-disabled=false]")
    page.wait_for_selector("#ending-points td")
    with page.expect_download() as download:
        page.click("#record-button")
    text = download.value.path().read_text(encoding="utf-8")
    saved = SavedTable.read(page.evaluate("localStorage['impulse.play']").encode())
    assert saved.seed == 7
    assert Table(saved).record().text() == text
    record = parse(text)
    for step, (game, move) in enumerate(zip(record.games(), record.moves, strict=False)):
        if move.seat == 1:
            view = game.view(game.seat).state.tobytes()
            assert choose("core_rush", view, (saved.agent_seed, step)) == move.action
    load(page, address)
    assert page.inner_text("#begin-resume") == "Look at the finished game"
