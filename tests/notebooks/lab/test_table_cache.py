"""A table is played once for the same question and the same agents."""

import pandas as pd
from lab.table_cache import kept

import impulse_agents


def test_the_same_question_is_played_once(tmp_path):
    greedy, played = impulse_agents.make("greedy"), []

    def play():
        played.append(1)
        return pd.DataFrame({"deal": [1, 2], "won": [True, False], "race": ["ariek", "x"]})

    first = kept("who", play, [greedy], tmp_path, games=2)
    again = kept("who", play, [greedy], tmp_path, games=2)
    assert len(played) == 1
    assert first.equals(again)
    assert first.equals(play())
    kept("who", play, [greedy], tmp_path, games=3)
    kept("who", play, [impulse_agents.make("warrior")], tmp_path, games=2)
    assert len(list(tmp_path.iterdir())) == 3


def test_what_breaks_off_leaves_no_table(tmp_path):
    def play():
        raise KeyboardInterrupt

    try:
        kept("who", play, [], tmp_path)
    except KeyboardInterrupt:
        assert not list(tmp_path.glob("who-*"))
