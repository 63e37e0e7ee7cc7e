"""The command `impulse agents model-card`."""

from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.evaluation_options import ModelCardArgs as Args

COMMAND = Command(
    examples=("impulse agents model-card 2p --run runs/2p",), has_json=True, extra="train"
)


def main(args: Args) -> dict[str, str]:
    """Write the model card and print its path."""
    from impulse_training.evaluation.model_card.model_card import write

    card = write(args)
    print(f"wrote the model card {card}")
    return {"card": str(card)}
