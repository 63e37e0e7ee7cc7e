"""A search over possible games, guided by a trained network: PUCT in one file.

    python puct.py --simulations 50 --games 200

plays it against the bare network.
"""

import argparse

import numpy as np

import impulse_agents
from impulse_agents import Agent, ObservationBatch, RngStreams
from impulse_agents.network.agent import PolicyAgent
from impulse_env import N_ACTIONS, Game, Options
from impulse_env.frame import own_frame
from impulse_training.rollout import match

EXPLORATION = 1.0
TEMPERATURE = 2.0
"""Softens the policy, so that the search tries what it would not play."""


class Node:
    """A situation in the tree: what the network thinks of it, and what was tried there.

    Actions are absolute. `visits` and `totals` have the shape ``(N_ACTIONS,)``; a total is the sum
    of the chances to win that the seat that decides here had in the end.
    """

    def __init__(self, logits: np.ndarray, chance: float) -> None:
        self.logits, self.chance = logits, chance
        self.visits, self.totals = np.zeros(N_ACTIONS), np.zeros(N_ACTIONS)
        self.children: dict[tuple[int, int], Node] = {}

    def select(self, legal: np.ndarray) -> int:
        """Return the legal action of the largest upper bound: worth, and what is worth a try."""
        weights = np.exp((self.logits[legal] - self.logits[legal].max()) / TEMPERATURE)
        visits = self.visits[legal]
        worth = np.where(visits, self.totals[legal] / np.maximum(visits, 1), self.chance)
        room = EXPLORATION * weights / weights.sum() * np.sqrt(visits.sum() + 1) / (visits + 1)
        return int(legal[(worth + room).argmax()])


class Puct(Agent):
    """Plays what its simulations tried most.

    Args:
        policy: A trained agent that is calibrated, so that its values are chances to win.
        simulations: For each decision.
    """

    name = "puct"
    needs_views = True

    def __init__(self, policy: PolicyAgent, simulations: int = 50) -> None:
        self.policy, self.simulations = policy, simulations

    def act(self, seen: ObservationBatch, streams: RngStreams) -> np.ndarray:
        """Search in each game, one after another."""
        seeds = streams.bits()
        chosen = np.zeros(len(seen), np.int64)
        for row, seat in enumerate(seen.seats.tolist()):
            view, rng = seen.view(row), np.random.default_rng(seeds[row])
            root, _ = self.expand(view.determinize(seat, rng))
            for _ in range(self.simulations):
                # Another game each time: what the search may trust is what most of them share.
                self.simulate(root, view.determinize(seat, rng))
            chosen[row] = own_frame(view.players)[seat][root.visits.argmax()]
        return chosen

    def simulate(self, node: Node, game: Game) -> None:
        """Go down the tree, add a node, and tell all above how the seats stand there."""
        path = []
        while True:
            seat = game.seat
            action = node.select(np.flatnonzero(game.legal_mask()))
            path.append((node, seat, action))
            game.step(action)
            if game.seat is None:
                chances = np.isin(range(game.players), game.winners).astype(float)
                break
            # Chance and hidden cards may let somebody else decide next than the time before.
            key = action, game.seat
            if key not in node.children:
                node.children[key], chances = self.expand(game)
                break
            node = node.children[key]
        for above, seat, action in path:
            above.visits[action] += 1
            above.totals[action] += chances[seat]

    def expand(self, game: Game) -> tuple[Node, np.ndarray]:
        """Return a new node, and the chance to win of every seat as the network sees it.

        The network is asked for the seat that decides, with what that seat would see; the others
        share the rest.
        """
        seen = ObservationBatch.from_game(game)
        logits, values = self.policy.evaluate(seen.observations)
        chance = float(self.policy.win_probabilities(values, seen.views, seen.seats)[0])
        chances = np.full(game.players, (1 - chance) / (game.players - 1))
        chances[game.seat] = chance
        return Node(logits[0, own_frame(game.players)[game.seat]], chance), chances


def main() -> None:
    """Play a match against the bare policy and print how it ended."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--policy", default="policy:2p")
    parser.add_argument("--against", default="policy:2p")
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    searcher = Puct(impulse_agents.make(args.policy), args.simulations)
    entrants = [searcher, impulse_agents.make(args.against)]
    result = match.play(entrants, Options(players=2), args.games, args.seed)
    low, high = result.interval(0)
    print(f"{result.games} games: {result.rate(0):.1%} [{low:.1%}, {high:.1%}] won by the search")


if __name__ == "__main__":
    main()
