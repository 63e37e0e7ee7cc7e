"""The filter of lines."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self

from impulse_env.engine.cards import CARD_BY_NUMBER, NUMBER_BY_CARD
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS, Seat
from impulse_env.errors import ImpulseError, did_you_mean
from impulse_env.options import RACE_NAMES
from impulse_env.records.recorded_games import RecordedGame
from impulse_training.report.explore.explore_options import ExploreArgs


class ExploreError(ImpulseError, ValueError):
    """Openings cannot be shown with these options; the message says why."""


@dataclass(frozen=True)
class LineFilter:
    """The filter of lines; None in a field accepts any value.

    Attributes:
        agent: The agent of the seat.
        seat: The seat.
        players: Players of the game.
        race: Name of the race.
        home: The face on the home cell, by its lowest printed number.
        agents: All agents seen so far, for error messages.
    """

    agent: str | None = None
    seat: Seat | None = None
    players: int | None = None
    race: str | None = None
    home: int | None = None
    agents: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, args: ExploreArgs) -> Self:
        """Return the filter of the options; raises `ExploreError`."""
        _check_range("--seat", args.seat, 0, MAX_PLAYERS - 1)
        _check_range("--players", args.players, MIN_PLAYERS, MAX_PLAYERS)
        race = None if args.race is None else args.race.lower()
        if race is not None and race not in RACE_NAMES:
            guess = did_you_mean(race, RACE_NAMES)
            raise ExploreError(
                f"--race must be one of {', '.join(RACE_NAMES)}, not {args.race!r}{guess}"
            )
        if args.home is not None and args.home not in CARD_BY_NUMBER:
            last = max(CARD_BY_NUMBER)
            raise ExploreError(
                f"--home must be from {min(CARD_BY_NUMBER)} to {last}, not {args.home}"
            )
        home = None if args.home is None else int(NUMBER_BY_CARD[CARD_BY_NUMBER[args.home]])
        return cls(args.agent, args.seat, args.players, race, home)

    def seats_of(self, play: RecordedGame) -> list[Seat]:
        """Return the seats of a game that can pass the filter, as far as its header shows."""
        names = [agent.name for agent in play.header.agents]
        self.agents.update(names)
        if self.players not in (None, len(names)):
            return []
        return [
            seat
            for seat, name in enumerate(names)
            if self.seat in (None, seat) and self.agent in (None, name)
        ]

    def has(self, race: str, home: int) -> bool:
        """Whether a line with that race and home card passes the filter."""
        return self.race in (None, race) and self.home in (None, home)

    def none_found(self, games: int) -> ExploreError:
        """Return the error that no line of the games passes the filter."""
        if not games:
            return ExploreError("no game begins with a deal, so there is no opening")
        if self.agent is not None and self.agent not in self.agents:
            there = ", ".join(name for name, _ in self.agents.most_common(10))
            guess = did_you_mean(self.agent, self.agents)
            return ExploreError(f"no agent {self.agent!r} in these games{guess}; they have {there}")
        asked = ", ".join(f"--{name} {value}" for name, value in self.asked().items())
        return ExploreError(f"no seat of these games ({games:,}) has {asked}")

    def asked(self) -> dict[str, Any]:
        """Return the options in use, by name."""
        names = ("agent", "seat", "players", "race", "home")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def _check_range(option: str, value: int | None, low: int, high: int) -> None:
    if value is not None and not low <= value <= high:
        raise ExploreError(f"{option} must be from {low} to {high}, not {value}")
