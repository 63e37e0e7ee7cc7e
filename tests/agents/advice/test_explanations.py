"""Why a decision was costly: a judge that values one thing alone gives that as the cause."""

import numpy as np
import pytest

from impulse_agents.advice import explanations
from impulse_agents.advice.explanations import CAUSES, Costly, explained
from impulse_agents.base import Agent
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.cards import SIZE_BY_CARD
from impulse_env.engine.constants import CORE, NO_SEAT, Op
from impulse_env.engine.sector_map import GATES_OF_CELL
from impulse_env.frame import own_frame
from impulse_env.game import Game
from impulse_env.records.record import options_of
from impulse_env.replay.explanation import MOMENTS, causes
from impulse_env.text.describe import pending
from recorded import random_game


class Values(Agent):
    """Plays the first legal action, and judges a position by one of its parts."""

    name = "values"

    def __init__(self, value):
        self.value = value
        self.config = {}

    def act(self, seen, streams):
        return seen.masks.argmax(axis=1)

    def evaluate(self, observations):
        return np.zeros((len(observations), 1)), np.zeros(len(observations), np.float32)

    def win_probabilities(self, values, states, seats):
        return self.value(states, seats).astype(np.float32)


def in_impulse(states, seats):
    """The sizes of the cards of the Impulse, small."""
    cards = states["impulse"][:, 0]
    return np.where(cards >= 0, SIZE_BY_CARD[np.maximum(cards, 0)], 0).sum(axis=1) / 20


def in_hand(states, seats):
    """The sizes of the cards in hand, small."""
    cards = states["hand"][np.arange(len(states)), seats]
    return np.where(cards >= 0, SIZE_BY_CARD[np.maximum(cards, 0)], 0).sum(axis=1) / 40


def nothing(states, seats):
    return np.full(len(states), 0.5)


def decisions(op, count):
    """Decisions of one kind in games of two at random."""
    found = []
    for seed in range(60):
        for game in random_game(seed=seed, most=60)[0].games():
            if game.seat is not None and pending(game.state)[0] == op:
                found.append(game.copy())
                if len(found) == count:
                    return found
    raise AssertionError("there are not so many")


def costly(game, number, largest):
    """The choice of a card for the Impulse, where the largest or the smallest is better."""
    own = own_frame(2)[game.seat]
    by_size = sorted(game.legal_actions(), key=lambda action: SIZE_BY_CARD[action - CARD_0])
    taken, better = (by_size[0], by_size[-1]) if largest else (by_size[-1], by_size[0])
    state = game.state.reshape(1).copy()
    return Costly(number, state, game.seat, int(own[taken]), int(own[better]))


@pytest.fixture(scope="module")
def games():
    """Positions where cards of several sizes can be added to the Impulse."""
    found = [
        game
        for game in decisions(Op.ADD_IMPULSE, 30)
        if len({int(SIZE_BY_CARD[action - CARD_0]) for action in game.legal_actions()}) == 3
    ]
    assert len(found) >= 6
    return found[:6]


@pytest.mark.parametrize(
    ("value", "largest", "cause"), [(in_impulse, True, "impulse"), (in_hand, False, "hand")]
)
def test_the_cause_is_what_the_judge_values(games, value, largest, cause):
    asked = [costly(game, number, largest) for number, game in enumerate(games)]
    found = explained(Values(value), options_of(games[0]), asked)
    assert all(one.loss > 2 * one.error for one in found)
    assert [one.why.cause for one in found if one.why] == [cause] * len(games)
    assert all(0.5 < one.why.share < 1.5 for one in found)


def in_both(states, seats):
    """The same wherever a card is."""
    return 2 * in_hand(states, seats) + in_impulse(states, seats)


