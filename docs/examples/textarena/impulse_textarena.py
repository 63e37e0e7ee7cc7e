"""Impulse as an environment of TextArena: all seats play by text.

Importing this module registers `Impulse-v0` (a whole game) and `Impulse-v0-race` (to 5 points).
"""

from typing import Any

import textarena as ta

from impulse_agents.tasks import Episode, Task
from impulse_agents.tasks.task import RACE_POINTS, Length, packed
from impulse_env import Game


class ImpulseEnv(ta.Env):
    """A game of 2 to 6 players; each sees what its seat may know, and no other player's text.

    A player who gives three bad replies in a row forfeits. Rewards are 1 for a win and 0 otherwise.

    Args:
        length: A whole game, or a race.
        with_legal: Whether prompts list the legal actions.
    """

    def __init__(self, length: Length = "game", with_legal: bool = True) -> None:
        self.length, self.with_legal = length, with_legal

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deal a game; the same seed and number of players give the same game."""
        points = {"target_score": RACE_POINTS} if self.length == "race" else {}
        game = Game(num_players, seed, **points)
        assert game.seat is not None
        text, digest = packed(game)
        # No seat has an opponent: all play by text.
        task = Task("game", 3, self.length, game.seat, seed or 0, "random", text, digest)
        self.episode = Episode(
            task,
            seats=tuple(range(num_players)),
            reward="result",
            with_legal=self.with_legal,
        )
        self.state = ta.State(num_players=num_players, seed=seed)
        self.state.standard_resets(
            role_mapping={seat: f"Seat {seat}" for seat in range(num_players)}
        )
        self._show()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Carry out the reply of the seat that must decide, or refuse it."""
        seat = self.state.current_player_id
        self.state.add_observation(action, ta.ObservationType.PLAYER_ACTION, seat, to_id=seat)
        self.state.game_info[seat]["turn_count"] += 1
        self.episode.reply(action)
        if self.episode.seat is None:
            self.state.done = True
            self.state.rewards = self.episode.rewards
            if self.episode.forfeited is not None:
                self.state.game_info[self.episode.forfeited]["invalid_move"] = True
        else:
            self._show()
        done, info = self.state.step()
        return done, info

    def _show(self) -> None:
        seat = self.episode.seat
        assert seat is not None
        self.state.current_player_id = seat
        prompt = self.episode.prompt()
        self.state.add_observation(prompt, ta.ObservationType.GAME_BOARD, to_id=seat)


class WholePrompt(ta.ObservationWrapper):
    """Returns the rules and the newest view as one text: agents of TextArena remember nothing."""

    def observation(self, player_id: int, observation: list[Any]) -> str:
        """Return the text for the player; its earlier replies and views are left out."""
        return f"{self.env.episode.instructions()}\n{observation[-1][1]}"


for name, kind in (("Impulse-v0", "game"), ("Impulse-v0-race", "race")):
    ta.register(name, ImpulseEnv, default_wrappers=[WholePrompt], length=kind)
