"""Who is away is told to everybody, and waited for as the host says; who is back has the seat."""

import asyncio
import json

from impulse_table.sessions.presence import Presence
from impulse_table.tables.protocol import NewTable
from impulse_table.tables.table import STAND_IN, Table


async def begun(browser, **options):
    """A new table of two persons: its name, the tokens of its seats, the host's."""
    wanted = {"seats": ["person", "person"], "seed": 7, "start_player": 1, **options}
    status, answer = await browser.post(wanted)
    assert status == 201, answer
    return answer["name"], list(answer["tokens"].values()), answer["host"]


def is_away(seat):
    return lambda state: state["seats"][seat]["away"] is not None


def is_here(seat):
    return lambda state: state["seats"][seat]["away"] is None


async def test_every_page_is_told_who_is_here_and_who_is_not(browser):
    name, (own, other), _ = await begun(browser)
    async with browser.page(name, own) as page, browser.page(name) as watcher:
        assert is_away(1)(await page.state(is_here(0)))
        async with browser.page(name, other):
            for told in (page, watcher):
                await told.state(is_here(1))
        for told in (page, watcher):
            state = await told.state(is_away(1))
            assert 0 <= state["seats"][1]["away"] < 60


async def test_a_second_device_with_the_same_link_keeps_the_person_here(browser):
    name, (own, other), _ = await begun(browser)
    async with browser.page(name, own) as page, browser.page(name, other) as phone:
        await page.state(is_here(1))
        async with browser.page(name, other) as laptop:
            assert (await laptop.state())["here"] == [1]
        state = await phone.turn_of(1)
        await phone.act(state, state["options"][0]["action"])
        assert is_here(1)(await page.state(lambda state: state["step"] == 1))


async def test_at_the_hosts_word_an_agent_plays_until_the_person_is_back(browser):
    name, (own, other), host = await begun(browser)
    async with browser.page(name, join=False) as page:
        await page.say({"type": "join", "tokens": [own], "host": host})
        await page.state(is_away(1))
        await page.say({"type": "pace", "seconds": 0})
        await page.say({"type": "relieve", "seat": 1})
        state = await page.turn_of(0)
        assert state["step"] > 0
        assert state["seats"][1]["stand_in"] == STAND_IN
        async with browser.page(name, other) as person:
            assert (await person.state())["seats"][1]["stand_in"] is None
            while state["decides"] == 0:
                await page.act(state, state["options"][0]["action"])
                state = await page.state(lambda news, step=state["step"]: news["step"] > step)
            assert (await person.turn_of(1))["thinking"] is None


async def test_only_the_host_says_who_plays_for_whom_and_only_for_who_is_away(browser):
    name, (own, other), host = await begun(browser)
    async with browser.page(name, own) as page, browser.page(name, other) as person:
        await page.state(is_here(1))
        for message in ({"type": "relieve", "seat": 1}, {"type": "absent", "minutes": 1}):
            await page.say(message)
            assert "Only the person who began" in await page.refusal()
        await person.say({"type": "name", "seat": 0, "name": "Eve"})
        assert "is not at this page" in await person.refusal()
        async with browser.page(name, join=False) as hosting:
            await hosting.say({"type": "join", "tokens": [], "host": host})
            await hosting.say({"type": "relieve", "seat": 1})
            assert "nobody is away from seat 1" in await hosting.refusal()


async def test_nobody_plays_for_the_only_person_of_a_table(browser):
    status, answer = await browser.post({"seats": ["person", "greedy"], "start_player": 0})
    assert status == 201
    async with browser.page(answer["name"], join=False) as hosting:
        await hosting.say({"type": "join", "tokens": [], "host": answer["host"]})
        await hosting.say({"type": "relieve", "seat": 0})
        assert "somebody must be at the table" in await hosting.refusal()


async def test_names_and_how_long_is_waited_are_kept(browser):
    name, (own, _), host = await begun(browser, away_minutes=5)
    async with browser.page(name, join=False) as page:
        await page.say({"type": "join", "tokens": [own], "host": host})
        assert (await page.state())["away_minutes"] == 5
        await page.say({"type": "name", "seat": 0, "name": "Ada"})
        await page.state(lambda state: state["seats"][0]["name"] == "Ada")
        await page.say({"type": "absent", "minutes": None})
        await page.state(lambda state: state["away_minutes"] is None)
        kept = json.loads((await browser.room(name))._store.path(name).read_bytes())
        assert (kept["seats"][0]["name"], kept["away_minutes"]) == ("Ada", None)
        for wrong in (" Ada", "a\nb", "", "a" * 25):
            await page.say({"type": "name", "seat": 0, "name": wrong})
            assert "name" in await page.fault()


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


async def test_after_the_minutes_that_the_host_gave_an_agent_takes_over_and_gives_back():
    clock, told = Clock(), asyncio.Event()
    table = Table.create(NewTable(seats=["person"] * 3, away_minutes=2))
    people = Presence(table, told.set, clock)
    people.update([])
    clock.now = 100.0
    people.update([0, 1])
    clock.now = 119.99  # seat 2 was never here
    people.wait()
    await asyncio.sleep(0.05)
    assert table.stand_ins == {}
    clock.now = 120.0
    await asyncio.wait_for(told.wait(), 5)
    assert table.stand_ins == {2: STAND_IN}
    assert people.update([0, 1, 2]) == [2]
    assert table.stand_ins == {}
    people.close()


async def test_in_an_empty_room_no_agent_plays_on():
    clock = Clock()
    table = Table.create(NewTable(seats=["person"] * 2, away_minutes=1))
    people = Presence(table, lambda: None, clock)
    people.update([0])
    people.relieve(1)
    clock.now = 3600.0
    assert people.update([]) == [1]
    await asyncio.sleep(0.05)
    assert table.stand_ins == {}
    people.close()