@pytest.mark.parametrize("value", [nothing, in_both])
def test_without_a_loss_there_is_no_cause(games, value):
    asked = [costly(game, number, True) for number, game in enumerate(games)]
    found = explained(Values(value), options_of(games[0]), asked)
    assert [one.loss for one in found] == pytest.approx([0.0] * len(games), abs=1e-6)
    assert [one.why for one in found] == [None] * len(games)
    assert explained(Values(nothing), options_of(games[0]), []) == []


def test_it_is_the_same_again_and_knows_nothing_that_the_seat_did_not(games):
    judge, options = Values(in_hand), options_of(games[0])
    game = games[0]
    other = game.determinize(game.seat, np.random.default_rng(8))
    assert other != game
    found = explained(judge, options, [costly(game, 7, False)])
    assert explained(judge, options, [costly(other, 7, False)]) == found
    beside = explained(judge, options, [costly(games[1], 3, False), costly(game, 7, False)])
    assert beside[1] == found[0]
    both = Values(lambda states, seats: in_hand(states, seats) * in_hand(states, 1 - seats))
    worlds = [explained(both, options, [costly(game, 7, False)], seed=seed) for seed in (0, 1)]
    assert worlds[0] != worlds[1]


# --- The parts of a position -----------------------------------------------------------------

PARTS = {
    "impulse": {"impulse", "impulse_count"},
    "hand": {"hand", "hand_count", "known", "known_count"},
    "plan": {"plan", "plan_count", "next_plan_count"},
    "minerals": {"minerals", "gems"},
    "techs": {"techs"},
    "points": {"score", "points"},
    "others' points": {"score", "points"},
    "fleets": {"transports", "gate_owner", "gate_ships", "ships_on_map"},
    "others' fleets": {"transports", "gate_owner", "gate_ships", "ships_on_map"},
    "map": {"cell_card", "cell_face_up"},
}
PARTS["cards"] = PARTS["hand"] | PARTS["plan"] | PARTS["minerals"] | PARTS["techs"]
PARTS["move"] = PARTS["fleets"] | PARTS["points"]


@pytest.fixture(scope="module")
def pairs():
    """Positions early and late in games of three, with a seat each."""
    early, late = [], []
    for seed in range(20):
        game, choose = Game(players=3, seed=seed), np.random.default_rng(seed)
        for step in range(260):
            if game.is_over:
                break
            if step == 60:
                early.append(game.state.copy())
            game.step(int(choose.choice(game.legal_actions())))
        late.append(game.state.copy())
    return np.stack(early), np.stack(late), np.arange(20) % 3


@pytest.mark.parametrize("cause", CAUSES)
def test_undoing_a_cause_changes_its_part_alone(pairs, cause):
    states, by, seats = pairs
    undone = states.copy()
    CAUSES[cause](undone, by, seats)
    changed = {name for name in states.dtype.names if (undone[name] != states[name]).any()}
    assert changed <= PARTS[cause]
    assert PARTS[cause] - changed <= {"impulse_count", "next_plan_count"}
    rows = np.arange(len(states))
    if cause in ("hand", "plan", "minerals", "techs", "points", "cards", "fleets"):
        for name in changed - {"gate_owner", "gate_ships"}:
            assert (undone[name][rows, seats] == by[name][rows, seats]).all() or cause == "fleets"
            others = np.arange(3)[None] != seats[:, None]
            assert (undone[name][:, :3][others] == states[name][:, :3][others]).all()
    for seat in range(3):
        on_gates = np.where(undone["gate_owner"] == seat, undone["gate_ships"], 0).sum(axis=1)
        assert (
            undone["ships_on_map"][:, seat] == undone["transports"][:, seat].sum(axis=1) + on_gates
        ).all()
    assert ((undone["gate_owner"] == NO_SEAT) == (undone["gate_ships"] == 0)).all()


