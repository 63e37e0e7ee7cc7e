"""How games begin and end: opponents with their strength, today's deal, the end told, a rematch."""

import asyncio
import base64
import gzip
import json
import re
from datetime import date
from pathlib import Path

import pytest

from impulse_agents import standings
from impulse_env.testing.random_play import random_choice
from impulse_table import levels
from impulse_table.sessions import replays
from impulse_table.sessions.replays import Replays
from impulse_table.tables import daily_deal
from impulse_table.tables.ending import ending, turned
from impulse_table.tables.protocol import NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table, TableError
from impulse_table.web.api.branches import Branches
from impulse_table.web.api.lobby import setup
from serving import serving

TODAY = date(2026, 11, 23)


def played(table, seed=1):
    """The table after a game of random choices."""
    choose = random_choice(seed)
    while not table.game.is_over:
        table.act(table.game.name(choose(table.game)))
    return table


def finished(store, *seats, **options):
    """A table in the folder whose game is over."""
    wanted = {"seats": list(seats), "seed": 7, "target_score": 5, **options}
    table = played(Table.create(NewTable(**wanted)))
    store.keep(table)
    return table


async def asked(browser, path, method="GET"):
    async with browser.session.request(
        method, browser.base + path, headers=browser.headers
    ) as answer:
        return answer.status, await answer.json()


# --- Before the game ----------------------------------------------------------------------------


@pytest.mark.parametrize("has_torch", [True, False])
def test_an_agent_of_ones_own_comes_last_and_advises_nobody_unasked(has_torch, monkeypatch):
    if not has_torch:
        monkeypatch.setattr(replays, "find_spec", lambda name: None)
    own = "my.py:Slow"
    told = setup((own,))
    assert list(told["agents"])[-1] == own
    trained = {"2": "2p", "3": "3p", "4": "4p", "4-2": "4p-teams", "5": "5p", "6": "6p"}
    trained |= {"6-2": "6p", "6-3": "6p"}
    by_search = dict.fromkeys(trained, "ismcts:300")
    expected = {table: f"policy:{name}" for table, name in trained.items()}
    assert told["advisers"] == (expected if has_torch else by_search)
    allowed = Branches(Replays(Store(Path("x")), None), None, (own,))._allowed(2)
    assert allowed[-1] == own
    assert "policy:sb3-2p" in allowed
    assert "policy:sb3-4p" not in allowed


async def test_the_start_page_gets_strength_and_speed_of_agents(browser):
    _, setup = await asked(browser, "/api/setup")
    known = {card.agent: card for card in standings.cards()}
    assert setup["measured"].keys() == known.keys()
    for name, measured in setup["measured"].items():
        assert measured["players"] == known[name].players
        assert measured["wins"] == known[name].won.get("greedy")
    assert {measured["wins"] is None for measured in setup["measured"].values()} == {
        True,
        False,
    }
    speed = known["ismcts:300"].decisions_per_second
    assert setup["measured"]["ismcts:300"]["ms"] == pytest.approx(1000 / speed)
    tables = ["2", "3", "4", "5", "6", "4-2", "6-2", "6-3"]
    assert sorted(setup["levels"]) == sorted(tables)
    for offered in setup["levels"].values():
        assert [level["name"] for level in offered] == list(levels.NAMES)
        assert {level["agent"] for level in offered} <= setup["agents"].keys()
    assert setup["usual_level"] in levels.NAMES


def test_todays_deal_is_the_same_for_everybody_and_another_tomorrow():
    one, other = daily_deal.todays_deal(TODAY).saved, daily_deal.todays_deal(TODAY).saved
    assert (one.seed, one.agent_seed) == (other.seed, other.agent_seed)
    assert one.seed != one.agent_seed
    assert one.name != other.name
    assert one.seats[0].token != other.seats[0].token
    assert one.new_game().state.tobytes() == other.new_game().state.tobytes()
    assert daily_deal.todays_deal(date(2026, 11, 24)).saved.seed != one.seed


def test_only_a_whole_name_tells_an_occasion():
    assert daily_deal.occasion_of(daily_deal.todays_deal(TODAY).name) == "2026-11-23"
    assert daily_deal.occasion_of(daily_deal.first_game().name) == "first"
    assert daily_deal.occasion_of("first-but-short") is None


def test_todays_results_are_sent_without_the_names_of_their_tables(tmp_path):
    store, tables = (
        Store(tmp_path),
        [played(daily_deal.todays_deal(TODAY), seed) for seed in (1, 2)],
    )
    changed = played(daily_deal.todays_deal(TODAY))
    changed.replace(1, "random")
    for table in (*tables, changed, daily_deal.todays_deal(TODAY)):
        store.keep(table)
    found = daily_deal.results(store, TODAY)
    assert [row["place"] for row in found] == [1, 2]
    assert {row["line"] for row in found} == {
        daily_deal.result_line(table.saved, table.game) for table in tables
    }
    assert all(table.name not in json.dumps(found) for table in tables)
    assert daily_deal.results(store, date(2026, 11, 24)) == []


async def test_today_and_a_first_game_begin_with_one_request(browser):
    for path in ("/api/today", "/api/first"):
        status, answer = await asked(browser, path, "POST")
        assert status == 201
        async with browser.page(answer["name"], answer["tokens"]["0"]) as page:
            assert (await page.state())["here"] == [0]
    assert (await asked(browser, "/api/today"))[1]["results"] == []


