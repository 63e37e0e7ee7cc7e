"""Nothing that a seat may not know is on the wire to it."""

import asyncio
import json
import re

import numpy as np
import pytest
from serving import serving

from agents.browser import shown
from agents.browser.protocol import NewTable
from agents.browser.table import Table
from impulse_env.actions import name_of
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.constants import FACES
from impulse_env.render import as_seen

TABLES = [
    {"seats": ["person", "person"]},
    {"seats": ["person", "person", "greedy"], "races": "draft"},
    {"seats": ["person"] * 4, "teams": 2},
    {"seats": ["person", "random", "person", "random", "random", "random"], "teams": 3},
]
_MENTIONED = re.compile(r"\bcard (\d+)\b|#(?:card|face|chip)-(\d+)")
_FIELDS = ("hand", "known", "plan", "techs", "impulse", "table", "cell_card", "laid")


def random_action(game, rng):
    legal = game.legal_actions()
    return game.name(legal[int(rng.integers(len(legal)))])


def faces_in(view):
    """The faces that can be seen in a view, by the name of their action."""
    seen = {int(face) for field in _FIELDS for face in view[field].ravel()}
    for field in ("discard", "minerals"):
        counts = view[field].reshape(-1, FACES).sum(0)
        seen |= {int(face) for face in np.flatnonzero(counts)}
    return {name_of(CARD_0 + face) for face in seen if 0 <= face < FACES}


def faces_told(message):
    """The faces that a message names, but for the drawing of every card there is."""
    told = {key: value for key, value in message.items() if key != "parts"}
    parts = message.get("parts", {})
    drawn = [part for name, part in parts.items() if name not in ("cards", "symbols")]
    found = _MENTIONED.findall(json.dumps([told, drawn]))
    return {f"card {one or other}" for one, other in found}


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_messages_of_a_whole_game(options, tmp_path):
    """Persons play at random; every message to each page names only what its seat has seen."""

    async def game():
        rng = np.random.default_rng(1)
        async with serving(tmp_path) as browser:
            name, tokens = await browser.new(*options["seats"], seed=7, **without_seats(options))
            async with asyncio.TaskGroup() as tasks:
                played = [
                    tasks.create_task(one(browser, name, tokens, seat, rng))
                    for seat in (None, *tokens)
                ]
            return [task.result() for task in played]

    def without_seats(options):
        return {key: value for key, value in options.items() if key != "seats"}

    async def one(browser, name, tokens, seat, rng):
        own = () if seat is None else (tokens[seat],)
        async with browser.page(name, *own) as page:
            await page.say({"type": "pace", "seconds": 0})
            room = browser.room(name)
            seen = faces_in(as_seen(room.table.game.state, seat))
            while True:
                message = await page.hear()
                assert message is not None
                # Since the message was made the game may have gone on: that shows more, not less.
                seen |= watched(room.table, seat)
                assert faces_told(message) <= seen
                if message.get("over"):
                    break
                if message.get("options"):
                    await page.act(message, random_action_of(message, rng))
            secrets = [token for other, token in tokens.items() if other != seat]
            secrets += [str(room.table.kept.seed) + ",", str(room.table.kept.chance)]
            wire = "".join(page.raw)
            return seat, len(page.heard), [secret for secret in secrets[:-2] if secret in wire]

    def random_action_of(message, rng):
        return message["options"][int(rng.integers(len(message["options"])))]["action"]

    views = {}

    def watched(table, seat):
        """Every face that the seat has seen up to now, step by step."""
        kept, found = views.setdefault(seat, (None, set()))
        if kept is None:
            kept = Table(table.kept.model_copy(update={"actions": []}))
        while kept.step < table.step:
            kept.act(table.kept.actions[kept.step])
            found |= faces_in(as_seen(kept.game.state, seat))
        views[seat] = kept, found
        return found

    for seat, messages, leaked in asyncio.run(game()):
        assert messages > 50, f"seat {seat} heard too little to tell"
        assert not leaked


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_messages_depend_on_nothing_hidden(options):
    """What a page is told is the same in every game that looks the same to its seat."""
    rng = np.random.default_rng(2)
    table = Table.laid(NewTable(seed=3, **options))
    compared = 0
    while not table.game.is_over and table.step < 400:
        table.act(random_action(table.game, rng))
        if table.step % 7:
            continue
        game = table.game
        for seat in range(game.players):
            if game.is_over:
                break
            told = json.dumps([shown.standing(table, seat), shown.parts(table, seat)])
            table.game = game.determinize(seat, rng)
            assert json.dumps([shown.standing(table, seat), shown.parts(table, seat)]) == told
            compared += table.game != game
            table.game = game
    assert compared > 50


def test_spectators_are_told_what_every_seat_may_know():
    table = Table.laid(NewTable(seed=3, seats=["person", "person"]))
    rng = np.random.default_rng(0)
    for _ in range(60):
        table.act(random_action(table.game, rng))
        told = json.dumps([shown.standing(table, None), shown.parts(table, None)])
        game = table.game
        # Each draw keeps the hand of one seat: between them every hidden card moves.
        for seat in (0, 1):
            table.game = game.determinize(seat, rng)
            assert json.dumps([shown.standing(table, None), shown.parts(table, None)]) == told
            table.game = game


def test_a_card_laid_face_down_is_told_to_nobody_else():
    """In battles: whichever card is laid, others read the same until it is revealed."""
    battles = 0
    for seed in range(40):
        table = Table.laid(NewTable(seed=seed, seats=["person", "person", "person"]))
        rng = np.random.default_rng(seed)
        while not table.game.is_over and battles < 10:
            game = table.game
            cards = [a for a in map(game.name, game.legal_actions()) if a.startswith("card")]
            if game.decision.kind == "reinforce" and len(cards) > 1:
                entries = []
                for card in cards[:2]:
                    other = Table(table.kept.model_copy(deep=True))
                    other.act(card)
                    if other.game.state["battle_gate"] >= 0:
                        entries.append((other.journal[-1], card))
                if len(entries) == 2:
                    battles += 1
                    (one, first), (two, second) = entries
                    for by in (None, *range(3)):
                        same = one.seen(by) == two.seen(by)
                        assert same == (by != game.seat)
                    assert first in one.events[game.seat][0].text
                    assert second in two.events[game.seat][0].text
            table.act(random_action(game, rng))
        if battles >= 10:
            return
    raise AssertionError(f"only {battles} battles were found")
