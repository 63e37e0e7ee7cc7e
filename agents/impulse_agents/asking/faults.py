"""What an agent did wrong: one record for every kind of fault, in every command."""

import traceback
from dataclasses import dataclass, replace
from typing import Final, Literal, Self, TypeAlias, get_args

from impulse_agents.base import AgentError, BadAnswerError, IllegalAnswerError
from impulse_env.errors import ImpulseError

FaultKind: TypeAlias = Literal["error", "type", "illegal", "time", "memory", "died"]
FAULT_KINDS: Final[tuple[FaultKind, ...]] = get_args(FaultKind)
"""It raised an error; its answer is no integer; its answer is illegal; it took longer than it may;
it had no memory left; its process ended."""
_LONGEST: Final = 300
"""Characters of what an error says that are passed on."""


class TimeUpError(BaseException):
    """The time of a decision is over. An agent that catches errors is not to catch this one."""


@dataclass(frozen=True)
class AgentFault:
    """What an agent did in place of deciding.

    Attributes:
        agent: Its name.
        kind: What it did, one of `FAULT_KINDS`.
        detail: The same in one line.
        traceback: Where it went wrong; empty if that is not known.
        seed: Of the deal; None if that is not known.
        seat: Whose decision it was; None if that is not known.
        decision: How many decisions of the game were taken before; None if that is not known.
    """

    agent: str
    kind: FaultKind
    detail: str
    traceback: str = ""
    seed: int | None = None
    seat: int | None = None
    decision: int | None = None

    @classmethod
    def of(cls, agent: str, error: BaseException) -> Self:
        """Return the fault of an agent that raised an error, or whose answer was refused."""
        kind: FaultKind = "error"
        if isinstance(error, BadAnswerError):
            kind = "illegal" if isinstance(error, IllegalAnswerError) else "type"
        elif isinstance(error, TimeUpError):
            kind = "time"
        elif isinstance(error, MemoryError):
            kind = "memory"
        told = "".join(traceback.format_exception(error))
        return cls(agent, kind, in_a_line(error), told)

    def at(self, seed: int | None, seat: int, decision: int | None) -> Self:
        """Return the fault with the place where it happened."""
        return replace(self, seed=seed, seat=seat, decision=decision)

    @property
    def place(self) -> str:
        """Where it happened, such as "seed 3, seat 0, decision 17"; empty if nothing is known."""
        found = {"seed": self.seed, "seat": self.seat, "decision": self.decision}
        return ", ".join(f"{what} {value}" for what, value in found.items() if value is not None)


class AgentFaultError(AgentError):
    """An agent did something else than deciding; the message names it.

    Attributes:
        fault: What it did.
    """

    def __init__(self, fault: AgentFault) -> None:
        where = f" at {fault.place}" if fault.place else ""
        super().__init__(f"agent {fault.agent} failed{where}: {fault.detail}")
        self.fault = fault

    def __reduce__(self) -> tuple[type[Self], tuple[AgentFault]]:
        return type(self), (self.fault,)


def in_a_line(error: BaseException) -> str:
    """Return an error in one line; what nobody foresaw is told with its type."""
    if isinstance(error, AgentFaultError):
        return error.fault.detail
    said = " ".join(str(error).split())[:_LONGEST]
    if isinstance(error, (ImpulseError, TimeUpError)):
        return said
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
