"""The vector environment has the games of the one for one seat, and Gymnasium's contract."""

import copy
import pickle
import re

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

from impulse_env import observation
from impulse_env.actions import N_ACTIONS
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.environments.aec import ILLEGAL_REWARD
from impulse_env.environments.opponents import random_opponent
from impulse_env.environments.outcome_arrays import ENDS
from impulse_env.environments.single_seat import ImpulseEnv
from impulse_env.environments.vector import ImpulseVectorEnv
from impulse_env.errors import ArgumentError, IllegalActionError, ImpulseError
from impulse_env.options import OptionError
from impulse_env.outcomes import END_BY_STATUS
from pages import text_of
from paths import ROOT

MANY_STEPS = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")
GAMES = 6
PAGE = ROOT / "docs/libraries/gymnasium.md"
NEXT, SAME = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP


def least_card(seen, mask, rng):
    """An opponent that is a function, and draws nothing."""
    return int(mask.argmax())


class Counted:
    """An opponent that decides in many games at once, and takes note of how many."""

    def __init__(self):
        self.asked = []

    def act_in_games(self, batch, games, rngs):
        assert batch.observations.shape == (len(batch.seats), observation.size(2))
        self.asked.append(len(games))
        return np.array(
            [
                random_opponent(None, mask, rng)
                for mask, rng in zip(batch.masks[games], rngs, strict=True)
            ]
        )


class OneByOne:
    """The same chance, asked for one game at a time with its view."""

    def act_in_game(self, game, rng):
        legal = game.legal_actions()
        return legal[int(rng.random() * len(legal))]


TABLES = [
    {"players": 2, "target_score": 4},
    {"players": 3, "reward": "score", "max_turns": 8, "opponents": ["greedy", least_card]},
    {"players": 4, "team_size": 2, "reward": "score", "target_score": 5, "opponents": OneByOne()},
    {"players": 6, "seat": 4, "target_score": 3, "opponents": ["random", "miner"] * 2 + ["greedy"]},
    {"players": 2, "target_score": 2, "opponents": "ismcts:3"},
]


def made(num_envs=GAMES, **arguments):
    return gymnasium.make_vec("impulse_env:Impulse-v0", num_envs=num_envs, **arguments)


def choose(masks, rng):
    return np.where(masks, rng.random(masks.shape), -1).argmax(1)


def play(env, steps, seed=0):
    """Play at random; return every transition."""
    rng = np.random.default_rng(seed)
    return [env.step(choose(env.unwrapped.action_masks(), rng)) for _ in range(steps)]


# --- The games of the environment for one seat -------------------------------------------------


@MANY_STEPS
@pytest.mark.parametrize("mode", [NEXT, SAME], ids=str)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table['players']}p")
def test_every_game_is_that_of_the_environment_for_one_seat(table, mode):
    ours = made(autoreset_mode=mode, **table)
    alone = SyncVectorEnv([lambda: ImpulseEnv(**table)] * GAMES, autoreset_mode=mode)
    seen, _ = ours.reset(seed=5)
    np.testing.assert_array_equal(seen, alone.reset(seed=5)[0])
    rng, ends = np.random.default_rng(1), 0
    for step in range(150):
        masks = ours.action_masks()
        np.testing.assert_array_equal(masks, np.stack(alone.call("action_masks")))
        actions = choose(masks, rng)
        if step % 40 == 39:
            actions[step % GAMES] = masks[step % GAMES].argmin()  # illegal, or of no effect
        mine, theirs = ours.step(actions), alone.step(actions)
        np.testing.assert_array_equal(mine[0], theirs[0])
        np.testing.assert_allclose(mine[1], theirs[1], atol=1e-6)
        np.testing.assert_array_equal(mine[2], theirs[2])
        np.testing.assert_array_equal(mine[3], theirs[3])
        over = mine[2] | mine[3]
        ends += over.sum()
        assert (
            ("final_obs" in mine[4]) == ("final_obs" in theirs[4]) == (mode is SAME and over.any())
        )
        for game in np.flatnonzero(over) if mode is SAME else ():
            np.testing.assert_array_equal(mine[4]["final_obs"][game], theirs[4]["final_obs"][game])
        assert ours.seats.tolist() == list(alone.get_attr("seat"))
    assert ends > GAMES
    for game, env in enumerate(alone.envs):
        assert ours.batch.states[game] == env.game.state


