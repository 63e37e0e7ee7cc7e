"""The kernels on a GPU: everything that they write equals what the processor writes."""

import numpy as np
import pytest

from gpu_reference import ARGUMENTS, NAMES, generators

torch = pytest.importorskip("torch")

from impulse_env.gpu import HOLD, GpuBatch, GpuVectorEnv  # noqa: E402

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no NVIDIA GPU"),
]
GAMES = 333
WRITTEN = (
    *("states", "seeds", "seats", "kinds", "masks", "observations", "rewards", "status"),
    *("terminations", "truncations", "winners", "scores", "turns", "illegal"),
)


def pair(**arguments):
    """Return the same games on the GPU and on the processor."""
    return [GpuBatch(GAMES, device=device, **arguments) for device in ("cuda", "cpu")]


def generators_on(device):
    return torch.from_numpy(generators(GAMES).astype(np.int64)).to(device)


def assert_equal(mine, theirs):
    for name in WRITTEN:
        assert torch.equal(getattr(mine, name).cpu(), getattr(theirs, name)), name


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=NAMES)
def test_every_step_is_that_of_the_processor(arguments):
    mine, theirs = pair(seed=40, **arguments)
    randomness, copied = generators_on("cuda"), generators_on("cpu")
    assert_equal(mine, theirs)
    for step in range(300):
        actions, others = mine.random_actions(randomness), theirs.random_actions(copied)
        assert torch.equal(actions.cpu(), others)
        assert torch.equal(randomness.cpu(), copied)
        if step % 7 == 0:
            actions[step % GAMES] = others[step % GAMES] = HOLD
            actions[step % 11] = others[step % 11] = 999
        mine.step(actions)
        theirs.step(others)
        assert_equal(mine, theirs)


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=NAMES)
def test_the_other_calls_answer_as_on_the_processor(arguments):
    mine, theirs = pair(seed=7, **arguments)
    randomness, copied = generators_on("cuda"), generators_on("cpu")
    for part in range(4):
        mine.play_at_random(60, randomness)
        theirs.play_at_random(60, copied)
        assert torch.equal(randomness.cpu(), copied)
        assert torch.equal(mine.views().cpu(), theirs.views())
        assert torch.equal(mine.determinized(randomness).cpu(), theirs.determinized(copied))
        seats = torch.arange(GAMES, dtype=torch.int8) % (mine.options.players + 1) - 1
        assert torch.equal(mine.observe(seats.cuda()).cpu(), theirs.observe(seats))
        games = torch.arange(GAMES) % 5 == part
        mine.deal(games.cuda())
        theirs.deal(games)
        assert_equal(mine, theirs)
        mine.replace(mine.states.flip(0))
        theirs.replace(theirs.states.flip(0))
        assert_equal(mine, theirs)


def test_a_recorded_step_replayed_is_a_plain_step():
    plain, recorded = (GpuBatch(GAMES, 3, target_score=2, max_turns=6) for _ in range(2))
    actions = recorded.masks.argmax(1)
    held = torch.full_like(actions, HOLD)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        recorded.step(held)  # torch allocates before it records
    torch.cuda.current_stream().wait_stream(side)
    plain.step(held)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        recorded.step(actions)
    randomness = generators_on("cuda")
    for _ in range(200):
        chosen = plain.random_actions(randomness)
        plain.step(chosen)
        actions.copy_(chosen)
        graph.replay()
        for name in WRITTEN:
            assert torch.equal(getattr(plain, name), getattr(recorded, name)), name
    assert (plain.turns > 0).any()


def test_the_vector_environment_is_that_of_the_processor():
    arguments = {"players": 4, "target_score": 3, "max_turns": 9, "autoreset_mode": "SameStep"}
    mine, theirs = (GpuVectorEnv(GAMES, device=device, **arguments) for device in ("cuda", "cpu"))
    seen, others = mine.reset(seed=5)[0], theirs.reset(seed=5)[0]
    for _ in range(80):
        assert torch.equal(seen.cpu(), others)
        seen, *outcome, _ = mine.step(mine.action_masks().long().argmax(1))
        others, *expected, _ = theirs.step(theirs.action_masks().long().argmax(1))
        for one, other in zip(outcome, expected, strict=True):
            assert torch.equal(one.cpu(), other)
