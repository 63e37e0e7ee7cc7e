"""Agents on a device, here the processor, decide as the agents of the same names."""

import gymnasium
import numpy as np
import pytest

import impulse_agents
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.heuristics.agent import RuleAgent
from impulse_agents.heuristics.styles import STYLE_NAMES
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY
from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE
from impulse_env.engine.state import STATE
from impulse_env.errors import ArgumentError

torch = pytest.importorskip("torch")

from impulse_agents import gpu  # noqa: E402
from impulse_agents.gpu import gpu_agent  # noqa: E402
from impulse_env.gpu import HOLD, GpuBatch, GpuOpponent  # noqa: E402
from impulse_env.gpu.code import ptx  # noqa: E402
from networks import untrained  # noqa: E402
from recordable import recordable  # noqa: E402

pytestmark = pytest.mark.skipif(
    not (IS_COMPILED and LINKS_LATE), reason="kernels are compiled from numba's own IR"
)
GAMES = 64
SETTINGS = ({"players": 2}, {"players": 3}, {"players": 4, "team_size": 2}, {"players": 6})
ROUNDING = 1e-3
"""Two probabilities may change places if one is above the other by a smaller part."""


def streams(count=GAMES, first=0):
    """The same generators for an agent of arrays and, as a tensor, for one on a device."""
    made = RngStreams.from_seeds(range(first, first + count))
    return made, torch.from_numpy(made.states.view(np.int64).copy())


def seen_by(batch, games):
    """Return what an agent of arrays sees in some of the games."""
    views = batch.views().numpy().view(STATE)[:, 0]
    whole = batch.observations.numpy(), batch.masks.numpy(), batch.seats.numpy(), views
    return ObservationBatch(*(array[games] for array in whole))


def compared(agent, batch, steps, seed=0):
    """Play games, where some wait; return what was asked, both answers and what was seen."""
    mine, (arrays, randomness) = gpu_agent(agent, "cpu"), streams(len(batch))
    rng = np.random.default_rng(seed)
    agent = impulse_agents.make(agent) if isinstance(agent, str) else agent
    for _ in range(steps):
        waits = torch.from_numpy(rng.random(len(batch)) < 0.8)
        actions = mine.act(batch, waits, randomness)
        asked = (waits & (batch.seats != NOBODY)).numpy()
        games = np.flatnonzero(asked)
        own, seen = arrays.take(games), seen_by(batch, games)
        expected = agent.act(seen, own)
        arrays.put(games, own)
        assert (actions.numpy()[~asked] == HOLD).all()
        assert (randomness.numpy().view(np.uint64) == arrays.states).all()
        yield actions.numpy()[asked], expected, seen
        batch.step(actions)
        assert not batch.illegal.any()


def test_a_style_plays_the_same_actions():
    decisions = 0
    for number, style in enumerate(STYLE_NAMES):
        for options in SETTINGS[number % 2 :: 2]:
            batch = GpuBatch(GAMES, **options, seed=number, device="cpu", max_turns=20)
            for actions, expected, _ in compared(RuleAgent(style), batch, 25):
                assert (actions == expected).all(), (style, options)
                decisions += len(expected)
    assert decisions > 10_000


@pytest.mark.parametrize("name", [pytest.param("greedy", marks=pytest.mark.slow), "random"])
def test_looking_ahead_and_playing_at_random_are_the_same(name):
    for options in SETTINGS:
        batch = GpuBatch(32, **options, device="cpu", max_turns=20)
        for actions, expected, _ in compared(name, batch, 25):
            assert (actions == expected).all(), options


@pytest.mark.parametrize("name", ["policy:2p", "policy:4p-teams"])
def test_a_trained_agent_plays_the_same_actions_but_for_rounding(name):
    options = {"players": 2} if name == "policy:2p" else {"players": 4, "team_size": 2}
    agent, decisions = impulse_agents.make(name), 0
    batch = GpuBatch(GAMES, **options, device="cpu", max_turns=20)
    for actions, expected, seen in compared(agent, batch, 25):
        shares = np.sort(agent.action_probabilities(seen, streams(len(expected))[0]), axis=1)
        is_clear = shares[:, -1] > (1 + ROUNDING) * shares[:, -2]
        assert (actions == expected)[is_clear].all()
        decisions += is_clear.sum()
    assert decisions > 1_000


def test_a_sampling_agent_draws_the_same_actions():
    agent = untrained(is_stochastic=True)
    batch = GpuBatch(GAMES, 2, device="cpu")
    answers = [(actions, expected) for actions, expected, _ in compared(agent, batch, 20)]
    actions, expected = (np.concatenate(of) for of in zip(*answers, strict=True))
    assert (actions != expected).sum() <= 1  # a draw within rounding of a bound
    likeliest = gpu_agent(untrained(), "cpu")
    waits, (_, randomness) = torch.ones(GAMES, dtype=torch.bool), streams()
    drawn = gpu_agent(agent, "cpu").act(batch, waits, randomness.clone())
    assert not torch.equal(drawn, likeliest.act(batch, waits, randomness))


# --- What an agent must not do -------------------------------------------------------------------


NAMES = ("random", "warrior", "greedy", "policy:2p")


@pytest.mark.parametrize("name", NAMES)
def test_what_its_seat_cannot_see_changes_nothing(name):
    batch = GpuBatch(GAMES, 2, device="cpu")
    for actions, _, _ in compared("core_rush", batch, 12):
        assert len(actions)
    other = GpuBatch(GAMES, 2, device="cpu")
    other.replace(batch.determinized(streams(first=7)[1]))
    assert (batch.states != other.states).any(1).all()
    waits, agent = torch.ones(GAMES, dtype=torch.bool), gpu_agent(name, "cpu")
    mine, theirs = (agent.act(one, waits, streams()[1]) for one in (batch, other))
    assert torch.equal(mine, theirs)


