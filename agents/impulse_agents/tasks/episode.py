"""A task played by text: prompts and replies, opponents' moves, and rewards.

Rewards are verified by the game or by chances to win; nothing is paid for legality. A player who
gives too many bad replies in a row forfeits, and has the lowest reward.
"""

from typing import Final, Literal, cast

import numpy as np

from impulse_agents import registry
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import Agent, AgentError
from impulse_agents.luck.corrections import luck_of
from impulse_agents.luck.game_log import Played
from impulse_agents.luck.values import Judge, RuleValues
from impulse_agents.tasks.lines import Line, is_continued, judged, line_by
from impulse_agents.tasks.task import RACE_POINTS, Task
from impulse_env.actions import name_of
from impulse_env.engine.constants import RUNNING, Seat
from impulse_env.frame import AbsoluteAction
from impulse_env.language import Call, ReplyError, carry_out, read_calls, rules_digest, view_text
from impulse_env.records.record import options_of

Reward = Literal["adjusted", "result"]
"""The reward of races and games: the result without its luck, or 1 for a win and 0 otherwise."""

WORLDS: Final = 32
"""Worlds in which the lines of a turn are judged."""
FORFEIT: Final = -1.0
"""The reward of a player who forfeits; 0 if the reward is the plain result."""
_ASKED: Final = {
    "decision": "Take this decision.",
    "turn": "Play until the end of this turn.",
    "race": f"This is a race to {RACE_POINTS} points. Play until it is over.",
    "game": "Play the game to its end.",
}


