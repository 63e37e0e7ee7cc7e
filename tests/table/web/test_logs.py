"""The log: a line for each event in one form, and nothing for a client that went."""

import asyncio
import json
import logging
import re

import pytest
from aiohttp import WSMsgType
from aiohttp.http_exceptions import BadHttpMessage

from commands import impulse, refusal
from faults import full_disk
from impulse_table.sessions import session as session_module
from impulse_table.web import page_socket
from impulse_table.web.logs import OneLine, _is_worth_a_line
from serving import serving

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (DEBUG|INFO|WARNING|ERROR) [\w.]+: \S.*")


def record(message, *args, error=None, name="impulse_table.web.server"):
    return logging.LogRecord(
        name, logging.ERROR, "a.py", 1, message, args, error and (type(error), error, None)
    )


def raised(error):
    try:
        raise error
    except type(error) as caught:
        made = record("it failed")
        made.exc_info = (type(caught), caught, caught.__traceback__)
        return made


@pytest.mark.parametrize(
    ("made", "end"),
    [
        (record("a table"), ": a table"),
        (record("table %s", "x\ny\x1b[31m\x00"), ": table x y?[31m?"),
        (raised(KeyError("seat\nfour")), ": it failed: KeyError: 'seat\\nfour'"),
        (raised(ValueError("one\ntwo")), ": it failed: ValueError: one two"),
    ],
)
def test_each_record_is_one_line_in_one_form(made, end):
    line = OneLine(has_tracebacks=False).format(made)
    assert LINE.fullmatch(line)
    assert line.endswith(end)
    assert "Traceback" not in line


def test_where_it_was_raised_is_shown_at_the_level_debug():
    made = raised(ValueError("no"))
    assert "Traceback" not in OneLine(has_tracebacks=False).format(made)
    shown = OneLine(has_tracebacks=True).format(made)
    assert LINE.fullmatch(shown.splitlines()[0])
    assert "Traceback" in shown


def test_a_client_that_goes_or_talks_no_http_is_worth_no_line():
    for error in (ConnectionResetError("gone"), BadHttpMessage("what"), TimeoutError()):
        assert not _is_worth_a_line(record("Error", error=error, name="aiohttp.server"))
    assert _is_worth_a_line(record("Error", error=KeyError("x"), name="aiohttp.server"))
    assert _is_worth_a_line(record("Error", error=ConnectionResetError("x")))


# --- At the server --------------------------------------------------------------------------------


