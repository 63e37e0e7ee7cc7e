"""A memory of events holds what both seats saw, and nothing else changes for who has none."""

from copy import deepcopy

import numpy as np
import pytest
import torch

from impulse_env.compiled.compilation import IS_COMPILED, plain
from impulse_env.engine.action_space import CARD_0, PASS
from impulse_env.engine.constants import FACES
from impulse_env.engine.deck import fits
from impulse_env.engine.ops import KINDS
from impulse_env.engine.state import COLORS, HIGH, LOW
from impulse_env.environments.self_play import SelfPlayBatch
from impulse_env.frame import to_absolute, to_own
from impulse_env.game import Game
from impulse_env.information import determinize_all
from impulse_env.observation import section
from lab.networks.memory_play import (
    HIDDEN_KIND,
    VARIANTS,
    Remembering,
    by_agent,
    by_network,
    matched,
    network_of,
    ppo,
    trained,
)

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")

TINY = ["--games", "8", "--steps", "24", "--minibatch", "64", "--width", "16"]


def at_random(games, rng):
    """A random legal action in each game."""
    return (rng.random(games.masks.shape) + games.masks).argmax(1)


def decision(games):
    """The seat and the kind of the decision in the first game."""
    return int(games.seats[0]), KINDS.index(Game.from_state(games.batch.states[0]).decision.kind)


def played_to(games, rng, kinds):
    """Play to a choice between cards of one of these kinds; return the number of its game."""
    while True:
        pending = section(games.batch.observations, "decision", 2).argmax(1)
        is_choice = games.masks[:, CARD_0 : CARD_0 + FACES].sum(1) > 1
        if len(found := np.flatnonzero(np.isin(pending, kinds) & is_choice)):
            return int(found[0])
        games.step(at_random(games, rng))


# --- What is remembered -----------------------------------------------------------------------


def test_each_seat_remembers_the_latest_choices_in_its_own_frame():
    games, rng, told = Remembering(1, 4, seed=3), np.random.default_rng(3), {0: [], 1: []}
    for _ in range(60):
        seat, kind = decision(games)
        action = int(at_random(games, rng)[0])
        games.step(np.array([action]))
        if action == PASS:
            continue
        seen = to_own(to_absolute(action, 2, seat), 2, 1 - seat)
        told[seat].insert(0, [1 + kind, 1 + action])
        told[1 - seat].insert(0, [1 + len(KINDS) + kind, 0 if kind == HIDDEN_KIND else 1 + seen])
        for reader, events in told.items():
            expected = (events + [[0, 0]] * 4)[:4]
            assert games.memory[0, reader].tolist() == expected
    assert len(told[0]) > 20


def test_the_observation_ends_with_the_memory_of_the_seat_that_decides():
    games, rng = Remembering(16, 3, seed=1), np.random.default_rng(1)
    for _ in range(40):
        games.step(at_random(games, rng))
    assert len(set(games.seats.tolist())) == 2
    own = games.memory[np.arange(16), games.seats].reshape(16, -1)
    assert own.any(axis=1).all()
    np.testing.assert_array_equal(games.observations[:, -6:], own)
    np.testing.assert_array_equal(games.observations[:, :-6], games.batch.observations)


def test_a_new_deal_begins_without_a_memory():
    games, rng, ends = Remembering(32, 4, seed=1), np.random.default_rng(1), 0
    for _ in range(1500):
        step = games.step(at_random(games, rng))
        ends += len(step.ended)
        assert not games.memory[step.ended].any()
        assert not games.observations[step.ended, -8:].any()
    assert ends > 20
    assert games.memory[:, :, 0].any()


# --- What a seat may not know -----------------------------------------------------------------


def test_the_other_seat_does_not_learn_which_reinforcement_was_laid():
    games, rng = Remembering(64, 4, seed=5), np.random.default_rng(5)
    game = played_to(games, rng, [HIDDEN_KIND])
    seat = int(games.seats[game])
    memories = []
    for card in np.flatnonzero(games.masks[game])[-2:]:
        other = deepcopy(games)
        actions = at_random(games, np.random.default_rng(0))
        actions[game] = card
        other.step(actions)
        memories.append(other.memory[game])
    assert memories[0][1 - seat].tobytes() == memories[1][1 - seat].tobytes()
    assert memories[0][1 - seat, 0].tolist() == [1 + HIDDEN_KIND + len(KINDS), 0]
    assert memories[0][seat].tobytes() != memories[1][seat].tobytes()


def follow(games, seat, kind, action):
    """Do the same where other cards are hidden from seat 0; return whether it can be done.

    Who cannot tell a pass from having nothing to choose does not see the passes before it.
    """
    for _ in range(20):
        legal = np.flatnonzero(games.masks[0])
        if decision(games) == (seat, kind):
            if seat == 1 and kind == HIDDEN_KIND:
                action = int(legal[-1])  # whichever it is
            if games.masks[0, action] and action != PASS:
                games.step(np.array([action]))
                return True
        if PASS not in legal:
            return False
        games.step(np.array([PASS]))
    return False


