"""The pictures of what a network learned show what their tables say."""

import pandas as pd

from lab.networks import network_plots as plots
from lab.networks.network_tables import COUNTING, RAW, UNTRAINED


def estimates(index, **columns):
    found = pd.DataFrame({"mean": 0.5, "low": 0.4, "high": 0.7, "rows": 9}, index=index)
    return found.assign(**columns)


def test_legs_stand_where_they_end(axes):
    index = pd.MultiIndex.from_product([[0, 1, 3], list(plots.LOOKS)], names=["leg", "against"])
    curve = pd.DataFrame({"millions": [1.0, 2.0], "win/greedy": [0.2, 0.4]})
    plots.draw_training(axes, [curve], {0: 0.0, 1: 2.0, 3: 6.0}, estimates(index))
    labels = axes.get_legend_handles_labels()[1]
    assert labels == list(plots.LOOKS)
    assert axes.lines[0].get_ydata().tolist() == [20, 40]
    told = [(text.get_position()[0], text.get_text()) for text in axes.texts]
    assert told == [(1.0, "leg 1"), (4.0, "leg 3")]


def test_a_panel_has_every_network_and_both_heads(axes):
    sources = [
        *((RAW, ""), (UNTRAINED, "features"), ("leg 1", "features")),
        *(("leg 1", "policy"), ("leg 1", "value"), (COUNTING, "")),
    ]
    table = pd.DataFrame(sources, columns=["source", "layer"]).assign(
        concept="it", measure="AUC", value=0.7, low=0.6, high=0.8
    )
    plots.draw_probes([axes], table, ["it"])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "P", "V"]
    assert axes.get_title() == "it"
    assert [text.get_text() for text in axes.texts] == ["counting"]


def test_the_largest_parts_are_drawn_from_the_top(axes):
    found = estimates(["a", "b", "c"], mean=[0.1, 0.3, 0.2])
    plots.draw_parts(axes, found.assign(low=0, high=0.4), "k", most=2)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "c"]
    assert axes.yaxis_inverted()


def test_reliability_and_gaps_have_both_sets_of_games(axes):
    bins = {name: estimates([0, 1], expected=[0.2, 0.6]) for name in ("itself", "rules")}
    plots.draw_reliability(axes, bins)
    assert axes.get_legend_handles_labels()[1] == ["itself", "rules"]
    axes.clear()
    keys = [("itself", "round", "1"), ("itself", "lead", "0"), ("rules", "lead", "0")]
    index = pd.MultiIndex.from_tuples(keys, names=["games", "by", "group"])
    plots.draw_gaps(axes, estimates(index))
    assert [label.get_text() for label in axes.get_yticklabels()] == ["round: 1", "lead: 0"]
    assert axes.get_legend_handles_labels()[1] == ["itself", "rules"]


def test_a_second_look_tells_the_confirmed_apart(axes):
    found = pd.DataFrame(
        {
            "mean": [0.2, 0.1, 0.0],
            "again_mean": [0.1, 0.0, float("nan")],
            "again_low": [0.05, -0.1, float("nan")],
            "again_high": [0.15, 0.1, float("nan")],
        }
    )
    plots.draw_second_look(axes, found)
    assert axes.get_legend_handles_labels()[1] == ["confirmed", "not confirmed"]
