"""The game for OpenSpiel; importing this module registers ``python_impulse`` and needs `pyspiel`.

    import pyspiel
    import impulse_env.environments.openspiel

    game = pyspiel.load_game("python_impulse(players=3)")

Its parameters are the options of `Options`. Chance comes first: eight nodes of 256 outcomes each
are the bytes of the deal's seed. After that the game depends only on the actions of the players. So
a history is a whole game, and `deal` returns the game of a seed. Actions and tensors are in the own
frame of their player; the names of actions are absolute.
"""

from collections.abc import Callable
from dataclasses import asdict, fields
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env import observation
from impulse_env.actions import N_ACTIONS, name_of
from impulse_env.arguments import checked_integer
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS, Seat
from impulse_env.engine.state import STATE
from impulse_env.errors import IllegalActionError
from impulse_env.frame import own_frame, to_absolute
from impulse_env.game import Game
from impulse_env.information import redact_all
from impulse_env.options import Options
from impulse_env.text.board import draw_text

try:
    import pyspiel
except ImportError as missing:
    raise ImportError("python_impulse needs OpenSpiel: pip install open_spiel") from missing

NAME: Final = "python_impulse"
SEED_BYTES: Final = 8
"""Number of chance nodes of a game, all at its beginning."""
_OUTCOMES: Final = 256
_DECISIONS_PER_TURN: Final = 1000
"""An upper limit, far above real turns, because OpenSpiel asks for the longest game."""
_UNSET: Final[dict[str, Any]] = {"team_size": 0, "races": "", "start_player": -1}
"""The values that mean None, because a parameter of OpenSpiel has one type."""
_SEPARATOR: Final = "+"
"""The separator between names of races; a comma would end the parameter."""


def _parameters() -> dict[str, Any]:
    """Return every parameter with its default."""
    defaults = asdict(Options())
    return {field.name: _UNSET.get(field.name, defaults[field.name]) for field in fields(Options)}


def options_of(parameters: dict[str, Any]) -> Options:
    """Return the options that OpenSpiel's parameters describe.

    Args:
        parameters: Any of the options by name; ``team_size=0``, ``races=""`` and
            ``start_player=-1`` mean None, and ``+`` joins the names of races.

    Raises:
        OptionError: An option has a value that is not allowed.
    """
    options: dict[str, Any] = {
        name: None if _UNSET.get(name) == value else value for name, value in parameters.items()
    }
    races = options.get("races")
    if races is not None and races != "draft":
        options["races"] = [race or None for race in races.split(_SEPARATOR)]
    return Options(**options)


GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Impulse",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=MIN_PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_parameters(),
)


