"""An agent as a program: it answers a host in any language, see `impulse_agents.protocol`.

A decision must contain a `world`, a possible full game. The engine checks it, blanks everything
that is hidden from the deciding seat, and asks the agent. A line that it cannot answer gets an
``error`` line, and the engine continues. A type of message that it does not know gets none: a later
version may have it.
"""

from base64 import b64decode
from collections.abc import Iterator
from typing import IO, Final

import numpy as np

from impulse_agents.asking.ask import ask, ask_in_game
from impulse_agents.base import Advice, Agent, AgentError, ObservationBatch, Variation
from impulse_agents.protocol.messages import (
    MOST_LINE,
    PROTOCOL,
    Action,
    Choose,
    FromHost,
    FromProgram,
    Hello,
    Info,
    Line,
    MessageError,
    NewGame,
    Quit,
    Ready,
    SetOptions,
    Trouble,
    from_host,
    to_line,
)
from impulse_agents.rng import RngStreams
from impulse_env import __version__
from impulse_env.actions import name_of
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.errors import GameBytesError
from impulse_env.game import Game

_MOST_CHARACTERS: Final = 1000
"""Characters of an error's message."""


def serve(agent: Agent, lines: IO[bytes], out: IO[bytes], seconds: float) -> None:
    """Answer lines until ``quit`` or the end of the input.

    Args:
        agent: The agent.
        lines: The host's lines.
        out: Receives the answers.
        seconds: The longest time for a decision, which the hello states.
    """
    engine = Engine(agent, seconds)
    for line in _lines_of(lines):
        for message in engine.answers(line):
            out.write(to_line(message))
        out.flush()
        if engine.has_quit:
            return


def _lines_of(lines: IO[bytes]) -> Iterator[bytes]:
    """Yield lines; of a line that is too long, only the beginning."""
    while line := lines.readline(MOST_LINE + 2):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = lines.readline(MOST_LINE)
        yield line.rstrip(b"\r\n")


class Engine:
    """The engine's side of a conversation.

    Attributes:
        has_quit: Whether the host has said ``quit``.
    """

    def __init__(self, agent: Agent, seconds: float) -> None:
        self.has_quit = False
        self._agent = agent
        players = tuple(filter(self._supports, range(MIN_PLAYERS, MAX_PLAYERS + 1)))
        name = agent.name[:100]
        self._ready = Ready(PROTOCOL, name, __version__, ("world",), players, seconds)

    def _supports(self, players: int) -> bool:
        try:
            self._agent.check_players(players)
        except AgentError:
            return False
        return True

    def answers(self, line: bytes) -> list[FromProgram]:
        """Return the answers to a line, which may be none."""
        number = None
        try:
            message = from_host(line)
            if message is None:
                return []
            number = message.id if isinstance(message, Choose) else None
            return self._answers(message)
        except (MessageError, AgentError, GameBytesError) as error:
            return [Trouble(str(error)[:_MOST_CHARACTERS], number)]

    def _answers(self, message: FromHost) -> list[FromProgram]:
        """Return the answers to a message; there are none to `Stop`, as no decision is waiting."""
        match message:
            case Hello(protocol) if protocol != PROTOCOL:
                raise MessageError(f"this engine speaks protocol {PROTOCOL}, not {protocol}")
            case Hello():
                return [self._ready]
            case SetOptions(wants) if "world" not in wants:
                raise MessageError("this engine needs a world with each decision: add it to wants")
            case NewGame(players=players):
                self._agent.check_players(players)
            case Choose():
                return self._decided(message)
            case Quit():
                self.has_quit = True
        return []

    def _decided(self, asked: Choose) -> list[FromProgram]:
        """Return the answers to a decision."""
        agent, game = self._agent, _game_of(asked)
        agent.check_players(game.players)
        if asked.info is None:
            action = ask_in_game(agent, game, np.random.default_rng(asked.seed))
            return [Action(asked.id, name_of(action))]
        seen, streams = ObservationBatch.from_game(game), RngStreams.from_seeds([asked.seed])
        if asked.info == "lines" and type(agent).variations is not Agent.variations:
            lines = ask(agent, lambda: agent.variations(seen, streams, asked.count))
            return [_lines(lines), Action(asked.id, lines[0].actions[0])]
        advice = ask(agent, lambda: agent.advise(seen, streams, asked.count))
        return [_chances(advice), Action(asked.id, advice.suggestions[0].action)]


def _game_of(asked: Choose) -> Game:
    """Return the game of a decision; raises `GameBytesError`, `MessageError`."""
    if asked.world is None:
        raise MessageError("the decision has no world, from which this engine makes its view")
    try:
        content = b64decode(asked.world, validate=True)
    except ValueError as error:
        raise MessageError(f"the world must be in base64: {error}") from error
    game = Game.from_bytes(content)
    if game.seat is None:
        raise MessageError("the game of this world is over")
    return game


def _chances(advice: Advice) -> Info:
    """Return an agent's probabilities, and its chance to win."""
    best = advice.suggestions[0]
    wins = best.wins if advice.wins is None else advice.wins
    shares = {one.action: one.share for one in advice.suggestions if one.share is not None}
    return Info(wins, shares or None)


def _lines(found: list[Variation]) -> Info:
    """Return the lines of a search."""
    lines = (
        Line(one.actions, min(max(one.value, 0.0), 1.0), one.visits, one.share) for one in found
    )
    return Info(lines=tuple(lines))
