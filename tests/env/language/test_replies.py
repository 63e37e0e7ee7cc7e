"""Replies: every legal action has a call, plans stop where a card is shown, faults are said."""

import random
import re
from collections import Counter
from itertools import chain

import pytest

from impulse_env import Game
from impulse_env.engine.action_space import PASS
from impulse_env.engine.ops import DECISIONS
from impulse_env.language import Call, ReplyError, legal_calls, parse, read_calls, view_data
from impulse_env.language.calls import ANSWERS, SIGNATURES, choices, written
from impulse_env.language.replies import _hidden
from impulse_env.testing.random_play import random_choice
from impulse_env.text.describe import pending

TABLES = [
    {"players": 2},
    {"players": 3, "auto_forced": False},
    {"players": 4, "team_size": 2},
    {"players": 6, "races": "draft"},
]


def games(options, seeds=(1, 2), most=400):
    """Every decision of some games that are played at random."""
    for seed in seeds:
        game, choose = Game(seed=seed, **options), random_choice(seed)
        for _ in range(most):
            if game.seat is None:
                break
            yield game
            game.step(choose(game))


def said(game):
    """Each legal answer as one call with one value."""
    for choice in choices(game.state, game.legal_actions()):
        for value in choice.values or (None,):
            yield written(choice.verb, {} if value is None else {choice.argument: value})


@pytest.mark.parametrize("options", TABLES)
def test_every_legal_action_has_one_call_that_takes_it(options):
    kinds = set()
    for game in games(options):
        kinds.add(game.decision.kind)
        first = [parse(game, text).actions[0] for text in said(game)]
        assert sorted(first) == game.legal_actions()
    assert len(kinds) > 20


@pytest.mark.parametrize("options", TABLES)
def test_a_plan_can_be_played_and_ends_where_it_says(options):
    rng = random.Random(5)
    cut = 0
    for game in games(options, seeds=(3,)):
        plan = parse(game, rng.choice(list(said(game))))
        after = game.copy()
        seat = game.seat
        for action in plan.actions:
            assert after.seat == seat
            after.step(action)
        cut += after.seat != seat
    assert cut > 20


def test_all_calls_are_read_from_one_table():
    assert set(ANSWERS) == set(DECISIONS)
    assert SIGNATURES["move_fleet"] == ("from", "ships", "to")
    assert SIGNATURES["pass"] == ()


def command_of_two_moves():
    """A game in which the seat may command one of several fleets for two moves or more."""
    for seed in range(200):
        for game in games({"players": 2}, seeds=(seed,), most=120):
            op, frame = pending(game.state)
            if op.name == "CHOOSE_FLEET" and frame[5] > 1 and len(game.legal_actions()) > 1:
                return game
    raise AssertionError("no such game")


def test_one_call_moves_a_fleet_along_a_path():
    game = command_of_two_moves()
    origin = next(text for text in said(game) if text.startswith("move_fleet"))
    step = game.copy()
    step.step(parse(game, origin).actions[0])
    while step.decision.kind == "choose_ships":
        step.step(step.legal_actions()[-1])
    place = step.name(step.legal_actions()[-1]).split()[-1]
    one = parse(game, origin.replace(")", f", to={place})"))
    step.step(step.legal_actions()[-1])
    if step.decision.kind == "choose_move":
        further = step.name(step.legal_actions()[-1]).split()[-1]
        two = parse(game, origin.replace(")", f", to={place}>{further})"))
        assert two.actions[: len(one.actions) - 1] == one.actions[:-1]
        assert one.actions[-1] == PASS
    assert one.done == 1


def test_a_plan_is_cut_when_another_seat_decides_or_a_card_is_shown():
    found = set()
    for game in games({"players": 3}, seeds=range(2)):
        texts = list(said(game))
        plan = parse(game, f"{texts[0]}; {texts[-1]}") if _can_follow(game, texts) else None
        if plan and plan.cut:
            assert plan.done == 1
            found.add(plan.cut)
    assert found >= {"another seat decides", "a hidden card was shown"}


def _can_follow(game, texts):
    try:
        parse(game, f"{texts[0]}; {texts[-1]}")
    except ReplyError:
        return False
    return True


def seen_cards(game, seat):
    """Count the cards that a seat can name, by number, wherever they are."""
    data = view_data(game.state, seat)
    cards = Counter(data["discard"] + data["table"] + [*chain(*data["impulse"])])
    cards.update(card for card in data["map"].values() if isinstance(card, int))
    for other in data["seats"]:
        cards.update(other["hand"].get("cards", other["hand"].get("known")))
        cards.update(other["plan"] + other["next_plan"] + other["minerals"])
        cards.update(tech for tech in other["techs"] if tech != "basic")
    if data["battle"]:
        for side in ("attacker", "defender"):
            cards.update(data["battle"][side]["laid"]["cards"])
    return cards


def test_what_cuts_a_plan_is_all_that_shows_a_card():
    shown = 0
    for game in games({"players": 3, "auto_forced": False}, seeds=(7, 8)):
        seat = game.seat
        before, seen = _hidden(game, seat), seen_cards(game, seat)
        after = game.copy()
        after.step(random_choice(1)(after))
        if after.seat == seat and seen_cards(after, seat) - seen:
            shown += 1
            assert _hidden(after, seat) != before
    assert shown > 10


