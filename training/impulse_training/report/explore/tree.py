"""The tree of openings: nodes, how often each was reached, and which of them belong together."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Self

from impulse_env.engine.constants import Seat
from impulse_training.report.explore.choices import Choice

ROOT: Final = 0
NOWHERE: Final = -1
"""Instead of the root's parent."""


@dataclass(slots=True)
class Line:
    """What a seat chose; lists are by choice.

    Attributes:
        game: Row of the game.
        seat: Whose.
        nodes: Where each choice led to.
        steps: How many decisions of the record were taken then, that one included.
        before: The seat's chance to win before it, 0 to 1; NaN if nobody says.
        after: The same after it.
        race: Of the seat.
        home: Printed number of the card on its home cell; 0 if there is none.
        won: 1 if its side won, a part of it if others did so, too.
        par: What each side would win if all were equal.
    """

    game: int
    seat: Seat
    nodes: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    before: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)
    race: str = ""
    home: int = 0
    won: float = 0.0
    par: float = 0.0

    def cut(self, length: int) -> None:
        """Forget the choices from there on."""
        for kept in (self.nodes, self.steps, self.before, self.after):
            del kept[length:]


class Tree:
    """Nodes numbered so that a parent comes before its children; the first is the root.

    Attributes:
        parents: Of each node.
        choices: That lead to each node; None for the root.
    """

    def __init__(self) -> None:
        self.parents = [NOWHERE]
        self.choices: list[Choice | None] = [None]
        self._children: list[dict[Choice, int]] = [{}]

    def __len__(self) -> int:
        return len(self.parents)

    def child(self, parent: int, choice: Choice) -> int:
        """Return where a choice leads to; it is made if it was never made before."""
        node = self._children[parent].setdefault(choice, len(self))
        if node == len(self):
            self.parents.append(parent)
            self.choices.append(choice)
            self._children.append({})
        return node

    def children(self, node: int) -> list[int]:
        """Return the nodes that follow one."""
        return list(self._children[node].values())

    def visits(self, lines: Iterable[Line]) -> list[int]:
        """Return how many of some lines go through each node."""
        counts = [0] * len(self)
        for line in lines:
            counts[ROOT] += 1
            for node in line.nodes:
                counts[node] += 1
        return counts

    def pruned(self, lines: Iterable[Line], least: int) -> Self:
        """Return the tree of what was chosen that often, the lines' favourites first.

        The lines are changed: they end where the tree does, and have its numbers.
        """
        lines = list(lines)
        counts = self.visits(lines)
        kept, number = type(self)(), {ROOT: ROOT}
        waiting = [ROOT]
        for node in waiting:  # breadth first; it grows
            following = [child for child in self.children(node) if counts[child] >= least]
            for child in sorted(following, key=lambda child: (-counts[child], child)):
                choice = self.choices[child]
                assert choice is not None
                number[child] = kept.child(number[node], choice)
                waiting.append(child)
        for line in lines:
            line.cut(sum(node in number for node in line.nodes))
            line.nodes = [number[node] for node in line.nodes]
        return kept

    def end_of_chain(self, node: int, counts: list[int]) -> int:
        """Return where a node leads to if no line could choose otherwise within its move."""
        while len(children := self.children(node)) == 1:
            (child,) = children
            choice = self.choices[child]
            assert choice is not None
            if choice.begins or counts[child] < counts[node]:
                break
            node = child
        return node

    def chain(self, node: int, end: int) -> list[int]:
        """Return the nodes from one to another below it, both included."""
        found = [end]
        while found[-1] != node:
            found.append(self.parents[found[-1]])
        return found[::-1]
