"""Options of trainings by self-play that take seconds."""

from impulse_training.selfplay.train_options import Args


def tiny(width=8, num_envs=8, rollout_steps=8, **options):
    """A training of a small network, which evaluates and saves only at its end.

    An update has two minibatches.
    """
    small = {
        "num_envs": num_envs,
        "rollout_steps": rollout_steps,
        "minibatch_size": num_envs * rollout_steps // 2,
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
