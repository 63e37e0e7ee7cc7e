"""Any recorded game is analysed on a page of the server: dropped, made in parts, opened."""

import asyncio
import io

import pytest

from recorded import short_game
from serving import serving


@pytest.fixture
def using(tmp_path, workers):
    def using(test):
        async def run():
            async with serving(tmp_path, workers) as browser:
                await test(browser)

        asyncio.run(run())

    return using


async def sent(browser, data):
    async with browser.session.post(
        f"{browser.base}/api/analyses", data=data, headers=browser.headers
    ) as answer:
        return answer.status, await answer.json()


def test_a_record_is_analysed_and_its_board_is_served(using):
    record = short_game()

    async def test(browser):
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

    using(test)


@pytest.mark.parametrize(
    ("data", "status", "word"),
    [
        ("", 400, "empty"),
        ("nonsense", 400, "no record"),
        (b"\xff\xfe", 400, "UTF-8"),
        ("x" * ((1 << 20) + 1), 413, "at most"),
    ],
    ids=["empty", "nonsense", "bytes", "long"],
)
def test_what_is_no_record_is_one_sentence(data, status, word, using):
    async def test(browser):
        found, answer = await sent(
            browser, io.BytesIO(data if isinstance(data, bytes) else data.encode())
        )
        assert (found, word in answer["message"]) == (status, True)

    using(test)


@pytest.mark.parametrize("name", ["record-0", "x", "record-" + "0" * 20, "..%2Fbrowsers"])
def test_pages_of_other_names_are_not_there(name, using):
    async def test(browser):
        assert (await browser.get(f"/analysis/{name}"))[0] == 404

    using(test)


def test_old_pages_go_and_too_many_at_once_wait(using, tmp_path, monkeypatch):
    from impulse_agents.table import replays
    from impulse_agents.web import analyses

    monkeypatch.setattr(analyses, "_MOST_KEPT", 2)
    folder = tmp_path / "replays"
    folder.mkdir()
    for number in range(4):
        for kind in ("html", "jsonl"):
            (folder / f"record-{number:020}.{kind}").write_text("old")

    async def test(browser):
        assert (await sent(browser, short_game().text()))[0] == 201
        assert len(list(folder.glob("record-0*.html"))) == 1
        assert len(list(folder.glob("record-0*.jsonl"))) == 1
        monkeypatch.setattr(replays, "_MOST_AT_ONCE", 0)
        status, answer = await sent(browser, short_game(5).text())
        assert (status, "try again" in answer["message"]) == (429, True)

    using(test)
