"""The progress of a run as a bar in the terminal."""

from collections.abc import Sequence

from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn

from impulse_training.run.budget import Budget
from impulse_training.run.learning_curve import Point
from impulse_training.run.storage.result import seconds_left_text
from impulse_training.run.terminal.screen import Screen


class ProgressBar:
    """A bar on standard error: spent budget, speed, latest win rates, remaining time.

    Attributes:
        is_shown: Whether standard error is a terminal; otherwise there is no bar.

    Args:
        budget: The budget of the run.
        names: The opponents whose win rates are shown.
        curve: The evaluations so far; the caller adds to it.
    """

    def __init__(
        self, budget: Budget, names: Sequence[str] = (), curve: Sequence[Point] = ()
    ) -> None:
        self._budget, self._names, self._curve = budget, names, curve
        console = Screen(stderr=True)
        self.is_shown = console.is_terminal
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TextColumn("{task.fields[figures]}"),
            console=console,
            disable=not self.is_shown,
        )
        self._task = self._bar.add_task("training", total=1.0, figures="")

    def start(self) -> None:
        """Show the bar."""
        self._bar.start()
        self.update()

    def update(self) -> None:
        """Update the bar."""
        if self.is_shown:
            completed, figures = self._budget.spent, self._figures()
            self._bar.update(self._task, completed=completed, figures=figures)

    def stop(self) -> None:
        """Update the bar a last time and leave it on the screen."""
        self.update()
        self._bar.stop()

    def _figures(self) -> str:
        budget = self._budget
        figures = [f"{budget.steps_per_second:,.0f} steps/s"]
        if self._curve:
            # A resumed run may have other evaluation opponents.
            rates = {name: self._curve[-1].get(f"win/{name}") for name in self._names}
            wins = [f"{name} {rate:.0%}" for name, rate in rates.items() if rate is not None]
            figures += [f"wins: {', '.join(wins)}"] if wins else []
        if budget.spent:
            figures.append(seconds_left_text(budget.seconds_left))
        return ", ".join(figures)
