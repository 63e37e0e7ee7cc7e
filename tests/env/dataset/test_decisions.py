"""The arrays of recorded games hold what the seats saw, might do, did, and got for it."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from impulse_env import dataset, observation
from impulse_env.environments.rewards import score_margins, win_rewards
from impulse_env.errors import RecordError
from impulse_env.frame import own_frame
from impulse_env.options import OptionError
from impulse_env.outcomes import STOPPED
from impulse_env.records.recorded_games import records
from replayed import TABLES, play, record

SEATS = np.arange(6)


def paid(game, seat):
    """What the game pays a seat if it ends like this, and its lead in points."""
    states, seats = np.array([game.state]), SEATS[seat : seat + 1]
    return win_rewards(states, seats)[0], score_margins(states, seats)[0]


@pytest.mark.parametrize("index", range(len(TABLES)))
def test_a_row_is_what_the_game_shows_asks_and_pays(index):
    """Against the same game, played step by step."""
    recorded = record(index)
    found = dataset.decisions([play(index)])
    assert len(found.actions) == len(recorded.moves)
    *games, last = (game.copy() for game in recorded.games())
    for row, (game, move) in enumerate(zip(games, recorded.moves, strict=True)):
        to_own = own_frame(game.players)[game.seat]
        assert found.seats[row] == game.seat
        assert (found.observations[row] == observation.observe(game, game.seat)).all()
        assert (found.masks[row][to_own] == game.legal_mask()).all()
        assert found.actions[row] == to_own[game.action(move.action)]
        won, lead = paid(last, game.seat)
        assert found.wins[row] == won
        assert found.score_returns[row] == pytest.approx(lead - paid(game, game.seat)[1])
    assert (found.returns("win") == found.wins).all()
    assert (found.returns("score") == found.wins + found.score_returns).all()


def test_games_stay_in_their_order_however_many_are_read_at_once():
    plays = [play(0, seed) for seed in range(5)]
    whole = dataset.decisions(plays)
    assert whole.games.tolist() == sorted(whole.games.tolist())
    lengths = [len(played.actions) for played in plays]
    assert np.bincount(whole.games).tolist() == lengths
    parts = list(dataset.stream(plays, games=2))
    assert [len(np.unique(part.games)) for part in parts] == [2, 2, 1]
    for one, other in zip(whole, dataset.Decisions.joined(parts), strict=True):
        assert (one == other).all()


def test_the_decisions_of_one_agent_are_those_of_its_seats():
    plays = [play(1, seed) for seed in range(3)]
    whole, some = dataset.decisions(plays), dataset.decisions(plays, agents={"agent 1"})
    rows = whole.seats == 1  # of three seats, the others are those of "agent 0"
    for all_of_them, those in zip(whole, some, strict=True):
        assert (all_of_them[rows] == those).all()
    with pytest.raises(OptionError, match="there is no decision of nobody in games"):
        dataset.decisions(plays, agents={"nobody"})


def test_a_game_that_was_left_is_passed_over():
    left = replace(play(0), end=STOPPED)
    found = dataset.decisions([left, play(0, 3)])
    assert set(found.games) == {0}
    assert len(found.actions) == len(play(0, 3).actions)


def test_games_of_different_sizes_are_refused():
    with pytest.raises(RecordError, match="game 1: this game has 3 players, earlier games have 2"):
        dataset.decisions([play(0), play(1)])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"actions": np.array([179])}, "game 0: decision 0 is 'copy 5', which is illegal; legal"),
        ({"actions": np.array([400])}, "game 0: decision 0 is 'action 400', which is illegal"),
        ({"scores": (1, 2)}, r"game 0: the game ends with points .*; recorded are \(1, 2\)"),
        ({"end": "truncation"}, "game 0: the game ends as 'score'; recorded are 'truncation'"),
        ({"winners": ()}, r"game 0: the game ends with winners \[\d\]; recorded are \[\]"),
    ],
    ids=["illegal", "unknown", "points", "end", "winners"],
)
def test_a_record_that_does_not_replay_is_reported(change, told):
    with pytest.raises(RecordError, match=told):
        dataset.decisions([replace(play(0), **change)])


def test_games_that_are_skimmed_give_the_same_as_those_that_are_played(tmp_path):
    for seed in range(3):
        record(0, seed).save(tmp_path / f"{seed}.jsonl")
    once, again = (dataset.decisions(records(tmp_path, played=way)) for way in (False, True))
    for one, other in zip(once, again, strict=True):
        assert (one == other).all()


def test_arrays_need_no_library_of_tables():
    script = (
        "import impulse_env.dataset, sys; sys.exit(bool({'pandas', 'minari'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
