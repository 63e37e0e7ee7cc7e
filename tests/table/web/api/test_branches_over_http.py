"""Branches of an analysed game over HTTP: positions, texts, what agents think, what is refused."""

import asyncio
import time

import pytest

from impulse_env.replay.branches import Branch, opened, position_text, shown
from impulse_table.web.api import branches
from impulse_table.web.rate_limits import Buckets, RateLimits
from recorded import short_game
from serving import serving

RECORD = short_game()
NAME = "record-0123456789abcdef0123"
AT = f"/api/branches/{NAME}"


@pytest.fixture(autouse=True)
def page_of_a_game(tmp_path):
    """The server has it."""
    folder = tmp_path / "replays"
    folder.mkdir()
    (folder / f"{NAME}.html").write_text("the page")
    (folder / f"{NAME}.jsonl").write_text(RECORD.text())


async def got(browser, path, **query):
    async with browser.session.get(f"{browser.base}{AT}{path}", params=query) as answer:
        return answer.status, await answer.json()


async def asked(browser, path, **body):
    url = f"{browser.base}{AT}/{path}"
    async with browser.session.post(url, json=body, headers=browser.headers) as answer:
        return answer.status, await answer.json()


async def answer_of(browser, path, **body):
    status, told = await asked(browser, path, **body)
    assert status == 200, told
    return told["answer"]


async def test_positions_and_texts_are_those_of_the_branch(browser):
    status, told = await got(browser, "")
    assert (status, told["usual"]) == (200, "policy:2p")
    assert "greedy" in told["agents"]
    assert "policy:3p" not in told["agents"]
    branch = Branch(5, (1, 0, 0))
    status, told = await got(browser, "/positions", at=str(branch), first="1", eyes="public")
    assert status == 200
    assert told["positions"] == list(shown(RECORD, branch, None, 1))
    status, text, headers = await browser.get(f"{AT}/text?at={branch}&eyes=0")
    assert (status, text) == (200, position_text(RECORD, branch, 0))
    assert headers["Content-Type"].startswith("text/plain")


async def test_long_branches_come_in_pieces(tmp_path, workers, monkeypatch):
    monkeypatch.setattr(branches, "_MOST_POSITIONS", 2)

    async with serving(tmp_path, workers) as browser:
        told = [(await got(browser, "/positions", at="5~100", first=str(n)))[1] for n in (0, 2)]
        whole = list(shown(RECORD, Branch(5, (1, 0, 0)), "all"))
        assert [position for one in told for position in one["positions"]] == whole


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({}, "not a position of a game"),
        ({"at": "x"}, "not a position of a game"),
        ({"at": "9999"}, "no step 9999"),
        ({"at": "5~y"}, "cannot be followed"),
        ({"at": "5~1", "first": "2"}, "from 0 to 1"),
        ({"at": "5~1", "first": "-1"}, "a number of choices"),
        ({"at": "5~1", "eyes": "2"}, "the viewer must be"),
        ({"at": "5~" + "0" * 1501}, "at most 1500"),
    ],
    ids=lambda value: str(value)[:20],
)
async def test_a_bad_address_is_refused_in_a_sentence(query, words, browser):
    status, told = await got(browser, "/positions", **query)
    assert (status, words in told["message"]) == (400, True), told


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("values", {}, "it has no at"),
        ("values", {"at": "x"}, "not a position"),
        ("values", {"at": "5~y"}, "cannot be followed"),
        ("values", {"at": str(len(RECORD.moves))}, "the game is over"),
        ("play", {"at": "5", "agent": "greedy", "until": "never"}, "until"),
        (
            "play",
            {"at": "5", "agent": "policy:/etc/passwd", "until": "end"},
            "choose one of policy:2p",
        ),
        ("play", {"at": "5", "agent": "ismcts:999999999", "until": "end"}, "cannot be chosen"),
        ("playouts", {"at": "5", "agent": "x.py:A", "first": 0, "count": 1}, "cannot be chosen"),
        ("play", {"at": "5", "agent": "cmd:./bot", "until": "end"}, "cannot be chosen"),
        ("playouts", {"at": "5", "agent": "greedy", "first": 0, "count": 21}, "count"),
        ("playouts", {"at": "5", "agent": "greedy", "first": -1, "count": 1}, "first"),
        ("playouts", {"at": "5", "agent": "greedy", "first": 0, "count": "1"}, "count"),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_a_bad_question_is_refused_in_a_sentence(path, body, words, browser):
    status, told = await asked(browser, path, **body)
    assert (status, words in told["message"]) == (400, True), told


