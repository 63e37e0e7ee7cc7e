"""Where an agent gives its chances away is found in its games, and told on its card."""

import json
from dataclasses import replace

import pytest

from calibrated import REPORT, calibrated
from commands import impulse, refusal
from impulse_agents import checkpoints
from impulse_agents.network.agent import PolicyAgent
from impulse_training.evaluation import weaknesses
from impulse_training.evaluation.results import Evaluation, Row
from impulse_training.evaluation.weaknesses_report import Example, Weaknesses, WeaknessesError
from impulse_training.statistics.intervals import Share
from impulse_training.tournament.replay import record
from impulse_training.tournament.store import Store
from networks import untrained


def save(path, players=2):
    agent = untrained(players)
    if players == 2:
        # A card tells how good the chances are; without that it would play games to find out.
        calibrated(agent)
        agent.config["calibration"] |= REPORT.record
    agent.save(path)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a calibrated agent 2p, which stands for the one of the project."""
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    save(shipped / "2p.safetensors")
    monkeypatch.setattr(checkpoints, "FOLDER", shipped)
    monkeypatch.setattr(weaknesses, "_SECOND_OPINION", 8)
    weights = PolicyAgent.load(shipped / "2p.safetensors").weights_digest()
    row = Row("policy:2p", "miner", Share.of(20, 7, 10), 7.25, 0, 0, None)
    evaluation = Evaluation("2p", weights, 2, None, 0, "0.1.0", "impulse evaluate 2p", (row,))
    evaluation.write(tmp_path / "runs" / "evaluate-2p")
    monkeypatch.chdir(tmp_path)
    return shipped


def found(tmp_path, *words, checkpoint="2p"):
    options = ("--opponent", "miner", "--games", 6, "--workers", 1, "--out", tmp_path / "weak")
    assert impulse("agents", "weaknesses", checkpoint, *options, *words) == 0
    return Weaknesses.read(tmp_path / "weak")


def test_decisions_are_counted_and_lost_games_are_described(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(weaknesses, "_LEAST", -1.0)  # a network of no use finds few mistakes
    monkeypatch.setattr(weaknesses, "mark_of", lambda judged: "inaccuracy")
    told = found(tmp_path)
    assert (told.agent, told.opponent, told.games) == ("policy:2p", "miner", 6)
    assert 0 < told.lost <= 6
    assert all(row.mistakes <= row.decisions for row in told.kinds)
    assert [row.lost for row in told.kinds] == sorted((r.lost for r in told.kinds), reverse=True)
    assert len(told.examples) == min(3, told.lost)
    for number, example in enumerate(told.examples, 1):
        picture = tmp_path / "weak" / example.picture
        assert example.picture == f"lost-{number}.svg"
        assert picture.read_text().startswith("<svg")
        assert example.sentence() in capsys.readouterr().out or number > 1
    again = found(tmp_path)  # nothing is played again, and the same is found
    assert replace(again, command="") == replace(told, command="")


def test_every_lost_game_is_listed_once_by_a_mistake_that_the_search_does_not_make(
    folder, tmp_path, monkeypatch
):
    monkeypatch.setattr(weaknesses, "_LEAST", -1.0)
    monkeypatch.setattr(weaknesses, "mark_of", lambda judged: "inaccuracy")
    monkeypatch.setattr(weaknesses, "EXAMPLES", 100)
    told = found(tmp_path)
    assert len({example.game for example in told.examples}) == len(told.examples) == told.lost
    assert all(example.played != example.better for example in told.examples)


def test_the_agents_own_decisions_with_a_choice_are_counted_and_nobody_elses(folder, tmp_path):
    told = found(tmp_path)
    store = Store.read(tmp_path / "weak" / "games")
    own = 0
    for result in store.results():
        for game in record(store.settings, result).games():
            if game.seat is not None and result.agents[game.seat] == "policy:2p":
                own += len(game.legal_actions()) > 1
    assert sum(row.decisions for row in told.kinds) == own


def test_two_processes_find_the_same(folder, tmp_path):
    path = folder / "2p.safetensors"  # another process knows no other folder of shipped ones
    told = found(tmp_path, checkpoint=path)
    again = found(tmp_path, "--workers", 2, checkpoint=path)
    assert again.kinds == told.kinds


def test_a_card_shows_them_and_keeps_them(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(weaknesses, "_LEAST", -1.0)
    monkeypatch.setattr(weaknesses, "mark_of", lambda judged: "inaccuracy")
    told = found(tmp_path)
    assert impulse("agents", "model-card", "2p", "--lost-games", tmp_path / "weak") == 0
    card = (folder / "2p.md").read_text()
    section = card.partition("## Where it gives its chances away\n")[2].partition("\n## ")[0]
    assert f"{told.games} games against miner" in section
    for number, example in enumerate(told.examples, 1):
        assert example.sentence() in section
        assert f"![The position](2p.lost-{number}.svg)" in section
        assert (folder / f"2p.lost-{number}.svg").exists()
    assert card.index("## Where it gives") < card.index("## Known weaknesses")
    assert impulse("agents", "model-card", "2p") == 0
    assert section in (folder / "2p.md").read_text()


def test_those_of_another_agent_are_refused(folder, tmp_path, capsys):
    told = found(tmp_path)
    replace(told, weights="0" * 64).write(tmp_path / "weak")
    capsys.readouterr()
    assert impulse("agents", "model-card", "2p", "--lost-games", tmp_path / "weak") == 2
    assert "holds the weaknesses of another agent, whose weights have SHA-256 00000000" in refusal(
        capsys
    )
    assert not (folder / "2p.md").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kinds": 3}', '{"kinds": [], "examples": []}'])
def test_an_invalid_file_is_reported(tmp_path, text):
    (tmp_path / "weaknesses.json").write_text(text)
    with pytest.raises(WeaknessesError, match=r"weaknesses\.json cannot be read: .*agents weakn"):
        Weaknesses.read(tmp_path)


def test_what_was_written_is_read_as_it_was(tmp_path):
    example = Example(3, 7, 1, "reinforce", "a", 0.2, "b", 0.4, ["x", "y"], "lost-1.svg")
    told = Weaknesses(
        "policy:2p", "ab", "miner", 6, 2, (), (example,), "impulse agents weaknesses 2p"
    )
    told.write(tmp_path)
    assert Weaknesses.read(tmp_path) == told
    json.loads((tmp_path / "weaknesses.json").read_text())


def test_an_agent_that_is_not_calibrated_is_one_sentence(folder, capsys):
    save(folder / "3p.safetensors", players=3)
    assert impulse("agents", "weaknesses", "3p", "--games", 2) == 2
    assert "is not calibrated" in refusal(capsys)