def assert_alike(mine, theirs, rows):
    """Every array of an info is that of Gymnasium's own vector environment in those rows."""
    for name, values in mine.items():
        np.testing.assert_array_equal(values[rows], theirs[name][rows], err_msg=name)


@MANY_STEPS
@pytest.mark.parametrize("limit", [1, 6])
@pytest.mark.parametrize("mode", [*AutoresetMode], ids=str)
def test_a_limit_of_steps_truncates_as_gymnasiums_own_environments_do(mode, limit):
    table = {"players": 3, "reward": "score", "target_score": 1, "max_turns": 3}
    ours = made(32, max_episode_steps=limit, autoreset_mode=mode, **table)
    alone = made(
        32,
        max_episode_steps=limit,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **table,
    )
    np.testing.assert_array_equal(ours.reset(seed=5)[0], alone.reset(seed=5)[0])
    rng, both, each = np.random.default_rng(1), 0, slice(None)
    for step in range(60):
        masks = ours.action_masks()
        np.testing.assert_array_equal(masks, np.stack(alone.call("action_masks")))
        actions = choose(masks, rng)
        actions[step % 32] = masks[step % 32].argmin()  # illegal, or of no effect
        mine, theirs = ours.step(actions), alone.step(actions)
        for part in range(4):
            np.testing.assert_allclose(mine[part], theirs[part], atol=1e-6)
        over = mine[2] | mine[3]
        both += (mine[2] & mine[3]).sum()
        info, final = mine[4], {}
        if mode is SAME and over.any():
            info = {name: values for name, values in info.items() if "final" not in name}
            final = mine[4]["final_info"]
            assert (mine[4]["_final_obs"] == over).all()
            for game in np.flatnonzero(over):
                seen = mine[4]["final_obs"][game]
                np.testing.assert_array_equal(seen, theirs[4]["final_obs"][game])
        assert_alike(info, theirs[4], each)
        assert_alike(final, theirs[4].get("final_info"), over)
        if mode is AutoresetMode.DISABLED and over.any():
            mine, theirs = (env.reset(options={"reset_mask": over}) for env in (ours, alone))
            np.testing.assert_array_equal(mine[0], theirs[0])
            assert_alike(mine[1], theirs[1], over)
    assert both > 0


def test_a_limit_of_steps_is_one_of_gymnasiums():
    assert made(max_episode_steps=3).spec.kwargs["max_episode_steps"] == 3
    for none in (None, -1):
        env = made(max_episode_steps=none)
        env.reset(seed=1)
        assert not any(step[3].any() for step in play(env, 30))


@MANY_STEPS
@pytest.mark.parametrize("mode", [NEXT, SAME], ids=str)
def test_the_info_tells_in_numbers_of_constant_keys_how_games_ended(mode):
    env = made(players=3, autoreset_mode=mode, max_turns=20, target_score=6)
    _, first = env.reset(seed=2)
    kept, ends, seats = {}, set(), first["seat"]
    for _, _, terminations, truncations, info in play(env, 400):
        over = terminations | truncations
        assert {name: (v.shape, v.dtype) for name, v in first.items()} == {
            name: (v.shape, v.dtype) for name, v in info.items() if "final" not in name
        }
        if mode is SAME and over.any():
            assert not info["end"].any()
            assert (info["_final_info"] == over).all()
            assert set(info["final_info"]) == set(first)
        told = info["final_info"] if mode is SAME and over.any() else info
        assert ((told["end"] != 0) == over).all()
        for game in np.flatnonzero(over):
            kept = {name: values[game] for name, values in told.items()}
            ends.add(ENDS[kept["end"]])
            assert truncations[game] == (ENDS[kept["end"]] == "truncation")
            assert kept["winners"].sum() == (not truncations[game])
            assert not kept["action_mask"].any()
            assert kept["seat"] == seats[game]
            assert (kept["turns"] == 20) == truncations[game]
            if ENDS[kept["end"]] == "score":
                assert kept["scores"][kept["winners"] == 1][0] >= 6
        seats = info["seat"]
    assert ends >= {"score", "truncation"}
    assert set(END_BY_STATUS.values()) < set(ENDS)