class ImpulseGame(pyspiel.Game):
    """Impulse with given options, as a game of OpenSpiel.

    Attributes:
        options: The options of every game that it starts.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Read the parameters; raises `OptionError`."""
        self.options = options_of(params or {})
        winners = self.options.team_size or 1
        info = pyspiel.GameInfo(
            num_distinct_actions=N_ACTIONS,
            max_chance_outcomes=_OUTCOMES,
            num_players=self.options.players,
            min_utility=-winners / (self.options.players - winners),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=(self.options.max_turns + 1) * _DECISIONS_PER_TURN,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> "ImpulseState":
        """Return a game at its first chance node, before the first byte of its seed."""
        return ImpulseState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of chance nodes of a game."""
        return SEED_BYTES

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return an observer of a player's view; raises `ValueError` for public parts only."""
        return Observer(self.options.players, iig_obs_type, params)


class ImpulseState(pyspiel.State):
    """A game at a decision, at its end, or before its deal.

    Attributes:
        impulse: The running game with all hidden information, None before the deal.
    """

    def __init__(self, game: ImpulseGame) -> None:
        """Start a game; `ImpulseGame.new_initial_state` calls this."""
        super().__init__(game)
        self.impulse: Game | None = None
        self._seed = b""
        self._recall = (b"",) * game.options.players

    # --- The deciding player and the end ---------------------------------------------------

    def current_player(self) -> int:
        """Return the player to act: a seat, chance, or OpenSpiel's terminal player."""
        if self.impulse is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.impulse.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.impulse is not None and self.impulse.is_over

    def returns(self) -> list[float]:
        """Return 1 for each winner; the losers share the opposite; all 0 without a winner."""
        players = len(self._recall)
        winners = [] if self.impulse is None else self.impulse.winners
        if not winners:
            return [0.0] * players
        loss = -len(winners) / (players - len(winners))
        return [1.0 if seat in winners else loss for seat in range(players)]

    # --- Actions ---------------------------------------------------------------------------

    def _legal_actions(self, player: Seat) -> list[int]:
        """Return the legal actions of the player to act, in its own frame, ascending."""
        game = dealt(self)
        legal: list[int] = np.sort(own_frame(game.players)[player][game.legal_actions()]).tolist()
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the values of the next byte of the seed, all with the same probability."""
        return [(outcome, 1 / _OUTCOMES) for outcome in range(_OUTCOMES)]

    def _apply_action(self, action: int) -> None:
        """Take a decision, or the next byte of the seed; raises `IllegalActionError`."""
        if self.impulse is None:
            byte = checked_integer("outcome", action, 0, _OUTCOMES - 1, IllegalActionError)
            self._seed += bytes([byte])
            if len(self._seed) < SEED_BYTES:
                return
            seed = int.from_bytes(self._seed, "big")
            self.impulse = Game(seed=seed, **asdict(self.get_game().options))
            self._remember(b"", self.current_player())
            return
        seat = self.current_player()
        self.impulse.step(to_absolute(action, self.impulse.players, seat))
        self._remember(bytes([action]), seat)

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the absolute name of an action, or the number and value of a byte of the seed."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"byte {len(self._seed)} of the seed: {action}"
        return name_of(to_absolute(action, len(self._recall), player))

    # --- Information of players ------------------------------------------------------------

    def _remember(self, action: bytes, actor: Seat) -> None:
        """Add each player's current view, and the action of the player to act, to its recall."""
        views = views_of(dealt(self))
        self._recall = tuple(
            _digest(before, action if seat == actor else b"", views[seat].tobytes())
            for seat, before in enumerate(self._recall)
        )

    def information_key(self, player: Seat) -> str:
        """Return a key of all that a player has seen and done in this game.

        Raises:
            ArgumentError: The game does not have that player.
        """
        seat = checked_integer("player", player, 0, len(self._recall) - 1)
        return f"player {seat}: {self._recall[seat].hex()}"

    def resample_from_infostate(
        self, player_id: Seat, probability_sampler: Callable[[], float]
    ) -> "ImpulseState":
        """Return the game with other hidden cards, drawn uniformly from those that fit the view.

        The player's information state stays the same. The history stays the same, too, although it
        does not lead to the new state.

        Args:
            player_id: The player whose view stays the same.
            probability_sampler: Draws a number from 0 to 1, without 1.
        """
        other: ImpulseState = self.clone()
        rng = np.random.default_rng([int(probability_sampler() * 2**32) for _ in range(2)])
        other.impulse = dealt(self).determinize(player_id, rng)
        return other

    def __str__(self) -> str:
        if self.impulse is None:
            return f"not dealt: {len(self._seed)} of {SEED_BYTES} bytes of the seed are drawn"
        return draw_text(self.impulse.state)


class Observer:
    """An observer of OpenSpiel, which writes a player's observation.

    Attributes:
        tensor: The observation, each feature divided by its highest value, float32, shape
            ``(observation.size(players),)``; zeros before the deal.
        dict: The same array under the name "observation".
    """

    def __init__(self, players: int, iig_obs_type: Any = None, params: Any = None) -> None:
        """Prepare an empty observation; raises `ValueError` unless it is one player's own."""
        if params:
            raise ValueError(f"{NAME} has no parameters of observations, but was given {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        own = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not kind.public_info or kind.private_info != own:
            raise ValueError(
                f"{NAME} only observes public information together with one player's private one"
            )
        self._recalls = kind.perfect_recall
        self._high = np.asarray(observation.high(players), np.float32)
        self.tensor: NDArray[np.float32] = np.zeros(observation.size(players), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: ImpulseState, player: Seat) -> None:
        """Write a player's current observation into `tensor`."""
        if state.impulse is None:
            self.tensor[:] = 0
        else:
            np.divide(observation.observe(state.impulse, player), self._high, out=self.tensor)

    def string_from(self, state: ImpulseState, player: Seat) -> str:
        """Return a player's view as text; with perfect recall, a digest of all that it has seen."""
        if state.impulse is None:
            return f"player {player}: not dealt"
        if self._recalls:
            return state.information_key(player)
        view = state.impulse.view(player).state
        return f"{draw_text(view)}\nplayer {player}: {_digest(view.tobytes()).hex()}"


def deal(game: ImpulseGame, seed: int) -> ImpulseState:
    """Return the game that `Game(seed=seed)` deals with the same options, at its first decision.

    Args:
        game: The result of `pyspiel.load_game`.
        seed: 0 to 2**64 - 1.

    Raises:
        ArgumentError: The seed is not an integer in that range.
    """
    seed = checked_integer("seed", seed, 0, (1 << 8 * SEED_BYTES) - 1)
    state = game.new_initial_state()
    for byte in seed.to_bytes(SEED_BYTES, "big"):
        state.apply_action(byte)
    return state


def views_of(game: Game) -> np.ndarray:
    """Return the view of each seat, shape ``(players,)``, dtype `STATE`."""
    views = np.zeros(game.players, STATE)
    views[:] = game.state
    redact_all(views, np.arange(game.players))
    return views


def dealt(state: ImpulseState) -> Game:
    """Return the running game; raises `ValueError` before the deal."""
    if state.impulse is None:
        raise ValueError(f"the game is not dealt: {SEED_BYTES} chance nodes come first")
    return state.impulse


def _digest(*parts: bytes) -> bytes:
    """Return a digest of 16 bytes."""
    made = blake2b(digest_size=16)
    for part in parts:
        made.update(part)
    return made.digest()


pyspiel.register_game(GAME_TYPE, ImpulseGame)
