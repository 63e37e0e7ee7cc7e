"""Tables of games are played once, in parts, and read afterwards."""

import numpy as np
import pandas as pd
import pytest

from lab.kept_points import KeptTables
from lab.point_tables import mirrored


def test_kept_tables_are_read_where_the_same_is_asked_for_again(tmp_path, monkeypatch):
    monkeypatch.setattr("lab.kept_points.PART", 3)
    kept, deals = KeptTables(tmp_path), np.arange(4)
    first = kept.against("greedy", "core_rush", deals, uncounted=["trade"])
    other = kept.mirrored("greedy", deals)
    by_seat = ["deal", "seat"]
    played = mirrored("greedy", deals).sort_values(by_seat, ignore_index=True)
    pd.testing.assert_frame_equal(other.sort_values(by_seat, ignore_index=True), played)
    monkeypatch.setattr("lab.point_tables._played", None)
    again = kept.against("greedy", "core_rush", deals, uncounted=["trade"])
    pd.testing.assert_frame_equal(first, again)
    with pytest.raises(TypeError):
        kept.against("greedy", "core_rush", deals, uncounted=["refine"])
