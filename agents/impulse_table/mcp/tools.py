"""The tools of a client: one typed tool for each kind of action, look, wait and rules.

Nothing here needs the protocol's library; `protocol` hands these to it.
"""

from typing import Any, Final

from impulse_env.engine.constants import NO_SEAT, Seat
from impulse_env.language import ReplyError, Tool, action_tools, rules_digest
from impulse_env.language.calls import SIGNATURES
from impulse_env.language.replies import checked_call
from impulse_env.language.tools import object_of
from impulse_table.mcp.hosted import Hosted

LONGEST_WAIT: Final = 50
"""Seconds; most clients give up a request after 60."""
_USUAL_WAIT: Final = 25
_SECONDS: Final = {
    "type": "integer",
    "minimum": 0,
    "maximum": LONGEST_WAIT,
    "description": f"seconds to wait at most, {_USUAL_WAIT} if left out",
}
_AFTER: Final = {
    "type": "integer",
    "minimum": 0,
    "description": "number of the events that you know; 0 if left out",
}


def tools_of(viewer: Seat) -> list[Tool]:
    """Return the tools of a seat, or of a spectator (`NO_SEAT`), who has no actions."""
    if viewer == NO_SEAT:
        return [
            _reading("look", "What is public now, and the latest events.", after=_AFTER),
            _reading("wait", "Wait for more events, then look.", after=_AFTER, seconds=_SECONDS),
            _reading("rules", "The rules of the game in one page."),
        ]
    return [
        _reading("look", "What you may know now, and what happened since your last action."),
        _reading("wait", "Wait until you must decide, then look.", seconds=_SECONDS),
        _reading("rules", "The rules of the game in one page. Read them first."),
        *action_tools(),
    ]


def _reading(name: str, description: str, **properties: dict[str, Any]) -> Tool:
    return Tool(name, description, object_of(properties))


async def answer(hosted: Hosted, viewer: Seat, name: str, arguments: dict[str, Any]) -> str:
    """Return the answer of a tool to its viewer.

    Raises:
        ReplyError: There is no such tool, an argument is impossible, or the action is illegal.
    """
    tools = {tool.name: tool for tool in tools_of(viewer)}
    if name not in tools:
        raise ReplyError(f"there is no tool {name!r}; there are {', '.join(tools)}")
    if name in SIGNATURES:
        done = await hosted.act(viewer, checked_call(name, arguments))
        return f"{done}\n{hosted.look(viewer)}"
    given = {
        argument: _number(name, argument, arguments.get(argument), schema)
        for argument, schema in tools[name].schema["properties"].items()
    }
    if unknown := sorted(set(arguments) - set(given)):
        allowed = f"it has {' and '.join(given)}" if given else "it has none"
        raise ReplyError(f"{name} has no argument {unknown[0]!r}; {allowed}")
    if name == "rules":
        return rules_digest().partition("\n## Replies")[0]
    if viewer == NO_SEAT:
        return await hosted.wait_for_events(given["after"], given.get("seconds", 0))
    return await hosted.wait(viewer, given.get("seconds", 0))


def _number(tool: str, name: str, value: Any, schema: dict[str, Any]) -> int:
    if value is None:
        return _USUAL_WAIT if name == "seconds" else 0
    most = schema.get("maximum", 1 << 31)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ReplyError(f"{tool}: {name} must be a number from 0 to {most}, not {value!r}")
    return value
