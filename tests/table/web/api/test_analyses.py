"""Any recorded game is analysed on a page of the server: dropped, made in parts, opened."""

import asyncio
import io
import time

import pytest

from impulse_table.sessions import replays
from recorded import TABLES, played, short_game
from serving import serving


async def sent(browser, data):
    async with browser.session.post(
        f"{browser.base}/api/analyses", data=data, headers=browser.headers
    ) as answer:
        return answer.status, await answer.json()


async def test_a_record_is_analysed_and_its_board_is_served(tmp_path, workers):
    record = short_game()

    async with serving(tmp_path, workers) as browser:
        status, state = await sent(browser, record.text())
        assert (status, state["total"]) == (201, len(record.moves))
        name = state["name"]
        while not state["ready"]:
            assert state["fault"] is None
            await asyncio.sleep(0.2)
            async with browser.session.get(f"{browser.base}/api/analyses/{name}") as answer:
                state = await answer.json()
        status, text, headers = await browser.get(f"/analysis/{name}")
        assert (status, 'id="data"' in text) == (200, True)
        assert "'unsafe-inline'" in headers["Content-Security-Policy"]
        again = await sent(browser, record.text())
        assert (again[1]["name"], again[1]["ready"]) == (name, True)


async def test_the_board_opens_before_its_analysis_and_asks_for_that(tmp_path, workers):
    record = played(TABLES[0], 3)[0]

    async with serving(tmp_path, workers) as browser:
        state = (await sent(browser, record.text()))[1]
        name, seen = state["name"], []
        while not state["open"]:
            async with browser.session.get(f"{browser.base}/api/analyses/{name}?seen=0") as answer:
                state = await answer.json()
        assert not state["ready"]
        assert 'id="data"' in (await browser.get(f"/analysis/{name}"))[1]
        at = f"{browser.base}/api/replays/{name}"
        while len(seen) < 2:
            async with browser.session.get(f"{at}?seen={state['done']}") as answer:
                state = await answer.json()
            known = len(state["analysis"]["wins"]) if state["analysis"] else 0
            # A slow machine may answer before there is more.
            if known > max(seen, default=0):
                seen.append(known)
        assert seen[1] < len(record.moves)
        browser.tables.replays.close()
        await asyncio.sleep(0.1)
        async with browser.session.get(at) as answer:
            assert not (await answer.json())["running"]
        async with browser.session.post(at, headers=browser.headers) as answer:
            assert (await answer.json())["running"]
        async with browser.session.get(f"{browser.base}/api/replays/nothing") as answer:
            assert answer.status == 404


@pytest.mark.parametrize(
    ("data", "status", "word"),
    [
        ("", 400, "empty"),
        ("nonsense", 400, "not a record"),
        (b"\xff\xfe", 400, "UTF-8"),
        ("x" * ((1 << 20) + 1), 413, "at most"),
    ],
    ids=["empty", "nonsense", "bytes", "long"],
)
async def test_an_invalid_record_is_one_sentence(data, status, word, browser):
    found, answer = await sent(
        browser, io.BytesIO(data if isinstance(data, bytes) else data.encode())
    )
    assert (found, word in answer["message"]) == (status, True)


@pytest.mark.parametrize("name", ["record-0", "x", "record-" + "0" * 20, "..%2Fbrowsers"])
async def test_pages_of_other_names_are_not_there(name, browser):
    assert (await browser.get(f"/analysis/{name}"))[0] == 404


async def test_old_pages_go_and_too_many_at_once_wait(workers, tmp_path, monkeypatch):
    from impulse_table.web.api import analyses

    monkeypatch.setattr(analyses, "_MOST_STORED", 2)
    folder = tmp_path / "replays"
    folder.mkdir()
    for number in range(4):
        for kind in ("html", "jsonl"):
            (folder / f"record-{number:020}.{kind}").write_text("old")

    async with serving(tmp_path, workers) as browser:
        assert (await sent(browser, short_game().text()))[0] == 201
        assert len(list(folder.glob("record-0*.html"))) == 1
        assert len(list(folder.glob("record-0*.jsonl"))) == 1
        monkeypatch.setattr(replays, "_MOST_AT_ONCE", 0)
        status, answer = await sent(browser, short_game(5).text())
        assert (status, "try again" in answer["message"]) == (429, True)


def take_long(*_):
    time.sleep(60)


def is_running(browser, name):
    return browser.tables.replays.state(name)["running"]


@pytest.mark.parametrize("goes", ["away", "silent", "elsewhere"])
async def test_what_nobody_waits_for_is_computed_no_more(goes, tmp_path, workers, monkeypatch):
    """The client closes its connection, asks no more, or waits with another one that stays."""
    monkeypatch.setattr(replays.replay_tasks, "judge", take_long)
    if goes == "silent":
        monkeypatch.setattr(replays, "_PATIENCE", 0.5)

    async with serving(tmp_path, workers) as browser:

        async def follow():
            async with browser.session.get(f"{at}?seen=0") as answer:
                await answer.read()

        name = (await sent(browser, short_game().text()))[1]["name"]
        at = f"{browser.base}/api/analyses/{name}"
        asking = [asyncio.create_task(follow()) for _ in range(0 if goes == "silent" else 2)]
        await asyncio.sleep(0.3)
        assert is_running(browser, name)
        for task in asking[: 1 if goes == "elsewhere" else 2]:
            task.cancel()
        await asyncio.sleep(1.2)
        assert is_running(browser, name) == (goes == "elsewhere")
        if goes == "elsewhere":
            return asking[1].cancel()
        began = time.monotonic()
        assert await browser.tables.workers.ask(divmod, 7, 2) == (3, 1)
        assert time.monotonic() - began < 30
        assert (await sent(browser, short_game().text()))[1]["running"], "it can be begun again"


async def test_progress_is_sent_when_it_changes(tmp_path, workers, monkeypatch):
    monkeypatch.setattr(replays, "_HOLD", 1.0)
    monkeypatch.setattr(replays.replay_tasks, "judge", take_long)

    async with serving(tmp_path, workers) as browser:
        name = (await sent(browser, short_game().text()))[1]["name"]
        async with asyncio.timeout(30):
            while browser.tables.replays.page(name) is None:  # that it opens is progress, too
                await asyncio.sleep(0.05)
        asked = asyncio.create_task(browser.get(f"/api/analyses/{name}?seen=0"))
        await asyncio.sleep(0.5)
        assert not asked.done()
        browser.tables.replays._progress[name].done = 3
        assert '"done": 3' in (await asyncio.wait_for(asked, 0.9))[1]
        began = time.monotonic()
        await browser.get(f"/api/analyses/{name}?seen=3")
        assert 0.8 < time.monotonic() - began < 10
