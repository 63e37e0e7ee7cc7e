"""A task played by text: prompts and replies, opponents' moves, and rewards.

Rewards are verified by the game or by chances to win; nothing is paid for legality. A player who
gives too many bad replies in a row forfeits, and has the lowest reward.
"""

from typing import Final, Literal, cast

import numpy as np

from impulse_agents import registry
from impulse_agents.asking.ask import ask
from impulse_agents.base import AgentError
from impulse_agents.luck.corrections import luck_of
from impulse_agents.luck.game_log import Played
from impulse_agents.luck.values import Judge, RuleValues
from impulse_agents.tasks.lines import Line, judged, lines_of
from impulse_agents.tasks.task import RACE_POINTS, Task
from impulse_env.actions import action_of
from impulse_env.engine.constants import RUNNING, Seat
from impulse_env.language import Call, ReplyError, carry_out, read_calls, rules_digest, view_text
from impulse_env.records.record import options_of

Reward = Literal["adjusted", "result"]
"""The reward of races and games: the result without its luck, or 1 for a win and 0 otherwise."""

WORLDS: Final = 8
"""Worlds in which each line of a turn is judged."""
MOST_LINES: Final = 200
"""Lines of a decision that are judged to their ends; of more, only the first actions are."""
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
            or a turn: 0 minus the chances to win that it gave away, from -1 to 0. For a race or a
            game: see `Reward`.
        given_away: The chances to win that each of these seats gave away in a decision or a turn.
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
        self._judge: Judge | None = None
        if task.length == "turn":
            self._judge = cast(Judge, registry.make(task.judge, allow_code=False))
        self._line: Line = ()
        self._chances: dict[Line, float] = {}
        self._bad = 0
        self.refused = 0
        self.note = ""
        self._noted: Seat | None = None
        self.forfeited: Seat | None = None
        self.given_away: dict[Seat, float] = dict.fromkeys(self.seats, 0.0)
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
                self._chances = self._chances_now()
            self._line = (*self._line, action)
            chance = self._chances.get(self._line)
            if chance is not None:
                assert self.seat is not None
                self.given_away[self.seat] += max(self._chances.values()) - chance
                self._line = ()
        self._step(action)

    def _step(self, action: int) -> None:
        self._taken.append(action)
        self.game.step(action)

    def _chances_now(self) -> dict[Line, float]:
        """Return the chance after each line of the pending decision."""
        if self.task.length == "decision":
            return {
                tuple(action_of(name) for name in names.split("; ")): chance
                for names, chance in self.task.chances.items()
            }
        assert self._judge is not None
        lines = lines_of(self.game, MOST_LINES)
        lines = lines or [(action,) for action in self.game.legal_actions()]
        seed = self.task.seed + len(self._taken)
        means = judged(self._judge, self.game, lines, WORLDS, seed).mean(axis=1)
        return dict(zip(lines, means.tolist(), strict=True))

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
            self._step(ask(self._opponent, self._opponents_action))
        self._finish()

    def _opponents_action(self) -> int:
        return self._opponent.act_in_game(self.game, self._rng)

    def _finish(self) -> None:
        self.seat = None
        if self.task.length in ("decision", "turn"):
            self.rewards = {seat: 0.0 - lost for seat, lost in self.given_away.items()}
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
