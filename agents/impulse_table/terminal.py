"""A game in the terminal: `impulse play --terminal --level easy --record game.jsonl`.

One seat is yours, agents play the others. Everything on the screen is what your seat may know.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Final, Literal

import numpy as np

from impulse_agents import checkpoints, registry
from impulse_agents.advice.advice import advise
from impulse_agents.advice.annotate import note_of
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.asking.guard import guarded
from impulse_agents.asking.limits import Limits
from impulse_agents.base import Agent, AgentError
from impulse_env.engine.action_space import CARD_0, CELL_0
from impulse_env.engine.constants import Seat
from impulse_env.files import check_output
from impulse_env.game import Game
from impulse_env.options import OptionError, Options, check_least
from impulse_env.records.record import Annotation, Header, Move, Result, SeatedAgent
from impulse_env.records.writer import Writer
from impulse_env.text.board import decision_lines, draw_text
from impulse_env.text.color import colored, wants_color
from impulse_env.text.describe import card_text
from impulse_env.text.events import what_happened
from impulse_table import levels
from impulse_table.tables.takeback import Past

PERSON: Final = "human"
_SEARCH: Final = "ismcts:300"
"""The adviser if there is no trained agent for the table."""
_QUIT: Final = frozenset({"q", "quit"})
_BACK: Final = frozenset({"back", "z"})
_HELP: Final = """  a number    take that option; its name works, too, such as "card 60" or "pass"
  hint, h     what the hint's agent would do
  ? CARD      the rules of a card, by its number: ? 60
  back, z     take back your last choice, until something hidden was shown
  board, b    draw the board again
  quit, q     leave; the record stays
