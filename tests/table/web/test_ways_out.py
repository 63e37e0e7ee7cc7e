"""Ways out of a game: an agent plays for a person, resignation, an end to which all agree."""

import json
from contextlib import asynccontextmanager

import pytest

from impulse_env.records import reader
from serving import serving


@asynccontextmanager
async def seated(browser, *seats, **options):
    """A page for each person of a new table, in the order of their seats, and the table's name."""
    name, tokens = await browser.new(*seats, **{"seed": 7, "start_player": 0} | options)
    pages = [browser.page(name, token) for token in tokens.values()]
    entered = [await page.__aenter__() for page in pages]
    await entered[0].say({"type": "pace", "seconds": 0})
    yield name, entered
    for page in pages:
        await page.__aexit__(None, None, None)


def saved(browser, name):
    return json.loads(browser.tables.store.path(name).read_bytes())


def delegation(agent, seat=0):
    return {"type": "delegate", "seat": seat, "agent": agent}


async def record_of(browser, name):
    status, text, _ = await browser.get(f"/api/tables/{name}/record")
    assert status == 200, text
    return reader.parse(text)


# --- Play on for me -----------------------------------------------------------------------------


async def test_an_agent_plays_until_the_person_takes_the_seat_back(browser):
    async with seated(browser, "person", "person") as (name, (page, other)):
        assert (await page.turn_of(0))["seats"][0]["stand_in"] is None
        await page.say(delegation("random"))
        state = await other.turn_of(1)
        assert state["step"] > 0
        seat = state["seats"][0]
        assert (seat["stand_in"], seat["delegated"], seat["away"]) == ("random", True, None)
        await page.say(delegation(None))
        await page.state(lambda state: not state["seats"][0]["delegated"])
        while state["decides"] == 1:
            await other.act(state, state["options"][0]["action"])
            step = state["step"]
            state = await other.state(lambda news, step=step: news["step"] > step)
        assert (await page.turn_of(0))["thinking"] is None
        assert saved(browser, name)["seats"][0]["helpers"] == ["random"]


async def test_the_page_sees_its_hand_and_gets_no_choice_while_an_agent_plays(browser):
    async with seated(browser, "person", "ismcts:60s") as (name, (page,)):
        state = await page.turn_of(0)
        await page.say(delegation("ismcts:60s"))
        news = await page.state(lambda state: state["thinking"] == 0)
        assert (news["options"], news["by"], news["curtain"]) == ([], 0, None)
        await page.act(state, state["options"][0]["action"])
        assert "ismcts:60s plays your seat: take it back" in await page.refusal()
        for message, why in (
            ({"type": "hint", "agent": "greedy"}, "only when it is your decision"),
            ({"type": "back"}, "An agent plays your seat"),
        ):
            await page.say(message)
            assert why in await page.refusal()
        await page.say(delegation(None))
        again = await page.turn_of(0)
        assert again["options"] == state["options"]
        assert saved(browser, name)["seats"][0]["helpers"] == []


async def test_an_agent_that_cannot_play_here_takes_no_seat(browser):
    async with seated(browser, "person", "person") as (name, (page, other)):
        for agent, why in (("nobody", "nobody"), ("policy:3p", "3 players"), ("x.py:A", "is code")):
            await page.say(delegation(agent))
            assert why in await page.refusal()
        await page.say(delegation("greedy", seat=1))
        assert await page.refusal() == "Seat 1 is not at this page."
        await page.say(delegation(""))
        assert "invalid message" in await page.fault()
        assert saved(browser, name)["seats"][0]["agent"] is None
        await other.state()


async def test_others_change_the_chosen_agent_only_when_it_fails(browser):
    async with seated(browser, "person", "person") as (_, (page, other)):
        await page.say(delegation("random"))
        await other.turn_of(1)
        await other.say({"type": "replace", "seat": 0, "agent": "greedy"})
        assert "has chosen the agent" in await other.refusal()
        await page.say({"type": "replace", "seat": 0, "agent": "greedy"})
        await page.state(lambda state: state["seats"][0]["stand_in"] == "greedy")


async def test_a_chosen_agent_plays_on_after_the_page_is_closed_and_the_server_killed(
    tmp_path, workers
):
    async with serving(tmp_path, workers) as browser:
        async with seated(browser, "person", "person") as (name, (page, other)):
            await page.turn_of(0)
            await page.say(delegation("random", seat=0))
            await other.turn_of(1)
        kept = browser.tables.store.path(name).read_bytes()
        token = json.loads(kept)["seats"][1]["token"]
    browser.tables.store.path(name).write_bytes(kept)  # nothing more is written at a kill
    async with serving(tmp_path, workers) as browser, browser.page(name, token) as other:
        await other.say({"type": "pace", "seconds": 0})
        state = await other.turn_of(1)
        assert state["seats"][0]["stand_in"] == "random"
        while state["decides"] == 1:
            step = state["step"]
            await other.act(state, state["options"][0]["action"])
            state = await other.state(lambda news, step=step: news["step"] > step)
        await other.turn_of(1)


