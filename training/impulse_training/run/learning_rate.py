"""The learning rate over a training, which may be resumed with another end."""

from math import isfinite
from typing import Any, Final

from impulse_training.run.budget import Budget

LAST: Final = 0.1
"""The learning rate at the end of a training, as a share of the first, unless it is given."""


class LearningRateSchedule:
    """Falls in a line to the last rate at the end of the budget.

    It goes by steps if they are limited, else by the clock. A resumed training whose end is another
    goes on from the rate that it had, one whose rate is another begins with that.

    Args:
        rate: The first learning rate.
        budget: Of the training.
        last: The learning rate at its end; a tenth of the first if None.
    """

    def __init__(self, rate: float, budget: Budget, last: float | None = None) -> None:
        self._budget = budget
        self._line: dict[str, Any] = {
            "rate": rate,
            "last": LAST * rate if last is None else last,
            "unit": "seconds" if budget.limit_steps is None else "steps",
            "from": 0.0,
            "from_rate": rate,
            "until": budget.limit_s if budget.limit_steps is None else budget.limit_steps,
        }

    def __call__(self, _progress_remaining: float = 1.0) -> float:
        """Return the learning rate now; Stable-Baselines3's own measure of progress is not used."""
        line = self._line
        now, begin, end = getattr(self._budget, line["unit"]), line["from"], line["until"]
        share = (now - begin) / (end - begin) if isfinite(end) and end > begin else 0.0
        last = float(line["last"])
        if end <= begin or share >= 1:
            return last
        return line["from_rate"] + (last - line["from_rate"]) * max(0.0, share)

    def state_dict(self) -> dict[str, Any]:
        """Return how the line runs."""
        return dict(self._line)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a `state_dict`; to be called when the budget says how much of it is spent."""
        wanted, self._line = self._line, dict(state)
        if all(wanted[name] == state[name] for name in ("rate", "last", "unit", "until")):
            return
        is_new = wanted["rate"] != state["rate"]
        now = float(getattr(self._budget, wanted["unit"]))
        from_rate = wanted["rate"] if is_new else self()
        self._line = {**wanted, "from": now, "from_rate": from_rate}
