"""Options of trainings by self-play that take seconds."""

from impulse_training.selfplay.train_options import Args


def tiny(width=8, **options):
    """A training of a small network, which evaluates and saves only at its end."""
    small = {
        "width": width,
        "policy_layers": (width,),
        "value_layers": (width,),
        "card_dim": width // 4,
        "opponents": ("random",),
        "eval_opponents": ("random",),
        "eval_games": 2,
        "eval_every": 1e9,
        "save_every": 1e9,
    }
    return Args(**{**small, **options})