Ships appear as seat:number: Transports on cells, Cruisers on the gates between them."""

_STANDS: Final = "nothing can be taken back: no choice of yours since something hidden was shown"


class Left(Exception):  # noqa: N818 - not an error: the player wants to leave
    """The player leaves."""


@dataclass(frozen=True)
class TerminalArgs:
    """Options of the game in the terminal."""

    level: Literal["beginner", "easy", "medium", "hard", "expert", "strongest"] | None = None
    """In the terminal: strength of the opponents at any table; medium by default."""
    opponents: tuple[str, ...] = ()
    """In the terminal: instead of a level, one agent for all other seats, or one for each,
    clockwise from yours."""
    players: int | None = None
    """In the terminal: number of players, 2 to 6; by default, you and the named opponents."""
    team_size: int | None = None
    """In the terminal: players per team, 2 with 4 players, 2 or 3 with 6."""
    seat: int = 0
    """In the terminal: your seat."""
    seed: int | None = None
    """In the terminal: seed of the deal and the agents; random by default."""
    record: Path | None = None
    """In the terminal: new file for the record of the game."""
    time_limit: float | None = None
    """Seconds that an agent may take for a decision; in the browser, 120 by default."""
    hint: str | None = None
    """In the terminal: agent for hints; by default a trained agent for the table, or a search."""


@dataclass
class Sitting:
    """A game of a person against agents in the terminal.

    Attributes:
        game: The game.
        seat: The person's seat.
        players: The agent on every other seat.
        chances: A random generator for each seat.
        adviser: Creates the agent that gives hints.
        ask: Shows a prompt and returns what the person types; raises `EOFError` at the end.
        say: Prints lines.
        writer: Writer of the record; None: no record.
    """

    game: Game
    seat: Seat
    players: dict[Seat, Agent]
    chances: list[np.random.Generator]
    adviser: Callable[[], Agent]
    ask: Callable[[str], str] = input
    say: Callable[[str], None] = print
    writer: Writer | None = None
    _hints: list[Agent] = field(default_factory=list)
    _has_changed: bool = True
    _past: Past = field(init=False)

    def __post_init__(self) -> None:
        self._past = Past(self.seat)

    def play(self) -> None:
        """Play to the end; raises `Left`, `AgentError`."""
        while self.game.seat is not None:
            if self.game.seat == self.seat:
                self._take_own()
            else:
                self._let_play(self.game.seat)
        self.board()

    def board(self) -> None:
        """Draw the board as the person's seat sees it."""
        text = draw_text(self.game.view(self.seat).state)
        self.say("\n" + (colored(text) if wants_color(sys.stdout) else text))

    # --- Decisions -------------------------------------------------------------------------

    def _let_play(self, seat: Seat) -> None:
        agent = self.players[seat]
        began = perf_counter()
        action = ask_in_game(agent, self.game, self.chances[seat])
        seconds = round(perf_counter() - began, 4)
        note = Annotation(seconds=seconds)
        if self.writer is not None and agent.gives_probabilities:
            # With its own random generator: recording must not change the game.
            note = replace(note_of(agent, self.game, np.random.default_rng(0)), seconds=seconds)
        self._step(Move(seat, self.game.name(action), note))
        self._has_changed = True

    def _take_own(self) -> None:
        """Ask for a decision; draw the board again if others have played or a turn begins."""
        if self._has_changed:
            self.board()
        else:
            self.say("\n" + "\n".join(decision_lines(self.game.view(self.seat).state)))
        self._has_changed = False
        names = [self.game.name(action) for action in self.game.legal_actions()]
        self.say("")
        for number, name in enumerate(names, 1):
            self.say(f"  {number:>2}  {self.game.describe(name)}")
        while True:
            typed = self.ask(f"Seat {self.seat}, 1 to {len(names)} or ? for help: ").strip().lower()
            if typed in _QUIT:
                raise Left
            if typed in _BACK and self._take_back():
                return
            chosen = self._chosen(typed, names)
            if chosen is not None:
                self._step(Move(self.seat, chosen))
                return

    def _chosen(self, typed: str, names: list[str]) -> str | None:
        """Return the typed option; answer anything else and return None."""
        if typed.isdecimal() and 1 <= int(typed) <= len(names):
            return names[int(typed) - 1]
        if typed in names:
            return typed
        if typed == "?":
            self.say(_HELP)
        elif typed.startswith("?"):
            self.say(self._rules_of(typed[1:].split()))
        elif typed in ("hint", "h"):
            self.say(self._hint(names))
        elif typed in ("board", "b"):
            self.board()
        elif typed in _BACK:
            self.say(_STANDS)
        else:
            wrong = f"{typed!r} is not an option" if typed else "you typed nothing"
            self.say(f"{wrong}: type a number from 1 to {len(names)}, or ? for help")
        return None

    def _take_back(self) -> bool:
        """Go back to the person's last decision, also in the record; return whether possible."""
        earlier = self._past.back()
        if earlier is None:
            return False
        self.game = earlier.game
        for chance, state in zip(self.chances, earlier.chances, strict=True):
            chance.bit_generator.state = state
        if self.writer is not None:
            self.writer.take_back(earlier.undone)
        self._has_changed = True
        return True

    def _step(self, move: Move) -> None:
        before = self.game.view(self.seat).state
        copied = self.game.copy()
        self.game.step(move.action)
        self._past.took(copied, self.game, self.chances)
        if self.writer is not None:
            self.writer.add(move)
        after = self.game.view(self.seat).state
        self._has_changed |= bool(after["turn"] != before["turn"])
        for event in what_happened(before, self.game.action(move.action), after):
            self.say(f"  {event.text}")

    # --- Answers ---------------------------------------------------------------------------

    def _rules_of(self, words: list[str]) -> str:
        try:
            action = self.game.action(f"card {words[-1]}")
        except ValueError:
            return f"{' '.join(words)} is not a card; cards have the numbers 1 to 109 without 21"
        assert CARD_0 <= action < CELL_0
        return card_text(action - CARD_0)

    def _hint(self, names: list[str]) -> str:
        try:
            if not self._hints:
                self._hints.append(self.adviser())
            advice = advise(self._hints[0], self.game.view(self.seat), self.chances[self.seat])
        except AgentError as error:
            return f"no hint: {error}"
        accuracy = (
            "not calibrated" if advice.error is None else f"off by {advice.error:.0%} on average"
        )
        lines = [f"{advice.by} would:"]
        for suggestion in advice.suggestions:
            figures = "" if suggestion.share is None else f"{suggestion.share:5.0%} "
            if suggestion.visits is not None:
                figures += f"({suggestion.visits} visits, wins {suggestion.wins:.0%}) "
            number = names.index(suggestion.action) + 1
            lines.append(f"  {number:>2}  {figures}{self.game.describe(suggestion.action)}")
        if advice.wins is not None:
            lines.append(f"  It gives you a chance of {advice.wins:.0%} to win ({accuracy}).")
        elif advice.suggestions[0].wins is not None:
            lines.append(f"  Its chances to win are {accuracy}.")
        return "\n".join(lines)


