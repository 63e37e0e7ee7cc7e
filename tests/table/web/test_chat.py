"""The persons at a table send each other lines, and nobody else gets them."""

import pytest

from impulse_table.sessions.chat import AT_ONCE, SECONDS, Chat
from impulse_table.sessions.client import RefusalError
from impulse_table.tables.protocol import NewTable
from impulse_table.tables.table import Table


def line(text):
    return {"type": "chat", "text": text}


async def chat(page):
    return await page.until(lambda message: message["type"] == "chat")


async def test_everybody_with_a_seat_gets_a_line_and_whoever_comes_later(browser):
    name, tokens = await browser.new("person", "person", "random", seed=7)
    async with (
        browser.page(name, tokens[0]) as page,
        browser.page(name, tokens[1]) as other,
        browser.page(name) as watcher,
    ):
        assert (await other.state())["chat"]
        await page.say({"type": "name", "seat": 0, "name": "<b>Ada</b>"})
        await page.say(line("Hello <script>"))
        told = {"seat": 0, "name": "<b>Ada</b>", "text": "Hello <script>"}
        for reader in (page, other):
            assert await chat(reader) == {"type": "chat", "lines": [told], "whole": False}
        async with browser.page(name, tokens[1]) as again:
            assert await chat(again) == {"type": "chat", "lines": [told], "whole": True}
        await watcher.say(line("I watch"))
        assert "You are watching" in await watcher.refusal()
        assert "Hello" not in "".join(watcher.raw)
        assert "Hello" not in browser.tables.store.path(name).read_text()


async def test_lines_that_are_refused(browser):
    name, tokens = await browser.new("person", "person", seed=7)
    async with browser.page(name, tokens[0]) as page:
        for wrong in ("", "x" * 201, "two\nlines", " blank", "\x1b[31m"):
            await page.say(line(wrong))
            assert await page.fault()
        for number in range(AT_ONCE):
            await page.say(line(f"line {number}"))
        await page.say(line("one too many"))
        assert "You send too many lines: try again in" in await page.refusal()
        assert "one too many" not in "".join(page.raw)


@pytest.mark.parametrize("seats", [("person", "random"), ("random", "random")])
async def test_a_table_without_a_second_person_has_no_chat(seats, browser):
    name, tokens = await browser.new(*seats, seed=7)
    async with browser.page(name, *tokens.values()) as page:
        assert not (await page.state())["chat"]
        await page.say(line("Anybody?"))
        assert "no other person" in await page.refusal()


def test_after_too_many_lines_a_seat_waits():
    now = [0.0]
    chat = Chat(Table.create(NewTable(seats=["person", "person"])), lambda: now[0])
    for _ in range(AT_ONCE):
        chat.add(0, "x")
    chat.add(1, "another seat")
    with pytest.raises(RefusalError, match=r"in \d s"):
        chat.add(0, "x")
    now[0] = SECONDS
    chat.add(0, "x")
    with pytest.raises(RefusalError):
        chat.add(0, "x")
