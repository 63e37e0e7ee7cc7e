"""The command `impulse agents`: the agents with their strength and speed."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from impulse_agents.registry import names
from impulse_agents.standings import Card, cards
from impulse_training.cli.framework.command import Command

COMMAND = Command(examples=("impulse agents", "impulse agents --json"), has_json=True)
AGAINST: Final = ("random", "greedy", "core_rush", "warrior")
"""The opponents of the columns."""


@dataclass(frozen=True)
class Args:
    """List the agents: their methods, their strength and their speed."""

    players: int | None = None
    """Show only trained agents for this number of players."""


def table(shown_cards: Iterable[Card]) -> list[str]:
    """Return the cards as lines of text."""
    heads = ("agent", "plays", "players", *(f"v {name}" for name in AGAINST), "decisions/s")
    rows = [heads, *map(_cells, shown_cards)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    return [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _cells(card: Card) -> tuple[str, ...]:
    won = (f"{card.won[name]:.1f}" if name in card.won else "-" for name in AGAINST)
    speed = "-" if card.decisions_per_second is None else f"{card.decisions_per_second:,.0f}"
    return card.agent, card.description, str(card.players or "-"), *won, speed


def main(args: Args) -> dict[str, Any]:
    """Print the agents."""
    matches = [card for card in cards() if args.players in (None, card.players)]
    print("\n".join(table(matches)))
    print(
        "\nv NAME: games won in percent, alone against that agent on all other seats. "
        "Speed: on one core.\nEvery option that takes an agent accepts: "
        f"{', '.join(names())}, module:Class, path/to/file.py:Class"
    )
    return {"agents": [asdict(card) for card in matches], "names": names()}