def test_what_two_calls_share_and_what_they_do_not():
    env = made(copy=False)
    seen, info = env.reset(seed=1)
    assert seen is env.batch.observations
    assert info["action_mask"] is env.batch.masks
    assert play(env, 1)[0][0] is seen
    env = made()
    seen, info = env.reset(seed=1)
    assert not np.shares_memory(seen, env.batch.observations)
    assert not np.shares_memory(info["action_mask"], env.batch.masks)


# --- Opponents ---------------------------------------------------------------------------------


@MANY_STEPS
def test_an_opponent_is_asked_once_for_all_games_that_wait_for_it():
    counted = Counted()
    env = made(64, opponents=counted)
    plain = made(64, opponents=lambda *seen: random_opponent(*seen))
    for one in (env, plain):
        one.reset(seed=3)
    counted.asked.clear()
    for mine, theirs in zip(play(env, 60), play(plain, 60), strict=True):
        np.testing.assert_array_equal(mine[0], theirs[0])
    assert np.mean(counted.asked) > 2
    assert max(counted.asked) > 4


@MANY_STEPS
@pytest.mark.parametrize("players", [2, 3, 6])
def test_random_opponents_beside_another_choose_as_where_all_are_random(players):
    alone = made(16, players=players, target_score=3)
    beside = made(16, players=players, target_score=3)
    beside._are_random = False  # asked apart, as beside others
    for one in (alone, beside):
        one.reset(seed=5)
    for mine, theirs in zip(play(alone, 60), play(beside, 60), strict=True):
        for this, that in zip(mine[:4], theirs[:4], strict=True):
            np.testing.assert_array_equal(this, that)


def test_one_opponent_on_several_seats_is_one():
    env = made(players=6, opponents=["greedy", "random", "greedy", random_opponent, "greedy"])
    assert [getattr(one, "name", "random") for one in env._opponents] == ["greedy", "random"]
    assert env._number_by_place.tolist() == [0, 0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda batch, games: batch.masks[games].argmax(1) + 0.5, "integers of shape .*float64"),
        (lambda batch, games: None, "integers of shape"),
        (lambda batch, games: batch.masks[games].argmin(1), r"illegal action \d+ in game \d"),
        (lambda batch, games: batch.masks.argmax(1)[:-1], r"actions must be integers of shape"),
        (lambda batch, games: batch.masks[games].argmax(1) + 0.5, r"integers .* not float64"),
        (lambda batch, games: np.full(len(games), N_ACTIONS), f"illegal action {N_ACTIONS}"),
    ],
)
def test_an_illegal_choice_of_an_opponent_stops_all_games_with_an_error(wrong, told):
    class Wrong:
        def act_in_games(self, batch, games, rngs):
            return wrong(batch, games)

    env = made(8, opponents=Wrong())
    with pytest.raises(IllegalActionError, match=f"opponent: .*{told}"):
        env.reset(seed=1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(8, np.int64))


# --- Seeds, resets, modes ----------------------------------------------------------------------


@MANY_STEPS
def test_a_seed_determines_all_episodes():
    def played(env, seed):
        seen, _ = env.reset(seed=seed)
        return [seen, *(transition[0] for transition in play(env, 150))]

    arguments = {"players": 3, "target_score": 4, "autoreset_mode": SAME}
    first, again = played(made(**arguments), 7), played(made(**arguments), 7)
    np.testing.assert_array_equal(first, again)
    env = made(**arguments)
    np.testing.assert_array_equal(first, played(env, range(7, 7 + GAMES)))
    assert env.np_random_seed == tuple(range(7, 7 + GAMES))
    assert len(env.np_random) == GAMES
    assert (first[0] != played(made(**arguments), 8)[0]).any()


