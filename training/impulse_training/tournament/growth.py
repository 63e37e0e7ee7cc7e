"""Checks the growth of a tournament: more games, or more agents after the existing ones."""

from dataclasses import asdict
from pathlib import Path
from typing import Final

from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import TournamentError

_GROWING: Final = ("agents", "games")


def check_growth(folder: Path, there: Schedule, here: Schedule) -> None:
    """Raise `TournamentError` unless `here` is `there` or extends it."""
    before, now = asdict(there.settings), asdict(here.settings)
    for key, value in before.items():
        if key not in _GROWING and now[key] != value:
            raise TournamentError(
                f"{folder} holds another tournament: {key} is {value!r} there, {now[key]!r} here"
            )
    agents, new_agents = there.settings.agents, here.settings.agents
    if new_agents[: len(agents)] != agents:
        raise TournamentError(
            f"{folder} holds another tournament: its agents are {', '.join(agents)}; new ones must "
            "come after them"
        )
    if new_agents != agents and len(agents) < there.sides:
        raise TournamentError(
            f"{folder} cannot take another agent: with {len(agents)} for {there.sides} sides, all "
            "of them play in every game; choose another folder"
        )
    if here.deals < there.deals:
        least = there.deals * here.games_per_deal
        raise TournamentError(
            f"{folder} holds {there.deals} deals, which are {least} games of these agents: --games "
            f"must be {least} or more, not {here.settings.games}"
        )
