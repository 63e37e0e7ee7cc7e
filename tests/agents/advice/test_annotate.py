"""What agents think of decisions: from what the seat knew, of legal actions, repeatable."""

import math
from dataclasses import replace

import numpy as np
import pytest

import impulse_agents
from calibrated import calibrated
from commands import impulse, refusal
from impulse_agents import registry
from impulse_agents.advice import annotate
from impulse_agents.base import Advice, AgentError, ObservationBatch, Suggestion
from impulse_env.frame import absolute_frame
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.reader import parse, read
from impulse_env.records.record import Annotation, Header, Move, Record, Result, SeatedAgent
from networks import NETWORK, untrained


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    path = tmp_path_factory.mktemp("policies") / "tiny.safetensors"
    calibrated(untrained(3, NETWORK)).save(path)
    return f"policy:{path}"


def game_of(names, decisions=60):
    """A record of some decisions of a game of three."""
    playing = [impulse_agents.make(name) for name in names]
    game, rng = Game(players=3, seed=5), np.random.default_rng(1)
    record = Record(Header(Options(3), tuple(map(SeatedAgent, names)), seed=5))
    for _ in range(decisions):
        action = game.name(playing[game.seat].act_in_game(game, rng))
        record.moves.append(Move(game.seat, action, Annotation(seconds=0.25)))
        game.step(action)
    record.result = Result.of(game)
    return record


def test_trained_agents_say_what_they_thought_of_their_own_decisions(checkpoint):
    record = game_of(["greedy", checkpoint, "random"])
    noted = annotate.annotated(record)
    assert parse(noted.text()) == noted, "all that is said is of legal actions"
    agent = impulse_agents.make(checkpoint)
    own = 0
    for before, move, game in zip(record.moves, noted.moves, record.games(), strict=False):
        assert (move.seat, move.action) == (before.seat, before.action)
        if move.seat != 1:
            assert move == before
            continue
        own += 1
        note = move.note
        assert (note.by, note.seconds) == ("", 0.25)
        assert math.isclose(sum(note.probabilities.values()), 1, abs_tol=0.01)
        assert max(note.probabilities, key=note.probabilities.get) == move.action
        seen = ObservationBatch.from_game(game)
        logits, values = agent.evaluate(seen.observations)
        wins = agent.win_probabilities(values, seen.views, seen.seats)
        assert note.wins == pytest.approx(float(wins[0]), abs=1e-4)
        legal = np.flatnonzero(seen.masks[0])
        shares = np.exp(logits[0, legal]) / np.exp(logits[0, legal]).sum()
        names = [game.name(int(a)) for a in absolute_frame(3)[1, legal]]
        for name, share in zip(names, shares, strict=True):
            assert note.probabilities.get(name, 0.0) == pytest.approx(float(share), abs=6e-4)
    assert own > 5


def test_what_is_hidden_changes_no_thought(checkpoint):
    record = game_of(["greedy", "greedy", "greedy"], 80)
    agent, rng = impulse_agents.make(checkpoint), np.random.default_rng(0)
    for game in record.games():
        if game.seat is not None:
            other = game.determinize(game.seat, rng)
            assert other != game
            assert annotate.note_of(agent, game, rng) == annotate.note_of(agent, other, rng)


def test_another_agent_may_be_asked_about_everything():
    record = game_of(["greedy", "random", "random"], 12)
    noted = annotate.annotated(record, "ismcts:30", seed=2)
    assert noted == annotate.annotated(record, "ismcts:30", seed=2)
    for move in noted.moves:
        assert move.note.by == "ismcts:30"
        assert move.note.wins is None
        assert sum(move.note.probabilities.values()) == pytest.approx(1, abs=0.01)


class Undecided(impulse_agents.Agent):
    """Somebody else's policy: every legal action is as probable as another."""

    name = "undecided"
    gives_probabilities = True

    def act(self, seen, streams):
        return seen.masks.argmax(axis=1)

    def advise(self, seen, streams, count=3):
        legal = np.flatnonzero(seen.masks[0])[:count]
        share = 1 / seen.masks[0].sum()
        names = [seen.action_name(0, action) for action in legal]
        return Advice(self.name, tuple(Suggestion(name, share) for name in names), 0.25)


def test_policies_of_other_authors_say_what_they_thought(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", {"undecided": Undecided})
    record = game_of(["undecided", "greedy", "random"], 30)
    noted = annotate.annotated(record)
    for move, game in zip(noted.moves, record.games(), strict=False):
        if move.seat != 0:
            assert move.note == Annotation(seconds=0.25)
            continue
        assert move.note.wins == 0.25
        assert set(move.note.probabilities) == set(map(game.name, game.legal_actions()))
        assert set(move.note.probabilities.values()) == {round(1 / len(game.legal_actions()), 4)}


@pytest.mark.parametrize("name", ["{}:Agent", "cmd:./there_is_no_such_program", "cmd:{}"])
def test_code_that_a_record_names_is_not_loaded(name, tmp_path):
    code = tmp_path / "theirs.py"
    code.write_text("raise SystemExit('this code was run')")
    record = game_of(["greedy", "random", "random"], 3)
    names = (name.format(code), "human", "random")
    record = replace(record, header=replace(record.header, agents=tuple(map(SeatedAgent, names))))
    with pytest.raises(AgentError, match="no player of this game gives probabilities"):
        annotate.annotated(record)


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (None, "no player of this game gives probabilities: greedy, random, random; name an"),
        ("warrior", "warrior gives no probabilities: name a policy or a search"),
        ("clever", "unknown agent 'clever'"),
    ],
)
def test_who_has_nothing_to_say_is_named(by, message):
    with pytest.raises(AgentError, match=message):
        annotate.annotated(game_of(["greedy", "random", "random"], 3), by)


def test_the_command_writes_into_the_record_or_beside_it(tmp_path, checkpoint, capsys):
    path, beside = tmp_path / "game.jsonl", tmp_path / "noted.jsonl"
    record = game_of([checkpoint, "random", "random"], 8)
    record.save(path)
    assert impulse("games", "annotate", path, "--out", beside) == 0
    assert read(path) == record
    assert read(beside) == annotate.annotated(record)
    assert impulse("games", "annotate", path) == 0
    assert path.read_text() == beside.read_text()
    assert capsys.readouterr().out == f"{beside}\n{path}\n"
    assert impulse("games", "annotate", tmp_path / "none.jsonl") == 2
    assert "No such file" in refusal(capsys)
    assert impulse("games", "annotate", path, "--by", "clever") == 2
    assert "unknown agent 'clever'" in refusal(capsys)
