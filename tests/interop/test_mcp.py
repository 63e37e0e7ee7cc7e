"""The command `impulse mcp`, asked by the official SDK's client."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from impulse_agents import registry
from impulse_env import Game
from impulse_env.engine.constants import NO_SEAT
from impulse_env.language.calls import ACTIONS, SIGNATURES
from impulse_env.records.reader import read

mcp = pytest.importorskip("mcp")
pytestmark = pytest.mark.interop
BIN = Path(sys.executable).parent


@pytest.fixture(autouse=True)
def command_in_path(monkeypatch):
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def here():
    """A game in this process: seats 0 and 1 are clients, seat 2 is an agent."""
    from impulse_table.mcp.hosted import Hosted

    agents = {2: registry.make("core_rush")}
    return Hosted(Game(3, seed=5, start_player=0), agents, {2: np.random.default_rng(1)})


def text(result):
    return result.content[0].text


def test_the_page_plays_a_seat_over_standard_input_and_output(shown):
    assert shown["tools"] == {"look", "wait", "rules", *SIGNATURES}
    assert text(shown["answer"]).startswith("Done: ")
    assert not shown["answer"].is_error


def test_schemas_accept_every_value_of_every_argument(here):
    import jsonschema

    from impulse_table.mcp.protocol import server_for

    async def tools():
        async with mcp.Client(server_for(here, 0)) as client:
            return (await client.list_tools()).tools

    for tool in asyncio.run(tools()):
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        for argument, schema in tool.input_schema["properties"].items():
            if argument in ("seconds", "after"):
                continue
            for value in ACTIONS[argument]:
                given = str(value) if schema["type"] == "string" else value
                jsonschema.validate(given, schema)


def test_refusals_are_results_that_the_model_can_read(here):
    from impulse_table.mcp.protocol import server_for

    async def ask():
        seat = here.game.seat
        async with mcp.Client(server_for(here, 1 - seat)) as other:
            early = await other.call_tool("pass", {})
        async with mcp.Client(server_for(here, seat)) as client:
            return seat, early, await client.call_tool("trade", {"card": 21})

    seat, early, wrong = asyncio.run(ask())
    assert early.is_error
    assert wrong.is_error
    assert text(early) == f"Refused: seat {seat} decides now; call wait."
    assert text(wrong).startswith("Refused: trade: card must be the number of a card, not 21")


def test_each_link_has_its_own_view_and_wrong_tokens_have_none(here):
    import httpx2
    import uvicorn

    from impulse_table.mcp.protocol import http_app

    app, paths = http_app(here)
    assert len(set(paths.values())) == 3
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    origin = f"http://127.0.0.1:{port}"

    async def ask():
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.05)
        seen = {}
        for viewer, path in paths.items():
            async with mcp.Client(origin + path) as client:
                seen[viewer] = text(await client.call_tool("look", {}))
        async with httpx2.AsyncClient() as client:
            wrong = await client.post(origin + "/guess/mcp", json={})
            foreign = await client.post(
                origin + paths[0], json={}, headers={"Host": "elsewhere.example"}
            )
        server.should_exit = True
        await serving
        return seen, wrong.status_code, foreign.status_code

    seen, wrong, foreign = asyncio.run(ask())
    assert (wrong, foreign) == (404, 421)
    for seat in (0, 1):
        assert f"You, seat {seat}: " in seen[seat]
        assert seen[seat].count("hand:") == 1
    assert "hand:" not in seen[NO_SEAT]
    assert seen[NO_SEAT].startswith("Events: ")


def test_a_watched_game_ends_and_leaves_its_record(tmp_path):
    path = tmp_path / "game.jsonl"
    words = ["mcp", "--watch", "--opponents", "core_rush", "--seed", "3", "--record", str(path)]

    async def watch():
        async with mcp.Client(mcp.StdioServerParameters(command="impulse", args=words)) as client:
            known = 0
            for _ in range(10_000):
                seen = text(await client.call_tool("wait", {"after": known, "seconds": 50}))
                if "The game is over" in seen:
                    return known, seen
                known = int(seen.split()[1].strip("."))
        return known, ""

    known, seen = asyncio.run(watch())
    assert known > 0
    assert "won" in seen
    record = read(path)
    assert record.result.winners
    assert [agent.name for agent in record.header.agents] == ["core_rush"] * 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--seat", "2"], "seat must be from 0 to 1, not 2"),
        (["--seat", "0", "1"], "2 seats need --port"),
        (["--port", "0"], "port must be from 1 to 65535, not 0"),
        (["--opponents", "nobody"], "nobody"),
    ],
)
def test_impossible_options_are_one_sentence(words, why):
    command = [BIN / "impulse", "mcp", *words]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert why in ended.stderr
    assert not ended.stdout
