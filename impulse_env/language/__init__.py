"""A seat for language models: rules, views and replies as text.

digest   the rules in one page, without a list of moves
view     all that a seat may know, as text and as JSON
calls    actions as calls with typed arguments, such as move_fleet(from=8, to=9, ships=2)
replies  calls in a model's reply, and the actions that carry them out
tools    actions as tools with schemas
"""

from impulse_env.language.calls import Call, legal_calls
from impulse_env.language.digest import rules_digest
from impulse_env.language.replies import Plan, ReplyError, carry_out, parse, read_calls
from impulse_env.language.tools import Tool, action_tools
from impulse_env.language.view import view_data, view_text

__all__ = [
    "Call",
    "Plan",
    "ReplyError",
    "Tool",
    "action_tools",
    "carry_out",
    "legal_calls",
    "parse",
    "read_calls",
    "rules_digest",
    "view_data",
    "view_text",
]
