"""In a match, a record or data, an agent that fails loses its game, and everything else goes on."""

import json

import numpy as np
import pytest

from faulty_agents import FAULTY
from impulse_agents import registry
from impulse_agents.asking.faults import AgentFaultError
from impulse_agents.luck.values import values_of
from impulse_env.dataset.parquet import DatasetError, games_in_part
from impulse_env.options import Options
from impulse_env.records.reader import read
from impulse_training.cli.framework.main import main
from impulse_training.export.write import Source, write_played
from impulse_training.rollout.match import play
from impulse_training.rollout.record_games import record_game

SHORT = Options(target_score=4, max_turns=20)


def made(*names):
    return [registry.make(name.replace("FAULTY", FAULTY)) for name in names]


@pytest.mark.parametrize("kind", ["Raises", "Quits", "Nothing", "Floats", "Illegal", "Negative"])
def test_in_a_match_the_game_is_lost(kind):
    result = play(made(f"FAULTY:{kind}", "random"), SHORT, 6, seed=1, is_lenient=True)
    assert result.wins.tolist() == [0, 6]
    assert (result.truncated, result.turns) == (0, 0)
    assert {fault.agent for fault in result.faults} == {f"{FAULTY}:{kind}"}
    assert {fault.seat for fault in result.faults} == {0, 1}
    assert len({fault.seed for fault in result.faults}) == 3
    assert all(fault.decision > 0 for fault in result.faults)


def test_a_game_that_one_of_several_sides_loses_is_shared_by_the_others():
    table = Options(players=3)
    three = play(made("FAULTY:Raises", "random", "greedy"), table, 6, is_lenient=True)
    assert three.wins.tolist() == [0, 3, 3]
    # Two of three sides: one of them fails, and the other has its part of the win.
    two = play(made("random", "FAULTY:Raises"), table, 6, is_lenient=True)
    assert two.wins.tolist() == pytest.approx([3, 3])


def test_only_the_games_in_which_it_failed_are_lost_and_luck_is_of_the_others():
    class Sometimes(type(made("random")[0])):
        def act(self, seen, streams):
            if (streams.states % 512 == 0).any():
                raise ValueError("boom")
            return super().act(seen, streams)

    whole, some = (
        play([one, made("greedy")[0]], SHORT, 60, 2, values=values_of("rules"), is_lenient=True)
        for one in (made("random")[0], Sometimes())
    )
    lost = np.flatnonzero((whole.luck != 0).any(axis=1) & (some.luck == 0).all(axis=1))
    others = np.setdiff1d(np.arange(60), lost)
    assert 0 < len(some.faults) < 60
    assert len(lost) <= len(some.faults)
    assert (whole.luck[others] == some.luck[others]).all()
    assert (whole.won[others] == some.won[others]).all()


def test_who_asks_for_results_alone_gets_one_sentence_with_the_agent_and_the_deal():
    with pytest.raises(
        AgentFaultError, match=r"Raises failed at seed \d+, seat \d, decision \d+: V"
    ):
        play(made("FAULTY:Raises", "random"), SHORT, 4, seed=1)
    with pytest.raises(AgentFaultError, match=r"failed at seed 5, seat 1, decision \d+: V"):
        record_game(made("random", "FAULTY:Raises"), SHORT, seed=5)


def test_an_agent_that_sets_global_random_states_changes_nothing():
    def won(name):
        return play(made(name, "greedy"), SHORT, 20, seed=3).won.tolist()

    assert won("FAULTY:Reseeds") == won("random")


@pytest.mark.parametrize("options", [[], ["--time-limit", "20", "--game-time-limit", "300"]])
def test_the_command_names_the_agent_and_prints_json_alone(options, capfd):
    agents = [f"{FAULTY}:Raises", f"{FAULTY}:Prints"]
    assert main(["match", *agents, "--games", "4", "--json", *options]) == 0
    told = capfd.readouterr()
    found = json.loads(told.out)
    assert [one["share"] for one in found["agents"]] == [0, 1]
    (fault,) = found["faults"]
    assert (fault["agent"], fault["games"], fault["kinds"]) == (agents[0], 4, {"error": 4})
    sentence = f"{agents[0]} failed in 4 of 4 games (4 error), and has lost them: ValueError: boom"
    assert f"{sentence} (first: seed {fault['first']['seed']}, seat " in told.err
    assert "asked" in told.err
    assert "bug" not in told.err


@pytest.mark.slow
def test_a_match_with_a_limit_outlives_agents_that_hang_and_die(capfd):
    agents = [f"{FAULTY}:Hangs", f"{FAULTY}:Dies"]
    assert main(["match", *agents, "--games", "2", "--json", "--time-limit", "0.5"]) == 0
    kinds = {one["agent"]: one["kinds"] for one in json.loads(capfd.readouterr().out)["faults"]}
    assert kinds == {agents[0]: {"time": 1}, agents[1]: {"died": 1}}


def test_a_record_ends_where_an_agent_failed_and_the_next_is_written(tmp_path, capsys):
    agents = [f"{FAULTY}:Raises", "random"]
    assert main(["games", "record", *agents, "--games", "2", "--out", str(tmp_path)]) == 1
    for seed in (0, 1):
        record = read(tmp_path / f"{seed}.jsonl")
        assert record.moves
        assert record.result.why == f"{agents[0]} on seat {seed} failed: ValueError: boom"
    assert (
        "failed in 2 of 2 games (2 error), and their records end there" in capsys.readouterr().err
    )


def test_data_leave_games_out_in_which_an_agent_failed(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "mine.py").write_text(
        "from impulse_agents.heuristics.random_agent import RandomAgent\n"
        "class Sometimes(RandomAgent):\n"
        "    def act(self, seen, streams):\n"
        "        assert (streams.states % 512).all()\n"
        "        return super().act(seen, streams)\n"
    )
    faults = []
    source = Source((f"{tmp_path}/mine.py:Sometimes", "random"), SHORT, 40, 1, observations=False)
    *_, done = write_played(source, tmp_path / "data", 1, faults.extend)
    assert done == games_in_part(tmp_path / "data", 0) == 40 - len(faults)
    assert 0 < len(faults) < 40
    assert list(write_played(source, tmp_path / "data", 1)) == [done]
    never = Source((f"{FAULTY}:Raises", "random"), SHORT, 4, 1, observations=False)
    with pytest.raises(DatasetError, match="an agent failed in every game"):
        list(write_played(never, tmp_path / "none", 1))
