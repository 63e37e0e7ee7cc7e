"""Tables of what a network learned: strength, probes, parts of the observation, second thoughts.

Each function asks one question of some networks. Tables have intervals of 95 % that take the
positions of a game, or the games of a deal, as one; `policy_table` is of a single game.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_agents.search.network_agent import PolicySearchAgent
from impulse_agents.selection import softmax
from impulse_env.actions import name_of
from impulse_env.frame import absolute_frame
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.record import Record
from impulse_training.rollout.match import play
from impulse_training.statistics.estimates import estimate
from lab.decision_kinds import theme_of
from lab.mistakes.search_disagreement import disagreements, play_both
from lab.networks.linear_probes import (
    LAYERS,
    TRADE,
    Probes,
    Score,
    chance_by_counting,
    concepts_of,
    layers_of,
    raw,
)
from lab.networks.permutation_importance import Blinded, Judgement
from lab.sampling import Sampled

RAW: Final = "raw numbers"
UNTRAINED: Final = "untrained"
COUNTING: Final = "counting"
BEYOND: Final = "beyond counting"


def strengths(
    agents: Mapping[str, Agent], others: Mapping[str, Agent], games: int, seed: int
) -> pd.DataFrame:
    """Return games of every agent against every other, all of the same deals, each from both sides.

    Args:
        agents: By name.
        others: By name.
        games: How many of each pair.
        seed: Of the deals.

    Returns:
        A row for each game: ``agent``, ``against``, ``deal`` (a text, another for each opponent)
        and ``won``, 0 or 1.

    Raises:
        AgentError: One of them does not play such games.
    """
    parts = []
    for name, agent in agents.items():
        for against, other in others.items():
            found = play([agent, other], Options(2), games, seed)
            deals = [f"{against} {game // found.sides}" for game in range(found.games)]
            about = {"agent": name, "against": against, "deal": deals}
            parts.append(pd.DataFrame({**about, "won": found.won[:, 0]}))
    return pd.concat(parts, ignore_index=True)


def probed(
    sampled: Sampled, gains: NDArray[np.int64], networks: Mapping[str, PolicyNetwork], seed: int = 0
) -> pd.DataFrame:
    """Return how well concepts are read off from the layers of networks.

    Args:
        sampled: The positions, of two players.
        gains: From `gains_of_turn`.
        networks: By name, the one that was not trained as `UNTRAINED`. Of the last one, the layers
            of both heads are probed as well as the shared one.
        seed: Of which games are held out.

    Returns:
        A row for each source and concept: ``source`` (a name of `networks`, `RAW`, `COUNTING` or
        `BEYOND`), ``layer``, ``concept``, ``measure`` ("R²" or "AUC"), ``value``, ``low``,
        ``high``, and the difference to the untrained network, ``over``, ``over_low``,
        ``over_high``, and to the raw numbers, ``more``, ``more_low``, ``more_high``. Of the layers
        of heads the former is the difference to the shared layer of the same network, and of
        `BEYOND` both are those to `COUNTING`. ``since``, ``since_low`` and ``since_high`` are the
        difference to the first network after the one that was not trained.
    """
    probes = Probes(sampled, concepts_of(sampled, gains), seed)
    scores = {(RAW, ""): probes.scores(raw(sampled.observations, 2))}
    for name, network in networks.items():
        found = layers_of(network, sampled.observations)
        for layer in LAYERS if name == list(networks)[-1] else LAYERS[:1]:
            scores[name, layer] = probes.scores(found[layer])
    early = next(name for name in networks if name != UNTRAINED)
    rows = [
        _row(
            probes,
            (source, layer, concept),
            score,
            scores[source if layer in LAYERS[1:] else UNTRAINED, LAYERS[0]][concept],
            scores[RAW, ""][concept],
            scores[early, LAYERS[0]][concept],
        )
        for (source, layer), by_concept in scores.items()
        for concept, score in by_concept.items()
    ]
    counted = chance_by_counting(sampled, "trade")
    base = probes.score(TRADE, counted[probes.held_out])
    beyond = probes.beyond(found[LAYERS[0]], TRADE, counted)
    rows.append(_row(probes, (COUNTING, "", TRADE), base, base, base, base))
    rows.append(_row(probes, (BEYOND, LAYERS[0], TRADE), beyond, base, base, base))
    return pd.DataFrame(rows)


def _row(
    probes: Probes,
    names: tuple[str, str, str],
    score: Score,
    under: Score,
    bare: Score,
    early: Score,
) -> dict[str, str | float]:
    measure = "AUC" if probes.is_truth(names[-1]) else "R²"
    found: dict[str, str | float] = dict(zip(("source", "layer", "concept"), names, strict=True))
    found |= {"measure": measure, "value": score.value}
    found |= zip(("low", "high"), score.interval, strict=True)
    for name, base in (("over", under), ("more", bare), ("since", early)):
        apart = score.less(base)
        found[name] = apart.value
        found |= zip((f"{name}_low", f"{name}_high"), apart.interval, strict=True)
    return found


def weighed(
    agent: PolicyAgent, sampled: Sampled, parts: Sequence[str], times: int, seed: int
) -> pd.DataFrame:
    """Return what parts of the observation do to a network when others stand in their place.

    Args:
        agent: A calibrated network.
        sampled: The positions.
        parts: Of `lab.networks.permutation_importance.GROUPS`.
        times: How often each is exchanged.
        seed: Of with whose.

    Returns:
        A row for each part and measure of `Judgement.without`: ``part``, ``measure``, ``mean``,
        ``low``, ``high``.
    """
    judged, rng = Judgement(agent, sampled), np.random.default_rng(seed)
    rows = []
    for part in parts:
        for measure, change in judged.without(part, rng, times).items():
            table = pd.DataFrame({"game": sampled.games, "change": change, "all": 0})
            found = estimate(table, "change", "all").iloc[0]
            about = {"part": part, "measure": measure}
            rows.append({**about, **found[["mean", "low", "high"]].to_dict()})
    return pd.DataFrame(rows)


def blinded(
    agent: PolicyAgent, sampled: Sampled, parts: Sequence[str], games: int, seed: int
) -> pd.DataFrame:
    """Return games of an agent that is shown a part of other positions, against itself as it is.

    Args:
        agent: The agent.
        sampled: Whose parts it is shown.
        parts: Of `lab.networks.permutation_importance.GROUPS`; each is tried by itself.
        games: How many for each.
        seed: Of the deals.

    Returns:
        A row for each game: ``part``, ``deal`` and ``won`` (by the agent that lacks it).
    """
    agents = {part: Blinded(agent, [part], sampled) for part in parts}
    found = strengths(agents, {"itself": agent}, games, seed)
    return found.rename(columns={"agent": "part"})[["part", "deal", "won"]]


def second_thoughts(
    sampled: Sampled,
    policy: PolicyAgent,
    search: PolicySearchAgent,
    worlds: int,
    most: int,
    worlds_again: int,
    seed: int,
) -> pd.DataFrame:
    """Return where a search chooses something else than its policy, and what playing on says.

    All are played on in some worlds. Those whose gain is largest there are played on again, in
    other worlds: only that tells how large it is.

    Args:
        sampled: The positions.
        policy: The network, who also plays on.
        search: A search that it guides.
        worlds: How many for each choice at first.
        most: How many positions are played on again.
        worlds_again: In how many worlds.
        seed: Of the search, of the worlds and of all chance.

    Returns:
        The rows of `disagreements` with ``game``, ``theme`` (of the decision), and how much more
        often the search's choice won at first, ``mean``, ``low``, ``high``, and again,
        ``again_mean``, ``again_low``, ``again_high``, with ``again_first`` and ``again_second``,
        the shares won after either choice; NaN where it was not played on again.
    """
    options = Options(2)
    found = disagreements(sampled, policy, search, seed)
    found["game"] = sampled.games[found["row"]]
    found["theme"] = found["kind"].map(theme_of)
    at_first = _gains(sampled, found, policy, options, worlds, seed + 1)
    found = pd.concat([found, at_first.drop(columns=["first", "second"])], axis=1)
    chosen = found.sort_values("mean", ascending=False, kind="stable").head(most)
    again = _gains(sampled, chosen, policy, options, worlds_again, seed + 2)
    return found.join(again.set_index(chosen.index).add_prefix("again_"))


def _gains(
    sampled: Sampled,
    found: pd.DataFrame,
    policy: PolicyAgent,
    options: Options,
    worlds: int,
    seed: int,
) -> pd.DataFrame:
    positions = sampled.take(found["row"].to_numpy())
    first, second = (found[who].to_numpy(np.int64) for who in ("policy", "search"))
    return play_both(positions, first, second, policy, options, worlds, seed).gains()


def policy_table(record: Record, policies: Mapping[str, PolicyAgent]) -> pd.DataFrame:
    """Return what some networks think of every decision of a game, from what its seat knew.

    Args:
        record: The game.
        policies: The networks by a word for each; they were trained for as many players.

    Returns:
        A row for each decision and network: ``number`` of the decision, ``turn``, ``seat``,
        ``score`` and ``lead`` (own points, and ahead of the best other seat), ``legal`` (how many
        actions), ``chosen`` (by who played), ``agent`` (the word), ``choice`` (the likeliest action
        by its absolute name), ``probability`` (of that), ``on_legal`` (share of the probability
        that is on legal actions before the others are masked), ``entropy`` (nats, of the legal
        ones) and ``value`` (what the seat expects to be paid from here on).

    Raises:
        AgentError: A network was trained for another number of players.
    """
    seen, rows = [], []
    for number, (move, game) in enumerate(zip(record.moves, record.games(), strict=False)):
        seen.append(ObservationBatch.from_game(game))
        others = max(points for seat, points in enumerate(game.scores) if seat != move.seat)
        score = game.scores[move.seat]
        about = {"number": number, "turn": game.turn, "seat": move.seat, "score": score}
        rows.append({**about, "lead": score - others, "chosen": move.action})
    observations = np.concatenate([one.observations for one in seen])
    masks = np.concatenate([one.masks for one in seen]) != 0
    frames = absolute_frame(record.header.options.players)[[move.seat for move in record.moves]]
    known = pd.DataFrame(rows).assign(legal=masks.sum(axis=1))
    found = []
    for name, policy in policies.items():
        policy.check(observations)
        logits, values = policy.evaluate(observations)
        logits = logits.astype(np.float64)
        shares = softmax(logits, masks)
        best = shares.argmax(axis=1)
        outcome = {
            "choice": [name_of(int(frame[i])) for frame, i in zip(frames, best, strict=True)],
            "probability": shares.max(axis=1),
            "on_legal": (softmax(logits, np.ones_like(masks)) * masks).sum(axis=1),
            "entropy": -(shares * np.log(np.maximum(shares, 1e-12))).sum(axis=1),
            "value": values,
        }
        found.append(known.assign(agent=name, **outcome))
    return pd.concat(found, ignore_index=True)


def differing_choices(table: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions at which two networks would act differently, the clearest first.

    Args:
        table: What `policy_table` returned for two networks.

    Returns:
        A row for each, by ``number``: the choice and the probability of either network, in columns
        ``(column, agent)``. Clear is where the less certain of the two is most certain.
    """
    values = ["turn", "legal", "choice", "probability", "value"]
    wide = table.pivot(index="number", columns="agent", values=values)
    differ = wide[wide.choice.nunique(axis=1) > 1]
    certain = differ.probability.astype(float).min(axis=1)
    return differ.loc[certain.sort_values(ascending=False, kind="stable").index]


def game_at(record: Record, number: int) -> Game:
    """Return the game as it was at a decision, counted from 0."""
    for at, game in enumerate(record.games()):
        if at == number:
            return game.copy()
    raise ValueError(f"the record has {len(record.moves)} decisions, none with number {number}")
