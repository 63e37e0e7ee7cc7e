"""A replay in a terminal: step by step with keys, or as one text."""

import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from impulse_env.records.record import Annotation, Record
from impulse_env.replay.keyboard import keyboard
from impulse_env.replay.steps import Step, Viewer, all_viewers, steps
from impulse_env.text.board import draw_text
from impulse_env.text.color import colored, wants_color

_CLEAR: Final = "\x1b[2J\x1b[H"
_HELP: Final = "→ ← step  PgDn PgUp turn  Home End  e viewer  q quit"


def narrated(record: Record, by: Viewer, first: int = 0) -> Iterator[str]:
    """Yield the lines of a game from a step on: its events, and the board there and every turn."""
    paint = colored if wants_color(sys.stdout) else str
    yield heading(record)
    turn = -1
    for step in islice(steps(record, by), first, None):
        yield from (f"  {event.text}" for event in step.happened)
        if int(step.state["turn"]) != turn or step.seat is None:
            turn = int(step.state["turn"])
            yield ""
            yield paint(draw_text(step.state))
            yield ""
        yield from (f"    {line}" for line in _thoughts(step))
    if record.result is None:
        yield "The record was cut off here."
    elif record.result.why:
        yield f"Not played to the end: {record.result.why}"


def heading(record: Record) -> str:
    """Return the seats with their agents."""
    agents = record.header.agents
    return ", ".join(f"seat {seat}: {agent.name}" for seat, agent in enumerate(agents))


def step_through(record: Record, by: Viewer, first: int = 0) -> None:
    """Show one step at a time, beginning with `first`; keys choose the next one."""
    walk = _Walk(record, by, first)
    with keyboard() as key:
        while True:
            print(_CLEAR + walk.screen(), flush=True)
            pressed = key()
            if pressed == "q":
                return
            walk.press(pressed)


class _Walk:
    """The current step and viewer of a replay."""

    def __init__(self, record: Record, by: Viewer, first: int) -> None:
        self.record = record
        self.eyes = all_viewers(record.header.options.players)
        self.by = by
        # Only a replay that begins with everything visible may change the viewer.
        self.may_change = by == self.eyes[0]
        self.steps = list(steps(record, by))
        self.number = first

    def press(self, key: str) -> None:
        """React to a key; unknown keys have no effect."""
        last = len(self.steps) - 1
        moves: dict[str, Callable[[], int]] = {
            "right": lambda: self.number + 1,
            " ": lambda: self.number + 1,
            "enter": lambda: self.number + 1,
            "left": lambda: self.number - 1,
            "home": lambda: 0,
            "end": lambda: last,
            "page down": lambda: self._turn_from(1),
            "page up": lambda: self._turn_from(-1),
        }
        if key in moves:
            self.number = min(max(moves[key](), 0), last)
        elif key == "e" and self.may_change:
            self.by = self.eyes[(self.eyes.index(self.by) + 1) % len(self.eyes)]
            self.steps = list(steps(self.record, self.by))

    def _turn_from(self, direction: int) -> int:
        """Return the nearest step in that direction at which a turn begins."""
        turns = [int(step.state["turn"]) for step in self.steps]
        number = self.number + direction
        while 0 < number < len(turns) and turns[number] == turns[number - 1]:
            number += direction
        return number

    def screen(self) -> str:
        """Return the text of the screen."""
        step = self.steps[self.number]
        paint = colored if wants_color(sys.stdout) else str
        viewer = "what everybody sees" if self.by is None else f"viewer: {self.by}"
        lines = [
            f"Step {self.number} of {len(self.steps) - 1}, {viewer}. {heading(self.record)}",
            "",
            *(f"  {event.text}" for event in step.happened),
            "",
            paint(draw_text(step.state)),
            "",
            *_options(step),
            *_thoughts(step),
            "",
            _HELP if self.may_change else _HELP.replace("  e viewer", ""),
        ]
        return "\n".join(lines)


def _options(step: Step) -> Iterator[str]:
    for choice in step.choices:
        mark = ">" if choice.name == step.chosen else " "
        share = "" if choice.probability is None else f"{choice.probability:6.1%} "
        yield f"  {mark} {share}{choice.text}"


def _thoughts(step: Step) -> Iterator[str]:
    """Yield an agent's notes on the pending decision."""
    note = step.note
    if note is None:
        return
    likely = sorted(note.probabilities.items(), key=lambda entry: -entry[1])[:3]
    words = [f"{name} {share:.0%}" for name, share in likely] + list(_figures(note))
    yield f"({note.by or f'seat {step.seat}'}: {', '.join(words)})"


def _figures(note: Annotation) -> Iterator[str]:
    if note.wins is not None:
        yield f"chance to win {note.wins:.0%}"
    if note.seconds is not None:
        yield f"{note.seconds:.3g} s"