# --- After it -----------------------------------------------------------------------------------


def test_the_end_tells_points_by_source_and_how_it_ended(tmp_path):
    table = finished(Store(tmp_path), "person", "random")
    told = ending(table.saved)
    assert told["scores"] == table.game.scores
    assert [sum(row.values()) for row in told["points"]] == told["scores"]
    assert told["end"] in ("score", "elimination")
    assert told["line"] is None


@pytest.mark.parametrize(
    ("standings", "winners", "sides", "turn"),
    [
        ([(10, 1, (0, 0)), (30, 3, (0, 2)), (50, 5, (4, 2)), (80, 8, (5, 2))], [0], 2, 5),
        ([(10, 1, (0, 0)), (30, 3, (1, 0)), (50, 5, (1, 1)), (80, 8, (2, 1))], [0], 2, 8),
        ([(10, 1, (0, 0)), (30, 3, (0, 3))], [0], 2, None),
        ([(10, 1, (0, 0)), (30, 3, (0, 3))], [], 2, None),
        ([(10, 1, (0, 0, 0, 0)), (30, 3, (0, 0, 3, 0)), (40, 4, (0, 2, 3, 0))], [0, 2], 2, 3),
    ],
)
def test_it_turned_when_the_winners_led_for_good(standings, winners, sides, turn):
    found = turned(standings, winners, sides)
    assert (found and (found["step"], found["turn"])) == (turn and (10 * turn, turn))


@pytest.mark.parametrize("path", ["ending", "analysis", "record"])
async def test_results_are_sent_only_after_the_end(path, browser):
    name, _ = await browser.new("person", "person")
    assert (await asked(browser, f"/api/tables/{name}/{path}"))[0] == 409
    assert (await asked(browser, f"/table/{name}/replay"))[0] == 409
    assert (await asked(browser, f"/api/branches/{name}"))[0] == 404


@pytest.mark.parametrize("has_trained", [True, False])
async def test_a_finished_game_is_analysed_and_its_replay_is_served(
    has_trained, workers, tmp_path, monkeypatch
):
    if not has_trained:
        monkeypatch.setattr(replays, "find_spec", lambda name: None)
    table = finished(Store(tmp_path), "person", "random", seed=9, target_score=1)

    async with serving(tmp_path, workers) as browser:
        at = f"/api/tables/{table.name}/analysis"
        assert (await browser.get(f"/table/{table.name}/replay"))[0] == 404
        state = (await asked(browser, at))[1]
        assert (state["ready"], state["done"], state["total"]) == (False, 0, table.step)
        await asked(browser, at, "POST")
        while not (state := (await asked(browser, at))[1])["ready"]:
            assert state["fault"] is None
            await asyncio.sleep(0.2)
        status, text, headers = await browser.get(f"/table/{table.name}/replay")
        assert (status, "<script" in text) == (200, True)
        assert "'unsafe-inline'" in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        packed = re.search(r'id="data">([^<]+)<', text)[1]
        data = json.loads(gzip.decompress(base64.b64decode(packed)))
        assert (data["analysis"] is not None) == has_trained
        assert "connect-src 'self'" in headers["Content-Security-Policy"]
        who = (await asked(browser, data["branches"]))[1]
        assert who["usual"] == ("policy:2p" if has_trained else "greedy")
        positions = (await asked(browser, f"{data['branches']}/positions?at=1~0"))[1]["positions"]
        assert len(positions) == 2


# --- Once more ----------------------------------------------------------------------------------


def test_a_rematch_has_everybody_a_seat_further_and_the_same_links(tmp_path):
    table = finished(Store(tmp_path), "person", "greedy", "person")
    tokens = [holder.token for holder in table.saved.seats]
    again = table.again()
    assert [holder.player for holder in again.saved.seats] == ["greedy", "person", "person"]
    assert [holder.token for holder in again.saved.seats] == [tokens[1], tokens[2], tokens[0]]
    assert again.saved.seed != table.saved.seed
    assert again.is_host(table.saved.host)
    with pytest.raises(TableError, match="once the game is over"):
        again.again()


async def test_every_page_is_told_of_the_one_rematch_and_a_spectator_begins_none(workers, tmp_path):
    table = finished(Store(tmp_path), "person", "person")
    first, second = (holder.token for holder in table.saved.seats)

    async with serving(tmp_path, workers) as browser:
        async with (
            browser.page(table.name, first) as one,
            browser.page(table.name, second) as other,
            browser.page(table.name) as watching,
        ):
            assert (await other.state())["rematch"] is None
            await watching.say({"type": "rematch"})
            assert "watching" in await watching.refusal()
            await one.say({"type": "rematch"})
            told = await other.state(lambda state: state["rematch"])
            await other.say({"type": "rematch"})
            assert (await one.state(lambda state: state["rematch"]))["rematch"] == told["rematch"]
        async with browser.page(told["rematch"], first) as moved:
            assert (await moved.state())["here"] == [1]
        async with browser.page(table.name, second) as late:
            assert (await late.state())["rematch"] == told["rematch"]


async def test_no_rematch_begins_while_the_game_continues(browser):
    name, tokens = await browser.new("person", "person")
    async with browser.page(name, tokens[0]) as page:
        await page.say({"type": "rematch"})
        assert "Not yet" in await page.refusal()