@pytest.mark.parametrize("name", NAMES)
def test_nobody_waits_and_nothing_changes_but_the_generators(name):
    batch, agent = GpuBatch(8, 2, device="cpu"), gpu_agent(name, "cpu")
    waits = torch.arange(8) % 2 == 0
    agent.act(batch, waits, streams(8)[1])
    _, randomness = streams(8)
    before = [tensor.clone() for tensor in vars(batch).values() if torch.is_tensor(tensor)]
    with recordable():
        actions = agent.act(batch, waits, randomness)
    after = [tensor for tensor in vars(batch).values() if torch.is_tensor(tensor)]
    assert all(torch.equal(*pair) for pair in zip(before, after, strict=True))
    assert (actions.dtype, actions.shape) == (torch.int64, (8,))
    assert ((actions != HOLD) == waits).all()


@pytest.mark.parametrize("name", ["random", "trader", "policy:2p"])
def test_games_that_are_over_are_left_alone(name):
    batch = GpuBatch(8, 2, device="cpu", auto_reset=False, max_turns=2)
    waits, (_, randomness) = torch.ones(8, dtype=torch.bool), streams(8)
    while (batch.seats != NOBODY).any():
        batch.step(batch.random_actions(randomness))
    before = randomness.clone()
    assert (gpu_agent(name, "cpu").act(batch, waits, randomness) == HOLD).all()
    assert torch.equal(randomness, before)


def test_a_trained_agent_on_a_device_is_a_copy():
    agent = untrained()
    batch, waits = GpuBatch(GAMES, 2, device="cpu"), torch.ones(GAMES, dtype=torch.bool)
    mine = gpu_agent(agent, "cpu")
    before = mine.act(batch, waits, streams()[1])
    agent.set_weights(untrained(seed=1).network.state_dict())
    assert torch.equal(mine.act(batch, waits, streams()[1]), before)
    assert not torch.equal(gpu_agent(agent, "cpu").act(batch, waits, streams()[1]), before)


def test_it_plays_for_the_other_seats_of_the_environment():
    mine = gpu_agent("warrior", "cpu")
    assert isinstance(mine, GpuOpponent)
    opponents = [mine, gpu_agent("random", "cpu")]
    arguments = {"players": 3, "device": "cpu", "opponents": opponents, "rounds": 6}
    env = gymnasium.make_vec("Impulse-v0", 8, **arguments)
    _, info = env.reset(seed=0)
    decided = 0
    for _ in range(20):
        decided += info["decides"].sum()
        *_, info = env.step(info["action_mask"].long().argmax(1))
        assert not info["illegal"].any()
    assert decided > 40


# --- The kernels for a GPU -----------------------------------------------------------------------


def check_code(kernel):
    """A GPU has no library of mathematics, and must round as the processor."""
    code = ptx(kernel)
    assert f".entry {kernel.name}(" in code
    assert ".extern .func" not in code
    for other in ("fma.rn", ".approx", ".ftz", "div.full"):
        assert other not in code, other


def test_the_code_for_a_gpu_is_complete_and_exact():
    check_code(gpu.RULES)


@pytest.mark.slow
def test_the_code_that_looks_ahead_is_complete_and_exact():
    check_code(gpu.LOOK_AHEAD)


# --- Errors --------------------------------------------------------------------------------------


class Own(impulse_agents.Agent):
    name = "own"

    def act(self, seen, streams):
        return seen.masks.argmax(1)


class OwnStyle(RuleAgent):
    """It may decide in another way."""


OTHERS = ("ismcts:100", "policy+search:2p:10", "impulse_agents.gpu:gpu_agent", "clever", 5, None)


@pytest.mark.parametrize(
    "agent", [*OTHERS, Own(), OwnStyle("warrior"), impulse_agents.make("ismcts:10")]
)
def test_other_agents_are_refused(agent):
    words = r"cannot play on a device; random, greedy, core_rush, .*, trader and policy:PATH can$"
    with pytest.raises(AgentError, match=words):
        gpu_agent(agent, "cpu")


def test_names_and_devices_that_do_not_exist_have_the_usual_errors():
    with pytest.raises(AgentError, match="warrior:5"):
        gpu_agent("warrior:5", "cpu")
    with pytest.raises(AgentError, match="nowhere"):
        gpu_agent("policy:nowhere", "cpu")
    with pytest.raises(ArgumentError, match='device must be "cuda"'):
        gpu_agent("random", "gpu")


def test_what_does_not_fit_is_refused():
    batch, mine = GpuBatch(8, 3, device="cpu"), gpu_agent("random", "cpu")
    waits, (_, randomness) = torch.ones(8, dtype=torch.bool), streams(8)
    with pytest.raises(ArgumentError, match=r"waits must be bool .* not int8"):
        mine.act(batch, waits.to(torch.int8), randomness)
    with pytest.raises(ArgumentError, match=r"randomness must be int64 of shape \(8,\) .*\(4,\)"):
        mine.act(batch, waits, randomness[:4])
    with pytest.raises(AgentError, match="trained for 2 players"):
        gpu_agent("policy:2p", "cpu").act(batch, waits, randomness)
    mine.device = torch.device("cuda", 1)
    with pytest.raises(ArgumentError, match="the agent is on cuda:1, the games are on cpu"):
        mine.act(batch, waits, randomness)
