"""Options of the benchmarks; nothing of an extra is needed to read them."""

from dataclasses import dataclass

from impulse_training.selfplay.train_options import Args as TrainArgs
from impulse_training.selfplay.train_options import Games


@dataclass(frozen=True)
class AgentsArgs:
    """Measure how fast the agents decide, on one core."""

    players: int = 2
    """Players of a game, 2 to 6."""
    games: int = 1024
    """Games side by side."""
    searches: int = 100
    """Decisions for which each search is timed."""
    simulations: tuple[int, ...] = (100, 300, 1000, 3000)
    """Simulations of the searches."""
    searchers: tuple[str, ...] | None = None
    """Searches to be timed, agents' names without their budget; by default `ismcts` and that of the
    trained agent for so many players, if one is shipped."""
    seconds: float = 0.5
    """Length of one measurement of a rule-based agent."""
    repeats: int = 6
    """Measurements for each median; fewer than 6 give no 95 % interval."""
    seed: int = 7
    """Seed of the games and the agents."""


@dataclass(frozen=True)
class TrainingArgs:
    """Compare the speed of training with that of the same loop on an environment of no cost."""

    players: int = 2
    """Players of a game, 2 to 6."""
    warm_start: str | None = None
    """Checkpoint that plays, a path or a name; else a fresh one."""
    num_envs: tuple[int, ...] = (TrainArgs.num_envs,)
    """Decisions of a step, as of `impulse train`; each is measured."""
    epochs: int = TrainArgs.epochs
    """Passes over the decisions of an update."""
    minibatch_size: int = TrainArgs.minibatch_size
    """Decisions per minibatch."""
    learn_share: float = TrainArgs.learn_share
    """Share of the decisions to learn from."""
    overlap: bool = TrainArgs.overlap
    """Play each rollout while learning from the one before."""
    opponents: tuple[str, ...] = TrainArgs.opponents
    """Fixed agents of the pool."""
    device: str = TrainArgs.device
    """PyTorch device of the learner: cpu, cuda, …"""
    games: Games = TrainArgs.games
    """Where the games are played: on the processor (host) or on the learner's device (device)."""
    bfloat16: bool = TrainArgs.bfloat16
    """Multiply in bfloat16 where the hardware supports it."""
    threads: int = 1
    """PyTorch threads."""
    updates: int = 2
    """Rollouts with an update each in one measurement."""
    repeats: int = 6
    """Measurements for each median; fewer than 6 give no 95 % interval."""
    seed: int = 1
    """Seed of the games and the network."""