def before_the_impulse():
    """A game in which the seat adds a card to the Impulse, and then chooses a Tech."""
    for game in games({"players": 2}, seeds=range(9)):
        if game.decision.kind == "add_impulse":
            after = game.copy()
            after.step(after.legal_actions()[0])
            if after.decision.kind == "use_tech":
                return game.copy()
    raise AssertionError("no such game")


def test_a_refused_plan_does_nothing_at_all():
    game = before_the_impulse()
    first = next(said(game))
    before = game.to_bytes()
    message = f"^action 2 of 3, {re.escape(first)}: is not possible in the decision use_tech "
    with pytest.raises(ReplyError, match=message):
        parse(game, f"{first}; {first}; pass()")
    assert parse(game, f"{first}; pass()").done == 2
    assert game.to_bytes() == before


# --- Reading ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "calls"),
    [
        ("pass()", [Call("pass", {})]),
        ("I think trade(card=3) is worse.\n\nmine(card = 5); pass()\n", ["mine(card=5)", "pass()"]),
        ("```\nmove_fleet(8, 2, 9>10)\n```", ["move_fleet(from=8, ships=2, to=9>10)"]),
        ("build(at=8, place='8-9')", ["build(at=8, place=8-9)"]),
        ("USE then\nactivate_core(color=Red)", ["activate_core(color=red)"]),
        ('{"action": "trade", "card": 5}', ["trade(card=5)"]),
        (
            'Well.\n[{"action": "move_fleet", "from": 8, "to": [9, 10]}]',
            ["move_fleet(from=8, to=9>10)"],
        ),
        ('```json\n{"action": "pass"}\n```', ["pass()"]),
    ],
)
def test_calls_are_read_from_the_end_of_a_reply(reply, calls):
    assert [str(call) for call in read_calls(reply)] == [str(call) for call in calls]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("", "the reply has no action; end it with one such as add_to_impulse(card=5) or pass()"),
        ("I pass.", "the reply has no action; end it with one such as"),
        ("trad(card=5)", "there is no action 'trad'; did you mean trade?"),
        ("zzqq()", "there is no action 'zzqq'; there are pass, choose_race, "),
        ("trade(5, 6)", "trade has at most 1 arguments: card"),
        ("trade(size=5)", "trade has no argument 'size'; it has card"),
        ("pass(card=5)", "pass has no argument 'card'; it has none"),
        ("trade(card=5, card=6)", "trade has its argument card twice"),
        ("trade(card=21)", "trade: card must be the number of a card, not '21'"),
        (
            "move_fleet(to=9>77)",
            "move_fleet: to must be a cell or a gate, or several in order, not '77'",
        ),
        ('{"action": "trade", "card": true}', "trade: card must be the number of a card, not True"),
        ("pass();" * 65, "the reply has 65 actions; at most 64 are allowed"),
    ],
)
def test_a_reply_that_cannot_be_read_is_refused_in_a_sentence(reply, message):
    with pytest.raises(ReplyError) as refused:
        read_calls(reply)
    assert str(refused.value).startswith(message)


def test_refusals_name_the_page_and_list_what_is_legal_only_if_they_may():
    game = before_the_impulse()
    with pytest.raises(ReplyError) as refused:
        parse(game, "pass()")
    legal = ", ".join(legal_calls(game))
    reason = (
        "pass(): is not possible in the decision add_impulse; every turn begins with a card from "
        "your hand for the Impulse (pp. 11-13)"
    )
    assert str(refused.value) == f"{reason}; legal: {legal}"
    with pytest.raises(ReplyError) as hidden:
        parse(game, "pass()", with_legal=False)
    assert str(hidden.value) == reason


def test_nothing_is_decided_after_the_end():
    game, choose = Game(players=2, seed=1, target_score=1), random_choice(1)
    while game.seat is not None:
        game.step(choose(game))
    assert legal_calls(game) == []
    with pytest.raises(ReplyError, match="the game is over"):
        parse(game, "pass()")


WORDS = [
    *SIGNATURES,
    "(",
    ")",
    "=",
    ">",
    ";",
    ",",
    "card",
    "to",
    "5",
    "8-9",
    "-1",
    "9" * 30,
    "{",
    "}",
]
WORDS += [
    "[",
    "]",
    '"',
    '"action":',
    "\n",
    "```",
    "None",
    "\x00",
    "🂡",
    "from",
    " ",
    "(card=",
    "1e9",
]


def malformed(rng, real):
    """A reply of random pieces of the language, or a real one with some of them inside."""
    pieces = "".join(rng.choices(WORDS, k=rng.randrange(1, 14)))
    if rng.random() < 0.5:
        return pieces
    text, place = rng.choice(real), rng.randrange(12)
    return text[:place] + pieces[: rng.randrange(3)] + text[place:]


def refuse_or_play(count):
    """Give malformed replies at the decisions of games; nothing but `ReplyError` may happen."""
    rng = random.Random(11)
    refused = played = seed = 0
    while True:
        seed += 1
        for game in games({"players": 3}, seeds=(seed,)):
            before, real = game.to_bytes(), list(said(game))
            for _ in range(40):
                try:
                    played += len(parse(game, malformed(rng, real)).actions) > 0
                except ReplyError as error:
                    refused += len(str(error).splitlines()) == 1
                if refused + played == count:
                    return refused, played
            assert game.to_bytes() == before


@pytest.mark.parametrize("count", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_malformed_replies_are_refused(count):
    refused, played = refuse_or_play(count)
    assert refused > count // 2
    assert played > count // 100
    assert refused + played == count
