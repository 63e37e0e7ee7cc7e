"""The server: who is let in, what is answered, and that nothing a page sends can hurt a game."""

import asyncio
import json
import time
from contextlib import asynccontextmanager

import pytest
from aiohttp import WSServerHandshakeError

from calibrated import calibrated
from impulse_env.pages.single_file import KIT
from impulse_env.records import reader
from impulse_table.tables.protocol import MAX_BYTES
from impulse_table.web.pages import STATIC
from networks import NETWORK, untrained
from serving import serving


@asynccontextmanager
async def seated(browser, *seats, sits=(0,), **options):
    """A page at a new table, with some of its seats."""
    name, tokens = await browser.new(*seats, seed=7, **options)
    async with browser.page(name, *(tokens[seat] for seat in sits)) as page:
        yield page, name, tokens


# --- Who is let in ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/table/x", "/api/setup", "/static/table.js"])
@pytest.mark.parametrize("host", ["impulse.example", "impulse.example:{port}", "127.0.0.1:1", ""])
async def test_other_names_are_refused(path, host, browser):
    port = browser.host.split(":")[1]
    status, text, _ = await browser.get(path, Host=host.format(port=port))
    assert (status, "this machine only" in text) == (403, True)


@pytest.mark.parametrize("origin", ["http://impulse.example", "null", "https://127.0.0.1", None])
async def test_other_origins_get_no_table_and_no_seat(origin, browser):
    name, tokens = await browser.new("person", "random")
    browser.headers = {} if origin is None else {"Origin": origin}
    async with browser.session.post(
        f"{browser.base}/api/tables", json={"seats": ["a", "b"]}, headers=browser.headers
    ) as response:
        assert response.status == 403
    with pytest.raises(WSServerHandshakeError) as refused:
        async with browser.page(name, tokens[0]):
            pass
    assert refused.value.status == 403


async def test_both_names_of_loopback_are_its_own(browser):
    port = browser.host.split(":")[1]
    for name in ("127.0.0.1", "localhost"):
        status, _, _ = await browser.get("/", Host=f"{name}:{port}")
        assert status == 200


async def test_a_form_of_another_page_makes_no_table(browser):
    async with browser.session.post(
        f"{browser.base}/api/tables", data=b'{"seats": ["a", "b"]}', headers=browser.headers
    ) as response:
        assert response.status == 415


async def test_pages_run_no_script_but_their_own(browser):
    for path in ("/", "/table/x", "/static/table.js", "/nowhere"):
        _, _, headers = await browser.get(path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize("page", sorted(STATIC.glob("*.html")), ids=lambda page: page.name)
def test_pages_keep_to_that(page):
    text = page.read_text()
    assert "<style" not in text
    assert "style=" not in text
    assert "http" not in text
    modules = text.count('<script type="module" src="/static/')
    assert text.count("<script") == modules + text.count('<script src="/kit/theme.js"></script>')


@pytest.mark.parametrize(
    "module", sorted((*STATIC.glob("*.js"), *KIT.glob("*.js"))), ids=lambda path: path.name
)
def test_modules_make_no_markup_of_text(module):
    text = module.read_text()
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert way not in text


async def test_a_wrong_token_opens_no_seat(browser):
    async with seated(browser, "person", "random", sits=()) as (_, name, _):
        for tokens in (["x"], [""], ["é" * 20]):
            async with browser.page(name, *tokens) as page:
                message = await page.hear()
                assert message["type"] in ("end", "fault")


async def test_spectators_see_and_touch_nothing(browser):
    async with seated(browser, "person", "random", sits=()) as (page, _, _):
        state = await page.state()
        assert (state["by"], state["here"], state["options"]) == (None, [], [])
        await page.act(state, "card 7")
        assert "watching" in await page.refusal()
        for message in ({"type": "skip"}, {"type": "pace", "seconds": 0}):
            await page.say(message)
            assert "watching" in await page.refusal()
        await page.say({"type": "look", "seat": 0})
        assert "is not at this page" in await page.refusal()


# --- Tables -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({"seats": ["person", "nobody"]}, "unknown agent 'nobody'"),
        ({"seats": ["person", "policy:none.safetensors"]}, "no checkpoint"),
        ({"seats": ["person", "ismcts:0"]}, "simulations"),
        ({"seats": ["person", "random"], "team_size": 2}, "team_size"),
        ({"seats": ["person", "random"], "target_score": 0}, "target_score"),
        ({"seats": ["person", "random"], "start_player": 2}, "start_player"),
        ({"seats": ["person"]}, "seats"),
    ],
)
async def test_tables_that_cannot_be(body, word, browser, tmp_path):
    status, answer = await browser.post(body)
    assert status == 400
    assert word in answer["message"]
    assert not list(tmp_path.iterdir())


