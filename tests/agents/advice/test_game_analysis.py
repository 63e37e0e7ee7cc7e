"""How well a game was played: fair worlds, means over them, and what a page needs."""

import numpy as np
import pytest

import impulse_agents
from calibrated import calibrated
from commands import impulse, refusal
from impulse_agents.advice import regret
from impulse_agents.advice.game_analysis import analysed, judged_decisions
from impulse_agents.advice.regret import chances_of
from impulse_agents.base import AgentError
from impulse_agents.luck.corrections import luck_of
from impulse_agents.luck.game_log import Played
from impulse_agents.luck.values import NetworkValues
from impulse_env.engine.constants import RUNNING
from impulse_env.observation import observe
from impulse_env.records.record import Header, Record
from impulse_env.replay.analysis import Analysis, mark_of
from networks import NETWORK, untrained
from recorded import random_game


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    path = tmp_path_factory.mktemp("policies") / "tiny.safetensors"
    calibrated(untrained(2, NETWORK)).save(path)
    return f"policy:{path}"


def test_every_choice_of_every_decision_is_judged(checkpoint):
    record, _ = random_game()
    found = analysed(record, checkpoint, worlds=3)
    agent = impulse_agents.make(checkpoint)
    for move, game, judged, wins in zip(
        record.moves, record.games(), found.judged, found.wins, strict=False
    ):
        seen = observe(game, game.seat)[None]
        states, seats = game.state.reshape(1), np.array([game.seat])
        own = agent.win_probabilities(agent.evaluate(seen)[1], states, seats)
        assert wins == pytest.approx(float(own[0]), abs=1e-5)
        names = [game.name(action) for action in game.legal_actions()]
        if len(names) == 1:
            assert judged is None
            continue
        assert list(judged.chances) == names
        assert all(0 <= chance <= 1 for chance in judged.chances.values())
        assert judged.best == max(judged.chances, key=judged.chances.get)
        lost = judged.chances[judged.best] - judged.chances[move.action]
        assert judged.loss == pytest.approx(lost, abs=1e-5)
        assert bool(judged.line) == bool(mark_of(judged))
    events = luck_of(Played.of_records([record]), NetworkValues(agent))
    for number, luck in enumerate(found.luck):
        drawn = events.change[events.decision == number]
        assert luck == pytest.approx(tuple(drawn[0]) if len(drawn) else (), abs=1e-5)
    assert found.deal == pytest.approx(tuple(events.change[events.decision < 0][0]), abs=1e-5)


def test_a_battle_is_over_before_a_choice_in_it_is_judged(checkpoint, monkeypatch):
    looked_at = []

    def chances(judge, states, seats):
        looked_at.append((states["battle_gate"].copy(), states["status"].copy()))
        return chances_of(judge, states, seats)

    monkeypatch.setattr(regret, "chances_of", chances)
    record, _ = random_game(seed=40)
    in_battle = [game.state["battle_gate"] >= 0 for game in record.games()]
    assert any(in_battle[:-1])
    analysed(record, checkpoint, worlds=2)
    ((gates, status),) = looked_at
    assert (gates[status == RUNNING] < 0).all()


def test_it_is_the_same_again_and_knows_nothing_that_the_seat_did_not(checkpoint):
    record, _ = random_game(most=40)
    found = analysed(record, checkpoint, worlds=3)
    assert analysed(record, checkpoint, worlds=3) == found
    assert analysed(record, checkpoint, seed=1, worlds=3) != found
    # The same view over other hidden cards: the last decision is judged alike.
    games = [game.copy() for game in record.games()]
    number = max(n for n in range(40) if found.judged[n])
    seat = record.moves[number].seat
    other = games[number].determinize(seat, np.random.default_rng(8))
    assert other != games[number]

    def last_of(game):
        alone = Record(Header.of_game(game, record.header.agents))
        alone.moves.append(record.moves[number])
        return analysed(alone, checkpoint, worlds=3).judged[0]

    one, two = last_of(games[number]), last_of(other)
    assert one.chances == two.chances


def test_parts_make_the_whole(checkpoint):
    record, _ = random_game(most=50)
    whole = analysed(record, checkpoint, worlds=2)
    parts = [analysed(record, checkpoint, worlds=2, part=part) for part in ((0, 7), (7, 50))]
    together = Analysis.of_parts(parts)
    for one, other in zip(whole.judged, together.judged, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            assert one.chances == pytest.approx(other.chances, abs=1e-5)
    for one, other in zip(together.luck, whole.luck, strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    assert together.deal == pytest.approx(whole.deal, abs=1e-5)
    assert together.wins == pytest.approx(whole.wins, abs=1e-5)


def test_progress_is_reported(checkpoint):
    record, _ = random_game(most=30)
    told = []
    analysed(record, checkpoint, worlds=2, tell=lambda done, of: told.append((done, of)))
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] > 30


def test_others_are_refused(tmp_path):
    record, _ = random_game(most=5)
    calibrated(untrained(3)).save(tmp_path / "3p.safetensors")
    with pytest.raises(AgentError, match="use a trained agent, such as policy:2p"):
        analysed(record, "greedy")
    with pytest.raises(AgentError, match="3 players"):
        analysed(record, f"policy:{tmp_path / '3p.safetensors'}")


def test_the_command_writes_a_page(checkpoint, tmp_path, capsys):
    record, _ = random_game(most=40)
    file = tmp_path / "game.jsonl"
    record.save(file)
    command = ("replay", file, "--analyse", checkpoint)
    assert impulse(*command, "--worlds", "2") == 0
    page = tmp_path / "game.html"
    assert str(page) in capsys.readouterr().out
    assert page.stat().st_size < 2_000_000
    assert impulse(*command, "--viewer", "0") != 0
    assert "--viewer" in refusal(capsys)
    assert impulse(*command, "--worlds", "1") != 0
    assert "worlds" in refusal(capsys)


def test_one_seat_is_judged_as_beside_the_others(checkpoint):
    record, _ = random_game(most=50)
    whole = analysed(record, checkpoint, worlds=2).judged
    alone = judged_decisions(record, checkpoint, [1], worlds=2)
    assert alone
    for number, (move, other) in enumerate(zip(record.moves, whole, strict=True)):
        assert (number in alone) == (other is not None and move.seat == 1)
        if number in alone:
            assert alone[number].chances == pytest.approx(other.chances, abs=1e-5)
