"""Recorded games as arrays, for learning from them.

    from impulse_env import dataset
    from impulse_env.records.recorded_games import records

    decisions = dataset.decisions(records("runs/games", played=False))
    decisions.observations, decisions.masks, decisions.actions, decisions.wins

decisions  observation, legal actions, action and returns of each decision
minari     the same as episodes of a Minari dataset; needs Minari
parquet    games and decisions as files to share; needs pyarrow
croissant  metadata of these files, for dataset tools
"""

from impulse_env.dataset.decisions import Decisions, decisions, stream

__all__ = ["Decisions", "decisions", "stream"]