async def test_what_a_table_can_be_made_of(browser):
    _, text, _ = await browser.get("/api/setup")
    setup = json.loads(text)
    assert setup["teams"] == {"4": [2], "6": [2, 3]}
    untrained = [name for name in setup["agents"] if not name.startswith("policy")]
    status, _ = await browser.post({"seats": untrained[:6]})
    assert status == 201
    status, _ = await browser.post({"seats": ["policy:2p", "policy+search:2p:300"]})
    assert status == 201
    status, answer = await browser.post({"seats": ["policy:2p"] * 3})
    assert status == 400
    assert "policy:2p was trained for 2 players" in answer["message"]
    _, text, _ = await browser.get("/api/cards")
    assert len(json.loads(text)) == 80


async def test_a_table_that_is_not_there(browser):
    for path in ("/api/tables/x", "/api/tables/x/record", "/api/tables/..%2fx"):
        status, _, _ = await browser.get(path)
        assert status == 404


# --- Messages -----------------------------------------------------------------------------------


async def test_nonsense_is_answered_and_the_game_continues(browser):
    async with seated(browser, "person", "random") as (page, _, _):
        state = await page.turn_of(0)
        for nonsense in ("", "{", "[]", '{"type": "shout"}', '{"type": "act"}', "\0"):
            await page.say(nonsense)
            assert "invalid message" in await page.fault()
        await page.act(state, state["options"][0]["action"])
        assert (await page.state())["step"] == 1


async def test_too_much_nonsense_ends_the_connection_and_not_the_game(browser):
    async with seated(browser, "person", "random") as (page, name, tokens):
        for _ in range(25):
            await page.say("{")
        while await page.hear():
            pass
        assert page.socket.close_code == 1008
        async with browser.page(name, tokens[0]) as again:
            assert (await again.turn_of(0))["step"] == 0


@pytest.mark.parametrize("kind", ["long", "binary"])
async def test_messages_too_long_or_not_text_end_the_connection(kind, browser):
    async with seated(browser, "person", "random") as (page, name, tokens):
        await page.state()
        if kind == "long":
            await page.say({"type": "hint", "agent": "x" * MAX_BYTES})
        else:
            await page.socket.send_bytes(b"{}")
        while await page.hear():
            pass
        async with browser.page(name, tokens[0]) as again:
            assert (await again.state())["step"] == 0


async def test_before_joining_nothing_is_accepted_or_sent(browser):
    name, _ = await browser.new("person", "random")
    async with browser.page(name, join=False) as page:
        await page.say({"type": "skip"})
        assert "must join" in (await page.hear())["message"]


async def test_illegal_choices_are_explained(browser):
    async with seated(browser, "person", "person", start_player=0) as (page, _, _):
        state = await page.turn_of(0)
        for action, words in (
            ("cell 3", "Not cell 3: Place a card from your hand"),
            ("card 41", "Not card 41 (Command, yellow 1): Place a card"),
            ("gate 5-10", "6 choices"),
            ("nonsense", "Not that"),
        ):
            await page.act(state, action)
            assert words in await page.refusal()
        await page.act(state | {"step": 3}, state["options"][0]["action"])
        assert "has changed since" in await page.refusal()
        await page.act(state, state["options"][0]["action"])
        later = await page.state(lambda state: state["decides"] == 1)
        await page.act(later, "card 7")
        assert "seat 1 (person) decides now" in await page.refusal()