def test_what_is_hidden_from_a_seat_does_not_change_its_memory():
    """Other cards in the hand give other options, more or fewer, and the same memory."""
    rng, compared = np.random.default_rng(7), 0
    for seed in range(60):
        games = Remembering(1, 16, seed=seed)
        for _ in range(20 + 2 * seed):
            games.step(at_random(games, rng))
        other = deepcopy(games)
        states = other.batch.states.copy()
        determinize_all(states, np.zeros(1, np.int64), np.array([seed + 1], np.uint64))
        other.batch.replace(np.zeros(1, np.int64), states)
        for _ in range(60):
            seat, kind = decision(games)
            options = [set(np.flatnonzero(one.masks[0]).tolist()) for one in (games, other)]
            if decision(other) != (seat, kind) or options[0].isdisjoint(options[1]):
                options[1] = options[0]
            action = int(rng.choice(sorted(options[0] & options[1])))
            is_over = len(games.step(np.array([action])).ended) > 0
            if is_over or (action != PASS and not follow(other, seat, kind, action)):
                break
            assert games.memory[0, 0].tobytes() == other.memory[0, 0].tobytes()
            compared += seat == 1 and action != PASS
    assert compared > 100


@pytest.mark.parametrize("seed", range(2))
def test_the_only_fitting_card_of_a_hand_looks_like_one_of_several(seed):
    games, rng = Remembering(64, 4, seed=seed), np.random.default_rng(seed)
    kinds = [KINDS.index(f"{name}_card") for name in ("trade", "mine", "research")]
    game = played_to(games, rng, kinds)
    seat = int(games.seats[game])
    fitting = np.flatnonzero(games.masks[game, CARD_0 : CARD_0 + FACES])
    other, states = deepcopy(games), games.batch.states[[game]]
    hand = states["hand"][0, seat, : states["hand_count"][0, seat]]
    deck = states["deck"][0, : states["deck_count"][0]]
    frame = states["stack"][0, states["stack_count"][0] - 1]
    for slot in np.flatnonzero(np.isin(hand, fitting[1:])):
        fit = [plain(fits)(int(card), *frame[[COLORS, LOW, HIGH]].tolist()) for card in deck]
        drawn = fit.index(False)
        hand[slot], deck[drawn] = deck[drawn], hand[slot]
    hand.sort()
    other.batch.replace(np.array([game]), states)
    assert games.masks[game].sum() > other.masks[game].sum() == 1
    actions = at_random(games, rng)
    actions[game] = CARD_0 + fitting[0]
    games.step(actions)
    other.step(actions)
    events = [one.memory[game, 1 - seat] for one in (games, other)]
    assert events[0][0, 1] > 0
    assert events[0].tobytes() == events[1].tobytes()


# --- Without a memory -------------------------------------------------------------------------


def test_who_has_no_memory_sees_and_computes_what_the_tutorial_does():
    games = Remembering(8, VARIANTS["plain"], seed=2, reward="score")
    usual = SelfPlayBatch(8, 2, seed=2, reward="score", auto_forced=False)
    rng = np.random.default_rng(2)
    for _ in range(30):
        actions = at_random(games, rng)
        games.step(actions)
        usual.step(actions)
    assert games.observations.tobytes() == usual.observations.tobytes()
    options = ppo.parse([*TINY, "--seed", "4"])
    torch.manual_seed(4)
    tutorial = ppo.Network(2, 16)
    without, remembering = (network_of(variant, options) for variant in VARIANTS)
    seen, masks = torch.from_numpy(games.observations), torch.from_numpy(games.masks)
    with_none = torch.cat([seen, seen.new_zeros(8, 2 * VARIANTS["events16"])], 1)
    found = tutorial(seen, masks, tutorial.table())
    for network, view in ((without, seen), (without, with_none), (remembering, with_none)):
        again = network(view, masks, network.table())
        assert all(torch.equal(one, other) for one, other in zip(found, again, strict=True))


def test_every_event_reaches_the_network():
    games = Remembering(1, VARIANTS["events16"], seed=2)
    network = network_of("events16", ppo.parse([*TINY, "--seed", "4"]))
    seen, masks = torch.from_numpy(games.observations), torch.from_numpy(games.masks)
    before = network(seen, masks, network.table())[1]
    for place in range(-2 * VARIANTS["events16"], 0):
        other = seen.clone()
        other[0, place] = 1
        assert network(other, masks, network.table())[1] != before


# --- Training and playing ---------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_training_learns_and_can_be_repeated(variant, tmp_path):
    words = [*TINY, "--seed", "6"]
    first = trained(variant, 2, tmp_path / "first.pt", words).state_dict()
    again = trained(variant, 2, tmp_path / "again.pt", words).state_dict()
    loaded = trained(variant, 2, tmp_path / "first.pt", words).state_dict()
    fresh = network_of(variant, ppo.parse(words)).state_dict()
    for name, weights in first.items():
        assert torch.equal(weights, again[name])
        assert torch.equal(weights, loaded[name])
        if name.endswith("weight"):
            assert not torch.equal(weights, fresh[name]), name
    assert not list(tmp_path.glob("*.part"))


def test_each_deal_is_played_from_both_seats(greedy):
    network = network_of("events16", ppo.parse([*TINY, "--seed", "6"]))
    table = matched(by_agent(greedy, 1), by_network(network, 2), 20, 8, VARIANTS["events16"])
    assert table.groupby(["deal", "seat"]).size().tolist() == [1] * 40
    assert set(table.won) <= {0, 0.5, 1}
    assert table.won.mean() > 0.8
    again = matched(by_agent(greedy, 1), by_network(network, 2), 20, 8, VARIANTS["events16"])
    assert table.equals(again)