class Episode:
    """One play of a task.

    Attributes:
        task: The task.
        game: The full game, which no player may see.
        seat: The seat that must reply now; None when the episode is over.
        rewards: The reward of each seat that plays by text; empty before the end. For a decision
            or a turn: its gain. For a race or a game: see `Reward`.
        gained: The chance to win, 0 to 1, that each of these seats gained by its choices. In a
            decision it is compared with the best line, so it is 0 at best. In a turn each choice is
            compared with the one that the judge would make.
        forfeited: The seat that forfeited, or None.
        refused: Number of bad replies so far.
    """

    def __init__(
        self,
        task: Task,
        *,
        seats: tuple[Seat, ...] = (),
        reward: Reward = "adjusted",
        with_legal: bool = True,
        bad_replies: int = 3,
    ) -> None:
        """Begin the task; opponents move at once if they are first.

        Args:
            task: The task.
            seats: Seats that play by text; the task's own if empty.
            reward: The reward of races and games.
            with_legal: Whether prompts and refusals list the legal actions.
            bad_replies: Bad replies in a row with which a player forfeits, at least 1.

        Raises:
            TaskError: The task's game cannot be read.
            AgentError: The opponents, or the judge of a turn, do not exist or cannot play.
        """
        self.task, self.reward, self.with_legal, self.most_bad = (
            task,
            reward,
            with_legal,
            bad_replies,
        )
        self.game = task.start()
        self.seats = seats or (task.seat,)
        players = self.game.players
        if not all(0 <= seat < players for seat in self.seats):
            raise AgentError(f"seats must be from 0 to {players - 1}, not {self.seats}")
        self._options = options_of(self.game)
        self._start = self.game.state.copy()
        self._turn = self.game.turn
        self._taken: list[int] = []
        self._opponent = registry.make(task.opponents, allow_code=False)
        self._opponent.check_players(players)
        self._rng = np.random.default_rng(task.seed)
        self._judge: Agent | None = None
        if task.length == "turn":
            self._judge = registry.make(task.judge, allow_code=False)
        self._line: Line = ()
        self._asked = self.game
        self._bad = 0
        self.refused = 0
        self.note = ""
        self._noted: Seat | None = None
        self.forfeited: Seat | None = None
        self.gained: dict[Seat, float] = dict.fromkeys(self.seats, 0.0)
        self.rewards: dict[Seat, float] = {}
        self.seat: Seat | None = None
        self._advance()

    # --- Prompts --------------------------------------------------------------------------------

    def instructions(self) -> str:
        """Return the rules and the task, for the beginning of a conversation."""
        return f"{rules_digest()}\n## Your task\n\n{_ASKED[self.task.length]}\n"

    def prompt(self) -> str:
        """Return what the seat sees now, below a note on its own last reply."""
        if self.seat is None:
            return f"{self.note}\nThe episode is over.".lstrip()
        actions = self.game.legal_actions() if self.with_legal else None
        note = self.note if self._noted == self.seat else ""  # a reply may name hidden cards
        return f"{note}\n{view_text(self.game.state, self.seat, actions)}".lstrip()

    # --- Replies --------------------------------------------------------------------------------

    def reply(self, text: str) -> None:
        """Carry out a reply of the seat, or refuse it; the next prompt says which.

        Raises:
            AgentError: The episode is over, or an opponent fails.
        """
        self._check_running()
        try:
            calls = read_calls(text)
        except ReplyError as error:
            self._refuse(error)
            return
        self.act(*calls)

    def act(self, *calls: Call) -> None:
        """Carry out calls of the seat, as `reply` does.

        Raises:
            AgentError: The episode is over, or an opponent fails.
        """
        self._check_running()
        try:
            plan = carry_out(self.game, calls, with_legal=self.with_legal)
        except ReplyError as error:
            self._refuse(error)
            return
        self._bad, self._noted = 0, self.seat
        self.note = f"Done: {'; '.join(map(str, calls[: plan.done]))}."
        if plan.cut:
            self.note += f" Not the rest of the plan: {plan.cut}."
        for action in plan.actions:
            self._take(action)
            if self._is_over():
                break
        self._advance()

    def take(self, action: AbsoluteAction) -> None:
        """Take a legal action of the seat, for a player that does not write.

        Raises:
            AgentError: The episode is over, or an opponent fails.
            IllegalActionError: The action is not legal.
        """
        self._check_running()
        self._take(action)
        self._advance()

    def _check_running(self) -> None:
        if self.seat is None:
            raise AgentError("the episode is over: begin another")

    def _refuse(self, error: ReplyError) -> None:
        self._bad += 1
        self.refused += 1
        self._noted = self.seat
        left = self.most_bad - self._bad
        self.note = f"Refused: {error}."
        if left <= 0:
            self.note += " You forfeit."
            self.forfeited = self.seat
            self._finish()
        else:
            self.note += f" {left} bad {'reply' if left == 1 else 'replies'} more, and you forfeit."

    def _take(self, action: int) -> None:
        """Take an action of the seat, and note the chances that its line gives away."""
        if self.task.length in ("decision", "turn"):
            if not self._line:
                self._asked = self.game.copy()
            before = self.game.copy()
            self._line = (*self._line, action)
            self._step(action)
            if not is_continued(before, self.game):
                assert self.seat is not None
                self.gained[self.seat] += self._gain()
                self._line = ()
        else:
            self._step(action)

    def _step(self, action: int) -> None:
        self._taken.append(action)
        self.game.step(action)

    def _gain(self) -> float:
        """Return the gain of the line that was just finished."""
        chances = self.task.chances
        if self.task.length == "decision":
            names = "; ".join(map(name_of, self._line))
            return chances[names] - max(chances.values())
        assert self._judge is not None
        seed = self.task.seed + len(self._taken)
        own = line_by(self._judge, self._asked, np.random.default_rng(seed))
        if own == self._line:
            return 0.0
        judge = cast(Judge, self._judge)
        after, compared = judged(judge, self._asked, [self._line, own], WORLDS, seed).mean(axis=1)
        return float(after - compared)

    # --- Ends -----------------------------------------------------------------------------------

    def _is_over(self) -> bool:
        if self.game.seat is None:
            return True
        if self.task.length == "turn":
            return self.game.turn != self._turn
        return self.task.length == "decision" and bool(self._taken) and not self._line

    def _advance(self) -> None:
        """Let opponents move until a seat must reply, or finish."""
        while not self._is_over():
            seat = self.game.seat
            assert seat is not None
            if seat in self.seats:
                self.seat = seat
                return
            self._step(ask_in_game(self._opponent, self.game, self._rng))
        self._finish()

    def _finish(self) -> None:
        self.seat = None
        if self.task.length in ("decision", "turn"):
            self.rewards = dict(self.gained)
        else:
            self.rewards = self._results()
        if self.forfeited is not None:
            is_plain = self.reward == "result" and self.task.length in ("race", "game")
            self.rewards[self.forfeited] = 0.0 if is_plain else FORFEIT

    def _results(self) -> dict[Seat, float]:
        """Return the share of the win of each seat that plays by text, without its luck."""
        teams = int(self._start["teams"])
        if self.forfeited is not None:
            others = teams - 1
            return {
                seat: 1 / others if seat % teams != self.forfeited % teams else 0.0
                for seat in self.seats
            }
        won = {seat: float(seat in self.game.winners) for seat in self.seats}
        if self.reward == "result" or self.game.state["status"] == RUNNING:
            return won
        start = self._start.reshape(1)
        played = Played(self._options, start, [np.array(self._taken, np.int64)], [None])
        values = RuleValues()
        luck = luck_of(played, values).total(values.coefficients(self.game.players, teams))
        return {seat: won[seat] - float(luck[0, seat % teams]) for seat in self.seats}
