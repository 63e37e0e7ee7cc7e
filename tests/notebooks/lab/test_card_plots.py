"""Cards are shown as they are printed, and with what they are worth."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from impulse_env import analysis
from lab import card_plots
from lab.factor_effects import Effects

CARDS = analysis.cards().card


@pytest.fixture
def effects():
    rng = np.random.default_rng(0)
    values = np.linspace(-0.1, 0.1, len(CARDS))
    draws = values + 0.01 * rng.normal(size=(200, len(CARDS)))
    return Effects(pd.Index(CARDS), values, draws, np.full(len(CARDS), 50))


def test_cards_are_drawn_as_they_are_printed():
    drawn = card_plots.printed({"Best & first": [75, 98], "Worst": [15]}).data
    assert "Best &amp; first" in drawn
    for number in (15, 75, 98):
        assert f'href="#card-{number}"' in drawn
        assert f'id="card-{number}"' in drawn


def test_a_card_is_named_by_number_type_and_icons():
    assert card_plots.name_of_card(75) == "#75 Command •••"
    assert set(analysis.cards().type) == set(card_plots.LOOKS)


def test_all_cards_are_ranked_with_intervals(effects):
    shown = card_plots.ranking({"start": effects, "again": effects}).data
    assert shown.count("<tr>") == len(CARDS)
    assert shown.index(f"<td>#{CARDS.iloc[-1]}</td>") < shown.index("yes") < shown.index("-10.0 [")
    assert "+10.0 [" in shown


def test_every_card_has_its_mark(effects):
    figure = Figure()
    columns = figure.subplots(1, 2)
    card_plots.draw_worths(columns, effects)
    names = [label.get_text() for axes in columns for label in axes.get_yticklabels()]
    assert len(names) == len(CARDS)
    assert names[0] == card_plots.name_of_card(CARDS.iloc[-1])
    axes = Figure().subplots()
    card_plots.draw_against(axes, effects, effects)
    assert len(axes.get_legend_handles_labels()[1]) == len(card_plots.LOOKS)
