"""A host's conversation with a program: hello, options, then decisions and answers in order."""

from collections.abc import Sequence
from time import monotonic
from typing import Final

from msgspec.structs import astuple

from impulse_agents.base import AgentError, BadAnswerError
from impulse_agents.protocol.messages import (
    MOST_INFO,
    PROTOCOL,
    Action,
    FromProgram,
    Hello,
    Info,
    MessageError,
    Quit,
    Ready,
    SetOptions,
    Stop,
    Trouble,
    from_program,
    to_line,
)
from impulse_agents.protocol.program import Program, ProgramError
from impulse_agents.protocol.questions import Question
from impulse_env import __version__

START: Final = 30.0
"""Seconds in which a program must say hello."""
_GRACE: Final = 2.0
"""Seconds in which a program must answer after ``stop``."""

Answer = tuple[int, Info]
"""An action, absolute, and what the program thinks about the decision."""


class Conversation:
    """The conversation with a running program, which begins with both hellos.

    Attributes:
        program: The program.
        ready: Its hello.

    Raises:
        AgentError: It speaks another version of the protocol.
        BadAnswerError: Its first line is not a hello.
        ProgramError: It ended, or said nothing in time.
    """

    def __init__(self, program: Program, start: float = START) -> None:
        self.program = program
        self._asked = 0
        program.send(to_line(Hello(PROTOCOL, __version__)))
        line = program.receive(start)
        if line is None:
            raise ProgramError(f"it did not say hello within {start:g} seconds", "time")
        ready = _read(line)
        if isinstance(ready, Trouble):
            raise AgentError(ready.message)
        if not isinstance(ready, Ready):
            raise BadAnswerError("its first line must be a hello")
        if ready.protocol != PROTOCOL:
            raise AgentError(f"it speaks protocol {ready.protocol}, and this is {PROTOCOL}")
        self.ready = ready
        self.wants = frozenset(ready.wants)
        program.send(to_line(SetOptions(ready.wants, ready.seconds)))

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Return the program's answers.

        Raises:
            BadAnswerError: An answer is not an action, or illegal.
            ProgramError: There was no answer. In both cases, the program cannot be asked again.
        """
        first = self._asked + 1
        self._asked += len(questions)
        ahead, sent, answers = self.ready.ahead, 0, []
        for index, question in enumerate(questions):
            if sent - index <= ahead // 2:
                until = min(index + ahead, len(questions))
                lines = [questions[one].line(first + one) for one in range(sent, until)]
                self.program.send("".join(lines).encode())
                sent = until
            answers.append(self.answer(question, first + index))
        return answers

    def answer(self, question: Question, number: int) -> Answer:
        """Return the answer to a question that was sent under a number; errors as in `ask`."""
        until, is_stopped, thought = monotonic() + self.ready.seconds, False, Info()
        for _ in range(MOST_INFO + 2):
            line = self.program.receive(max(0.0, until - monotonic()))
            if line is None and not is_stopped:
                self.program.send(to_line(Stop()))
                until, is_stopped = until + _GRACE, True
                continue
            if line is None:
                raise ProgramError(f"it took longer than {self.ready.seconds:g} seconds", "time")
            message = _read(line)
            if isinstance(message, Action):
                if message.id != number:
                    raise BadAnswerError(f"it answered {message.id}, but the question is {number}")
                return question.checked(message.action), thought
            if isinstance(message, Trouble):
                raise ProgramError(message.message)
            if not isinstance(message, Info):
                raise BadAnswerError("it said hello twice")
            thought = _joined(thought, message)
        raise ProgramError(f"it wrote more than {MOST_INFO} lines of info about a decision")

    def end(self) -> None:
        """Let the program quit, and end it."""
        self.program.quit(to_line(Quit()))


def _read(line: bytes) -> FromProgram:
    try:
        return from_program(line)
    except MessageError as error:
        raise BadAnswerError(f"it wrote a line that is not a message: {error}") from error


def _joined(before: Info, after: Info) -> Info:
    """Return the later of what a program thinks, field by field."""
    parts = (
        old if new is None else new
        for old, new in zip(astuple(before), astuple(after), strict=True)
    )
    return Info(*parts)
