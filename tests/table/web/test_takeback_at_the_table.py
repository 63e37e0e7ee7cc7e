"""At a table, a choice is taken back: with agents at once, with people once they agree."""

from contextlib import asynccontextmanager


@asynccontextmanager
async def seated(browser, *seats, **options):
    """A page at the first seat of a new table."""
    name, tokens = await browser.new(*seats, seed=7, **options)
    async with browser.page(name, tokens[0]) as page:
        yield page, name, tokens


def at(step):
    return lambda state: state["step"] == step


async def decided(first, second):
    """Seat 0 has decided something that shows nothing; the states of its page before and after."""
    state = await first.turn_of(0)
    while not state["back"]:
        before, page = state, [first, second][state["decides"]]
        await page.act(state, state["options"][0]["action"])
        state = await first.state(at(before["step"] + 1))
        await second.state(at(before["step"] + 1))
        if not state["options"] and state["decides"] == 1:
            second_options = [message for message in second.heard if message["type"] == "state"][-1]
            state = state | {"options": second_options["options"]}
    return before, state


async def test_a_choice_is_taken_back_once_the_others_agree(browser):
    async with (
        seated(browser, "person", "person", start_player=0) as (first, name, tokens),
        browser.page(name, tokens[1]) as second,
        browser.page(name) as spectator,
    ):
        before, after = await decided(first, second)
        assert (before["decides"], after["asked"]) == (0, None)
        await second.say({"type": "back"})
        assert "Nothing can be taken back" in await second.refusal()
        await spectator.say({"type": "back"})
        assert "You are watching" in await spectator.refusal()
        await first.say({"type": "back"})
        asked = await second.state(lambda state: state["asked"])
        assert asked["asked"] == {"seat": 0, "waiting": [1]}
        assert asked["step"] == after["step"]
        await second.say({"type": "answer", "agrees": False})
        assert "not everybody agrees" in await first.refusal()
        await first.say({"type": "back"})
        await second.state(lambda state: state["asked"])
        await second.say({"type": "answer", "agrees": True})
        again = await first.state(at(before["step"]))
        assert again["whole"]
        assert again["options"] == before["options"]
        seen = await second.state(at(before["step"]))
        assert (seen["whole"], seen["options"]) == (True, [])
        assert len(seen["log"]) == len(again["log"]) == before["step"]
        assert browser.tables.store.read(name).step == before["step"]
        await second.say({"type": "answer", "agrees": True})
        assert "Nobody asks you" in await second.refusal()


async def test_agents_are_not_asked(browser):
    async with seated(browser, "person", "random", start_player=0) as (page, _, _):
        await page.say({"type": "pace", "seconds": 0})
        state = await page.turn_of(0)
        for _ in range(12):
            await page.act(state, state["options"][0]["action"])
            before, state = state, await page.turn_of(0)
            if state["back"]:
                break
        assert state["step"] == before["step"] + 1
        await page.say({"type": "back"})
        again = await page.state(lambda message: message["step"] == before["step"])
        assert again["options"] == before["options"]
        assert len(again["log"]) == before["step"]