def one_error(caplog):
    (found,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
    return OneLine(has_tracebacks=False).format(found)


async def test_an_unforeseen_error_of_a_handler_is_one_line_and_one_sentence(
    tmp_path, workers, caplog, monkeypatch
):
    async with serving(tmp_path, workers) as browser:
        monkeypatch.setattr(browser.tables.store, "keep", None)
        status, answer = await browser.post({"seats": ["person", "person"]})
        assert (status, answer["message"]) == (
            500,
            "The server could not do that; its log says why.",
        )
    assert "POST /api/tables failed: TypeError: 'NoneType'" in one_error(caplog)


async def test_an_unforeseen_error_at_a_table_closes_that_page_alone(
    tmp_path, workers, caplog, monkeypatch
):
    async with serving(tmp_path, workers) as browser:
        name, tokens = await browser.new("person", "person")
        async with browser.page(name, tokens[0]) as page, browser.page(name, tokens[1]) as other:
            await page.state()
            await other.state()
            monkeypatch.setattr(session_module, "why_not", None)
            await page.say({"type": "act", "step": 0, "action": "nothing"})
            while await page.hear():
                pass
            assert page.socket.close_code == 1011
            await other.say({"type": "pace", "seconds": 0})
            await other.state(lambda state: state["pause"] == 0)
    assert ": a page was closed: TypeError: 'NoneType' object is not" in one_error(caplog)


async def test_a_game_that_cannot_be_saved_is_not_begun_and_is_a_line(workers, caplog, tmp_path):
    async with serving(tmp_path, workers) as browser:
        with full_disk(1):
            status, answer = await browser.post({"seats": ["person", "person"]})
        assert status == 507
        assert "could not be saved: No space left" in answer["message"]
        assert not list(tmp_path.iterdir())
    assert "a new table could not be saved" in one_error(caplog)


async def test_a_damaged_table_is_reported_to_its_page_which_does_not_come_back(
    workers, tmp_path, caplog
):
    caplog.set_level("INFO")

    async with serving(tmp_path, workers) as browser:
        name, tokens = await browser.new("person", "person")
        path = tmp_path / f"{name}.json"
        path.write_bytes(path.read_bytes()[:50])
        for table in (name, "nowhere"):
            async with browser.page(table, tokens[0]) as page:
                message = await page.hear()
                assert message["type"] == "end"
                assert message["message"].startswith("You cannot play at this table: ")
                assert tokens[0] not in message["message"]
                assert await page.hear() is None
        status, text, _ = await browser.get(f"/api/tables/{name}")
        assert (status, str(path) in json.loads(text)["message"]) == (500, True)
        assert len(path.read_bytes()) == 50
        healthy, own = await browser.new("person", "person")
        async with browser.page(healthy, own[0]) as page:
            await page.state()
    assert sum("a page was refused" in line for line in caplog.messages) == 2
    assert all(one.levelno < logging.ERROR for one in caplog.records)


# --- Clients that hold a connection ---------------------------------------------------------------


async def test_a_page_that_never_joins_is_closed(tmp_path, workers, monkeypatch):
    monkeypatch.setattr(page_socket, "_JOINING", 0.2)

    async with serving(tmp_path, workers) as browser:
        name, tokens = await browser.new("person", "person")
        async with browser.page(name, tokens[0]) as joined, browser.page(name, join=False) as page:
            assert await page.hear() is None
            assert page.socket.close_code == 1008
            await asyncio.sleep(0.3)
            await joined.say({"type": "pace", "seconds": 0})
            await joined.state(lambda state: state["pause"] == 0)


async def test_a_half_open_connection_is_forgotten_after_a_heartbeat(
    tmp_path, workers, monkeypatch
):
    monkeypatch.setattr(page_socket, "_HEARTBEAT", 0.3)

    async with serving(tmp_path, workers) as browser:
        name, tokens = await browser.new("person", "person")
        path = f"{browser.base}/api/tables/{name}/socket"
        session = await browser.room(name)
        async with browser.session.ws_connect(
            path, headers=browser.headers, autoping=False
        ) as dead:
            await dead.send_json({"type": "join", "tokens": [tokens[0]]})
            assert (await dead.receive()).type == WSMsgType.TEXT
            assert len(session.clients) == 1
            for _ in range(100):
                await asyncio.sleep(0.05)
                if not session.clients:
                    break
            assert not session.clients


async def test_a_flood_waits_in_its_own_connection(browser):
    name, tokens = await browser.new("person", "person")
    async with browser.page(name, tokens[0]) as loud, browser.page(name, tokens[1]) as quiet:
        for _ in range(400):
            await loud.say({"type": "look", "seat": 5})
        await asyncio.sleep(0.5)
        clock = asyncio.get_running_loop().time
        began = clock()
        await quiet.say({"type": "look", "seat": 5})
        await quiet.refusal()
        assert clock() - began < 2
        for _ in range(120):
            await loud.refusal()
        assert clock() - began > 0.9


# --- Where starting makes no sense ----------------------------------------------------------------


def test_a_folder_where_no_game_can_be_kept_is_refused_in_one_sentence(tmp_path, capsys):
    file = tmp_path / "file"
    file.write_text("mine")
    for folder, why in ((file, "it is not a folder"), (file / "games", f"{file} is not a folder")):
        assert impulse("play", "--no-open", "--dir", folder) == 2
        assert refusal(capsys) == f"--dir {folder} cannot be written: {why}"
    assert file.read_text() == "mine"


def test_a_folder_that_must_not_be_written_is_refused(tmp_path, capsys, monkeypatch):
    def refuse(**options):
        raise PermissionError(13, "Permission denied", str(options["dir"]))

    monkeypatch.setattr("impulse_env.files.TemporaryFile", refuse)
    assert impulse("play", "--no-open", "--dir", tmp_path) == 2
    assert refusal(capsys) == f"--dir {tmp_path} cannot be written: Permission denied"
