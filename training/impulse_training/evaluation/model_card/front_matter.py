"""The front matter of a model card for the Hugging Face Hub: the agent and its win rates.

https://huggingface.co/docs/hub/model-cards describes the fields. JSON values are valid YAML.
"""

import json
from typing import Final

from impulse_env.options import Options

_LIBRARY: Final = "impulse-env"
_TASK: Final = "reinforcement-learning"
_TAGS: Final = (_TASK, "multi-agent", "board-game", "impulse", "pettingzoo", "stable-baselines3")


def front_matter(name: str, options: Options, won: dict[str, float]) -> str:
    """Return the lines from ``---`` to ``---``.

    Args:
        name: Name of the agent.
        options: Options of its games.
        won: Games won in per cent, by opponent on all other sides; may be empty.
    """
    lines = [
        "license: mit",
        f"library_name: {_LIBRARY}",
        f"pipeline_tag: {_TASK}",
        f"tags: [{', '.join(_TAGS)}]",
    ]
    if won:
        lines += ["model-index:", f"- name: {json.dumps(name)}", "  results:"]
    teams = "" if options.team_size is None else f" in teams of {options.team_size}"
    for opponent, share in won.items():
        table = f"Impulse, {options.players} players{teams}, {opponent} on all other sides"
        lines += [
            f"  - task: {{type: {_TASK}, name: {_TASK}}}",
            f"    dataset: {{type: impulse_v0, name: {json.dumps(table)}}}",
            f'    metrics: [{{type: win_rate, name: "games won, %", value: {share}}}]',
        ]
    return "\n".join(["---", *lines, "---\n"])
