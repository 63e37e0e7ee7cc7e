"""Reports the failures of agents, as lines and as JSON."""

import os
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from impulse_agents.asking.faults import AgentFault

_TRACEBACK: Final = "IMPULSE_TRACEBACK"
"""Environment variable: if set, the first failure of each agent prints its traceback."""


def tell_faults(faults: Iterable[AgentFault], games: int, consequence: str) -> list[dict[str, Any]]:
    """Print a line per failed agent to standard error; return the same data for JSON.

    Args:
        faults: One for each game in which an agent failed.
        games: Number of games.
        consequence: The end of the sentence on these games, such as "has lost them".
    """
    by_agent: dict[str, list[AgentFault]] = {}
    for fault in faults:
        by_agent.setdefault(fault.agent, []).append(fault)
    reported: list[dict[str, Any]] = []
    for name, failures in by_agent.items():
        first, kinds = failures[0], Counter(fault.kind for fault in failures)
        by_kind = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        print(
            f"{name} failed in {len(failures)} of {games} games ({by_kind}), and {consequence}: "
            f"{first.detail} (first: {first.place})",
            file=sys.stderr,
        )
        if os.environ.get(_TRACEBACK):
            print(first.traceback, file=sys.stderr)
        where = {"seed": first.seed, "seat": first.seat, "decision": first.decision}
        reported.append(
            {"agent": name, "games": len(failures), "kinds": dict(kinds)}
            | {"first": {"detail": first.detail, **where}}
        )
    return reported
