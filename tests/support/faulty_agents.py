"""Agents that break the contract, each in its way; named as `FAULTY:Class`.

All play at random at first, so that a decision before the games finds nothing wrong with them.
"""

import os
import random
import sys
import time
from pathlib import Path

import numpy as np

from impulse_agents.heuristics.random_agent import RandomAgent

FAULTY = str(Path(__file__))


class Faulty(RandomAgent):
    """Does something else than deciding from the third player turn on."""

    needs_views = True

    def act(self, seen, streams):
        chosen = super().act(seen, streams)
        is_late = seen.views["turn"] > 1
        return self.instead(chosen, seen) if is_late.any() else chosen


class Raises(Faulty):
    def instead(self, chosen, seen):
        raise ValueError("boom")


class Quits(Faulty):
    def instead(self, chosen, seen):
        sys.exit(0)


class Nothing(Faulty):
    def instead(self, chosen, seen):
        return None


class Floats(Faulty):
    def instead(self, chosen, seen):
        return chosen.astype(float)


class Illegal(Faulty):
    def instead(self, chosen, seen):
        return seen.masks.argmin(axis=1)


class Negative(Faulty):
    def instead(self, chosen, seen):
        return chosen - 180


class Hungry(Faulty):
    def instead(self, chosen, seen):
        raise MemoryError


class Hoards(Faulty):
    def instead(self, chosen, seen):
        kept = []
        while True:
            kept.append(np.empty(10_000_000))


class Hangs(Faulty):
    def instead(self, chosen, seen):
        time.sleep(1000)


class Deaf(Faulty):
    def instead(self, chosen, seen):
        while True:
            try:
                time.sleep(1)
            except BaseException:
                pass


class Dies(Faulty):
    def instead(self, chosen, seen):
        os._exit(3)


class Slow(RandomAgent):
    """Takes a tenth of a second for each decision."""

    def act(self, seen, streams):
        time.sleep(0.1)
        return super().act(seen, streams)


class Prints(RandomAgent):
    def __init__(self):
        print("made")

    def act(self, seen, streams):
        print("asked")
        return super().act(seen, streams)


class Reseeds(RandomAgent):
    """Sets every global random state before each decision, and plays as the random agent does."""

    def act(self, seen, streams):
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(0)
        return super().act(seen, streams)
