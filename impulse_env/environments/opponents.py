"""Opponents: agents on the other seats of the single-seat environment.

The environments themselves provide only "random". Other names are looked up in the entry points of
the group ``impulse.opponents``: functions from a name to an opponent. `impulse_agents` provides one
for all of its agents.
"""

from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import entry_points
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.arguments import checked_integer, shown
from impulse_env.engine.constants import Seat
from impulse_env.engine.rng import state_of_seed
from impulse_env.errors import IllegalActionError
from impulse_env.frame import AbsoluteAction, OwnAction
from impulse_env.game import Game
from impulse_env.options import OptionError

GROUP: Final = "impulse.opponents"
"""The group of entry points under which packages offer opponents by name."""

Opponent: TypeAlias = Callable[
    [NDArray[np.uint8], NDArray[np.int8], np.random.Generator], OwnAction
]
"""``f(observation, action_mask, rng) -> action``, in the opponent's own frame, as in `RawEnv`."""


@runtime_checkable
class GameOpponent(Protocol):
    """An opponent that decides from its seat's view, as agents of `impulse_agents` do."""

    def act_in_game(self, game: Game, rng: np.random.Generator) -> AbsoluteAction:
        """Return an absolute action for the seat that decides; `game` is that seat's view."""


def random_opponent(
    observation: NDArray[np.uint8], action_mask: NDArray[np.int8], rng: np.random.Generator
) -> OwnAction:
    """Choose a legal action uniformly.

    The environments recognise this function and use separate generators, see `randomness_of`.
    """
    legal = action_mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


def randomness_of(rngs: Iterable[np.random.Generator]) -> NDArray[np.uint64]:
    """Draw a generator state for the random opponents of one episode from each generator.

    Returns:
        Shape ``(n,)``, never 0, for `batch.random_actions` and compiled games.
    """
    return np.array([state_of_seed(int(rng.integers(1 << 63))) for rng in rngs], np.uint64)


def checked_answer(action: Any, seat: Seat) -> int:
    """Return the action, legal or not, that the opponent on a seat returned.

    Raises:
        IllegalActionError: It is not an integer from 0 to ``N_ACTIONS - 1``.
    """
    name = f"opponent: action of player_{seat}"
    return checked_integer(name, action, 0, N_ACTIONS - 1, IllegalActionError)


def name_of(opponent: Opponent | GameOpponent) -> str:
    """Return the name of an opponent in a record."""
    return str(getattr(opponent, "name", getattr(opponent, "__name__", "opponent")))


def checked_opponents(
    opponents: Any, count: int, *more: type[Any]
) -> list[Opponent | GameOpponent | Any]:
    """Return an opponent for each other seat.

    Args:
        opponents: A name or an opponent for all of them, or a sequence with one for each.
        count: Number of other seats.
        more: Further allowed classes of opponents.

    Raises:
        OptionError: Their number is wrong, or one is neither a name nor an opponent.
        ImpulseError: A name is unknown, or its agent cannot be made.
    """
    kinds: tuple[type[Any], ...] = (GameOpponent, *more)
    is_one = isinstance(opponents, (str, *kinds)) or callable(opponents)
    if not is_one and not isinstance(opponents, Sequence):
        raise OptionError(
            f"opponents must be a name, a function or an agent, not {shown(opponents)}"
        )
    result = one_for_each(opponents, count, is_one, _made)
    for opponent in result:
        if not (isinstance(opponent, kinds) or callable(opponent)):
            raise OptionError(
                f"opponents must be names of agents, functions or agents, not {shown(opponent)}"
            )
    return result


def one_for_each(opponents: Any, count: int, is_one: bool, made: Callable[[str], Any]) -> list[Any]:
    """Return an opponent for each other seat.

    Args:
        opponents: A name or an opponent for all of them, or a sequence with one for each.
        count: Number of other seats.
        is_one: Whether `opponents` is one for all of them.
        made: Makes the opponent with a name.

    Raises:
        OptionError: Their number is wrong.
    """
    each = [opponents] * count if is_one else list(opponents)
    if len(each) != count:
        raise OptionError(f"opponents must be one, or one for each of {count}; not {len(each)}")
    # An agent with several seats is made once, because it stores nothing between decisions.
    names = dict.fromkeys(one for one in each if isinstance(one, str))
    by_name = {name: made(name) for name in names}
    return [by_name[one] if isinstance(one, str) else one for one in each]


def made_by_package(name: str, group: str, *arguments: Any) -> Any:
    """Return the opponent that an installed package makes from a name.

    Args:
        name: The opponent's name.
        group: The group of entry points: functions of the name and of `arguments`.
        *arguments: What the function gets besides the name.

    Raises:
        OptionError: No installed package offers opponents there.
        ImpulseError: The name is unknown, or the opponent cannot be made.
    """
    makers = list(entry_points(group=group))
    if not makers:
        raise OptionError(
            f"there is no opponent {name!r}: beside 'random', no installed package offers one at "
            f"the entry points {group}"
        )
    for maker in makers[:-1]:
        try:
            return maker.load()(name, *arguments)
        except ValueError:
            continue
    return makers[-1].load()(name, *arguments)


def _made(name: str) -> Opponent | GameOpponent:
    """Return the opponent with a name."""
    if name == "random":
        return random_opponent
    opponent: Opponent | GameOpponent = made_by_package(name, GROUP)
    return opponent
