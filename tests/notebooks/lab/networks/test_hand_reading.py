"""What a reader of hands is told is what the seat may know, and its losses are log-losses."""

import numpy as np
import pandas as pd
import pytest
import torch

import impulse_agents
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.engine.constants import FACES
from impulse_env.observation import section
from lab.networks import hand_reading
from lab.networks.hand_reading import READERS, Hands, Reader, by_counting, collect, compared, losses

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")


@pytest.fixture(scope="module")
def hands():
    return collect(impulse_agents.make("policy:2p"), 40, 3, seed=1)


def test_changes_lead_from_view_to_view(hands):
    """Views at decisions of one game that follow each other differ by the first change."""
    assert hands.changes.shape == (len(hands.views), 3, hands.views.shape[1])
    assert set(np.unique(hands.deciders)) <= {-1, 0, 1}
    assert len(np.unique(hands.games)) > 20
    before = hands.views.astype(np.int64) - hands.changes[:, 0]
    assert (before >= 0).all()
    assert (hands.changes[hands.deciders == 0] == 0).all()
    assert hands.changes[hands.deciders != 0].any(axis=1).mean() > 0.9


def test_no_hidden_card_is_one_that_the_seat_has_seen(hands):
    unseen = section(hands.views, "unseen", 2)
    assert hands.hidden.any(axis=1).all()
    assert (hands.hidden <= unseen).all()


def test_one_who_counts_is_as_good_as_the_counts_say():
    """Three unseen cards of one face and one of another: 3/4 and 1/4."""
    hands = collect(impulse_agents.make("policy:2p"), 2, 1, seed=2)
    views = np.zeros((1, hands.views.shape[1]), np.uint8)
    unseen = section(views, "unseen", 2)
    unseen[0, :2] = 3, 1
    assert views.sum() == 4
    hidden = np.zeros((1, FACES), np.int8)
    hidden[0, 0], hidden[0, 1] = 2, 1
    one = Hands(
        np.zeros(1, np.int64), views, np.zeros((1, 1, 2), np.int8), np.zeros((1, 1)), hidden
    )
    found = losses(by_counting(one, np.arange(1)).log_softmax(1), one, np.arange(1))
    assert found.item() == pytest.approx(-(2 * np.log(3 / 4) + np.log(1 / 4)) / 3, rel=1e-5)


@pytest.mark.parametrize("sees", READERS.values(), ids=READERS)
def test_an_untrained_reader_counts(hands, sees):
    torch.manual_seed(1)
    rows = np.arange(20)
    found = Reader(hands, *sees).eval()(hands, rows)
    assert torch.allclose(found, by_counting(hands, rows).log_softmax(1), atol=1e-5)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_reads_what_it_is_told(hands, name, monkeypatch):
    """One feature tells which of two cards it is; who does not read it loses log 2 at least."""
    told = np.arange(len(hands.views)) % 2 == 0
    views, changes, hidden = map(np.zeros_like, (hands.views, hands.changes, hands.hidden))
    section(views, "unseen", 2)[:] = 1
    views[:, 0], changes[:, 0, 0] = told, told
    hidden[np.arange(len(told)), np.where(told, 0, FACES - 1)] = 1
    many = Hands(np.arange(len(told)), views, changes, hands.deciders, hidden)
    monkeypatch.setattr(hand_reading, "EPOCHS", 100)
    monkeypatch.setattr(hand_reading, "_RATE", 3e-3)
    monkeypatch.setattr(hand_reading, "READERS", {name: READERS[name]})
    assert compared(many, seed=1)[name].mean() < np.log(2) / 2


def test_games_are_learned_from_or_judged(hands):
    table = compared(hands, seed=1)
    assert isinstance(table, pd.DataFrame)
    assert set(table.columns) == {"game", "hidden", "counting", *READERS}
    assert (table.game % 10 > 6).all()
    assert (table.hidden > 0).all()
    assert np.isfinite(table.to_numpy()).all()