async def test_a_choice_that_comes_twice_is_passed_over_and_one_for_another_state_is_not(browser):
    async with (
        seated(browser, "person", "person", start_player=0) as (page, name, tokens),
        browser.page(name, tokens[0]) as other,
        browser.page(name, tokens[1]) as second,
    ):
        state, theirs = await page.turn_of(0), await other.turn_of(0)
        first, last = state["options"][0]["action"], state["options"][-1]["action"]
        for action in (first, first, last):
            await page.act(state, action)
        await other.act(theirs, last)
        assert "has changed since" in await other.refusal()
        later = await second.turn_of(1)
        assert later["step"] == 1
        await page.act(state, first)  # and once more, with a sign that nothing was said of it
        await page.say({"type": "back", "no": 0})
        assert "invalid message" in await page.fault()
        assert "refusal" not in {message["type"] for message in page.heard}
        # Whoever clicked while another was to decide has chosen nothing.
        await second.act(later, later["options"][0]["action"])
        state = await page.state(lambda state: state["step"] == 2)
        await page.act(later, "pass")
        await page.say({"type": "back", "no": 0})
        assert "invalid message" in await page.fault()
        assert "refusal" not in {message["type"] for message in page.heard}


# --- Agents -------------------------------------------------------------------------------------


async def test_agents_play_among_themselves(browser):
    async with seated(browser, "greedy", "random", sits=(), target_score=6) as (page, name, _):
        await page.say({"type": "pace", "seconds": 0})
        status, text, _ = await browser.get(f"/api/tables/{name}/record")
        assert (status, "once the game is over" in text) == (409, True)
        state = await page.state(lambda state: state["over"])
        assert state["winners"]
        status, text, _ = await browser.get(f"/api/tables/{name}/record")
        assert status == 200
        *_, last = reader.parse(text).games()
        assert last == (await browser.room(name)).table.game
        _, text, _ = await browser.get(f"/api/tables/{name}")
        assert json.loads(text)["over"]


async def test_a_pause_lies_between_agents_moves_and_can_be_skipped(browser):
    name, _ = await browser.new("random", "random")
    async with browser.page(name) as page:
        await page.say({"type": "pace", "seconds": 10})
        await page.state(lambda state: state["step"] == 1)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(page.state(lambda state: state["step"] > 1), 0.5)
        await page.say({"type": "skip"})
        await page.state(lambda state: state["step"] > 5)


async def test_an_agent_that_fails_is_shown_and_can_be_replaced(browser):
    async with seated(browser, "person", "random", start_player=1) as (page, _, _):
        await page.turn_of(0)
        await page.say({"type": "replace", "seat": 1, "agent": "policy:none.safetensors"})
        state = await page.state(lambda state: state["options"])
        while not state["trouble"]:
            if state["options"]:
                await page.act(state, state["options"][0]["action"])
            state = await page.state()
        assert "policy:none.safetensors cannot decide: there is no checkpoint" in state["trouble"]
        await page.say({"type": "retry"})
        assert "no checkpoint" in (await page.state(lambda s: s["trouble"]))["trouble"]
        await page.say({"type": "replace", "seat": 0, "agent": "random"})
        assert "only an agent can be replaced" in await page.refusal()
        await page.say({"type": "replace", "seat": 1, "agent": "random"})
        state = await page.state(lambda new: new["step"] > state["step"])
        assert state["trouble"] is None


async def test_an_agent_that_is_too_slow_is_stopped(browser):
    await browser.tables.workers.prepare()
    browser.tables.workers.timeout = 0.3
    async with seated(browser, "ismcts:60s", "person", sits=(1,), start_player=0) as (page, *_):
        state = await page.state(lambda state: state["trouble"])
        assert "no answer within 0.3 seconds" in state["trouble"]
        browser.tables.workers.timeout = 120
        await page.say({"type": "replace", "seat": 0, "agent": "random"})
        await page.turn_of(1)


async def test_hints_are_for_whoever_decides(browser):
    async with seated(browser, "person", "random") as (page, _, _):
        state = await page.turn_of(0)
        legal = {option["action"] for option in state["options"]}
        for agent in ("ismcts:50", "greedy"):
            await page.say({"type": "hint", "agent": agent})
            hint = await page.until(lambda message: message["type"] == "hint")
            assert (hint["by"], hint["step"]) == (agent, 0)
            assert {one["action"] for one in hint["suggestions"]} <= legal
            assert all(one["text"] for one in hint["suggestions"])
        await page.say({"type": "hint", "agent": "nobody"})
        assert "unknown agent" in await page.refusal()


