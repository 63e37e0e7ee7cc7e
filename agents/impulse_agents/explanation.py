"""What an agent can say of a decision beyond the action it takes: advice, and a search's lines."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Suggestion:
    """An action that an agent would take.

    Attributes:
        action: Its stable name, absolute.
        share: The probability with which a policy takes it, or its share of a search's
            simulations, 0 to 1; None of an agent that names one action and nothing else.
        visits: Simulations that began with it; None without a search.
        wins: The chance to win that the search found for it, 0 to 1; None without a search. What
            it is worth says `Advice.error`.
    """

    action: str
    share: float | None = None
    visits: int | None = None
    wins: float | None = None


@dataclass(frozen=True)
class Advice:
    """What an agent thinks of a decision.

    Attributes:
        by: The agent's name.
        suggestions: The best first.
        wins: The chance that the side of the seat wins, 0 to 1, by the value of a trained policy
            that is calibrated; None of all others.
        error: How far its chances to win are on average from how often sides won, 0 to 1, in games
            that they were not fitted to; None if it tells none, or is not calibrated.
    """

    by: str
    suggestions: tuple[Suggestion, ...]
    wins: float | None = None
    error: float | None = None


@dataclass(frozen=True)
class Variation:
    """An action and what follows it most often in a search.

    Attributes:
        actions: Stable names in the absolute frame, that of the decision first. Later ones may
            belong to other seats, and hold only as far as what is hidden allows.
        visits: Simulations that began with the first action.
        share: Their share of all.
        value: The chance to win of the side that decides, 0 to 1, as far as it was tried; by rules
            of thumb alone if the search is not calibrated.
    """

    actions: tuple[str, ...]
    visits: int
    share: float
    value: float

    def __str__(self) -> str:
        return (
            f"{self.visits:>7} {self.share:>5.0%}  wins {self.value:>4.0%}  "
            f"{' '.join(self.actions)}"
        )
