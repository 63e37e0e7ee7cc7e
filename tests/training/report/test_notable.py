"""Games worth a look: which they are, why, and their pages with an analysis."""

import re
from dataclasses import replace

import pytest

from commands import impulse, refusal
from impulse_training.report.notable import MOST, notable
from impulse_training.statistics.summary import summarise
from simulated import failed_game, game, truncated_game

SHORT = ("--target-score", "4", "--max-turns", "20", "--workers", "1")


def chosen(results):
    return {one.why: one.result.game for one in notable(results, summarise(results, None))}


def scored(number, agents, winner, scores, turns):
    return replace(game(number, agents, [winner], turns=turns), scores=list(scores))


def test_they_are_the_extremes_and_a_loss_of_each_agent():
    strong = [scored(n, ["strong", "weak"], 0, (20, 9), 30) for n in range(8)]
    results = [
        *strong,
        scored(8, ["weak", "strong"], 0, (20, 12), 31),
        scored(9, ["strong", "weak"], 0, (20, 19), 32),
        scored(10, ["strong", "weak"], 0, (20, 0), 33),
        scored(11, ["strong", "weak"], 0, (20, 8), 60),
        scored(12, ["strong", "weak"], 0, (20, 7), 10),
        failed_game(13, ["strong", "weak"], 0),
        truncated_game(14, ["strong", "weak"]),
    ]
    expected = {
        "the greatest upset: weak won": 8,
        "the closest: by 1 point": 9,
        "the most one-sided: by 20 points": 10,
        "the longest: 60 turns": 11,
        "the shortest: 10 turns": 12,
        "weak lost to strong": 0,
    }
    assert chosen(results) == expected
    assert chosen(results[::-1]) == expected


def test_each_is_listed_once_and_there_are_not_too_many():
    one = scored(3, ["a", "b"], 1, (5, 20), 40)
    assert len(notable([one], summarise([one], None))) == 1
    names = [f"agent {number}" for number in range(40)]
    many = [
        scored(number, [names[number], names[(number + 1) % 40]], 0, (20, number % 20), number + 9)
        for number in range(40)
    ]
    found = notable(many, summarise(many, None))
    assert len(found) == MOST
    assert len({one.result.game for one in found}) == MOST


def test_without_a_winner_there_is_nothing_to_look_at():
    results = [truncated_game(0, ["a", "b"]), failed_game(1, ["a", "b"], 1)]
    assert notable(results, summarise(results, None)) == []


@pytest.mark.slow
def test_their_pages_are_analysed_and_linked_and_are_kept(tmp_path, capsys):
    arguments = ("--agents", "random", "greedy", "--games", "8", *SHORT, "--out", tmp_path)
    assert impulse("tournament", *arguments, "--replays", "all") == 0
    plain = set((tmp_path / "replays").iterdir())
    assert len(plain) == 8
    analysed = ("--replays", "notable", "--analyse", "policy:2p", "--workers", "1")
    assert impulse("tournament", "report", tmp_path, *analysed) == 0
    made = set((tmp_path / "replays").iterdir()) - plain
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    worth = page.partition("Games worth a look")[2].partition("Pages of games")[0]
    links = re.findall(r'<a href="([^"]*)">', worth)
    assert {tmp_path / link for link in links} == made
    assert 1 <= len(made) <= 6
    when = {path: path.stat().st_mtime_ns for path in made}
    assert impulse("tournament", "report", tmp_path, *analysed) == 0
    assert {path: path.stat().st_mtime_ns for path in made} == when


def test_an_agent_that_cannot_analyse_is_reported_before_a_game_is_played(tmp_path, capsys):
    out = tmp_path / "never"
    arguments = ("--agents", "random", "greedy", "--games", "2", *SHORT, "--out", out)
    assert impulse("tournament", *arguments, "--replays", "all", "--analyse", "greedy") == 2
    assert "greedy has no network that says how likely a side is to win" in refusal(capsys)
    assert impulse("tournament", *arguments, "--replays", "all", "--analyse", "policy:3p") == 2
    assert "policy:3p was trained for 3 players" in refusal(capsys)
    assert not out.exists()