def test_fleets_are_called_by_the_core_if_they_hold_fewer_of_its_gates(pairs):
    taken, _, seats = pairs
    better = taken.copy()
    gate = GATES_OF_CELL[CORE][0]
    taken["gate_owner"][:, gate], taken["gate_ships"][:, gate] = NO_SEAT, 0
    better["gate_owner"][:, gate], better["gate_ships"][:, gate] = seats, 1
    named = explanations._in_particular
    assert named("fleets", taken, better, seats) == "core"
    assert named("fleets", better, taken, seats) == "fleets"
    assert named("move", taken, better, seats) == "move"
    fought = taken.copy()
    fought["points"][:, 0, explanations._BATTLE] += 1
    assert named("move", fought, better, seats) == "battle"


def test_in_teams_a_partner_is_none_of_the_others(pairs):
    early, late, _ = pairs
    states, by, seats = early.copy(), late.copy(), np.arange(20) % 4
    for one in (states, by):
        one["players"], one["teams"] = 4, 2
    partner = (np.arange(20), (seats + 2) % 4)
    for cause in ("others' points", "others' fleets"):
        undone = states.copy()
        CAUSES[cause](undone, by, seats)
        for name in ("score", "transports"):
            assert (undone[name][partner] == states[name][partner]).all()
    assert explanations._in_particular("impulse", states, by, seats) == "team's impulse"
    by["impulse"][:, 1] = 5
    undone = states.copy()
    CAUSES["impulse"](undone, by, seats)
    own, other = (np.arange(20), seats % 2), (np.arange(20), 1 - seats % 2)
    assert (undone["impulse"][own] == by["impulse"][own]).all()
    assert (undone["impulse"][other] == states["impulse"][other]).all()


def test_a_win_at_once_is_due_to_the_points():
    for game in scoring_games():
        own = own_frame(2)[game.seat]
        better = winning(game)
        others = [action for action in game.legal_actions() if action not in better]
        if not better:
            continue
        state, taken = game.state.reshape(1).copy(), int(own[others[0]])
        asked = [Costly(0, state, game.seat, taken, int(own[better[0]]))]
        (found,) = explained(Values(nothing), options_of(game), asked)
        if found.loss > 0.4:  # else the other choice wins a little later
            break
    assert found.why.cause == "points"
    assert found.why.share == pytest.approx(1, abs=0.1)


def test_changed_positions_can_be_played_whatever_was_chosen():
    """Some decisions end the turn or the game, and others do not: tests check every index."""
    asked, rng = [], np.random.default_rng(1)
    for seed in range(40):
        games = [game.copy() for game in random_game(seed=seed, most=200)[0].games()]
        open_games = [game for game in games if not game.is_over and len(game.legal_actions()) > 1]
        for number in rng.choice(len(open_games), 3, replace=False).tolist():
            game = open_games[number]
            own = own_frame(2)[game.seat]
            one, other = rng.choice(game.legal_actions(), 2, replace=False).tolist()
            state = game.state.reshape(1).copy()
            asked.append(Costly(number, state, game.seat, int(own[one]), int(own[other])))
    trial = explanations.Trial(Values(in_hand), options_of(games[0]), asked, (0, 0), 2)
    for moment in MOMENTS:
        for cause in CAUSES:
            gained = trial.restored([(moment, cause)] * len(asked))
            assert gained.shape == (len(asked), 2)


def scoring_games():
    """Positions of random games in which the deciding seat needs one more point."""
    for seed in range(200):
        for game in random_game(seed=seed, most=120)[0].games():
            if game.seat is None or len(game.legal_actions()) < 2:
                continue
            near = game.copy()
            near.state["score"][game.seat] = 19
            yield near


def winning(game):
    """The actions that win at once, if some do not end the game."""
    after = {}
    for action in game.legal_actions():
        other = game.copy()
        other.step(action)
        after[action] = other
    won = [action for action, other in after.items() if other.winners == [game.seat]]
    return won if len(won) < len([o for o in after.values() if not o.is_over]) + len(won) else []


def test_every_cause_has_sentences():
    assert set(CAUSES) | {"core", "battle", "team's impulse"} == set(causes())
