"""What agents did wrong in some games, as lines and as JSON."""

import os
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from impulse_agents.asking.faults import AgentFault

_TRACEBACK: Final = "IMPULSE_TRACEBACK"
"""Set in the environment: the first fault of each agent shows where it went wrong."""


def tell_faults(faults: Iterable[AgentFault], games: int, consequence: str) -> list[dict[str, Any]]:
    """Print a line for each agent that failed, on standard error; return the same as JSON.

    Args:
        faults: One for each game in which an agent failed.
        games: How many games were played.
        consequence: What becomes of such games, such as "it has lost them".
    """
    by_agent: dict[str, list[AgentFault]] = {}
    for fault in faults:
        by_agent.setdefault(fault.agent, []).append(fault)
    told: list[dict[str, Any]] = []
    for name, found in by_agent.items():
        first, kinds = found[0], Counter(fault.kind for fault in found)
        by_kind = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        print(
            f"{name} failed in {len(found)} of {games} games ({by_kind}), and {consequence}: "
            f"{first.detail} (first: {first.place})",
            file=sys.stderr,
        )
        if os.environ.get(_TRACEBACK):
            print(first.traceback, file=sys.stderr)
        where = {"seed": first.seed, "seat": first.seat, "decision": first.decision}
        told.append(
            {"agent": name, "games": len(found), "kinds": dict(kinds)}
            | {"first": {"detail": first.detail, **where}}
        )
    return told
