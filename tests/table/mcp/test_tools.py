"""What the answers of the tools refuse."""

import asyncio

import pytest

from impulse_env import Game
from impulse_env.language import ReplyError
from impulse_table.mcp.hosted import Hosted
from impulse_table.mcp.tools import answer


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
