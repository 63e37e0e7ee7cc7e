"""Agents in a process of their own, which is ended when one of them takes more than it may.

The games stay where they are: an agent there is asked as one here, and an `AgentFault` says what
went wrong. Pure Python is interrupted when its time is over; what does not return to the
interpreter, takes all memory or ends its process costs that process, and another one goes on.
"""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.asking.ask import ask, decide_once
from impulse_agents.asking.faults import AgentFault, AgentFaultError, FaultKind, TimeUpError
from impulse_agents.asking.limits import Limits
from impulse_agents.asking.process import Worker, WorkerError
from impulse_agents.base import Agent, AgentError, ObservationBatch, whole_answer, whole_answers
from impulse_agents.rng import RngStreams
from impulse_env.engine.state import STATE
from impulse_env.frame import AbsoluteAction
from impulse_env.game import Game
from impulse_env.options import Options

_GRACE: Final = 2.0
"""Seconds beyond its time after which a process is ended that could not be interrupted."""
_WARM: Final = 60.0
"""Seconds for the first decision of an agent, which is none of a game: something may compile."""
_AGAIN: Final = 0.1
"""Seconds after which an agent that caught the interruption is interrupted again."""
_GIB: Final = 1 << 30

T = TypeVar("T")
Outcome = tuple[Any, AgentFault | str | None]
"""An answer; or what the agent did wrong, or why it cannot play what it is given."""


class GuardedAgent(Agent):
    """An agent of a guard, to be asked like any other.

    Attributes:
        used: Seconds that the seat which decides has used in its game so far; whoever asks says.
        is_asked_alone: Whether it is to be asked in one game at a time: its time is limited, or it
            has cost a process.
    """

    def __init__(self, guard: "Guard", agent: Agent) -> None:
        self.name = agent.name
        self.needs_views = agent.needs_views  # type: ignore[misc]
        self.is_batched = agent.is_batched
        self.is_stochastic = agent.is_stochastic
        self.used = 0.0
        self.is_asked_alone = guard.limits.has_time
        self._guard = guard

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """See `Agent.act`."""
        actions: NDArray[np.int64] = self._asked("act", seen, streams)
        return actions

    def action_probabilities(
        self, seen: ObservationBatch, streams: RngStreams
    ) -> NDArray[np.float32]:
        """See `Agent.action_probabilities`."""
        shares: NDArray[np.float32] = self._asked("action_probabilities", seen, streams)
        return shares

    def _asked(self, method: str, seen: ObservationBatch, streams: RngStreams) -> Any:
        answer, streams.states[:] = self._guard.ask(self, _answer, method, seen, streams)
        return answer

    def act_in_game(self, game: Game, rng: np.random.Generator) -> AbsoluteAction:
        """See `Agent.act_in_game`."""
        assert game.seat is not None
        view = game.view(game.seat).state.tobytes()
        action, rng.bit_generator.state = self._guard.ask(self, _answer_in_game, view, rng)
        return int(action)


class Guard:
    """The process of some agents; started, and started anew, when it is needed.

    Args:
        agents: As made here; they are made again there, by their names.
        limits: What each of them may take.
        options: Of the games.
    """

    def __init__(self, agents: Sequence[Agent], limits: Limits, options: Options) -> None:
        self.limits = limits
        self.agents = [GuardedAgent(self, agent) for agent in agents]
        names = tuple(dict.fromkeys(agent.name for agent in agents))
        self._options = options
        self._worker = Worker(partial(_get_ready, names, limits.memory))
        self._cold: set[str] = set()

    def start(self) -> None:
        """Let every agent decide once; raises `AgentError` if one does not play such games."""
        for agent in self.agents:
            if agent.name in self._cold:
                continue
            try:
                refused = self._worker.ask(_warm, (agent.name, self._options), {}, _WARM + _GRACE)
            except WorkerError as error:
                if error.kind == "unready":
                    raise AgentError(str(error)) from error
                # In its games it will show what is wrong with it, within its limits.
                self._cold.add(agent.name)
                return self.start()
            if refused:
                raise AgentError(refused)

    def ask(self, agent: GuardedAgent, question: Callable[..., Outcome], *args: Any) -> Any:
        """Return what an agent answers; raises `AgentError`."""
        seconds = self.limits.seconds(agent.used)
        patience = None if seconds is None else seconds + _GRACE
        try:
            answer, wrong = self._worker.ask(question, (agent.name, seconds, *args), {}, patience)
        except WorkerError as error:
            if error.kind == "unready":
                raise AgentError(str(error)) from error
            agent.is_asked_alone = True
            self.start()  # now, so that the time it takes is nobody else's
            kind: FaultKind = "type" if error.kind == "error" else error.kind
            told = _too_long(seconds) if kind == "time" else str(error)
            raise AgentFaultError(AgentFault(agent.name, kind, told, error.details)) from error
        if isinstance(wrong, str):
            raise AgentError(wrong)
        if wrong is None:
            return answer
        if wrong.kind == "memory":
            self._worker.kill()
            self.start()
        raise AgentFaultError(wrong)

    def close(self) -> None:
        """End the process."""
        self._worker.close()


