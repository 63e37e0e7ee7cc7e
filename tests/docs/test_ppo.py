"""The tutorial in one file, `docs/tutorials/ppo.py`: masked PPO by self-play."""

import csv
import importlib.util

import numpy as np
import pytest

from impulse_env import N_ACTIONS, observation
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.environments.self_play import SelfPlayBatch
from paths import ROOT

torch = pytest.importorskip("torch")

FILE = ROOT / "docs/tutorials/ppo.py"
SMALL = ["--games", "16", "--steps", "24", "--minibatch", "128", "--width", "32", "--threads", "1"]
PLAYS = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")


@pytest.fixture(scope="module")
def ppo():
    spec = importlib.util.spec_from_file_location("ppo_tutorial", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def network(ppo):
    torch.manual_seed(1)
    return ppo.Network(2, 32)


def seen_and_masks(players=2, games=16):
    batch = SelfPlayBatch(games, players, seed=1)
    rng = np.random.default_rng(1)
    for _ in range(40):
        batch.step((rng.random(batch.masks.shape) + batch.masks).argmax(1))
    return torch.tensor(batch.observations), torch.tensor(batch.masks)


def test_it_is_short_enough_to_be_read():
    assert len(FILE.read_text(encoding="utf-8").splitlines()) < 350


@pytest.mark.parametrize("players", [2, 3, 6])
def test_illegal_actions_have_no_probability_and_legal_ones_have_all(ppo, players):
    network = ppo.Network(players, 32)
    seen, masks = seen_and_masks(players)
    likely, values = network(seen, masks, network.table())
    np.testing.assert_array_equal(likely.exp().detach() > 0, masks != 0)
    np.testing.assert_allclose(likely.exp().sum(1).detach(), 1, rtol=1e-5)
    assert values.shape == (16,)


def test_every_feature_of_an_observation_reaches_the_network(network):
    seen, masks = seen_and_masks(games=1)
    table, ones = network.table(), torch.ones_like(masks)
    before = network(seen, ones, table)[1]
    limits = torch.tensor(observation.high(2))
    for feature in range(seen.shape[1]):
        other = seen.clone()
        other[0, feature] = 0 if seen[0, feature] == limits[feature] else limits[feature]
        assert network(other, ones, table)[1] != before, feature


def test_what_turned_out_well_becomes_likelier(ppo, network):
    options = ppo.parse(SMALL)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    seen, masks = seen_and_masks()
    with torch.no_grad():
        likely, values = network(seen, masks, network.table())
    is_good = torch.arange(16) % 2 == 0
    actions = likely.argmax(1)
    chosen = likely.gather(1, actions[:, None])[:, 0]
    advantages = torch.where(is_good, 1.0, -1.0)
    ppo.learn(
        network,
        optimizer,
        ppo.Rollout(seen, masks, actions, chosen, advantages, values + advantages),
        options,
        entropy_weight=0,
    )
    with torch.no_grad():
        likely, judged = network(seen, masks, network.table())
    gained = likely.gather(1, actions[:, None])[:, 0] - chosen
    has_choice = masks.sum(1) > 1
    assert (gained > 0)[is_good & has_choice].float().mean() > 0.8
    assert (judged > values)[is_good].float().mean() > 0.8


@PLAYS
def test_a_rollout_keeps_legal_decisions_and_what_they_were_likely_to_be(ppo, network):
    options = ppo.parse(SMALL)
    kept = ppo.roll_out(SelfPlayBatch(16, seed=1, reward="score"), network, options)
    assert 0.8 * 16 * 24 < len(kept.seen) <= 16 * 24
    assert kept.masks.gather(1, kept.actions[:, None]).all()
    assert kept.masks.shape[1] == N_ACTIONS
    with torch.no_grad():
        likely, _ = network(kept.seen, kept.masks, network.table())
    again = likely.gather(1, kept.actions[:, None])[:, 0]
    np.testing.assert_allclose(kept.log_probs, again, atol=1e-4)


@PLAYS
def test_it_trains_measures_saves_and_continues_from_what_it_saved(ppo, tmp_path, capsys):
    words = [*SMALL, "--minutes", "0.05", "--measure", "4", "--out", str(tmp_path)]
    ppo.main(words)
    with (tmp_path / "curve.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert int(rows[-1]["steps"]) % (16 * 24) == 0 < int(rows[-1]["steps"])
    assert all(0 <= float(row["win/random"]) <= 1 for row in rows)
    assert len(capsys.readouterr().out.splitlines()) == len(rows)
    kept = torch.load(tmp_path / "policy.pt", weights_only=True)
    ppo.main([*words, "--start", str(tmp_path / "policy.pt"), "--minutes", "1e-9", "--seed", "9"])
    again = torch.load(tmp_path / "policy.pt", weights_only=True)
    assert all(torch.equal(kept[name], again[name]) for name in kept)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--games", "0"], "--games: must be 1 or more"),
        (["--minutes", "nan"], "--minutes: must be more than 0"),
        (["--players", "7"], "--players: invalid choice"),
    ],
)
def test_an_option_that_cannot_be_is_refused_in_one_line(ppo, words, told, capsys):
    with pytest.raises(SystemExit):
        ppo.parse(words)
    assert told in capsys.readouterr().err.splitlines()[-1]


@PLAYS
@pytest.mark.slow
def test_a_minute_is_enough_to_beat_random(ppo, tmp_path):
    ppo.main(["--minutes", "1", "--threads", "1", "--out", str(tmp_path)])
    with (tmp_path / "curve.csv").open(newline="") as file:
        assert float(list(csv.DictReader(file))[-1]["win/random"]) > 0.75
