"""The schemas of the tools, and what their answers refuse."""

import asyncio

import pytest

from impulse_env import Game
from impulse_env.language import ReplyError
from impulse_env.language.calls import SIGNATURES
from impulse_table.mcp.hosted import Hosted
from impulse_table.mcp.tools import answer, schema_of, tools_of


def test_the_schema_of_a_tool_names_and_types_its_arguments():
    tools = {tool.name: tool for tool in tools_of(2)}
    build = tools["build"]
    assert build.description.startswith("`build(at=8, place=8)` a Transport on cell 8")
    assert build.schema == {
        "type": "object",
        "properties": {
            "at": {"type": "string", "description": "a cell; e.g. 9"},
            "place": {"type": "string", "description": "a cell or a gate; e.g. 9 or 8-9"},
        },
        "additionalProperties": False,
    }
    assert not build.reads_only
    assert tools["look"].reads_only
    for verb, arguments in SIGNATURES.items():
        assert tuple(tools[verb].schema["properties"]) == arguments
    card = {"type": "integer", "minimum": 1, "maximum": 109, "description": "the number of a card"}
    assert schema_of("card") == card
    assert schema_of("mode")["enum"] == ["command", "build"]


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("reset", {}, "there is no tool 'reset'"),
        ("wait", {"seconds": 51}, "wait: seconds must be a number from 0 to 50, not 51"),
        ("wait", {"seconds": True}, "wait: seconds must be a number from 0 to 50, not True"),
        ("look", {"seat": 1}, "look has no argument 'seat'; it has none"),
        ("wait", {"seat": 1}, "wait has no argument 'seat'; it has seconds"),
        ("trade", {"card": "x"}, "trade: card must be the number of a card"),
        ("trade", {"cards": 1}, "trade has no argument 'cards'"),
    ],
)
def test_a_refusal_says_what_is_allowed(name, arguments, why):
    table = Hosted(Game(2, seed=1), {}, {})
    before = table.game.to_bytes()
    with pytest.raises(ReplyError, match=why):
        asyncio.run(answer(table, table.game.seat, name, arguments))
    assert table.game.to_bytes() == before
