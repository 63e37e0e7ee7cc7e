"""Recorded games as arrays, for learning from games that were played.

    from impulse_env import dataset
    from impulse_env.records.recorded_games import records

    found = dataset.decisions(records("runs/games", played=False))
    found.observations, found.masks, found.actions, found.wins

decisions  what who decides sees, may do and does, and what came of it
minari     the same as episodes of a Minari dataset, where Minari is installed
parquet    games and decisions as files to share, where pyarrow is installed
croissant  metadata of these files, for tools for data sets
"""

from impulse_env.dataset.decisions import Decisions, decisions, stream

__all__ = ["Decisions", "decisions", "stream"]
