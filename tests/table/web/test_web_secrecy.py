"""Nothing that a seat may not know is on the wire to it."""

import asyncio
import json
import re

import numpy as np
import pytest
from msgspec.structs import replace

from impulse_env.actions import name_of
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.constants import FACES
from impulse_env.game import Game
from impulse_env.information import as_seen
from impulse_table.sessions import client_view
from impulse_table.tables import journal
from impulse_table.tables.protocol import NewTable
from impulse_table.tables.table import Table
from serving import serving

TABLES = [
    {"seats": ["person", "person"], "target_score": 10},
    {"seats": ["person", "person", "greedy"], "races": "draft", "target_score": 8},
    {"seats": ["person"] * 4, "team_size": 2, "target_score": 5},
    {"seats": ["person", *["greedy"] * 3, "person", "greedy"], "team_size": 3, "target_score": 6},
]
SEED = 7_000_000_000_001
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


@pytest.mark.parametrize(
    "options",
    [*TABLES[:2], *(pytest.param(more, marks=pytest.mark.slow) for more in TABLES[2:])],
    ids=str,
)
def test_messages_of_a_whole_game(options, tmp_path, workers):
    """Persons play at random; every message to each page names only what its seat has seen."""

    async def game():
        rng = np.random.default_rng(1)
        async with serving(tmp_path, workers) as browser:
            name, tokens = await browser.new(*seats, seed=SEED, **more)
            async with asyncio.TaskGroup() as tasks:
                played = [
                    tasks.create_task(one(browser, name, tokens, seat, rng))
                    for seat in (None, *tokens)
                ]
            return [task.result() for task in played]

    seats, more = options["seats"], {key: options[key] for key in options.keys() - {"seats"}}

    async def one(browser, name, tokens, seat, rng):
        own = () if seat is None else (tokens[seat],)
        async with browser.page(name, *own) as page:
            await page.say({"type": "pace", "seconds": 0})
            session = await browser.room(name)
            seen = faces_in(as_seen(session.table.game.state, seat))
            while True:
                message = await page.hear()
                assert message is not None
                # Since the message was made the game may have gone on: that shows more, not less.
                seen |= watched(session.table, seat)
                assert faces_told(message) <= seen
                if message.get("over"):
                    break
                if message.get("options"):
                    await page.act(message, random_action_of(message, rng))
            secrets = [token for other, token in tokens.items() if other != seat]
            secrets += [str(SEED), str(session.table.saved.agent_seed)]
            wire = "".join(page.raw)
            return seat, len(page.heard), [secret for secret in secrets if secret in wire]

    def random_action_of(message, rng):
        return message["options"][int(rng.integers(len(message["options"])))]["action"]

    views = {}

    def watched(table, seat):
        """Every face that the seat has seen up to now, step by step."""
        kept, found = views.setdefault(seat, (None, set()))
        if kept is None:
            kept = Table(replace(table.saved, actions=[]))
        while kept.step < table.step:
            kept.act(table.saved.actions[kept.step])
            found |= faces_in(as_seen(kept.game.state, seat))
        views[seat] = kept, found
        return found

    for seat, messages, leaked in asyncio.run(game()):
        assert messages > 20, f"seat {seat} heard too little to tell"
        assert not leaked


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_messages_depend_on_nothing_hidden(options):
    """What a page is told is the same in every game that looks the same to its seat."""
    rng = np.random.default_rng(2)
    table = Table.create(NewTable(seed=SEED, **options))
    compared = 0
    while not table.game.is_over and table.step < 150:
        table.act(random_action(table.game, rng))
        if table.step % 5:
            continue
        game = table.game
        for seat in range(game.players):
            if game.is_over:
                break
            told = json.dumps([client_view.position(table, seat), client_view.parts(table, seat)])
            table.game = game.determinize(seat, rng)
            assert (
                json.dumps([client_view.position(table, seat), client_view.parts(table, seat)])
                == told
            )
            compared += table.game != game
            table.game = game
    assert compared > 15


def test_spectators_get_the_information_of_every_seat():
    table = Table.create(NewTable(seed=3, seats=["person", "person"]))
    rng = np.random.default_rng(0)
    for _ in range(60):
        table.act(random_action(table.game, rng))
        told = json.dumps([client_view.position(table, None), client_view.parts(table, None)])
        game = table.game
        # Each draw keeps the hand of one seat: between them every hidden card moves.
        for seat in (0, 1):
            table.game = game.determinize(seat, rng)
            assert (
                json.dumps([client_view.position(table, None), client_view.parts(table, None)])
                == told
            )
            table.game = game


def test_a_card_laid_face_down_is_sent_to_nobody_else():
    """In battles: whichever card is laid, others read the same until it is revealed."""
    viewers = (None, 0, 1, 2)
    rng = np.random.default_rng(0)
    battles = seed = 0
    while battles < 5:
        game = Game(3, seed)
        seed += 1
        while not game.is_over and game.turn < 60:
            legal = game.legal_actions()
            if game.decision.kind == "reinforce" and len(legal) > 2:
                one, two = (game.copy(), game.copy())
                entries = [
                    journal.take(copy, action, 0, viewers)
                    for copy, action in zip((one, two), legal[1:3], strict=True)
                ]
                if one.state["battle_gate"] >= 0 and two.state["battle_gate"] >= 0:
                    battles += 1
                    for by in viewers:
                        is_told = entries[0].seen_by(by) != entries[1].seen_by(by)
                        assert is_told == (by == game.seat)
            game.step(legal[int(rng.integers(len(legal)))])
