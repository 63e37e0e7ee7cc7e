"""`impulse export --format`: games are played and written in parts, and learned from again."""

import json

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from rich.console import Console

import impulse_agents
from impulse_agents.base import AgentError
from impulse_env.dataset.parquet import (
    DatasetError,
    parts_in,
    read_table,
    recorded_games,
)
from impulse_env.options import Options
from impulse_training.cli.export import main
from impulse_training.export import write
from impulse_training.export.annotated_games import play_annotated
from impulse_training.export.export_options import ExportArgs
from impulse_training.export.one_game import ExportError
from impulse_training.export.write import Source, same_for_all, write_played
from impulse_training.imitation import behavior_cloning
from impulse_training.imitation.exported import demonstrations_in
from impulse_training.imitation.imitation_options import Args
from impulse_training.rollout.match import play
from impulse_training.rollout.record_games import record_game

SHORT = Options(2, target_score=4)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(write, "GAMES_OF_PART", 5)


def source(games=12, agents=("policy:2p", "random"), **options):
    return Source(agents, SHORT, games, 3, observations=False, **options)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


def test_what_was_stopped_continues_and_ends_as_if_it_had_not_been(tmp_path):
    assert list(write_played(source(), tmp_path / "whole", 1)) == [0, 5, 10, 12]
    going = write_played(source(), tmp_path / "torn", 1)
    assert [next(going) for _ in range(2)] == [0, 5]
    going.close()
    (tmp_path / "torn/decisions-00001.parquet").write_bytes(b"half")  # a part without its games
    assert list(write_played(source(), tmp_path / "torn", 1)) == [5, 10, 12]
    assert contents(tmp_path / "torn") == contents(tmp_path / "whole")
    assert list(write_played(source(), tmp_path / "torn", 1)) == [12]


def test_more_games_are_added_and_another_source_is_refused(tmp_path):
    list(write_played(source(7), tmp_path / "grown", 1))
    list(write_played(source(12), tmp_path / "grown", 1))
    list(write_played(source(12), tmp_path / "whole", 1))
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")
    for other in (source(7), source(20, ("random", "greedy"))):
        with pytest.raises(DatasetError, match="holds data of another source"):
            list(write_played(other, tmp_path / "grown", 1))
    (tmp_path / "grown/source.json").write_text("[]")
    with pytest.raises(DatasetError, match="does not hold the source of the data"):
        list(write_played(source(12), tmp_path / "grown", 1))
    with pytest.raises(AgentError, match="unknown agent"):
        list(write_played(source(5, ("gredy", "random")), tmp_path / "new", 1))
    assert not (tmp_path / "new").exists()


def test_agents_say_what_they_think_and_play_as_they_do(tmp_path):
    """The network takes the likeliest action, and says how likely it was; others say nothing."""
    entrants = [impulse_agents.make("policy:2p"), impulse_agents.make("greedy")]
    annotated, faults = play_annotated(entrants, SHORT, 4, seed=1, part=0, first=0)
    assert faults == []
    for number, one in enumerate(annotated):
        names = [agent.name for agent in one.play.header.agents]
        assert names == ["policy:2p", "greedy"] if number % 2 == 0 else ["greedy", "policy:2p"]
        network = names.index("policy:2p")
        game = one.play.header.new_game()
        for decision, action in enumerate(one.play.actions.tolist()):
            shares, (wins, chosen, _) = one.shares[decision], one.play.notes[decision]
            if game.seat != network:
                assert shares is None
                assert np.isnan([wins, chosen]).all()
            else:
                assert shares.sum() == pytest.approx(1, abs=1e-3)
                assert chosen == shares.max()
                assert 0 < wins < 1
            game.step(action)
        assert game.is_over


def test_the_command_writes_data_with_their_card(tmp_path, capsys):
    args = ExportArgs(
        out=tmp_path, format="parquet", agents=("greedy",), games=6, players=3, workers=1
    )
    found = main(args)
    assert found == {"folder": str(tmp_path), "games": 6, "parts": 2, "faults": []}
    assert "wrote 6 games to" in capsys.readouterr().out
    card = (tmp_path / "README.md").read_text()
    assert card.startswith("---\nlicense:")
    assert "6 games" in card
    assert "`greedy`, " in card
    assert "| `probabilities` |" in card
    croissant = json.loads((tmp_path / "croissant.json").read_text())
    assert croissant["description"].startswith("6 games of the board game Impulse")
    # A person's page stays.
    (tmp_path / "README.md").write_text("mine")
    main(args)
    assert (tmp_path / "README.md").read_text() == "mine"


def test_records_and_data_become_data_again(tmp_path):
    agents = [impulse_agents.make("greedy")] * 2
    for seed in range(7):
        record_game(agents, SHORT, seed).save(tmp_path / f"games/{seed}.jsonl")
    main(ExportArgs(record=tmp_path / "games", out=tmp_path / "data", format="parquet"))
    assert parts_in(tmp_path / "data") == [0, 1]
    assert len(list(recorded_games(tmp_path / "data"))) == 7
    main(
        ExportArgs(
            record=tmp_path / "data", out=tmp_path / "more", format="parquet", observations=True
        )
    )
    assert "observation" in read_table(tmp_path / "more", "decisions", 0).column_names
    assert json.loads(json.dumps(len(list(recorded_games(tmp_path / "more"))))) == 7


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"format": "parquet"}, "data come from records or from games that --agents play"),
        (
            {"format": "parquet", "agents": ("greedy",) * 3},
            "name one agent, or one for each of 2 seats, not 3",
        ),
        ({"format": "parquet", "agents": ("greedy",), "games": 0}, "games must be 1 or more"),
        ({"agents": ("greedy",)}, "--agents also needs --format parquet"),
        ({"format": "minari", "agents": ("greedy",)}, "write them with --format parquet, then"),
    ],
)
def test_what_cannot_be_written_is_one_sentence(tmp_path, given, said):
    with pytest.raises((DatasetError, ExportError, ValueError), match=said):
        main(ExportArgs(out=tmp_path / "x", **given))
    assert not (tmp_path / "x" / "source.json").exists()


def test_a_network_learns_from_exported_games(tmp_path):
    entrants = same_for_all(("greedy",), 2)
    list(write_played(Source(entrants, SHORT, 40, 1, observations=False), tmp_path / "data", 1))
    shards = list(demonstrations_in(tmp_path / "data", 2))
    assert len(shards) == 8
    args = Args(
        decisions=0,
        extra_demonstrations=(str(tmp_path / "data"),),
        out=tmp_path / "learned",
        epochs=3,
        width=32,
        policy_layers=(32,),
        value_layers=(32,),
        minibatch_size=128,
    )
    checkpoint = behavior_cloning.imitate(args, Console(quiet=True))
    agent = impulse_agents.make(f"policy:{checkpoint}")
    assert play([agent, impulse_agents.make("random")], SHORT, 60).rate() > 0.6
    with pytest.raises(DatasetError, match=r"has games of \[2\] players, not of 3"):
        list(demonstrations_in(tmp_path / "data", 3))


def test_the_probabilities_of_networks_are_the_targets(tmp_path):
    list(write_played(source(3), tmp_path, 1))
    (shard,) = demonstrations_in(tmp_path, 2)
    annotated = read_table(tmp_path, "decisions", 0).to_pylist()
    targets = shard.targets(np.arange(len(annotated)))
    for row, decision in enumerate(annotated):
        said = decision["probabilities"]
        if said is None:
            assert targets[row, decision["action"]] == 1
        else:
            assert targets[row, decision["legal"]] == pytest.approx(said, abs=0.02)
