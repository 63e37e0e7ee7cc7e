"""Impulse as an environment of TRL: short tasks that a model plays by named, typed tools.

`python impulse_trl.py MODEL` trains a model by GRPO on the decisions of the benchmark. The
environment variable `IMPULSE_TASKS` names a file of other tasks.
"""

import inspect
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from impulse_agents.tasks import Episode, Task, read_tasks, shipped_tasks
from impulse_env.language import Tool, action_tools


@cache
def tasks() -> dict[str, Task]:
    """Return the tasks by name, read once for all environments."""
    path = os.environ.get("IMPULSE_TASKS")
    return {task.id: task for task in (read_tasks(path) if path else shipped_tasks())}


def dataset(lengths: Sequence[str] = ("decision",)) -> Dataset:
    """Return a row for each task of these lengths: its name, not its game with hidden cards."""
    names = [task.id for task in tasks().values() if task.length in lengths]
    prompt = [{"role": "user", "content": ""}]  # `reset` returns what is added here.
    return Dataset.from_list([{"prompt": prompt, "task": name} for name in names])


class ImpulseEnv:
    """One rollout of a task; the rollouts of a group share deal, opponents and luck.

    Each action of the game is a tool, a public method that `_tool` adds below.
    """

    def __init__(self) -> None:
        self._episode: Episode | None = None

    def reset(self, task: str, **columns: Any) -> str:
        """Begin the task of that name; return the rules and what the seat may know."""
        self._episode = Episode(tasks()[task])
        rules, _, rest = self._episode.instructions().partition("\n## Replies")
        asked = rest[rest.index("\n## Your task") :]
        return (
            f"{rules}{asked}Act by tools, one call at a time.\n\n## Now\n\n{self._episode.prompt()}"
        )

    def get_reward(self) -> float:
        """Return the verified reward; a rollout that ended before its task forfeits."""
        episode = self._episode
        assert episode is not None
        while episode.seat is not None:
            episode.reply("")
        return episode.rewards[episode.task.seat]

    def _act(self, verb: str, arguments: dict[str, Any]) -> str:
        episode = self._episode
        if episode is None or episode.seat is None:
            raise ValueError("The episode is over: call no more tools.")
        refused = episode.refused
        episode.reply(json.dumps({**arguments, "action": verb}))
        if episode.refused > refused:
            # TRL shows the message of an exception, and counts a failure.
            raise ValueError(episode.note)
        return episode.prompt()


def _type_of(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    return int if schema["type"] == "integer" else str


def _tool(tool: Tool) -> Callable[..., str]:
    """Return a method with the name, types and docstring that TRL makes a schema from.

    The parameters are by position only, since `from` could not be the name of another; TRL calls
    a method with all arguments by name.
    """

    def act(self: ImpulseEnv, /, **arguments: Any) -> str:
        return self._act(tool.name, arguments)

    properties = tool.schema["properties"]
    types = {name: _type_of(schema) for name, schema in properties.items()}
    only = inspect.Parameter.POSITIONAL_ONLY
    parameters = [
        inspect.Parameter(name, only, default=None, annotation=kind) for name, kind in types.items()
    ]
    act.__signature__ = inspect.Signature([inspect.Parameter("self", only), *parameters])
    act.__annotations__ = types
    act.__name__ = tool.name
    lines = [f"    {name}: {schema['description']}" for name, schema in properties.items()]
    act.__doc__ = "\n".join([tool.description, "", *(["Args:", *lines] if lines else [])])
    return act


for one in action_tools():
    setattr(ImpulseEnv, one.name, _tool(one))


def trainer(model: Any, **options: Any) -> GRPOTrainer:
    """Return a trainer by GRPO.

    Args:
        model: A model or its name; its chat template must support tools.
        options: Further options of `GRPOTrainer`; `args` replaces the settings.
    """
    if "args" not in options:
        options["args"] = GRPOConfig(
            output_dir="runs/trl",
            num_generations=8,
            # Counts all replies and answers of tools of a task, so tasks must be short.
            max_completion_length=4096,
            max_tool_calling_iterations=8,
        )
    options.setdefault("train_dataset", dataset())
    return GRPOTrainer(model=model, environment_factory=ImpulseEnv, **options)


if __name__ == "__main__":
    trainer(sys.argv[1]).train()
