"""What the demonstration leaves behind can be looked at again."""

from impulse_env.records.reader import parse
from impulse_training.experiments.demo import record


def test_the_game_of_the_demonstration_is_a_record():
    played = record(["core_rush", "policy:2p"], seed=3)
    again = parse(played.text(), "game.jsonl")
    assert again == played
    assert [agent.name for agent in played.header.agents] == ["core_rush", "policy:2p"]
    assert not played.result.why
    # The trained agent says what it thinks, the other has nothing to say.
    assert all((move.note is not None) == (move.seat == 1) for move in played.moves)