@pytest.mark.parametrize("ends", ["decision", "other hint", "leaving"])
async def test_nobody_thinks_about_a_hint_that_nobody_waits_for(ends, browser):
    await browser.tables.workers.prepare()
    async with seated(browser, "person", "person", start_player=0) as (page, name, _):
        state = await page.turn_of(0)
        for _ in range(2):  # the second as of a double click
            await page.say({"type": "hint", "agent": "ismcts:60s"})
        await asyncio.sleep(0.5)
        (client,) = (await browser.room(name)).clients
        hint = client.hint
        assert not hint.done()
        if ends == "decision":
            await page.act(state, state["options"][0]["action"])
            await page.state(lambda state: state["step"] == 1)
        elif ends == "other hint":
            await page.say({"type": "hint", "agent": "greedy"})
            advice = await page.until(lambda message: message["type"] == "hint")
            assert advice["by"] == "greedy"
        else:
            await page.socket.close()
            await asyncio.sleep(0.2)
        assert hint.cancelled()
        assert "refusal" not in {message["type"] for message in page.heard}
    began = time.monotonic()
    await browser.tables.workers.prepare()
    assert time.monotonic() - began < 30


async def test_hints_of_a_trained_agent_have_probabilities(workers, tmp_path):
    path = tmp_path / "made.safetensors"
    calibrated(untrained(sizes=NETWORK)).save(path)

    async with serving(tmp_path, workers) as browser:
        status, answer = await browser.post({"seats": ["person", "random", f"policy:{path}"]})
        assert (status, "trained for 2 players" in answer["message"]) == (400, True)
        async with seated(browser, "person", f"policy:{path}") as (page, _, _):
            await page.turn_of(0)
            await page.say({"type": "hint", "agent": f"policy:{path}"})
            hint = await page.until(lambda message: message["type"] == "hint")
            shares = [one["share"] for one in hint["suggestions"]]
            assert shares == sorted(shares, reverse=True)
            assert 0 < sum(shares) <= 1.001
            assert 0 < hint["wins"] < 1


# --- People -------------------------------------------------------------------------------------


async def test_at_one_screen_a_hand_is_sent_to_its_owner_alone(browser):
    async with seated(browser, "person", "person", sits=(0, 1), start_player=0) as (page, *_):
        state = await page.state()
        assert (state["by"], state["curtain"], state["options"]) == (None, 0, [])
        await page.act(state, "card 7")
        assert "Not" in await page.refusal()
        await page.say({"type": "look", "seat": 0})
        state = await page.turn_of(0)
        assert (state["by"], state["curtain"]) == (0, None)
        await page.act(state, state["options"][0]["action"])
        state = await page.state(lambda state: state["step"] == 1)
        assert (state["by"], state["curtain"], state["options"]) == (None, 1, [])
        assert state["whole"]
        assert "data-face" not in state["parts"]["hand-0"]


async def test_two_pages_at_one_table_see_each_others_moves(browser):
    async with (
        seated(browser, "person", "person", start_player=0) as (first, name, tokens),
        browser.page(name, tokens[1]) as second,
    ):
        state = await first.turn_of(0)
        assert (await second.state())["options"] == []
        await first.act(state, state["options"][0]["action"])
        state = await second.turn_of(1)
        assert state["log"][-1]["events"][0]["text"].startswith("Seat 0 places card")
        assert "data-face" not in state["parts"].get("hand-0", "")


async def six_decisions(page):
    """Seat 0 takes the first option six times."""
    await page.say({"type": "pace", "seconds": 0})
    for _ in range(6):
        state = await page.turn_of(0)
        await page.act(state, state["options"][0]["action"])


async def test_a_page_that_comes_back_gets_everything_again(browser):
    async with seated(browser, "person", "random") as (page, name, tokens):
        await six_decisions(page)
        before = await page.turn_of(0)
    async with browser.page(name, tokens[0]) as again:
        after = await again.turn_of(0)
        assert after["whole"]
        assert len(after["log"]) == after["step"] == before["step"]
        assert after["options"] == before["options"]


async def test_a_restart_of_the_server_loses_nothing(tmp_path, workers):
    async with serving(tmp_path, workers) as browser:
        async with seated(browser, "person", "random") as (page, name, tokens):
            await six_decisions(page)
            before = await page.turn_of(0)
    async with serving(tmp_path, workers) as browser:
        async with browser.page(name, tokens[0]) as page:
            state = await page.turn_of(0)
            assert state["step"] == before["step"]
            assert state["options"] == before["options"]
