"""Plays games on a GPU for `make test-gpu`, with every kernel, for compute-sanitizer to watch."""

import torch

from impulse_env.gpu import GpuBatch

GAMES = 200
STEPS = 40


def main() -> None:
    """Play, and compare the records with those of the processor."""
    records = {}
    for device in ("cuda", "cpu"):
        batch = GpuBatch(GAMES, 6, max_turns=2, reward="score", device=device)
        randomness = torch.arange(1, GAMES + 1, device=device)
        for _ in range(STEPS):
            batch.step(batch.random_actions(randomness))
        batch.deal(batch.seats == 0)
        batch.play_at_random(STEPS, randomness)
        hidden = batch.views(), batch.determinized(randomness)
        records[device] = [tensor.cpu() for tensor in (batch.states, batch.observations, *hidden)]
    for mine, theirs in zip(*records.values(), strict=True):
        assert torch.equal(mine, theirs)


if __name__ == "__main__":
    main()
