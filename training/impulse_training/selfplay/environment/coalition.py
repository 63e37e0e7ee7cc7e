"""Games of a coalition: the policy plays all seats but one, against the agent on that seat.

The seats share weights and the reward, and nothing else: each decides by its own observation, which
hides the hands of the others.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import take_games
from impulse_env.environments.rewards import coalition_rewards
from impulse_env.options import Options
from impulse_training.run.common_options import ConfigError
from impulse_training.selfplay.environment.games import CURRENT
from impulse_training.selfplay.environment.seat_games import SeatGames
from impulse_training.selfplay.train_options import Args


def check_coalition(options: Options) -> None:
    """Raise `ConfigError` unless the games have three players or more and no teams."""
    if options.players < 3 or options.team_size is not None:
        raise ConfigError(
            "a coalition needs three players or more and no teams: with two sides, a best response "
            "already plays every seat but the target's"
        )


def check_coalition_args(args: Args) -> None:
    """Raise `ConfigError` unless the options are those of a coalition against a fixed agent."""
    check_coalition(args.options)
    if args.games == "device":
        raise ConfigError("--coalition needs --games host: games on a device have single seats")
    if args.reward != "win":
        raise ConfigError(
            f'a coalition needs the reward "win", which all its seats share, not {args.reward!r}'
        )
    if args.self_fraction or args.snapshot_fraction or not args.opponents:
        raise ConfigError(
            "a coalition needs --self-fraction 0, --snapshot-fraction 0 and at least one agent of "
            "--opponents: its target is a fixed agent"
        )


class CoalitionGames(SeatGames):
    """The decisions of a coalition against a target, whose seat is drawn for every game.

    The pool must give every seat to a fixed agent. `learner_seats` are drawn among the coalition,
    whose seats win together: whenever the target does not. The reward is that of
    `coalition_rewards`.
    """

    def _drawn_opponents(self, learner_seats: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the target's index in the pool on its seat, and the policy on all others."""
        count, players = len(learner_seats), self.options.players
        seated = np.full((count, players), CURRENT, np.int64)
        targets = (learner_seats + self._rng.integers(1, players, size=count)) % players
        seated[np.arange(count), targets] = self.opponent_pool.draw((count,), self._rng)
        return seated

    def _sides(self, games: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return 1 for the target's seat and 0 for the others, see `SeatGames`."""
        return (self._opponents[games] != CURRENT).astype(np.int64)

    def _paid(self, games: NDArray[np.intp], seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the return of the coalition in each game; it is the same for all its seats."""
        states = take_games(self.batch.states, games)
        return coalition_rewards(states, self._sides(games).argmax(1))
