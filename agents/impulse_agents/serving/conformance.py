"""Whether a program obeys the protocol: the checks of `impulse protocol-check`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import Agent, AgentError, ObservationBatch
from impulse_agents.protocol.agent import ProgramAgent
from impulse_agents.protocol.command import words_of
from impulse_agents.protocol.conversation import Conversation
from impulse_agents.protocol.messages import InfoKind, Quit, Stop, to_line
from impulse_agents.protocol.program import Program, ProgramError
from impulse_agents.protocol.questions import Question, question
from impulse_agents.rng import RngStreams
from impulse_env.errors import ImpulseError
from impulse_env.game import Game
from impulse_env.options import TEAM_SIZES

_SILENCE: Final = 0.3
"""Seconds in which a program must write nothing, if it has nothing to answer."""
_END: Final = 15.0
"""Seconds in which a program must end."""
_EXCHANGES: Final = 1000
"""Decisions over which the speed is measured."""
_AFRESH: Final = 20
"""Decisions that are asked again."""
_LATER: Final = b'{"type":"of_a_later_version","id":0,"actions":[]}\n'


@dataclass(frozen=True)
class Check:
    """The result of a check.

    Attributes:
        name: What a program should do.
        passed: Whether it does.
        detail: More about it, or the fault.
        is_needed: Whether a program that does not do it breaks the protocol.
    """

    name: str
    passed: bool
    detail: str = ""
    is_needed: bool = True


class _WrongError(ImpulseError):
    """A check has failed; the message says why."""


def checks(command: str, games: int) -> Iterator[Check]:
    """Run a program through all checks, and yield each result.

    Args:
        command: The command, without ``cmd:``.
        games: Games to play for each number of players.

    Raises:
        AgentError: There is no such program.
    """
    checker = _Checker(command, games)
    first = _result("says hello", checker.says_hello)
    yield first
    if not first.passed:
        return
    yield _result("plays whole games with legal actions", checker.plays)
    yield _result("ignores lines and fields of later versions", checker.ignores)
    yield _result("answers in order what it accepts ahead", checker.answers_in_order)
    yield _result("answers once when it is stopped, and is silent otherwise", checker.stops)
    yield _result("thinks about chances and lines, or ignores the question", checker.thinks)
    yield _result("ends after quit", checker.quits)
    yield _result("ends when its input ends", checker.ends)
    yield _result("repeats its answers to the same seeds", checker.repeats, is_needed=False)
    yield _result("is quick", checker.is_quick, is_needed=False)


def _result(name: str, check: Callable[[], str], is_needed: bool = True) -> Check:
    try:
        return Check(name, True, check(), is_needed)
    except (_WrongError, ProgramError, AgentError) as error:
        return Check(name, False, str(error), is_needed)


class _Checker:
    """The checks of one command; each returns a detail, or raises an error."""

    def __init__(self, command: str, games: int) -> None:
        self._command, self._words, self._games = command, words_of(command), games
        self._players: Sequence[int] = ()

    def says_hello(self) -> str:
        with _talk(self._words) as talk:
            ready = talk.ready
            self._players = ready.players
            wants = ", ".join(ready.wants) or "nothing but the legal actions"
            name = f"{ready.name or 'no name'} {ready.version}".strip()
            return f"{name}; {', '.join(map(str, ready.players))} players; wants {wants}"

    def plays(self) -> str:
        agent, decisions, played = ProgramAgent(self._command), 0, 0
        try:
            for players in self._players:
                for team_size in (None, *TEAM_SIZES.get(players, ())):
                    for seed in range(self._games):
                        decisions += _play(agent, Game(players, seed, team_size=team_size))
                        played += 1
        finally:
            agent.close()
        return f"{decisions} decisions in {played} games"

    def ignores(self) -> str:
        with _talk(self._words) as talk:
            talk.program.send(_LATER)
            talk.ask(self._questions(talk, 5, extra=',"of_a_later_version":{"id":0}'))
        return ""

    def answers_in_order(self) -> str:
        with _talk(self._words) as talk:
            talk.ask(self._questions(talk, 2 * talk.ready.ahead))
            return f"{talk.ready.ahead} at once"

    def stops(self) -> str:
        with _talk(self._words) as talk:
            talk.program.send(to_line(Stop()))
            _silent(talk)
            (asked,) = self._questions(talk, 1)
            talk.program.send(asked.line(1).encode() + to_line(Stop()))
            talk.answer(asked, 1)
            _silent(talk)
        return ""

    def thinks(self) -> str:
        found = []
        with _talk(self._words) as talk:
            kinds: tuple[InfoKind, ...] = ("chances", "lines")
            for kind in kinds:
                asked = self._questions(talk, 1, (kind, 3))
                ((_, thought),) = talk.ask(asked)
                for name in thought.shares or ():
                    asked[0].checked(name)
                found += [kind] if (thought.lines if kind == "lines" else thought.shares) else []
        return f"gives {' and '.join(found)}" if found else "ignores it"

    def quits(self) -> str:
        with _talk(self._words) as talk:
            talk.program.send(to_line(Quit()))
            return _ended(talk)

    def ends(self) -> str:
        with _talk(self._words) as talk:
            talk.program.close_input()
            return _ended(talk)

    def repeats(self) -> str:
        answers = []
        for _ in range(2):
            with _talk(self._words) as talk:
                asked = self._questions(talk, _AFRESH)
                answers.append([action for action, _ in talk.ask(asked)])
        for index, (one, other) in enumerate(zip(*answers, strict=True)):
            if one != other:
                raise _WrongError(f"decision {index} got actions {one} and {other}")
        return f"{_AFRESH} decisions"

    def is_quick(self) -> str:
        agent, trivial = ProgramAgent(self._command), _First()
        seen, streams = (
            ObservationBatch.from_game(Game(self._players[0], 1)),
            RngStreams.from_seeds([1]),
        )
        times: dict[Agent, list[float]] = {agent: [], trivial: []}
        try:
            for _ in range(_EXCHANGES):
                for one, seconds in times.items():
                    start = perf_counter()
                    one.act(seen, streams)
                    seconds.append(perf_counter() - start)
        finally:
            agent.close()
        whole, beside = (1e6 * median(seconds) for seconds in times.values())
        return (
            f"{whole:,.0f} µs for a decision, {whole - beside:,.0f} µs more than the first legal "
            f"action in Python (medians of {_EXCHANGES})"
        )

    def _questions(
        self,
        talk: Conversation,
        count: int,
        info: tuple[InfoKind, int] | None = None,
        extra: str = "",
    ) -> list[Question]:
        """Return decisions of a game that nobody plays well."""
        game = Game(self._players[0], 1)
        made: list[Question] = []
        while len(made) < count:
            if game.seat is None:
                game = Game(self._players[0], len(made))
            seen, number = ObservationBatch.from_game(game), len(made)
            asked = question(seen, 0, 1000 + number, 1, number == 0, talk.wants, info)
            made.append(replace(asked, extra=asked.extra + extra))
            game.step(asked.legal[number % len(asked.legal)])
        return made


class _First(Agent):
    """The first legal action: the fastest agent."""

    name = "first"

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """See `Agent.act`."""
        return seen.masks.argmax(axis=1)


@contextmanager
def _talk(words: Sequence[str]) -> Iterator[Conversation]:
    """Start a program, and end it afterwards; raises `ProgramError` if it cannot be started."""
    try:
        program = Program(words)
    except OSError as error:
        raise ProgramError(f"it cannot be started: {error.strerror or error}") from error
    try:
        yield Conversation(program)
    finally:
        program.kill()


def _play(agent: ProgramAgent, game: Game) -> int:
    """Let a program play a game for every seat; return the number of decisions."""
    decisions, rng = 0, np.random.default_rng(0)
    while game.seat is not None:
        try:
            game.step(ask_in_game(agent, game, rng))
        except AgentError as error:
            where = f"{game.players} players, decision {decisions}"
            raise _WrongError(f"{error} ({where})") from error
        decisions += 1
    return decisions


def _silent(talk: Conversation) -> None:
    """Check that a program writes nothing."""
    line = talk.program.receive(_SILENCE)
    if line is not None:
        raise _WrongError(f"it wrote a line that answers nothing: {line[:100]!r}")


def _ended(talk: Conversation) -> str:
    """Return how a program has ended."""
    code = talk.program.wait(_END)
    if code is None:
        raise _WrongError(f"it was still running after {_END:g} seconds")
    if code != 0:
        raise _WrongError(f"it ended with exit code {code}, not 0")
    return ""
