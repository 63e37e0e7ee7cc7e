"""The rules of `GpuBatch` in NumPy, on top of `GameBatch`: what its tensors must contain."""

import numpy as np

from impulse_env.batch import NOBODY, GameBatch
from impulse_env.compiled.compilation import plain
from impulse_env.engine.constants import TRUNCATED
from impulse_env.engine.rng import state_of_seed, xorshift
from impulse_env.engine.state import OP
from impulse_env.environments.rewards import outcome_rewards, score_rewards

TABLE = (
    ("two players", {"players": 2}),
    ("three players", {"players": 3, "reward": "score"}),
    ("teams of two", {"players": 4, "team_size": 2, "reward": "score", "target_score": 9}),
    ("four players, unforced", {"players": 4, "auto_forced": False, "target_score": 6}),
    ("five players, cut short", {"players": 5, "max_turns": 4, "auto_reset": False}),
    ("teams of three", {"players": 6, "team_size": 3, "auto_reset": False, "target_score": 4}),
    ("teams of two of six", {"players": 6, "team_size": 2, "reward": "score", "max_turns": 7}),
    (
        "draft",
        {"players": 6, "races": "draft", "auto_forced": False, "reward": "score", "max_turns": 9},
    ),
    ("two players, cut short", {"players": 2, "max_turns": 3, "reward": "score"}),
    ("small", {"players": 3, "ships": 5, "hand_limit": 6, "target_score": 3, "auto_reset": False}),
)
"""Arguments of `GpuBatch` that together have every option, each with a name."""
NAMES = [name for name, _ in TABLE]
ARGUMENTS = [arguments for _, arguments in TABLE]


def generators(count, first=10**6):
    """Return a generator's state for every game."""
    return np.array([state_of_seed(first + game) for game in range(count)], np.uint64)


class Reference:
    """The same games as a `GpuBatch`, stepped by `GameBatch`."""

    def __init__(self, options, count, seed=0, reward="win", auto_reset=True):
        self.games = GameBatch(options, range(seed, seed + count))
        self.seeds = np.arange(seed, seed + count, dtype=np.uint64)
        self.options, self.auto_reset, self.by_score = options, auto_reset, reward == "score"
        players = options.players
        self.rewards = np.zeros((count, players), np.float32)
        self.status = np.zeros(count, np.int8)
        self.winners = np.full(count, -1, np.int8)
        self.scores = np.zeros((count, players), np.int16)
        self.turns = np.zeros(count, np.int16)
        self.ends = 0

    def step(self, actions):
        """Take one decision in every game, and deal new games where one ended."""
        games, players = self.games, self.options.players
        ran = games.seats != NOBODY
        before = games.states["score"][:, :players].astype(int)
        games.step(actions)
        gains = games.states["score"][:, :players] - before
        targets = np.full(len(ran), self.options.target_score)
        points = score_rewards(gains, self.options.team_count, targets)
        self.rewards = (points if self.by_score else 0 * points).astype(np.float32)
        ended = np.flatnonzero(ran & (games.seats == NOBODY))
        self.ends += len(ended)
        over = games.states[ended]
        self.rewards[ended] += outcome_rewards(over[:, None], np.arange(players))
        self.status[:] = 0
        self.status[ended] = over["status"]
        self.winners[ended] = over["winner"]
        self.scores[ended] = over["score"][:, :players]
        self.turns[ended] = over["turn"]
        if self.auto_reset:
            self.deal(ended)

    def deal(self, numbers):
        """Replace these games by those of the next seeds."""
        if len(numbers):
            states = np.array([state_of_seed(int(self.seeds[n])) for n in numbers], np.uint64)
            self.seeds[numbers] = plain(xorshift)(states)
            self.games.restart(numbers, self.seeds[numbers])

    @property
    def kinds(self):
        """The kinds of the decisions; 0 where a game is over."""
        states = self.games.states
        tops = states["stack_count"].astype(int) - 1
        ops = states["stack"][np.arange(len(tops)), np.maximum(tops, 0), OP]
        kinds = np.where(tops >= 0, ops, states["phase"])
        return np.where(self.games.seats == NOBODY, 0, kinds).astype(np.int16)

    def assert_describes(self, batch):
        """Compare every tensor of a batch."""
        games = self.games
        assert batch.records().tobytes() == games.states.tobytes()
        is_over = games.seats == NOBODY
        mine = {
            "seats": games.seats,
            "kinds": self.kinds,
            "masks": games.masks,
            "observations": np.where(is_over[:, None], 0, games.observations),
            "rewards": self.rewards,
            "status": self.status,
            "terminations": (self.status != 0) & (self.status != TRUNCATED),
            "truncations": self.status == TRUNCATED,
            "winners": self.winners,
            "scores": self.scores,
            "turns": self.turns,
            "seeds": self.seeds.view(np.int64),
            "illegal": np.zeros(len(batch), bool),
        }
        for name, expected in mine.items():
            found = getattr(batch, name).cpu().numpy()
            assert found.dtype == expected.dtype, name
            np.testing.assert_array_equal(found, expected, name)
