"""Where a search would choose something else than the network that guides it, and who is right.

The search names a better choice; playing both choices on, from worlds that fit what the seat knows
and with the same chance, says whether it is. Whoever takes the largest of many gains takes luck
with it, so what was selected has to be played on again.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import Agent, ObservationBatch, Variation
from impulse_agents.calibration import log_odds, progress_of
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.playing.continuations import play_on, worlds_of
from impulse_agents.rng import RngStreams
from impulse_agents.search.network_agent import PolicySearchAgent
from impulse_agents.search.variations import principal_variations
from impulse_env.actions import action_of
from impulse_env.batch import GameBatch
from impulse_env.engine.action_space import CARD_0, PLACE_0
from impulse_env.engine.cards import TEXT_BY_CARD
from impulse_env.engine.constants import CELLS, FACES
from impulse_env.frame import absolute_frame, own_frame
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.outcomes import turn_number
from impulse_env.text.describe import card_text
from impulse_training.statistics.intervals import Z_95
from lab.mistakes.commentary import rest_of_turn
from lab.sampling import Sampled

_ALL: Final = 10_000


def disagreements(
    sampled: Sampled, policy: PolicyAgent, search: PolicySearchAgent, seed: int
) -> pd.DataFrame:
    """Return the positions in which a search chooses something else than the policy.

    Actions that read the same in words, as the same card in two slots, are the same.

    Args:
        sampled: The positions.
        policy: The network.
        search: A search that it guides.
        seed: Of the search's chance.

    Returns:
        A row for each with ``row`` (of the positions), ``kind`` (of decision), ``policy`` and
        ``search`` (the choices, absolute actions), ``prior`` (the probability that the policy gives
        to what the search chooses), ``visits`` (of the policy's choice in the search) and ``claim``
        (by how much the search's choice wins more often, as the search says, 0 to 1).
    """
    rows = []
    shares = _shares(policy, sampled)
    for row in range(len(sampled)):
        game = Game.from_state(sampled.states[row])
        seen = ObservationBatch.from_game(game)
        streams = RngStreams.from_seeds([seed * 1_000_003 + row])
        found = {
            action_of(line.actions[0]): line
            for line in principal_variations(search.search_tree(seen, streams), _ALL, 1)
        }
        frame = absolute_frame(game.players)[sampled.seats[row]]
        own = int(shares[row].argmax())
        played, best = int(frame[own]), next(iter(found))
        if played not in found or game.describe(best) == game.describe(played):
            continue
        prior = float(shares[row][np.flatnonzero(frame == best)[0]])
        claim = np.subtract(*_chances(search, sampled.states[row], [found[best], found[played]]))
        about = {"row": row, "kind": game.decision.kind, "policy": played, "search": best}
        visits = found[played].visits
        rows.append({**about, "prior": prior, "visits": visits, "claim": float(claim)})
    columns = ["row", "kind", "policy", "search", "prior", "visits", "claim"]
    return pd.DataFrame(rows, columns=columns)


def _shares(policy: PolicyAgent, sampled: Sampled) -> NDArray[np.float32]:
    seen = ObservationBatch(sampled.observations, sampled.masks, sampled.seats.astype(np.int8))
    return policy.action_probabilities(seen, RngStreams.from_seeds(range(len(sampled))))


def _chances(
    search: PolicySearchAgent, state: np.void, lines: list[Variation]
) -> NDArray[np.floating[Any]]:
    """Return what the values of lines have meant in games, shape ``(len(lines),)``."""
    values = np.array([line.value for line in lines])
    calibration = search.calibration_at(state)
    if calibration is None:
        return values
    progress = np.repeat(progress_of(np.array([state])), len(lines))
    return calibration.win_probabilities(log_odds(values), progress)


@dataclass(frozen=True)
class PlayedOn:
    """Two choices at each of n positions, played on in the same worlds.

    Attributes:
        first: Whether the deciding seat won after the first choice, shape ``(n, worlds)``.
        second: After the second.
    """

    first: NDArray[np.bool_]
    second: NDArray[np.bool_]

    def gains(self) -> pd.DataFrame:
        """Return by how much the second choice won more often, with 95 % intervals.

        Returns:
            A row for each position: ``first`` and ``second`` (shares won), ``mean``, ``low`` and
            ``high`` of the difference (normal, of the pairs of one world; as wide as Wilson's where
            all pairs are alike).
        """
        apart = self.second.astype(float) - self.first
        count = apart.shape[1]
        mean = apart.mean(axis=1)
        squares = ((apart - mean[:, None]) ** 2).sum(axis=1)
        error = np.sqrt(squares / max(count - 1, 1) / count)
        half = np.where(error > 0, Z_95 * error, Z_95**2 / (count + Z_95**2))
        shares = {"first": self.first.mean(axis=1), "second": self.second.mean(axis=1)}
        return pd.DataFrame({**shares, "mean": mean, "low": mean - half, "high": mean + half})


def play_both(
    sampled: Sampled,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    agent: Agent,
    options: Options,
    worlds: int,
    seed: int,
) -> PlayedOn:
    """Play both choices on to the end, in worlds that fit what the deciding seat knows.

    Args:
        sampled: The positions.
        first: An absolute action of each, shape ``(n,)``.
        second: Another one.
        agent: Plays everybody afterwards.
        options: Of all games.
        worlds: How many for each position.
        seed: Of the worlds and of the agent's chance; with another seed they are others.

    Raises:
        IllegalActionError: A choice is not legal.
    """
    rows = np.repeat(np.arange(len(sampled)), worlds)
    rng = np.random.default_rng([seed, worlds])
    seats = sampled.seats[rows]
    drawn = worlds_of(sampled.states[rows], seats, rng)
    won = []
    for actions in (first, second):
        batch = GameBatch.of_states(options, drawn)
        batch.step(own_frame(options.players)[seats, np.asarray(actions, np.int64)[rows]])
        ended = play_on(options, batch.states, [agent], seed=seed)
        won.append(ended.won[np.arange(len(rows)), seats].reshape(len(sampled), worlds))
    return PlayedOn(*won)


def described(sampled: Sampled, found: pd.Series) -> str:
    """Return a disagreement in words: what is asked, what the policy does, what the search does."""
    game = Game.from_state(sampled.states[int(found["row"])])
    view = game.view(int(sampled.seats[int(found["row"])]))
    asked, scores = view.decision.prompt, "-".join(map(str, view.scores))
    lines = [
        f"  The {who}: {view.describe(int(found[who]))}{_about(view, int(found[who]))}"
        for who in ("policy", "search")
    ]
    return (
        f"Turn {turn_number(view.state)}, {scores}, seat {view.seat} decides: {asked}\n"
        + "\n".join(lines)
    )


def one_line(
    sampled: Sampled, row: int, action: int, agent: Agent, seed: int, most: int = 8
) -> list[str]:
    """Return the rest of a turn after a choice in words, in one world that fits the knowledge.

    Args:
        sampled: The positions.
        row: Which of them.
        action: The choice, absolute.
        agent: Plays the rest of the turn.
        seed: Of the world and of the agent's chance.
        most: How many decisions at most.

    Returns:
        What the agent does until the turn or the game ends, and the points then.
    """
    rng = np.random.default_rng([seed, row])
    some = sampled.take(np.array([row]))
    game = Game.from_state(worlds_of(some.states, some.seats, rng)[0])
    words = rest_of_turn(game, action, agent, rng)[1:]
    left = [f"{len(words) - most} more decisions"] if len(words) > most else []
    won = f", and seat {game.winners[0]} has won" if game.is_over and game.winners else ""
    return [*words[:most], *left, f"points {'-'.join(map(str, game.scores))}{won}"]


def _about(view: Game, action: int) -> str:
    """Return in brackets what is printed on the card that an action names or leads to, or ""."""
    card, cell = action - CARD_0, action - PLACE_0
    if 0 <= card < FACES:
        return f" ({TEXT_BY_CARD[card]})"
    if view.decision.kind != "choose_move" or not 0 <= cell < CELLS:
        return ""
    card = int(view.state["cell_card"][cell])
    return f" ({card_text(card)})" if 0 <= card < FACES else ""