def _too_long(seconds: float | None) -> str:
    return f"it took longer than {seconds:.3g} seconds"


@contextmanager
def guarded(
    agents: Sequence[Agent], limits: Limits, options: Options, always: bool = False
) -> Iterator[Sequence[Agent]]:
    """Return the agents within limits, in a process of their own; as they are without limits.

    Args:
        agents: As made here, of names by which they can be made again.
        limits: What each of them may take.
        options: Of the games.
        always: Put them in a process of their own without limits, too.

    Raises:
        AgentError: One of them cannot be made there, or does not play such games.
    """
    if not limits and not always:
        yield agents
        return
    guard = Guard(agents, limits, options)
    try:
        guard.start()
        yield guard.agents
    finally:
        guard.close()


# --- What runs in the process ---------------------------------------------------------------------

_made: Final[dict[str, Agent]] = {}


def _get_ready(names: tuple[str, ...], memory: float | None) -> None:
    """Make the agents, and let them have no more than so many GiB from then on."""
    for name in names:
        _made[name] = registry.make(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # the other cores are for other games
    if memory is not None:
        import resource  # on Linux alone, as this limit is

        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        (kib,) = (int(line.split()[1]) for line in lines if line.startswith("VmData:"))
        most = kib * 1024 + int(memory * _GIB)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _warm(name: str, options: Options) -> str | None:
    """Let an agent decide once; return why it does not play such games if it does not."""
    try:
        _within(_WARM, lambda: decide_once(_made[name], options))
    except AgentFaultError as error:
        if error.fault.kind == "time":
            raise  # so that it is not tried again
    except AgentError as error:
        return str(error)
    return None


def _answer(
    name: str, seconds: float | None, method: str, seen: ObservationBatch, streams: RngStreams
) -> Outcome:
    """Return what an agent answers in some games, and how far its generators have come."""
    agent = _made[name]

    def question() -> Any:
        answer = getattr(agent, method)(seen, streams)
        return whole_answers(answer, len(seen)) if method == "act" else np.asarray(answer)

    return _outcome(agent, seconds, lambda: (question(), streams.states))


def _answer_in_game(
    name: str, seconds: float | None, view: bytes, rng: np.random.Generator
) -> Outcome:
    """Return what an agent answers in one game, and how far its generator has come."""
    agent, game = _made[name], Game.from_state(np.frombuffer(view, STATE)[0])
    return _outcome(
        agent,
        seconds,
        lambda: (whole_answer(agent.act_in_game(game, rng)), rng.bit_generator.state),
    )


def _outcome(agent: Agent, seconds: float | None, question: Callable[[], Any]) -> Outcome:
    try:
        return ask(agent, lambda: _within(seconds, question)), None
    except AgentFaultError as error:
        return None, error.fault
    except AgentError as error:
        return None, str(error)


def _within(seconds: float | None, question: Callable[[], T]) -> T:
    """Return an answer; raises `TimeUpError` once the seconds are over."""
    if seconds is None or not hasattr(signal, "setitimer"):
        return question()

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise TimeUpError(_too_long(seconds))

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        return question()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
