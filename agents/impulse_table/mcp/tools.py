"""The tools of a client: one typed tool for each kind of action, look, wait and rules.

Nothing here needs the protocol's library; `protocol` hands these to it.
"""

from functools import cache
from typing import Any, Final, NamedTuple

from impulse_env.engine.constants import NO_SEAT, Seat
from impulse_env.language import ReplyError, rules_digest
from impulse_env.language.calls import ACTIONS, SIGNATURES, TYPES
from impulse_env.language.replies import checked_call
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


class Tool(NamedTuple):
    """A tool.

    Attributes:
        name: Its name.
        description: What it does, for the model.
        schema: The JSON schema of its arguments.
        reads_only: Whether it changes nothing.
    """

    name: str
    description: str
    schema: dict[str, Any]
    reads_only: bool


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
        *_actions(),
    ]


def _reading(name: str, description: str, **properties: dict[str, Any]) -> Tool:
    return Tool(name, description, _object(properties), reads_only=True)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


@cache
def _actions() -> tuple[Tool, ...]:
    """Return a tool for each verb; its description is the verb's line of the rules."""
    lines = [line for line in rules_digest().splitlines() if line.startswith("- `")]
    tools = []
    for verb, arguments in SIGNATURES.items():
        # A verb that begins a line has that line; others share the line that names them.
        named = [line for line in lines if f"`{verb}(" in line]
        begins = f"- `{verb}("
        line = next((line for line in named if line.startswith(begins)), named[0])
        schema = _object({name: schema_of(name) for name in arguments})
        tools.append(Tool(verb, line.removeprefix("- "), schema, reads_only=False))
    return tuple(tools)


def schema_of(argument: str) -> dict[str, Any]:
    """Return the JSON schema of an argument of actions."""
    values = list(ACTIONS[argument])
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) == len(values):
        limits = {"minimum": min(numbers), "maximum": max(numbers)}
        return {"type": "integer", **limits, "description": TYPES[argument]}
    if not numbers:
        return {"type": "string", "enum": values, "description": TYPES[argument]}
    example = {"at": "9", "to": "9, 8-9 or 9>10"}.get(argument, "9 or 8-9")
    return {"type": "string", "description": f"{TYPES[argument]}; e.g. {example}"}


async def answer(hosted: Hosted, viewer: Seat, name: str, arguments: dict[str, Any]) -> str:
    """Return the answer of a tool to its viewer.

    Raises:
        ReplyError: There is no such tool, an argument is impossible, or the action is illegal.
    """
    tools = {tool.name: tool for tool in tools_of(viewer)}
    if name not in tools:
        raise ReplyError(f"there is no tool {name!r}; there are {', '.join(tools)}")
    if not tools[name].reads_only:
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
