"""Agents in their own process, which is ended when one of them exceeds its limits.

Games stay in this process: an agent there is asked like one here, and an `AgentFault` describes
what went wrong. An agent in pure Python is interrupted when its time is over. An agent that does
not return to the interpreter, takes all memory or exits loses its process, and a new one replaces
it.
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
"""Extra seconds after which a process is ended that could not be interrupted."""
_WARM: Final = 60.0
"""Seconds for an agent's first decision, which is not part of a game and may compile code."""
_AGAIN: Final = 0.1
"""Seconds between interruptions, if an agent catches them."""
_GIB: Final = 1 << 30

T = TypeVar("T")
Outcome = tuple[Any, AgentFault | str | None]
"""An answer and None; or None and a fault, or a reason why the agent cannot play such games."""


class GuardedAgent(Agent):
    """An agent in a guard's process, with the interface of any other agent.

    Attributes:
        used: Seconds that the deciding seat has used in its game so far; the caller sets it.
        is_asked_alone: Whether to ask it about one game at a time: its time is limited, or it has
            lost a process.
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
    """The process of some agents, started and restarted when needed.

    Args:
        agents: The agents; the process creates them again by their names.
        limits: Limits of each agent.
        options: Options of the games.
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
                # Its games will show the fault, within its limits.
                self._cold.add(agent.name)
                return self.start()
            if refused:
                raise AgentError(refused)

    def ask(self, agent: GuardedAgent, question: Callable[..., Outcome], *args: Any) -> Any:
        """Return an agent's answer; raises `AgentError`."""
        seconds = self.limits.seconds(agent.used)
        patience = None if seconds is None else seconds + _GRACE
        try:
            answer, wrong = self._worker.ask(question, (agent.name, seconds, *args), {}, patience)
        except WorkerError as error:
            if error.kind == "unready":
                raise AgentError(str(error)) from error
            agent.is_asked_alone = True
            self.start()  # now, so that it does not take the time of another agent
            kind: FaultKind = "type" if error.kind == "error" else error.kind
            detail = _too_long(seconds) if kind == "time" else str(error)
            raise AgentFaultError(AgentFault(agent.name, kind, detail, error.details)) from error
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
    """Provide the agents within limits, in their own process; unchanged if there are no limits.

    Args:
        agents: The agents; their names must suffice to create them again.
        limits: Limits of each agent.
        options: Options of the games.
        always: Use a process even without limits.

    Raises:
        AgentError: An agent cannot be created in the process, or does not play such games.
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


# --- In the process -------------------------------------------------------------------------------

_made: Final[dict[str, Agent]] = {}


def _get_ready(names: tuple[str, ...], memory: float | None) -> None:
    """Create the agents, and limit their additional memory to a number of GiB."""
    for name in names:
        _made[name] = registry.make(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # the other cores are for other games
    if memory is not None:
        import resource  # only on Linux, like this limit

        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        (kib,) = (int(line.split()[1]) for line in lines if line.startswith("VmData:"))
        most = kib * 1024 + int(memory * _GIB)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _warm(name: str, options: Options) -> str | None:
    """Let an agent decide once; return why it does not play such games, or None if it does."""
    try:
        _within(_WARM, lambda: decide_once(_made[name], options))
    except AgentFaultError as error:
        if error.fault.kind == "time":
            raise  # so that the guard does not try again
    except AgentError as error:
        return str(error)
    return None


def _answer(
    name: str, seconds: float | None, method: str, seen: ObservationBatch, streams: RngStreams
) -> Outcome:
    """Return an agent's answer in some games, and the new states of its generators."""
    agent = _made[name]

    def question() -> Any:
        answer = getattr(agent, method)(seen, streams)
        return whole_answers(answer, len(seen)) if method == "act" else np.asarray(answer)

    return _outcome(agent, seconds, lambda: (question(), streams.states))


def _answer_in_game(
    name: str, seconds: float | None, view: bytes, rng: np.random.Generator
) -> Outcome:
    """Return an agent's answer in one game, and the new state of its generator."""
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
    """Return an answer; raises `TimeUpError` after a number of seconds."""
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
