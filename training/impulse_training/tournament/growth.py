"""What a tournament in a folder can grow into: more games, more agents behind the first ones."""

from dataclasses import asdict
from pathlib import Path
from typing import Final

from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import TournamentError

_GROWING: Final = ("agents", "games")


def check_growth(folder: Path, there: Schedule, here: Schedule) -> None:
    """Raise `TournamentError` unless one tournament is the beginning of the other."""
    before, now = asdict(there.settings), asdict(here.settings)
    for key, value in before.items():
        if key not in _GROWING and now[key] != value:
            raise TournamentError(
                f"{folder} holds another tournament: {key} is {value!r} there, {now[key]!r} here"
            )
    agents, wanted = there.settings.agents, here.settings.agents
    if wanted[: len(agents)] != agents:
        raise TournamentError(
            f"{folder} holds another tournament: its agents are {', '.join(agents)}; others can "
            "only be added behind them"
        )
    if wanted != agents and len(agents) < there.sides:
        raise TournamentError(
            f"{folder} cannot take another agent: with {len(agents)} for {there.sides} sides, all "
            "of them sit at every table; play it anew in another folder"
        )
    if here.deals < there.deals:
        least = there.deals * here.games_per_deal
        raise TournamentError(
            f"{folder} holds {there.deals} deals, which are {least} games of these agents; games "
            f"can only be added: --games {least} or more, not {here.settings.games}"
        )
