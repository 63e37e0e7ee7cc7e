"""The schemas of the actions as tools."""

from impulse_env.language import action_tools
from impulse_env.language.calls import SIGNATURES
from impulse_env.language.tools import schema_of


def test_the_schema_of_a_tool_names_and_types_its_arguments():
    tools = {tool.name: tool for tool in action_tools()}
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
    assert tuple(tools) == tuple(SIGNATURES)
    for verb, arguments in SIGNATURES.items():
        assert tuple(tools[verb].schema["properties"]) == arguments
    card = {"type": "integer", "minimum": 1, "maximum": 109, "description": "the number of a card"}
    assert schema_of("card") == card
    assert schema_of("mode")["enum"] == ["command", "build"]
