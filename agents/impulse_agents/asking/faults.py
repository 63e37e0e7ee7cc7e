"""Agents' faults: one record for every kind of fault, in every command."""

import traceback
from dataclasses import dataclass, replace
from typing import Final, Literal, Self, TypeAlias, get_args

from impulse_agents.base import AgentError, BadAnswerError, IllegalAnswerError
from impulse_agents.protocol.program import ProgramError
from impulse_env.errors import ImpulseError

FaultKind: TypeAlias = Literal["error", "type", "illegal", "time", "memory", "died"]
FAULT_KINDS: Final[tuple[FaultKind, ...]] = get_args(FaultKind)
"""The kinds of faults.

error    the agent raised an error
type     its answer is not an integer
illegal  its answer is illegal
time     the time limit was exceeded
memory   the memory was used up
died     the process ended
"""
_LONGEST: Final = 300
"""Largest number of characters of an error's message."""


class TimeUpError(BaseException):
    """The time for a decision is over. Not an `Exception`, so that agents do not catch it."""


@dataclass(frozen=True)
class AgentFault:
    """A fault of an agent at a decision.

    Attributes:
        agent: The agent's name.
        kind: One of `FAULT_KINDS`.
        detail: A description in one line.
        traceback: The traceback; empty if unknown.
        seed: Seed of the deal; None if unknown.
        seat: The deciding seat; None if unknown.
        decision: Number of earlier decisions of the game; None if unknown.
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
        """Return the fault of an agent that raised an error or gave an invalid answer."""
        kind: FaultKind = "error"
        if isinstance(error, BadAnswerError):
            kind = "illegal" if isinstance(error, IllegalAnswerError) else "type"
        elif isinstance(error, ProgramError):
            kind = error.kind
        elif isinstance(error, TimeUpError):
            kind = "time"
        elif isinstance(error, MemoryError):
            kind = "memory"
        lines = "".join(traceback.format_exception(error))
        return cls(agent, kind, in_a_line(error), lines)

    def at(self, seed: int | None, seat: int, decision: int | None) -> Self:
        """Return the fault with the place where it happened."""
        return replace(self, seed=seed, seat=seat, decision=decision)

    @property
    def place(self) -> str:
        """Where it happened, such as "seed 3, seat 0, decision 17"; empty if unknown."""
        parts = {"seed": self.seed, "seat": self.seat, "decision": self.decision}
        return ", ".join(f"{what} {value}" for what, value in parts.items() if value is not None)


class AgentFaultError(AgentError):
    """An agent has failed at a decision; the message names it.

    Attributes:
        fault: The fault.
    """

    def __init__(self, fault: AgentFault) -> None:
        where = f" at {fault.place}" if fault.place else ""
        super().__init__(f"agent {fault.agent} failed{where}: {fault.detail}")
        self.fault = fault

    def __reduce__(self) -> tuple[type[Self], tuple[AgentFault]]:
        return type(self), (self.fault,)


def in_a_line(error: BaseException) -> str:
    """Return an error in one line; for errors from outside this project, with its type."""
    if isinstance(error, AgentFaultError):
        return error.fault.detail
    message = " ".join(str(error).split())[:_LONGEST]
    if isinstance(error, (ImpulseError, TimeUpError)):
        return message
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
