"""Agents' explanations of a decision: advice, and a search's lines."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Suggestion:
    """An action that an agent would take.

    Attributes:
        action: Its stable name, absolute.
        share: The policy's probability of the action, or its share of a search's simulations, 0 to
            1; None from an agent that only names one action.
        visits: Simulations that began with it; None without a search.
        wins: The search's chance to win after it, 0 to 1; None without a search. `Advice.error` is
            its accuracy.
    """

    action: str
    share: float | None = None
    visits: int | None = None
    wins: float | None = None


@dataclass(frozen=True)
class Advice:
    """An agent's advice on a decision.

    Attributes:
        by: The agent's name.
        suggestions: The suggestions, the best first.
        wins: The chance of the seat's side to win, 0 to 1, from the value of a calibrated policy;
            None from other agents.
        error: Mean distance of the agent's chances to win from the observed frequencies, 0 to 1, in
            games other than those of the calibration. None if it gives none, or is not calibrated.
    """

    by: str
    suggestions: tuple[Suggestion, ...]
    wins: float | None = None
    error: float | None = None


@dataclass(frozen=True)
class Variation:
    """A line of a search: an action, and the actions that follow it most often.

    Attributes:
        actions: Stable names in the absolute frame, in order. Later ones may belong to other seats,
            and may be illegal in the real game, depending on hidden information.
        visits: Simulations that began with the first action.
        share: Their share of all simulations.
        value: The deciding side's chance to win, 0 to 1, as the search found it; only a rule of
            thumb if the search is not calibrated.
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