async def test_a_seat_that_an_agent_plays_is_not_asked_to_allow_a_choice_back(browser):
    async with seated(browser, "person", "person") as (_, (page, other)):
        await other.say(delegation("random", seat=1))
        state = await page.state(lambda state: state["seats"][1]["delegated"])
        while not state["back"]:
            await page.act(state, state["options"][0]["action"])
            before, state = state, await page.turn_of(0)
        await page.say({"type": "back"})
        again = await page.state(lambda state: state["step"] == before["step"])
        assert again["asked"] is None


# --- Resignation --------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["person", "random"])
async def test_in_a_game_of_two_the_other_wins_when_one_resigns(opponent, browser):
    async with seated(browser, "person", opponent) as (name, (page, *_)):
        await page.turn_of(0)
        await page.say({"type": "resign", "seat": 0})
        state = await page.state(lambda state: state["over"])
        assert (state["winners"], state["decides"], state["options"]) == ([1], None, [])
        record = await record_of(browser, name)
        assert (record.result.end, record.result.why) == ("stopped", "seat 0 resigned")
        assert record.header.agents[0].name == "person (resigned)"
        _, told, _ = await browser.get(f"/api/tables/{name}/ending")
        told = json.loads(told)
        assert (told["winners"], told["resigned"], told["agreed"]) == ([1], [0], False)
        await page.act(state, "pass")
        assert "The game is over" in await page.refusal()
        for message in ({"type": "resign", "seat": 0}, delegation("random"), {"type": "concede"}):
            await page.say(message)
            assert "The game is over" in await page.refusal()
        await page.say({"type": "rematch"})
        following = (await page.state(lambda state: state["rematch"]))["rematch"]
        seats = saved(browser, following)["seats"]
        assert not any(seat["has_resigned"] for seat in seats)
        assert seats[1]["token"] == saved(browser, name)["seats"][0]["token"]


async def test_among_three_an_agent_plays_the_seat_to_the_end_and_the_record_says_so(browser):
    async with seated(browser, "person", "person", "random", target_score=3) as (name, pages):
        page, other = pages
        await page.turn_of(0)
        await page.say({"type": "resign", "seat": 0, "agent": "random"})
        await page.state(lambda state: state["seats"][0]["resigned"])
        for message in (delegation(None), delegation("greedy"), {"type": "concede"}):
            await page.say(message)
            assert "has resigned" in await page.refusal()
        await other.say(delegation("random", seat=1))
        state = await other.state(lambda state: state["over"])
        assert state["seats"][0]["away"] is None
        record = await record_of(browser, name)
        assert record.result.end == "score"
        names = [agent.name for agent in record.header.agents]
        assert names == [
            "person (resigned; in part random)",
            "person (in part random)",
            "random",
        ]


async def test_a_game_that_its_last_person_leaves_ends(browser):
    async with seated(browser, "person", "random", "person") as (name, (page, other)):
        await page.turn_of(0)
        await other.say({"type": "resign", "seat": 2, "agent": "random"})
        await page.state(lambda state: state["seats"][2]["resigned"])
        await page.say({"type": "resign", "seat": 0})
        state = await page.state(lambda state: state["over"])
        assert state["winners"] == []
        assert (await record_of(browser, name)).result.why == "seats 0 and 2 resigned"


# --- An end by agreement ------------------------------------------------------------------------


async def test_everybody_agrees_to_end_the_game(browser):
    async with seated(browser, "person", "person", "person") as (name, (first, second, third)):
        state = await first.turn_of(0)
        await second.say({"type": "concede"})
        asked = await first.state(lambda state: state["conceding"])
        assert asked["conceding"] == {"seat": 1, "waiting": [0, 2]}
        await first.say({"type": "concede"})
        assert "proposes that already" in await first.refusal()
        await third.say({"type": "answer", "agrees": False, "to": "concede"})
        assert "not everybody agrees" in await second.refusal()
        await second.say({"type": "concede"})
        await first.say({"type": "answer", "agrees": True, "to": "concede"})
        # A decision does not cancel the proposal.
        await first.act(state, state["options"][0]["action"])
        still = await third.state(lambda state: state["step"] > 0)
        assert still["conceding"] == {"seat": 1, "waiting": [2]}
        await third.say({"type": "answer", "agrees": True, "to": "concede"})
        over = await first.state(lambda state: state["over"])
        assert (over["winners"], over["conceding"]) == ([], None)
        record = await record_of(browser, name)
        assert (record.result.end, record.result.why) == ("stopped", "ended by agreement")
        await third.say({"type": "answer", "agrees": True, "to": "concede"})
        assert "Nobody asks you" in await third.refusal()


async def test_only_people_are_asked_and_only_a_seat_can_propose(browser):
    async with seated(browser, "person", "random") as (name, (page,)):
        async with browser.page(name) as watcher:
            await watcher.say({"type": "concede"})
            assert "You are watching" in await watcher.refusal()
        await page.say({"type": "concede"})
        await page.state(lambda state: state["over"])
        assert saved(browser, name)["is_agreed"]
        async with browser.page(name) as again:
            assert (await again.state())["over"]
        status, _, _ = await browser.get(f"/api/tables/{name}/record")
        assert status == 200
