"""What the demonstration leaves behind can be looked at again."""

import json

from commands import impulse
from impulse_env.records.reader import parse, read
from impulse_training.cli import demo
from impulse_training.cli.demo import record


def test_the_game_of_the_demonstration_is_a_record():
    played = record(["core_rush", "policy:2p"], seed=3)
    again = parse(played.text(), "game.jsonl")
    assert again == played
    assert [agent.name for agent in played.header.agents] == ["core_rush", "policy:2p"]
    assert not played.result.why
    # The trained agent says what it thinks, the other has nothing to say.
    assert all((move.note is not None) == (move.seat == 1) for move in played.moves)


def test_the_demonstration_plays_trains_compares_and_says_where_everything_is(
    tmp_path, capsys, monkeypatch
):
    tiny = {"num_envs": 8, "minibatch_size": 64, "width": 16, "eval_games": 2}
    monkeypatch.setattr(demo, "FOR_MINUTES", tiny | {"eval_opponents": ("random",)})
    words = ("demo", "--minutes", "0.02", "--games", "4", "--out", tmp_path, "--json")
    assert impulse(*words) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["folder"] == str(tmp_path)
    assert found["steps"] > 0
    for path in found["written"]:
        assert (tmp_path / path).exists(), path
        assert path in printed.err
    for part in ("A game between", "Training by self-play", "The agents against each other"):
        assert part in printed.err
    record_of_it = read(tmp_path / "game.jsonl")
    assert [agent.name for agent in record_of_it.header.agents] == [
        f"policy:{tmp_path / 'policy.safetensors'}",
        "greedy",
    ]
