"""Recorded games as a Minari dataset, with an episode per seat and game; needs `minari`."""

import copy
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.dataset.decisions import Decisions, Part, parts_of
from impulse_env.engine.constants import TRUNCATED
from impulse_env.environments.checks import checked_choice
from impulse_env.environments.registration import GYMNASIUM_ID
from impulse_env.environments.rewards import REWARDS
from impulse_env.options import OptionError, Options
from impulse_env.outcomes import END_BY_STATUS
from impulse_env.records.recorded_games import RecordedGame

try:
    import minari
except ImportError as missing:
    raise ImportError('this needs Minari: pip install "minari[hdf5]" pillow') from missing

GAMES_AT_ONCE: Final = 64
_TRUNCATION: Final = END_BY_STATUS[TRUNCATED]


def to_minari(
    plays: Iterable[RecordedGame],
    dataset_id: str,
    *,
    reward: str = "win",
    agents: Collection[str] | None = None,
    **about: Any,
) -> Any:
    """Write games as a dataset that `minari.load_dataset` reads, and return it.

    An episode holds the observations and actions of one seat in one game, with the spaces and
    rewards of `ImpulseEnv`; the dataset names that environment. ``infos["action_mask"]`` has the
    legal actions at each step, shape ``(steps + 1, N_ACTIONS)``, int8; the last row is 0. The
    metadata of an episode contain the number of its game, its seat and its agent.

    Args:
        plays: Games with the same options, as `records` and `tournament_games` yield them.
            Unfinished games are skipped.
        dataset_id: The id in Minari's format, such as ``"impulse/greedy-v0"``; it must be new.
        reward: "win" or "score", as in the environment.
        agents: The agents whose seats to write; None: all agents.
        about: Further arguments of `minari.create_dataset_from_buffers`. Minari warns if
            ``author``, ``author_email`` or ``code_permalink`` is missing.

    Raises:
        RecordError: A game differs from its record, or has another number of players than the
            first game.
        OptionError: The games contain no decision of these agents, or the reward is unknown.
        ValueError: Minari already has a dataset with that id, or rejects the id.
    """
    checked_choice("reward", reward, REWARDS)
    made = None
    for part in parts_of(plays, GAMES_AT_ONCE, agents):
        episodes = list(_episodes(part, reward))
        if made is not None:
            made.update_dataset_from_buffer(episodes)
        elif episodes:
            metadata = _metadata(part.plays[0], agents, reward) | about
            made = minari.create_dataset_from_buffers(dataset_id, episodes, **metadata)
    if made is None:
        raise OptionError("there is no decision of these agents in games played to their end")
    return made


def _metadata(play: RecordedGame, agents: Collection[str] | None, reward: str) -> dict[str, Any]:
    """Return the metadata of the dataset, from the first game."""
    options = play.header.options
    names = agents or {agent.name for agent in play.header.agents}
    env = _environment(options, reward)
    return {
        "env": env,
        "eval_env": env,
        "algorithm_name": ", ".join(sorted(names)),
        "description": f"Recorded games of Impulse with {options.players} players.",
    }


def _environment(options: Options, reward: str) -> Any:
    """Return the specification of the environment of the episodes."""
    spec = copy.deepcopy(gymnasium.spec(GYMNASIUM_ID))
    usual = asdict(Options())
    changed = {name: value for name, value in asdict(options).items() if value != usual[name]}
    spec.kwargs = changed | {"players": options.players, "reward": reward}
    return spec


def _episodes(part: Part, reward: str) -> Iterator[Any]:
    """Yield an episode for each seat that decided in each of some games."""
    decisions = part.decisions
    # The sort is stable, so the decisions of an episode stay in their order.
    order = np.lexsort((decisions.seats, decisions.games))
    key = decisions.games[order] * 16 + decisions.seats[order]
    for rows in np.split(order, np.flatnonzero(np.diff(key)) + 1):
        if len(rows):
            yield _episode(part, decisions.take(rows), reward)


def _episode(part: Part, own: Decisions, reward: str) -> Any:
    """Return the episode of one seat in one game."""
    game, seat = int(own.games[0]), int(own.seats[0])
    play, steps = part.plays[game - part.first], len(own.actions)
    last = part.last_observations(own.games[:1], own.seats[:1])
    is_truncated = play.end == _TRUNCATION
    ends = np.zeros(steps, np.bool_)
    ends[-1] = True
    return minari.data_collector.EpisodeBuffer(
        options={"game": game, "seat": seat, "agent": play.header.agents[seat].name},
        observations=np.concatenate([own.observations, last]),
        actions=own.actions,
        rewards=_rewards(own, reward),
        terminations=ends & (not is_truncated),
        truncations=ends & is_truncated,
        infos={"action_mask": np.concatenate([own.masks, np.zeros((1, N_ACTIONS), np.int8)])},
    )


def _rewards(own: Decisions, reward: str) -> NDArray[np.float32]:
    """Return the rewards between each decision of an episode and the next."""
    returns = own.returns(reward)
    return returns - np.append(returns[1:], np.float32(0))
