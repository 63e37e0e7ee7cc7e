"""The head of a card is what the Hugging Face Hub reads."""

import pytest

from impulse_agents import checkpoints
from impulse_env.options import Options
from impulse_training.evaluation.model_card.front_matter import front_matter

hub = pytest.importorskip("huggingface_hub")


def test_the_hub_reads_what_the_agent_has_won():
    won = {"greedy": 74.5, "a.py:B": 10.0}
    card = hub.ModelCard(front_matter('x"y: z', Options(4, 2), won) + "# x\n")
    assert card.text == "# x\n"
    assert card.data.license == "mit"
    assert card.data.library_name == "impulse-env"
    assert "reinforcement-learning" in card.data.tags
    assert card.data.model_name == 'x"y: z'
    found = [(row.dataset_name, row.metric_value) for row in card.data.eval_results]
    assert found == [
        ("Impulse, 4 players in teams of 2, greedy on all other sides", 74.5),
        ("Impulse, 4 players in teams of 2, a.py:B on all other sides", 10.0),
    ]


def test_an_agent_without_results_has_none():
    card = hub.ModelCard(front_matter("x", Options(), {}) + "# x\n")
    assert card.data.eval_results is None


@pytest.mark.parametrize("name", checkpoints.shipped())
def test_the_hub_reads_the_cards_of_the_shipped_agents(name):
    path = checkpoints.path_of(name).with_suffix(".md")
    card = hub.ModelCard.load(path)
    assert card.data.model_name == name
    assert {row.metric_name for row in card.data.eval_results} == {"games won, %"}