@pytest.mark.parametrize("name", ["record-0", "x", "..%2Frecords", "%2e%2e", "a" * 33])
async def test_games_without_a_page_are_not_there(name, browser):
    for path in ("", "/positions?at=1", "/text?at=1"):
        assert (await browser.get(f"/api/branches/{name}{path}"))[0] == 404


async def test_agents_judge_play_on_and_play_out(browser):
    branch = Branch(5, (1,))
    game = opened(RECORD, branch)[-1]
    told = await answer_of(browser, "values", at=str(branch))
    assert list(told["chances"]) == [game.name(action) for action in game.legal_actions()]
    assert told["best"] in told["chances"]
    assert told == await answer_of(browser, "values", at=str(branch))
    one = await answer_of(browser, "play", at="5~1", agent="greedy", until="choice")
    assert (one["at"][:3], len(one["at"]), one["done"]) == ("5~1", 4, True)
    turn = await answer_of(browser, "play", at="5~1", agent="greedy", until="turn")
    assert turn["at"].startswith(one["at"])
    *_, before, after = opened(RECORD, Branch.read(turn["at"]))
    assert before.turn == game.turn
    assert after.is_over or after.turn == game.turn + 1
    told = {"at": "5~1", "done": False}
    while not told["done"]:
        told = await answer_of(browser, "play", at=told["at"], agent="greedy", until="end")
    assert told["at"].startswith(turn["at"]), "the same is chosen however often one asks"
    assert opened(RECORD, Branch.read(told["at"]))[-1].is_over
    wins = [
        await answer_of(browser, "playouts", at="5~1", agent="greedy", first=first, count=count)
        for first, count in ((0, 6), (0, 2), (2, 4))
    ]
    assert wins[0] == [sum(pair) for pair in zip(*wins[1:], strict=True)]
    assert 0 < sum(wins[0]) <= 6


async def test_a_search_says_how_readily_it_would_choose_where_there_is_no_trained_agent(
    tmp_path, workers, monkeypatch
):
    from impulse_table.sessions import replays

    monkeypatch.setattr(replays, "_trained", lambda players: None)

    async with serving(tmp_path, workers) as browser:
        told = await answer_of(browser, "values", at="5")
        assert told["by"].startswith("ismcts")
        assert 900 < sum(told["shares"].values()) <= 1010


def take_long(*_):
    time.sleep(60)


@pytest.mark.parametrize("path", ["values", "play", "playouts"])
async def test_no_agent_thinks_for_a_page_that_has_gone(path, tmp_path, workers, monkeypatch):
    task = {"values": "values", "play": "play_on", "playouts": "play_out"}[path]
    monkeypatch.setattr(branches.branch_tasks, task, take_long)
    how = {"values": {}, "play": {"until": "end"}, "playouts": {"first": 0, "count": 1}}[path]
    body = {"at": "5", **how} | ({} if path == "values" else {"agent": "greedy"})

    async with serving(tmp_path, workers) as browser:
        await browser.tables.workers.prepare()
        going = asyncio.create_task(asked(browser, path, **body))
        await asyncio.sleep(0.5)
        assert browser.tables.workers._busy
        going.cancel()
        await asyncio.sleep(1.2)
        assert not browser.tables.workers._busy


async def test_too_many_questions_at_once_wait(tmp_path, workers, monkeypatch):
    monkeypatch.setattr(branches, "_MOST_WAITING", 0)

    async with serving(tmp_path, workers) as browser:
        status, told = await asked(browser, "values", at="5")
        assert (status, "try again" in told["message"]) == (429, True)


async def test_an_address_has_a_budget_of_questions():
    async def handler(request):
        from aiohttp import web

        return web.Response()

    from aiohttp.test_utils import make_mocked_request

    limits = RateLimits(thoughts=Buckets(1, 2, clock=lambda: 0.0))
    post = make_mocked_request("POST", f"{AT}/values")
    look = make_mocked_request("GET", f"{AT}/positions")
    found = [(await limits.limit(one, handler)).status for one in (post, post, post, look)]
    assert found == [200, 200, 429, 200]
