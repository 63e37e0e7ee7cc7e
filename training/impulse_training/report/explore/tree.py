"""The tree of openings: nodes, their counts, and the chains of nodes within a move."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Self

from impulse_env.engine.constants import Seat
from impulse_training.report.explore.choices import Choice

ROOT: Final = 0
NOWHERE: Final = -1
"""The parent of the root."""


@dataclass(slots=True)
class Line:
    """The choices of a seat; lists are by choice.

    Attributes:
        game: Row of the game.
        seat: The seat.
        nodes: The node after each choice.
        steps: Number of decisions in the record up to and including the choice.
        before: The seat's chance to win before the choice, 0 to 1; NaN if unknown.
        after: The seat's chance to win after it.
        race: The race of the seat.
        home: Printed number of the card on its home cell; 0 without a card.
        won: 1 if its side won alone, a fraction if several sides won, 0 if it lost.
        par: The expected `won` if all sides were equally strong.
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
        """Keep only the first `length` choices."""
        for smaller in (self.nodes, self.steps, self.before, self.after):
            del smaller[length:]


class Tree:
    """Nodes numbered so that a parent comes before its children; the first is the root.

    Attributes:
        parents: The parent of each node.
        choices: The choice that leads to each node; None for the root.
    """

    def __init__(self) -> None:
        self.parents = [NOWHERE]
        self.choices: list[Choice | None] = [None]
        self._children: list[dict[Choice, int]] = [{}]

    def __len__(self) -> int:
        return len(self.parents)

    def child(self, parent: int, choice: Choice) -> int:
        """Return the child for a choice; add the node if it is new."""
        node = self._children[parent].setdefault(choice, len(self))
        if node == len(self):
            self.parents.append(parent)
            self.choices.append(choice)
            self._children.append({})
        return node

    def children(self, node: int) -> list[int]:
        """Return the children of a node."""
        return list(self._children[node].values())

    def visits(self, lines: Iterable[Line]) -> list[int]:
        """Return the number of lines through each node."""
        counts = [0] * len(self)
        for line in lines:
            counts[ROOT] += 1
            for node in line.nodes:
                counts[node] += 1
        return counts

    def pruned(self, lines: Iterable[Line], least: int) -> Self:
        """Return the tree of nodes with at least `least` lines, the most played first.

        This changes the lines: they are cut where the tree ends, and use its numbers.
        """
        lines = list(lines)
        counts = self.visits(lines)
        smaller, number = type(self)(), {ROOT: ROOT}
        waiting = [ROOT]
        for node in waiting:  # breadth first; it grows
            following = [child for child in self.children(node) if counts[child] >= least]
            for child in sorted(following, key=lambda child: (-counts[child], child)):
                choice = self.choices[child]
                assert choice is not None
                number[child] = smaller.child(number[node], choice)
                waiting.append(child)
        for line in lines:
            line.cut(sum(node in number for node in line.nodes))
            line.nodes = [number[node] for node in line.nodes]
        return smaller

    def end_of_chain(self, node: int, counts: list[int]) -> int:
        """Return the last node of the move after which no line chose otherwise."""
        while len(children := self.children(node)) == 1:
            (child,) = children
            choice = self.choices[child]
            assert choice is not None
            if choice.begins or counts[child] < counts[node]:
                break
            node = child
        return node

    def chain(self, node: int, end: int) -> list[int]:
        """Return the nodes from `node` down to `end`, both included."""
        found = [end]
        while found[-1] != node:
            found.append(self.parents[found[-1]])
        return found[::-1]
