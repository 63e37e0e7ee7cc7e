"""What happened is told from the records alone, correctly, and to nobody who may not know it."""

import re
from collections import Counter

import numpy as np
import pytest

import impulse_agents
from impulse_env.engine.action_space import CARD_0, CELL_0
from impulse_env.engine.constants import FACES, PointSource
from impulse_env.game import Game
from impulse_env.information import EVERYTHING, as_seen
from impulse_env.text.events import third_person, what_happened
from recorded import IDS, TABLES, played


def events_of(record, by):
    """Each decision's events, as somebody sees them, with the game after it."""
    before = None
    for number, game in enumerate(record.games()):
        after = as_seen(game.state.copy(), by)
        if before is not None:
            action = game.action(record.moves[number - 1].action)
            yield what_happened(before, action, after), game
        before = after


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_points_turns_and_the_end_are_described(table):
    record, _ = played(table)
    told, turns = Counter(), []
    for events, game in events_of(record, EVERYTHING):
        assert events[0].kind == "decision"
        for event in events:
            if event.kind == "points":
                found = re.fullmatch(
                    r"Seat (\d) scores (\d+) points? for .* \((\d+) now\)\.", event.text
                )
                told[int(found[1])] += int(found[2])
                assert told[int(found[1])] == int(found[3])
            elif event.kind == "turn":
                turns.append(game.turn)
                assert event.text == f"Turn {game.turn + 1}: seat {event.seat}."
        assert [told[seat] for seat in range(game.players)] == game.scores
    assert turns == sorted(set(turns))
    assert events[-1].kind == "end"
    assert events[-1].text.startswith("The game is over: ")


def test_points_of_one_move_are_added_up_line_by_line():
    game = Game(seed=0)
    before, action = game.state.copy(), game.legal_actions()[0]
    before["score"][1] = 4
    after = before.copy()
    after["points"][1, [PointSource.BATTLE, PointSource.SHIPS]] += (1, 2)
    after["score"][1] = 7
    events = what_happened(before, action, after)
    assert [event.text for event in events if event.kind == "points"] == [
        "Seat 1 scores 1 point for winning a battle (5 now).",
        "Seat 1 scores 2 points for destroying ships (7 now).",
    ]


@pytest.mark.parametrize("by", [EVERYTHING, 1])
def test_cards_that_come_into_a_hand_are_named_to_whoever_sees_them(by):
    record, _ = played(TABLES[1])
    before, drawn = None, 0
    for events, game in events_of(record, by):
        hand = Counter(game.state["hand"][1, : game.state["hand_count"][1]].tolist())
        if before is not None:
            new = (hand - before).total()
            named = [
                event.text
                for event in events
                if event.seat == 1 and ("takes into hand" in event.text or "takes it" in event.text)
            ]
            # A card kept from a reveal is named by the decision itself.
            assert new == sum(len(re.findall(r"card \d+ \(", text)) for text in named) or (
                game.decision.kind == "place_explored"
            )
            drawn += new
        before = hand
    assert drawn > 20


def test_a_card_laid_by_others_is_not_described():
    rng, agent, laid = np.random.default_rng(0), impulse_agents.make("warrior"), 0
    game = Game(players=3, seed=4)
    while game.seat is not None:
        seat, kind = game.seat, game.decision.kind
        action = agent.act_in_game(game, rng)
        views = {by: as_seen(game.state.copy(), by) for by in (None, 0, 1, 2)}
        game.step(action)
        if kind != "reinforce" or not CARD_0 <= action < CELL_0:
            continue
        laid += 1
        other_card = CARD_0 + (action - CARD_0 + 1) % FACES
        for by, before in views.items():
            after = as_seen(game.state.copy(), by)
            told = what_happened(before, action, after)
            if by == seat:
                assert re.match(rf"Seat {seat} lays card \d+ ", told[0].text)
            else:
                assert told[0].text == f"Seat {seat} lays a card face-down."
                assert told == what_happened(before, other_card, after)
    assert laid >= 3


def test_words_for_what_somebody_else_does():
    assert third_person("add card 3 to the Impulse") == "adds card 3 to the Impulse"
    assert third_person("do not activate it") == "does not activate it"
    assert third_person("go on with the next card") == "goes on with the next card"
    assert third_person("research card 4") == "researches card 4"
    assert third_person("decline") == "declines"
