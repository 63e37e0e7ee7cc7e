"""The data card of a data set: its source, its content, and its known gaps.

Its front matter is for the Hugging Face Hub. Angle brackets mark text that a person must fill in.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import impulse_env
from impulse_env.dataset.parquet import OBSERVATION, column_table, parts_in, read_table
from impulse_env.files import write_atomically

FILE: Final = "README.md"

_MARK: Final = "<!-- Written by impulse export, again each time: remove this line to edit. -->"
_HEAD: Final = """---
license: cc0-1.0
tags: [reinforcement-learning, offline-rl, imitation-learning, board-game, impulse]
configs:
- config_name: games
  data_files: games-*.parquet
- config_name: decisions
  data_files: decisions-*.parquet
---
"""


def write(folder: Path, made_by: str, agents: Sequence[str], with_observations: bool) -> None:
    """Write the card; a card without the generated-by line was edited by a person and stays.

    Args:
        folder: The folder of the data.
        made_by: The command that wrote the data.
        agents: The agents, with digests where they are known, a line each.
        with_observations: Whether decisions include the observation.
    """
    path = folder / FILE
    if not path.exists() or _MARK in path.read_text(encoding="utf-8"):
        write_atomically(path, _page(folder, made_by, agents, with_observations))


def _page(folder: Path, made_by: str, agents: Sequence[str], with_observations: bool) -> str:
    games = decisions = with_shares = 0
    ends: dict[str, int] = {}
    for part in parts_in(folder):
        found = read_table(folder, "games", part, ["end", "decisions"])
        games += len(found)
        decisions += sum(found["decisions"].to_pylist())
        for end in found["end"].to_pylist():
            ends[end] = ends.get(end, 0) + 1
        with_shares += len(found) and len(
            read_table(folder, "decisions", part, ["probability"])["probability"].drop_null()
        )
    seen = (
        f"`{OBSERVATION}` is the observation of the seat."
        if with_observations
        else "There is no column for observations; they follow from a game's row: "
        "`impulse_env.dataset.decisions(recorded_games(folder))`."
    )
    return f"""{_HEAD}
{_MARK}

# Games of Impulse: {games:,} games, {decisions:,} decisions

## Source

```console
$ {made_by}
```

with impulse-env {impulse_env.__version__}. Agents:

{chr(10).join(f"- {agent}" for agent in agents)}

Ends of the games: {", ".join(f"{count:,} by {end}" for end, count in sorted(ends.items()))}.
{100 * with_shares / max(1, decisions):.0f} % of the decisions have the agent's probabilities.
{seen}

## How to read them

```python
from impulse_env import dataset
from impulse_env.dataset.parquet import recorded_games

for part in dataset.stream(recorded_games(".")):
    part.observations, part.masks, part.actions, part.wins
```

`impulse train imitate --decisions 0 --extra-demonstrations FOLDER` trains a network on them.

## Games, a row each

{column_table("games")}

## Decisions, a row each

{column_table("decisions")}

## Known gaps

- A game's row contains its hidden information, so do not publish games that are still in progress.
- Agents of one kind visit few of the positions that people reach.
- <add other limits of the data>

## Licence

Games of programs are in the public domain (CC0). If people played, change the front matter.
"""
