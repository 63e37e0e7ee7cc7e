"""The learning rate schedule of a run, which may be resumed with another limit."""

from math import isfinite
from typing import Any, Final

from impulse_training.run.budget import Budget

LAST: Final = 0.1
"""Default learning rate at the end of a run, as a share of the first."""


class LearningRateSchedule:
    """A linear decay to the last rate at the end of the budget.

    It follows the steps if they are limited, otherwise the clock. A resumed run with a new limit
    continues from its current rate; one with a new rate starts from that rate.

    Args:
        rate: The first learning rate.
        budget: The budget of the run.
        last: The learning rate at the end; a tenth of the first if None.
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

    def __call__(self) -> float:
        """Return the current learning rate."""
        line = self._line
        now, begin, end = getattr(self._budget, line["unit"]), line["from"], line["until"]
        share = (now - begin) / (end - begin) if isfinite(end) and end > begin else 0.0
        last = float(line["last"])
        if end <= begin or share >= 1:
            return last
        return line["from_rate"] + (last - line["from_rate"]) * max(0.0, share)

    def state_dict(self) -> dict[str, Any]:
        """Return the parameters of the decay."""
        return dict(self._line)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict`; call this after the budget is restored."""
        target, self._line = self._line, dict(state)
        if all(target[name] == state[name] for name in ("rate", "last", "unit", "until")):
            return
        is_new = target["rate"] != state["rate"]
        now = float(getattr(self._budget, target["unit"]))
        from_rate = target["rate"] if is_new else self()
        self._line = {**target, "from": now, "from_rate": from_rate}
