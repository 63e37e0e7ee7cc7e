"""The loop over the agents of a PettingZoo environment."""

from collections.abc import Iterator

from pettingzoo.utils.env import AECIterable


class Turns(AECIterable):  # type: ignore[misc]  # PettingZoo has no types
    """An iterable of the agents to act, which checks that each of them acted."""

    def __iter__(self) -> Iterator[str]:
        env = self.env
        env._has_stepped = True
        for _ in range(self.max_iter):
            if not env.agents:
                return
            if not env._has_stepped:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            env._has_stepped = False
            yield env.agent_selection
