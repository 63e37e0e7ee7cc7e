"""Actions as the tools of a language model: a name, a description and a schema for each verb."""

from functools import cache
from typing import Any, NamedTuple

from impulse_env.language.calls import ACTIONS, SIGNATURES, TYPES
from impulse_env.language.digest import rules_digest


class Tool(NamedTuple):
    """A tool.

    Attributes:
        name: Its name.
        description: Its effect, for the model.
        schema: The JSON schema of its arguments.
    """

    name: str
    description: str
    schema: dict[str, Any]


@cache
def action_tools() -> tuple[Tool, ...]:
    """Return a tool for each verb; its description is the verb's line of the rules.

    `carry_out` takes the call of a tool, `Call(name, arguments)`.
    """
    lines = [line for line in rules_digest().splitlines() if line.startswith("- `")]
    tools = []
    for verb, arguments in SIGNATURES.items():
        # A verb that begins a line has that line; others share the line that names them.
        named = [line for line in lines if f"`{verb}(" in line]
        begins = f"- `{verb}("
        line = next((line for line in named if line.startswith(begins)), named[0])
        schema = object_of({name: schema_of(name) for name in arguments})
        tools.append(Tool(verb, line.removeprefix("- "), schema))
    return tuple(tools)


def object_of(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with these properties and no others."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


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
