"""Who plays the other seats of the environment for one seat.

The environments know no agent but "random". Other names are looked up at the entry points of the
group ``impulse.opponents``: functions from a name to an opponent. `impulse_agents` has one for all
of its agents.
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
"""``f(observation, action_mask, rng) -> action``, all three as of `RawEnv` in its own frame."""


@runtime_checkable
class GameOpponent(Protocol):
    """An opponent that is asked with its seat's view, as agents of `impulse_agents` are."""

    def act_in_game(self, game: Game, rng: np.random.Generator) -> AbsoluteAction:
        """Return an absolute action for the seat that decides in `game`, its view."""


def random_opponent(
    observation: NDArray[np.uint8], action_mask: NDArray[np.int8], rng: np.random.Generator
) -> OwnAction:
    """Choose any legal action, all alike.

    The environments know it and play it from generators of its own, see `randomness_of`.
    """
    legal = action_mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


def randomness_of(rngs: Iterable[np.random.Generator]) -> NDArray[np.uint64]:
    """Draw the state of the random opponents' generator for an episode of each of these.

    Returns:
        Shape ``(n,)``, never 0: as `batch.random_actions` and compiled games take it.
    """
    return np.array([state_of_seed(int(rng.integers(1 << 63))) for rng in rngs], np.uint64)


def checked_answer(given: Any, seat: Seat) -> int:
    """Return the action that the opponent on a seat returned, legal or not.

    Raises:
        IllegalActionError: It is none of the actions.
    """
    name = f"opponent: action of player_{seat}"
    return checked_integer(name, given, 0, N_ACTIONS - 1, IllegalActionError)


def name_of(opponent: Opponent | GameOpponent) -> str:
    """Return the name under which an opponent stands in a record."""
    return str(getattr(opponent, "name", getattr(opponent, "__name__", "opponent")))


def checked_opponents(
    given: Any, count: int, *more: type[Any]
) -> list[Opponent | GameOpponent | Any]:
    """Return an opponent for each other seat.

    Args:
        given: A name or an opponent for all of them, or a sequence with one for each.
        count: How many other seats there are.
        more: Classes of opponents that may play besides.

    Raises:
        OptionError: There are too many or too few, or one is neither a name nor an opponent.
        ImpulseError: There is no agent of a name, or it cannot be made.
    """
    kinds: tuple[type[Any], ...] = (GameOpponent, *more)
    is_one = isinstance(given, (str, *kinds)) or callable(given)
    if not is_one and not isinstance(given, Sequence):
        raise OptionError(f"opponents must be a name, a function or an agent, not {shown(given)}")
    each = [given] * count if is_one else list(given)
    if len(each) != count:
        raise OptionError(f"opponents must be one, or one for each of {count}; not {len(each)}")
    # An agent that is named several times is made once: it keeps nothing between decisions.
    made = {name: _made(name) for name in each if isinstance(name, str)}
    found = [made[one] if isinstance(one, str) else one for one in each]
    for opponent in found:
        if not (isinstance(opponent, kinds) or callable(opponent)):
            raise OptionError(
                f"opponents must be names of agents, functions or agents, not {shown(opponent)}"
            )
    return found


def _made(name: str) -> Opponent | GameOpponent:
    """Return the opponent of a name."""
    if name == "random":
        return random_opponent
    makers = entry_points(group=GROUP)
    if not makers:
        raise OptionError(
            f"opponents must be 'random' or a function, not {name!r}: no installed "
            f"package offers others at the entry points {GROUP}"
        )
    for maker in list(makers)[:-1]:
        try:
            return maker.load()(name)
        except ValueError:
            continue
    return list(makers)[-1].load()(name)