def seated(opponents: Sequence[str], seat: Seat, players: int) -> dict[Seat, str]:
    """Return the name of the agent on every other seat.

    Args:
        opponents: One agent for all seats, or one for each, clockwise from the person's seat.
        seat: The person's seat.
        players: Number of players.

    Raises:
        OptionError: There are too few or too many opponents.
    """
    names = list(opponents) * (players - 1) if len(opponents) == 1 else list(opponents)
    if len(names) != players - 1:
        raise OptionError(
            f"opponents must be one, or one for each of {players - 1} other seats; not {len(names)}"
        )
    return {(seat + 1 + number) % players: name for number, name in enumerate(names)}


def _opponents(args: TerminalArgs, players: int) -> Sequence[str]:
    """Return the named opponents, or the agent of the level."""
    if args.opponents and args.level is not None:
        raise OptionError("give --level or --opponents, not both")
    if args.opponents:
        return args.opponents
    return [levels.agent_of(args.level or levels.USUAL, players, args.team_size)]


def adviser_of(players: int, team_size: int | None, hint: str | None) -> Callable[[], Agent]:
    """Return a function that creates the agent for hints.

    Args:
        players: Number of players.
        team_size: Players per team; None: no teams.
        hint: Name of the agent; None: a trained agent for the table, or else a search.
    """
    trained = checkpoints.trained_for(players, team_size)
    name = hint or (f"policy:{trained}" if trained else _SEARCH)
    return lambda: registry.make(name)


def sit_down(args: TerminalArgs) -> Sitting:
    """Return the game that the options describe.

    Raises:
        OptionError, AgentError: The options are impossible.
        OSError: The record cannot be written (`OutputError`).
    """
    check_least(args, 0, "seed")
    if args.record is not None:
        check_output("--record", args.record)
    players = args.players or (len(args.opponents) + 1 if len(args.opponents) > 1 else 2)
    options = Options(players, args.team_size)
    if not 0 <= args.seat < players:
        raise OptionError(f"seat must be from 0 to {players - 1}, not {args.seat}")
    names = seated(_opponents(args, players), args.seat, players)
    made = {seat: registry.make(name) for seat, name in names.items()}
    if args.hint is not None:
        registry.make(args.hint)  # report a wrong name before the game
    seed = int(np.random.default_rng().integers(1 << 53)) if args.seed is None else args.seed
    chances = [
        int(np.random.default_rng([seed, seat]).integers(1 << 53)) for seat in range(players)
    ]
    writer = None
    if args.record is not None:
        entries = tuple(
            SeatedAgent(PERSON) if seat == args.seat else SeatedAgent(names[seat], chances[seat])
            for seat in range(players)
        )
        try:
            writer = Writer(args.record, Header(options, entries, seed=seed))
        except FileExistsError as error:
            raise OptionError(
                f"{args.record} already exists; name a new file for the record"
            ) from error
    return Sitting(
        Game(players, seed, team_size=args.team_size),
        args.seat,
        made,
        [np.random.default_rng(chance) for chance in chances],
        adviser_of(players, args.team_size, args.hint),
        writer=writer,
    )


def play(args: TerminalArgs) -> None:
    """Play a game in the terminal.

    Raises:
        OptionError, AgentError, LimitError: The options are impossible.
        OSError: The record cannot be written.
    """
    limits = Limits(args.time_limit)
    sitting = sit_down(args)
    made = list(sitting.players.values())
    with guarded(made, limits, Options(sitting.game.players, args.team_size)) as agents:
        sitting.players = dict(zip(sitting.players, agents, strict=True))
        _play(sitting, args.record)


def _play(sitting: Sitting, path: Path | None) -> None:
    """Play to the end, or until the player leaves; complete the record in any case."""
    why, failure = "", None
    try:
        sitting.play()
    except (Left, EOFError, KeyboardInterrupt):
        why = "the player left"
    except AgentError as error:
        why, failure = str(error), error
    if why:
        print(f"\n{why}.")
    if sitting.writer is not None:
        sitting.writer.end(Result.of(sitting.game, why))
        print(f"The record is in {path}: impulse replay {path}")
    if failure is not None:
        raise failure
