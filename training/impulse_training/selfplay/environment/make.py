"""Makes the games of a training and their opponents from its options."""

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_training.selfplay.environment.coalition import CoalitionGames
from impulse_training.selfplay.environment.device_games import DeviceGames
from impulse_training.selfplay.environment.games import TrainingGames
from impulse_training.selfplay.environment.opponent_pool import OpponentPool
from impulse_training.selfplay.environment.seat_games import SeatGames
from impulse_training.selfplay.train_options import Args


def make_env(args: Args) -> TrainingGames:
    """Return the games with their opponents."""
    table = (args.options, args.num_envs, make_opponent_pool(args), args.reward, args.seed)
    if args.games == "device":
        return DeviceGames(*table, args.device, args.alike_fraction)
    kind = CoalitionGames if args.coalition else SeatGames
    return kind(*table, args.threads, args.alike_fraction, args.played_starts)


def make_opponent_pool(args: Args) -> OpponentPool:
    """Return the opponent pool: the current policy, players of past policies, fixed agents."""
    config = checkpoint_config(args.players, args.network_config)

    def sampling(name: str, device: str = "cpu") -> PolicyAgent:
        network = build_network(args.players, args.network_config).to(device)
        return PolicyAgent(network, config, name, is_stochastic=True)

    past = [
        sampling("past", args.device)
        for _ in range(args.snapshots_at_once if args.snapshots else 0)
    ]
    fixed = [_on(args.device, registry.make(name)) for name in args.opponents]
    shares = (args.self_fraction, args.snapshot_fraction, args.fixed_fraction)
    return OpponentPool(sampling("self"), past, fixed, shares, args.snapshots, args.seed)


def _on(device: str, agent: Agent) -> Agent:
    """Move a trained agent to the device; return any other unchanged."""
    if device == "cpu" or not isinstance(agent, PolicyAgent):
        return agent
    return PolicyAgent(agent.network.to(device), agent.config, agent.name, agent.is_stochastic)