def test_a_reset_without_a_seed_continues_from_the_last():
    env, other = made(), made()
    for one in (env, other):
        one.reset(seed=4)
    np.testing.assert_array_equal(env.reset()[0], other.reset(seed=[None] * GAMES)[0])
    assert made().reset()[0].shape == (GAMES, observation.size(2))


@pytest.mark.parametrize("mode", [*AutoresetMode], ids=str)
def test_some_games_alone_are_reset(mode):
    """`reset` with a mask works in every mode."""
    env = made(autoreset_mode=mode)
    before, _ = env.reset(seed=4)
    mask = np.array([True, False] * 3)
    options = {"reset_mask": mask}
    seen, _ = env.reset(seed=40, options=options)
    assert options == {"reset_mask": mask}
    np.testing.assert_array_equal(seen[~mask], before[~mask])
    np.testing.assert_array_equal(seen[mask], made().reset(seed=40)[0][mask])
    for wrong in ([True] * 6, np.ones(6), np.ones(5, bool), np.zeros(6, bool)):
        with pytest.raises(OptionError, match="must be a numpy array of 6 bools"):
            env.reset(options={"reset_mask": wrong})
    with pytest.raises(gymnasium.error.ResetNeeded):
        made().reset(options={"reset_mask": mask})


def test_without_autoreset_an_episode_that_is_over_waits():
    env = made(autoreset_mode="Disabled")
    # Gymnasium's own have it in both places, and TorchRL looks for it in the second.
    assert env.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    assert env.autoreset_mode is AutoresetMode.DISABLED
    env.reset(seed=1)
    actions = env.action_masks().argmax(1)
    actions[2] = env.action_masks()[2].argmin()
    _, rewards, terminations, _, info = env.step(actions)
    assert rewards[2] == ILLEGAL_REWARD
    assert terminations.tolist() == [game == 2 for game in range(GAMES)]
    assert ENDS[info["end"][2]] == "illegal"
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(actions)
    _, info = env.reset(options={"reset_mask": terminations})
    assert not info["end"].any()
    env.step(env.action_masks().argmax(1))


def test_every_episode_begins_with_a_decision_of_the_own_seat():
    for players in (2, 6):
        env = made(32, players=players, max_turns=1, target_score=1, autoreset_mode=SAME)
        env.reset(seed=1)
        for _ in range(20):
            assert (env.batch.seats == env.seats).all()
            assert env.action_masks().any(1).all()
            play(env, 1)


# --- Bad input ---------------------------------------------------------------------------------


def test_illegal_actions_can_be_refused_and_then_nothing_changes():
    env = made(illegal="raise")
    env.reset(seed=1)
    before = env.batch.states.copy()
    actions = env.action_masks().argmax(1)
    actions[3] = env.action_masks()[3].argmin()
    with pytest.raises(IllegalActionError, match=r"in game 3, turn 0, of player_\d; legal are \["):
        env.step(actions)
    assert (env.batch.states == before).all()
    for wrong in (actions.astype(float), actions[:3], actions[:, None], None):
        with pytest.raises(IllegalActionError, match=r"integers of shape \(6,\)"):
            env.step(wrong)
    assert (env.batch.states == before).all()
    env.step(env.action_masks().argmax(1))


def test_numbers_outside_the_space_are_illegal_and_end_the_game_with_a_warning():
    """Gymnasium's logger warns of the first one."""
    env = made()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="an illegal action ended an episode with reward -1"):
        _, rewards, terminations, _, _ = env.step(np.array([-1, N_ACTIONS, 10**9] * 2))
    assert rewards.tolist() == [ILLEGAL_REWARD] * GAMES
    assert terminations.all()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"num_envs": 0}, "num_envs must be an integer of 1 or more, not 0"),
        ({"max_episode_steps": 0}, "max_episode_steps must be an integer of 1 or more, not 0"),
        ({"seat": 2}, "seat must be one of None, 0, 1; not 2"),
        ({"autoreset_mode": "never"}, "autoreset_mode must be one of 'NextStep', 'SameStep'"),
        ({"render_mode": "ansi"}, "render_mode must be one of None; not 'ansi'"),
        ({"opponents": ["random"] * 2}, "opponents must be one, or one for each of 1; not 2"),
        ({"opponents": "clever"}, "unknown agent 'clever'"),
        ({"targetscore": 3}, "there is no option 'targetscore'; did you mean target_score"),
        ({"reward": "none"}, "reward must be one of 'win', 'score'"),
    ],
)
def test_arguments_are_checked(arguments, told):
    with pytest.raises(ImpulseError, match=told):
        made(**arguments)


