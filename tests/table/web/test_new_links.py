"""The host gives a seat a new link: the old one opens nothing from that moment on."""

import json
from contextlib import asynccontextmanager

from faults import full_disk
from serving import serving


async def begun(browser, *seats):
    """A new table: its name, the tokens of its seats, the host's."""
    status, answer = await browser.post({"seats": list(seats), "seed": 7, "start_player": 0})
    assert status == 201
    return answer["name"], list(answer["tokens"].values()), answer["host"]


@asynccontextmanager
async def hosting(browser, name, host, *tokens):
    async with browser.page(name, join=False) as page:
        await page.say({"type": "join", "tokens": tokens, "host": host})
        assert (await page.state())["host"]
        yield page


def last_state(page):
    return [message for message in page.heard if message["type"] == "state"][-1]


def link(message):
    return message["type"] == "link"


async def last_words(page):
    """What a page is told before it is closed, and that it is."""
    message = await page.until(lambda message: message["type"] == "end")
    assert await page.hear() is None
    return message["message"]


async def test_the_old_link_is_put_out_at_once_and_the_new_one_opens_the_seat(browser):
    name, (own, other), host = await begun(browser, "person", "person")
    async with (
        hosting(browser, name, host, own) as page,
        browser.page(name, other) as thief,
        browser.page(name) as watcher,
    ):
        await thief.state()
        await watcher.state()
        await page.say({"type": "revoke", "seat": 1})
        told = await page.until(link)
        assert (told["seat"], told["instead_of"]) == (1, other)
        kept = json.loads((await browser.room(name))._store.path(name).read_bytes())
        assert kept["seats"][1]["token"] == told["token"] != other
        assert "replaced by a new one" in await last_words(thief)
        async with browser.page(name, other) as again:
            assert "open no seat" in await last_words(again)
        async with browser.page(name, told["token"]) as person:
            assert (await person.state())["here"] == [1]
            state = last_state(page)
            await page.act(state, state["options"][0]["action"])
            await person.turn_of(1)
        assert told["token"] not in "".join(watcher.raw + thief.raw)
        assert own not in "".join(page.raw)


async def test_nothing_that_the_put_out_page_had_sent_already_is_taken(browser):
    name, (own, other), host = await begun(browser, "person", "person")
    async with hosting(browser, name, host) as page, browser.page(name, own) as thief:
        state = await thief.turn_of(0)
        await page.say({"type": "revoke", "seat": 0})
        await page.until(link)
        await thief.act(state, state["options"][0]["action"])
        await last_words(thief)
        async with browser.page(name, other) as person:
            assert (await person.state())["step"] == 0


async def test_only_the_host_gives_links(browser):
    name, (own, other), host = await begun(browser, "person", "person", "random")
    for tokens, false_host in (((own,), None), ((own, other), "x"), ((), None), ((), own)):
        async with browser.page(name, join=False) as page:
            await page.say({"type": "join", "tokens": tokens, "host": false_host})
            assert not (await page.state())["host"]
            await page.say({"type": "revoke", "seat": 1})
            assert "Only the person who began this game" in await page.refusal()
    async with hosting(browser, name, host) as page:
        for seat in (2, 3):
            await page.say({"type": "revoke", "seat": seat})
            assert "only a person has a link" in await page.refusal()
        assert await browser.room(name)
    async with browser.page(name, own, other) as page:
        assert (await page.state())["here"] == [0, 1]


async def test_the_hosts_own_seat_stays_with_the_page_that_asks_and_leaves_the_others(browser):
    name, (own, other), host = await begun(browser, "person", "person")
    async with (
        hosting(browser, name, host, own) as page,
        browser.page(name, own, other) as both,
    ):
        await both.state()
        await page.say({"type": "revoke", "seat": 0})
        token = (await page.until(link))["token"]
        assert last_state(page)["here"] == [0]
        assert "Seat 0 has a new link" in await both.refusal()
        await both.say({"type": "look", "seat": 0})
        assert "is not at this page" in await both.refusal()
    async with browser.page(name, own, other) as both:
        assert (await both.state())["here"] == [1]
        assert "no longer opens a seat" in await both.refusal()
    async with hosting(browser, name, host, own) as page:  # the answer was lost on its way
        assert "no longer opens a seat" in await page.refusal()
        await page.say({"type": "revoke", "seat": 0})
        fresh = await page.until(link)
        assert fresh["instead_of"] == token


async def test_a_link_that_cannot_be_saved_is_not_given_and_the_old_one_stays(browser):
    name, (own, other), host = await begun(browser, "person", "person")
    async with hosting(browser, name, host, own) as page, browser.page(name, other) as person:
        await person.state()
        with full_disk(1):
            await page.say({"type": "revoke", "seat": 1})
            refusal = await page.refusal()
        assert "Seat 1 keeps its link" in refusal
        assert "No space left" in refusal
        async with browser.page(name, other) as again:
            assert (await again.state())["here"] == [1]
        await page.say({"type": "revoke", "seat": 1})
        await page.until(link)
        await last_words(person)


async def test_a_new_link_outlives_the_server(tmp_path, workers):
    async with serving(tmp_path, workers) as browser:
        name, (own, other), host = await begun(browser, "person", "person")
        async with hosting(browser, name, host, own) as page:
            await page.say({"type": "revoke", "seat": 1})
            token = (await page.until(link))["token"]
    async with serving(tmp_path, workers) as browser:
        async with browser.page(name, other) as page:
            await last_words(page)
        async with browser.page(name, token) as page:
            assert (await page.state())["here"] == [1]
