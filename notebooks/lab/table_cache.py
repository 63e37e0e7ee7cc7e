"""Tables that took long to play are kept, so that a notebook runs again in seconds.

As with tournaments, what is kept is used again only by the same agents, under the same rules, for
the same question. Without the folder everything is played anew.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from impulse_agents.base import Agent
from impulse_agents.identity import identity_of
from lab.session import FOLDER

_DIGITS = 16


def kept(
    name: str,
    play: Callable[[], pd.DataFrame],
    agents: Sequence[Agent],
    folder: Path = FOLDER / "tables",
    **about: Any,
) -> pd.DataFrame:
    """Return a table, from its file if it was made before.

    Args:
        name: Of the file, without its end; a word for the question.
        play: Makes the table; of numbers, truth values and texts.
        agents: Who plays. Another agent of the same name is another agent.
        folder: Where the files are.
        about: What else the table depends on, such as how many games; JSON-able.

    Raises:
        AgentError: The sources of an agent cannot be read.
    """
    told = {**about, "agents": [identity_of(agent).digest for agent in agents]}
    key = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:_DIGITS]
    path = folder / f"{name}-{key}.csv.gz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"part-{path.name}")
        play().to_csv(part, index=False)
        part.replace(path)
    return pd.read_csv(path)
