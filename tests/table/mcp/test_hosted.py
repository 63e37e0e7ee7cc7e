"""A game of clients and agents: each client sees what its seat may know, and waits for its turn."""

import asyncio

import numpy as np
import pytest

from drawn import EVERY_TABLE, games
from impulse_agents import registry
from impulse_agents.base import Agent, AgentError
from impulse_env import Game
from impulse_env.engine.constants import NO_SEAT
from impulse_env.information import view_of
from impulse_env.language import Call, ReplyError
from impulse_env.language.calls import SIGNATURES, choices
from impulse_table.mcp.hosted import Hosted, seats_of_agents
from impulse_table.mcp.tools import answer, tools_of


def hosted(game, agents=(), **options):
    """A game in which clients play all seats, except those of agents."""
    made = {seat: registry.make("core_rush") for seat in agents}
    return Hosted(game, made, {seat: np.random.default_rng(seat) for seat in made}, **options)


def a_call(game):
    """A legal call of the game's decision: a verb, and its arguments."""
    choice = choices(game.state, game.legal_actions())[0]
    return choice.verb, {choice.argument: choice.values[0]} if choice.argument else {}


def ask(table, viewer, name, **arguments):
    return asyncio.run(answer(table, viewer, name, arguments))


def answers(table, viewer):
    """What every tool answers a viewer; actions are refused, as none has its arguments."""
    bare = {verb for verb, arguments in SIGNATURES.items() if not arguments}
    tools = [tool for tool in tools_of(viewer) if tool.name not in bare]

    async def one(tool):
        given = {"seconds": 0} if "seconds" in tool.schema["properties"] else {}
        if "card" in tool.schema["properties"]:
            given = {"card": 21}
        try:
            return await answer(table, viewer, tool.name, given)
        except ReplyError as error:
            return str(error)

    async def every():
        return [await one(tool) for tool in tools]

    return [str(tools_of(viewer)), *asyncio.run(every())]


@EVERY_TABLE
def test_answers_are_equal_to_the_byte_if_only_hidden_cards_differ(table):
    rng = np.random.default_rng(8)
    for game in games(table, seed=5, every=80):
        for seat in range(game.players):
            here, there = hosted(game.copy()), hosted(game.determinize(seat, rng))
            for viewer in (seat, NO_SEAT):
                assert answers(here, viewer) == answers(there, viewer)


@EVERY_TABLE
def test_events_tell_a_viewer_only_what_its_views_show(table):
    rng, compared = np.random.default_rng(2), 0
    for game in games(table, seed=7, every=80):
        if game.is_over:
            continue
        action = Call(*a_call(game))
        for viewer in range(game.players):
            tables = hosted(game.copy()), hosted(game.determinize(viewer, rng))
            for one in tables:
                try:
                    asyncio.run(one.act(game.seat, action))
                except ReplyError:  # the resampled seat does not have that card
                    break
            else:
                views = [view_of(one.game.state, viewer).tobytes() for one in tables]
                if views[0] == views[1]:
                    compared += 1
                    looks = {ask(one, viewer, "look") for one in tables}
                    assert len(looks) == 1
    assert compared > 0


def test_a_client_plays_a_game_to_its_end_against_agents():
    async def play():
        table = hosted(Game(3, seed=2, target_score=3), agents=(0, 2), with_legal=False)
        agents = asyncio.create_task(table.play())
        calls = 0
        while not table.game.is_over:
            text = await answer(table, 1, "wait", {"seconds": 50})
            if table.game.seat == 1:
                assert "Decide (" in text
                assert "Legal:" not in text
                name, arguments = a_call(table.game)
                done = await answer(table, 1, name, arguments)
                assert done.startswith(f"Done: {Call(name, arguments)}.\n")
                calls += 1
        await agents
        return table, calls

    table, calls = asyncio.run(play())
    assert calls > 5
    assert "The game is over" in ask(table, 1, "look")
    assert "The game is over" in ask(table, NO_SEAT, "wait", after=10_000, seconds=50)
    with pytest.raises(ReplyError, match="the game is over"):
        ask(table, 1, "pass")


def test_a_client_waits_while_another_moves():
    async def play():
        game = Game(2, seed=3)
        table, mover = hosted(game), game.seat
        other = 1 - mover
        early = await answer(table, other, "wait", {"seconds": 0})
        assert f"Seat {mover} decides" in early
        assert "Since" not in early
        assert "Decide (" in await answer(table, mover, "wait", {"seconds": 50})
        with pytest.raises(ReplyError, match=f"seat {mover} decides now; call wait"):
            await answer(table, other, "pass", {})
        waiting = asyncio.create_task(answer(table, other, "wait", {"seconds": 50}))
        while game.seat == mover:
            assert not waiting.done()
            await answer(table, mover, *a_call(game))
        return await waiting

    late = asyncio.run(play())
    assert late.startswith("Since your last action:\n- ")
    assert "Decide (" in late


def test_a_spectator_waits_for_events_and_has_no_action():
    table = hosted(Game(2, seed=3))
    assert {tool.name for tool in tools_of(NO_SEAT)} == {"look", "wait", "rules"}
    assert ask(table, NO_SEAT, "look").startswith("Events: 0.\nTurn ")
    assert ask(table, NO_SEAT, "wait", seconds=0).startswith("Events: 0.")
    ask(table, table.game.seat, *a_call(table.game)[:1], **a_call(table.game)[1])
    seen = ask(table, NO_SEAT, "wait", seconds=50)
    events = int(seen.split()[1].strip("."))
    assert events == seen.count("\n- ") > 0
    assert "\n- " not in ask(table, NO_SEAT, "look", after=events)
    with pytest.raises(ReplyError, match="no tool 'pass'; there are look, wait, rules"):
        ask(table, NO_SEAT, "pass")


def test_there_is_a_tool_for_each_verb_and_none_begins_anew():
    assert {tool.name for tool in tools_of(0)} == {"look", "wait", "rules", *SIGNATURES}
    assert "reset" not in SIGNATURES


class Failing(Agent):
    """An agent that fails."""

    name = "failing"

    def act(self, seen, streams):
        raise RuntimeError("no idea")


def test_a_failing_agent_stops_the_game_and_clients_are_told():
    async def play():
        game = Game(2, seed=3)
        seat = game.seat
        table = Hosted(game, {seat: Failing()}, {seat: np.random.default_rng(1)})
        waiting = asyncio.create_task(answer(table, 1 - seat, "wait", {"seconds": 50}))
        await table.play()
        with pytest.raises(ReplyError, match="the game has stopped: agent failing failed"):
            await answer(table, 1 - seat, "pass", {})
        return await waiting

    assert "The game has stopped: agent failing failed" in asyncio.run(play())


def test_opponents_fill_the_other_seats_in_order():
    assert seats_of_agents(["a"], (1,), 4) == {0: "a", 2: "a", 3: "a"}
    assert seats_of_agents(["a", "b"], (1, 3), 4) == {0: "a", 2: "b"}
    with pytest.raises(AgentError, match="one for each of 2 other seats; not 3"):
        seats_of_agents(["a", "b", "c"], (1, 3), 4)