def test_before_the_first_reset_nothing_is_answered():
    env = made()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(GAMES, np.int64))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.action_masks()


def test_seeds_are_as_many_as_games():
    with pytest.raises(ArgumentError, match="seed must be one, or one for each of 6; not 2"):
        made().reset(seed=[1, 2])


# --- Gymnasium ---------------------------------------------------------------------------------


def test_spaces_and_spec_are_those_of_a_vector_environment():
    env = made(5, players=3)
    assert isinstance(env, ImpulseVectorEnv)
    assert env.spec.id == "Impulse-v0"
    assert env.single_action_space.n == N_ACTIONS
    assert env.action_space == gymnasium.spaces.MultiDiscrete([N_ACTIONS] * 5)
    assert env.observation_space.shape == (5, observation.size(3))
    seen, _ = env.reset(seed=1)
    assert seen in env.observation_space
    env.close()


def same(values):
    """A change of observations, rewards or actions that changes nothing."""
    return values


ANY, DISABLED = {NEXT, SAME, AutoresetMode.DISABLED}, AutoresetMode.DISABLED
WRAPPERS = {  # what makes them, and the modes that they take
    "RecordEpisodeStatistics": (wrappers.RecordEpisodeStatistics, ANY),
    "DictInfoToList": (wrappers.DictInfoToList, ANY),
    "ClipReward": (lambda env: wrappers.ClipReward(env, -0.5, 0.5), ANY),
    "NormalizeReward": (wrappers.NormalizeReward, ANY),
    "TransformReward": (lambda env: wrappers.TransformReward(env, same), ANY),
    "TransformAction": (lambda env: wrappers.TransformAction(env, same), ANY),
    "TransformObservation": (
        lambda env: wrappers.TransformObservation(
            env, same, single_observation_space=env.single_observation_space
        ),
        ANY - {SAME},
    ),
    "DtypeObservation": (lambda env: wrappers.DtypeObservation(env, np.float32), ANY - {SAME}),
    "RescaleObservation": (lambda env: wrappers.RescaleObservation(env, 0, 1), ANY - {SAME}),
    "FlattenObservation": (wrappers.FlattenObservation, ANY - {SAME}),
    "ReshapeObservation": (
        lambda env: wrappers.ReshapeObservation(env, (2, observation.size(3) // 2)),
        ANY - {SAME},
    ),
    "NormalizeObservation": (wrappers.NormalizeObservation, {NEXT}),
}


def play_on(env, steps):
    """Play at random, beginning games anew where the environment does not; return the ends."""
    rng, ends = np.random.default_rng(0), 0
    for _ in range(steps):
        seen, _, terminated, truncated, _ = env.step(choose(env.unwrapped.action_masks(), rng))
        assert seen in env.observation_space
        over = terminated | truncated
        ends += over.sum()
        if over.any() and env.unwrapped.autoreset_mode == DISABLED:
            env.reset(options={"reset_mask": over})
    return ends


@MANY_STEPS
@pytest.mark.parametrize("mode", sorted(ANY, key=str), ids=str)
@pytest.mark.parametrize("name", WRAPPERS)
def test_wrappers_of_gymnasium_work_in_the_modes_of_the_page(name, mode):
    """These of `gymnasium.wrappers.vector` work with 1.4.0, in these modes and in no others"""
    wrap, modes = WRAPPERS[name]
    env = made(players=3, autoreset_mode=mode, target_score=4)
    if mode not in modes:
        with pytest.raises(ValueError, match="autoreset_mode"):
            wrap(env)
        return
    env = wrap(env)
    seen, _ = env.reset(seed=1)
    assert len(seen) == GAMES
    assert play_on(env, 120) > GAMES


def test_the_page_names_these_wrappers_with_these_modes():
    rows = re.findall(r"^\| (`[A-Z].*?) \| (.+?) \|$", text_of(PAGE), re.MULTILINE)
    named = {name: modes for names, modes in rows for name in re.findall(r"`(\w+)`", names)}
    assert named == {
        name: "all three"
        if modes == ANY
        else ", ".join(f'`"{mode.value}"`' for mode in (NEXT, DISABLED) if mode in modes)
        for name, (_, modes) in WRAPPERS.items()
    }


@pytest.mark.parametrize("module", [wrappers, gymnasium.wrappers], ids=["many", "one"])
def test_rescaled_bytes_have_to_be_floats_first(module):
    """If this fails, Gymnasium was mended and the page is to be changed."""

    def first(*wraps):
        env = made() if module is wrappers else ImpulseEnv()
        for wrap in wraps:
            env = wrap(env)
        return env.reset(seed=1)[0]

    def rescale(env):
        return module.RescaleObservation(env, 0, 1)

    def to_floats(env):
        return module.DtypeObservation(env, np.float32)

    plain, high = first(), np.asarray(observation.high(2))
    np.testing.assert_allclose(first(to_floats, rescale), plain / high, rtol=1e-6)
    lost = np.where(high == 1, plain, 0)
    assert (plain != lost).any()
    np.testing.assert_array_equal(first(rescale), lost)
    np.testing.assert_array_equal(first(rescale, to_floats), lost)


def test_what_the_page_says_of_wrappers_is_so():
    """`RecordEpisodeStatistics` refuses the infos of `DictInfoToList`, so apply
    `DictInfoToList` last.

    `TransformObservation` does not know what its function returns.
    """
    orders = [wrappers.RecordEpisodeStatistics, wrappers.DictInfoToList]
    refused, taken = (outer(inner(made())) for inner, outer in (orders[::-1], orders))
    assert len(taken.reset(seed=1)[1]) == GAMES
    play(taken, 1)
    refused.reset(seed=1)
    with pytest.raises(AssertionError, match="requires `info` type to be `dict`"):
        play(refused, 1)
    shapes = []
    halves = wrappers.TransformObservation(
        made(), lambda seen: shapes.append(seen.shape) or seen / 2
    )
    assert halves.reset(seed=1)[0] not in halves.observation_space
    assert shapes == [(GAMES, observation.size(2))]  # of all games at once, as a guide says


@MANY_STEPS
@pytest.mark.parametrize("mode", [NEXT, SAME], ids=str)
def test_returns_and_lengths_are_recorded(mode):
    env = wrappers.RecordEpisodeStatistics(made(autoreset_mode=mode, target_score=4))
    env.reset(seed=1)
    returns, lengths = np.zeros(GAMES), np.zeros(GAMES, int)
    for _, rewards, terminations, truncations, info in play(env, 200):
        over = terminations | truncations
        returns += rewards
        lengths += 1
        if over.any():
            np.testing.assert_allclose(info["episode"]["r"][over], returns[over])
            np.testing.assert_array_equal(info["episode"]["l"][over], lengths[over])
        returns[over], lengths[over] = 0, -1 if mode is NEXT else 0
    assert env.episode_count > GAMES


@MANY_STEPS
def test_each_game_has_an_info_of_its_own():
    env = wrappers.DictInfoToList(made(autoreset_mode=SAME, target_score=4))
    _, infos = env.reset(seed=1)
    assert len(infos) == GAMES
    for _, _, terminations, truncations, infos in play(env, 100):
        for game, info in enumerate(infos):
            assert info["action_mask"].shape == (N_ACTIONS,)
            assert ("final_info" in info) == bool(terminations[game] or truncations[game])
            assert "final_info" not in info or info["final_info"]["scores"].shape == (2,)


@MANY_STEPS
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_continues_alike(copied):
    env = made(players=3, target_score=4, reward="score", opponents=["random", "greedy"])
    env.reset(seed=6)
    play(env, 40)
    other = copied(env)
    for mine, theirs in zip(play(env, 80, 1), play(other, 80, 1), strict=True):
        np.testing.assert_array_equal(mine[0], theirs[0])
        np.testing.assert_array_equal(mine[1], theirs[1])
