"""The agent ``cmd:COMMAND``: a program in any language that speaks the protocol."""

import weakref
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import (
    Advice,
    Agent,
    AgentError,
    BadAnswerError,
    ObservationBatch,
    Suggestion,
    Variation,
)
from impulse_agents.protocol.command import KIND, digest_of, words_of
from impulse_agents.protocol.conversation import START, Answer, Conversation
from impulse_agents.protocol.messages import Info, InfoKind
from impulse_agents.protocol.program import Program, ProgramError
from impulse_agents.protocol.questions import Question, question
from impulse_agents.rng import RngStreams
from impulse_env.actions import NAMES, UnknownActionError, action_of

_MOST_GAMES: Final = 1 << 13
"""Decisions after which a game is forgotten; its next decision begins another one."""


class ProgramAgent(Agent):
    """A program as an agent; it starts at the first decision, and again after a fault.

    A fault ends the program, because its next line may belong to an earlier decision. The game of
    that decision is lost or interrupted, as with every agent.
    """

    needs_views = True

    def __init__(self, command: str, start: float = START) -> None:
        """See `words_of` for the errors.

        Args:
            command: The command, see `impulse_agents.protocol.command`.
            start: Seconds in which the program must say hello.
        """
        self.name = f"{KIND}:{command}"
        self._command, self._words, self._start = command, words_of(command), start
        self._conversation: Conversation | None = None
        self._has_started = False
        self._end: Any = None
        self._games: dict[int, int] = {}
        self._dealt = 0

    def __reduce__(self) -> tuple[type["ProgramAgent"], tuple[str, float]]:
        return type(self), (self._command, self._start)

    @property
    def identity(self) -> str:  # type: ignore[override]
        """The digest of the command and its files, see `digest_of`."""
        return digest_of(self.name)

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless the program plays games with this number of players."""
        supported = self._talk().ready.players
        if players not in supported:
            raise AgentError(
                f"{self.name} plays with {', '.join(map(str, supported))} players, not {players}"
            )

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """See `Agent.act`."""
        asked = self._questions(seen, streams)
        answers = self._ask(asked)
        own = [int(one.own[action]) for one, (action, _) in zip(asked, answers, strict=True)]
        return np.array(own, np.int64)

    def advise(self, seen: ObservationBatch, streams: RngStreams, count: int = 3) -> Advice:
        """See `Agent.advise`; the program may give its probabilities and its chance to win."""
        (asked,) = self._questions(seen, streams, ("chances", count))
        ((action, thought),) = self._ask([asked])
        shares = self._shares(asked, thought)
        best = sorted(shares, key=lambda name: -shares[name])[:count]
        suggestions = [Suggestion(name, shares[name]) for name in best]
        if not suggestions:
            suggestions = [Suggestion(NAMES[action])]
        return Advice(self.name, tuple(suggestions), thought.wins)

    def variations(
        self, seen: ObservationBatch, streams: RngStreams, count: int = 3, depth: int = 6
    ) -> list[Variation]:
        """See `Agent.variations`; raises `AgentError` if the program gives no lines."""
        (asked,) = self._questions(seen, streams, ("lines", count))
        ((_, thought),) = self._ask([asked])
        if not thought.lines:
            raise AgentError(f"{self.name} gives no lines of a search")
        return [
            Variation(tuple(map(_named, line.actions[:depth])), line.visits, line.share, line.wins)
            for line in thought.lines[:count]
        ]

    def close(self) -> None:
        """End the program; the next decision starts it again."""
        if self._end is not None:
            self._end()
        self._conversation = None

    # --- Questions --------------------------------------------------------------------------

    def _questions(
        self,
        seen: ObservationBatch,
        streams: RngStreams,
        asked: tuple[InfoKind, int] | None = None,
    ) -> list[Question]:
        """Return the questions about some rows; each generator advances by one draw."""
        assert seen.views is not None
        self.check_players(int(seen.views[0]["players"]))
        wants = self._talk().wants
        before = streams.states.tolist()
        after = streams.bits().tolist()
        made = []
        for row, (old, new) in enumerate(zip(before, after, strict=True)):
            game, is_new = self._game(old, new)
            made.append(question(seen, row, new >> 11, game, is_new, wants, asked))
        return made

    def _game(self, before: int, after: int) -> tuple[int, bool]:
        """Return the number of the game of a generator, by its state; and whether it is new."""
        game = self._games.get(before)
        is_new = game is None
        if game is None:
            self._dealt += 1
            game = self._games[before] = self._dealt
        self._games[after] = game
        while len(self._games) > _MOST_GAMES:
            del self._games[next(iter(self._games))]
        return game, is_new

    def _shares(self, asked: Question, thought: Info) -> dict[str, float]:
        """Return the program's probabilities of legal actions, by name."""
        shares = thought.shares or {}
        for name in shares:
            asked.checked(name)
        if sum(shares.values()) > 1.001:
            raise BadAnswerError("its shares are more than 1 in sum")
        return {NAMES[action_of(name)]: share for name, share in shares.items()}

    # --- The program ------------------------------------------------------------------------

    def _ask(self, asked: list[Question]) -> list[Answer]:
        try:
            return self._talk().ask(asked)
        except BaseException:
            self._kill()
            raise

    def _talk(self) -> Conversation:
        """Return the conversation with the running program."""
        talk = self._conversation
        if talk is None or not talk.program.is_ours:
            talk = self._begin()
        return talk

    def _begin(self) -> Conversation:
        try:
            program = Program(self._words)
        except OSError as error:
            raise self._failed(f"it cannot be started: {error.strerror or error}") from error
        try:
            talk = Conversation(program, self._start)
        except (ProgramError, AgentError) as error:
            program.kill()
            raise self._failed(str(error)) from error
        except BaseException:
            program.kill()
            raise
        self._conversation, self._has_started = talk, True
        self._games.clear()  # a new program knows no game
        self._end = weakref.finalize(self, talk.end)
        return talk

    def _failed(self, why: str) -> Exception:
        """Return the error of a program without a hello: a fault, if it began well before."""
        if self._has_started:
            return ProgramError(f"it could not be started again: {why}", "died")
        return AgentError(f"{self.name} cannot play: {why}")

    def _kill(self) -> None:
        if self._conversation is not None:
            self._end.detach()
            self._conversation.program.kill()
            self._conversation = None


def _named(action: str) -> str:
    """Return the stable name of an action; raises `BadAnswerError`."""
    try:
        return NAMES[action_of(action)]
    except UnknownActionError as error:
        raise BadAnswerError(str(error)) from error
