"""The AEC environment keeps PettingZoo's contract, and its own promises."""

import copy
import pickle
import random
import subprocess
import sys
import warnings

import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces
from pettingzoo.utils import wrappers
from scipy.stats import chisquare

import impulse_env  # noqa: F401 - registers
from impulse_env import impulse_v0, observation
from impulse_env.actions import N_ACTIONS, NAMES
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.environments.aec import ILLEGAL_REWARD
from impulse_env.environments.outcome_arrays import ENDS
from impulse_env.environments.registration import PETTINGZOO_ID, register_all
from impulse_env.environments.single_seat import ImpulseEnv
from impulse_env.environments.spaces import ActionSpace
from impulse_env.errors import IllegalActionError
from impulse_env.frame import to_absolute
from impulse_env.game import Game
from impulse_env.options import OptionError

with warnings.catch_warnings():
    # It imports its example by a path that PettingZoo itself calls deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

TABLES = [
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 4, "team_size": 2},
    {"players": 5},
    {"players": 6},
    {"players": 6, "team_size": 2},
    {"players": 6, "team_size": 3},
]
MANY_STEPS = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")
CYCLES = 300 if IS_COMPILED else 20
EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=str)
EVERY_REWARD = pytest.mark.parametrize("reward", ["win", "score"])


def legal_action(env, rng):
    return int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))


def is_over(env):
    return not env.agents or env.terminations[env.agent_selection] or any(env.truncations.values())


def play(env, seed, steps=10**9):
    """Take random legal actions until the game is over; yield before each."""
    rng = np.random.default_rng(seed)
    while not is_over(env) and steps:
        yield env
        env.step(legal_action(env, rng))
        steps -= 1


def played(steps, seed=5, **arguments):
    env = impulse_v0.env(**arguments)
    env.reset(seed=seed)
    for _ in play(env, seed, steps):
        pass
    assert not is_over(env)
    return env


# --- PettingZoo's own tests --------------------------------------------------------------------


@EVERY_REWARD
@EVERY_TABLE
def test_api_test_passes(table, reward):
    api_test(impulse_v0.env(**table, reward=reward), num_cycles=CYCLES)


@MANY_STEPS
def test_api_test_passes_over_the_end_of_a_game():
    api_test(impulse_v0.env(target_score=2), num_cycles=1000)
    api_test(impulse_v0.env(max_turns=3), num_cycles=1000)
    api_test(impulse_v0.raw_env(players=3, auto_forced=False), num_cycles=1000)


@EVERY_TABLE
def test_seed_test_passes(table):
    seed_test(lambda: impulse_v0.env(**table), num_cycles=CYCLES)


@MANY_STEPS
def test_the_parallel_environment_passes_its_tests():
    parallel_api_test(impulse_v0.parallel_env(players=3, target_score=5), num_cycles=1000)
    # It plays any action, legal or not.
    parallel_seed_test(impulse_v0.parallel_env)


@MANY_STEPS
@pytest.mark.parametrize("form", [impulse_v0.env, impulse_v0.raw_env])
@pytest.mark.parametrize(
    "wrap",
    [
        wrappers.OrderEnforcingWrapper,
        wrappers.AssertOutOfBoundsWrapper,
        lambda env: wrappers.TerminateIllegalWrapper(env, ILLEGAL_REWARD),
    ],
)
def test_wrappers_of_pettingzoo_change_no_game(form, wrap):
    """Of PettingZoo's own wrappers, `OrderEnforcingWrapper`, `AssertOutOfBoundsWrapper` and
    `TerminateIllegalWrapper` work around either.
    """
    plain, wrapped = form(target_score=4), wrap(form(target_score=4))
    totals = [dict.fromkeys(plain.possible_agents, 0.0) for _ in range(2)]
    for env, paid in zip((plain, wrapped), totals, strict=True):
        env.reset(seed=3)
        rng = np.random.default_rng(0)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            paid[agent] += reward
            ended = terminated or truncated
            env.step(None if ended else int(rng.choice(seen["action_mask"].nonzero()[0])))
    assert plain.game == wrapped.unwrapped.game
    assert totals[0] == totals[1]
    assert any(totals[0].values())


def test_pettingzoos_tests_warn_of_dicts_and_of_themselves():
    """`api_test` of 1.27 warns of every environment with dicts as observations that is not on a
    list of its own. Importing `pettingzoo.test` warns of itself, because its example uses
    deprecated imports.
    """
    with pytest.warns(UserWarning, match="Observation is not a NumPy array"):
        api_test(impulse_v0.env(), num_cycles=10)
    script = "import pettingzoo.test"
    words = [sys.executable, "-W", "error::DeprecationWarning", "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "DeprecationWarning: The old environment creation API" in done.stderr


# --- Names and spaces --------------------------------------------------------------------------


def test_it_is_registered_with_pettingzoo_once():
    register_all()
    env = pettingzoo.make("aec", PETTINGZOO_ID, players=4, team_size=2)
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert pettingzoo.make("parallel", PETTINGZOO_ID, players=3).max_num_agents == 3


def test_it_says_its_name_and_that_agents_do_not_act_at_once():
    env = impulse_v0.env()
    assert str(env) == str(env.unwrapped) == env.metadata["name"] == "impulse_v0"
    assert env.metadata["is_parallelizable"] is False


@EVERY_TABLE
def test_every_agent_has_equal_spaces_of_its_own(table):
    env = impulse_v0.env(**table)
    size = observation.size(table["players"])
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent) == spaces.Discrete(N_ACTIONS)
        assert space["observation"].shape == (size,)
        assert space["observation"].dtype == np.uint8
        assert space["action_mask"] == spaces.Box(0, 1, (N_ACTIONS,), np.int8)
        assert space == env.observation_space("player_0")
    assert env.action_space("player_0") is not env.action_space("player_1")


# --- The action space --------------------------------------------------------------------------


def test_a_masked_sample_is_uniform():
    space = ActionSpace(seed=3)
    mask = np.zeros(N_ACTIONS, np.int8)
    mask[[0, 7, 80, N_ACTIONS - 1]] = 1
    drawn = [space.sample(mask) for _ in range(4000)]
    values, counts = np.unique(drawn, return_counts=True)
    assert values.tolist() == [0, 7, 80, N_ACTIONS - 1]
    assert chisquare(counts).pvalue > 0.001
    assert all(space.contains(action) for action in drawn)


def test_a_sample_depends_on_the_seed_of_its_space_alone():
    mask = np.ones(N_ACTIONS, np.int8)
    first, second = ActionSpace(), ActionSpace()
    first.seed(9)
    second.seed(9)
    one = [first.sample(mask) for _ in range(20)]
    for other in one:
        np.random.seed(random.randrange(100))  # noqa: NPY002 - nobody may listen to it
        assert second.sample(mask) == other


def test_what_is_no_mask_is_treated_as_discrete_treats_it():
    ours, theirs = ActionSpace(), spaces.Discrete(N_ACTIONS)
    zeros = np.zeros(N_ACTIONS, np.int8)
    assert ours.sample(zeros) == theirs.sample(zeros) == 0
    twos = zeros + np.int8(2)
    for wrong in (zeros.astype(np.int64), zeros[1:], list(zeros), twos):
        with pytest.raises(AssertionError) as expected:
            theirs.sample(wrong)
        with pytest.raises(AssertionError) as found:
            ours.sample(wrong)
        assert str(found.value) == str(expected.value)
    ours.seed(3)
    theirs.seed(3)
    assert [ours.sample() for _ in range(20)] == [theirs.sample() for _ in range(20)]
    some = (np.arange(N_ACTIONS) % 7 == 0).astype(np.int8)
    # As the environment's page says: uniform, and yet not the same ones.
    assert [ours.sample(some) for _ in range(20)] != [theirs.sample(some) for _ in range(20)]
    sure = np.zeros(N_ACTIONS)
    sure[5] = 1.0
    assert ours.sample(probability=sure) == 5
    assert 0 <= ours.sample() < N_ACTIONS


def test_an_action_space_is_copied_with_its_generator():
    space = ActionSpace(seed=1)
    space.sample()
    other = pickle.loads(pickle.dumps(space))
    mask = np.ones(N_ACTIONS, np.int8)
    assert [space.sample(mask) for _ in range(5)] == [other.sample(mask) for _ in range(5)]
    assert space == other


# --- Options -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"players": 7}, "players must be an integer from 2 to 6, not 7"),
        ({"players": 3, "team_size": 2}, "team_size"),
        ({"races": "druids"}, "races"),
        ({"hand_limit": 99}, "hand_limit"),
        ({"auto_forced": "yes"}, "auto_forced"),
        ({"reward": "points"}, "reward must be one of 'win', 'score'; not 'points'"),
        ({"illegal": "ignore"}, "illegal must be one of 'raise', 'terminate'"),
        ({"render_mode": "svg"}, "render_mode must be one of None, 'human', 'ansi', 'rgb_array'"),
        ({"render_seat": 2}, "render_seat must be one of None, 'all', 0, 1; not 2"),
        ({"render_seat": True}, "render_seat"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(wrong, said):
    with pytest.raises(OptionError, match=said):
        impulse_v0.env(**wrong)


@pytest.mark.parametrize(
    ("given", "nearest"), [("player", "players"), ("rewards", "reward"), ("teamsize", "team_size")]
)
def test_an_option_that_does_not_exist_names_the_right_one(given, nearest):
    for make in (impulse_v0.env, ImpulseEnv):
        with pytest.raises(OptionError, match=rf"no option '{given}'; did you mean {nearest}\?"):
            make(**{given: 3})


def test_an_option_that_is_like_none_is_refused_too():
    with pytest.raises(OptionError, match="there is no option 'xyz'"):
        impulse_v0.env(xyz=3)


# --- Seeds -------------------------------------------------------------------------------------


@EVERY_TABLE
def test_a_seed_deals_the_game_that_it_deals_everywhere(table):
    env = impulse_v0.env(**table)
    env.reset(seed=11)
    assert env.game == Game(seed=11, **table)


def test_later_games_follow_from_the_seed():
    env, other = impulse_v0.env(), impulse_v0.env()
    env.reset(seed=4)
    other.reset(seed=4)
    dealt = set()
    for _ in range(5):
        env.reset()
        other.reset(options={"anything": "is ignored"})
        assert env.game == other.game
        dealt.add(env.game.to_bytes())
    assert len(dealt) == 5
    unseeded = impulse_v0.env()
    unseeded.reset()
    assert unseeded.game.to_bytes() not in dealt


def test_the_global_generators_play_no_part():
    games = []
    for noise in (1, 2):
        random.seed(noise)
        np.random.seed(noise)  # noqa: NPY002 - nobody may listen to it
        games.append(played(60).game)
    assert games[0] == games[1]


# --- What an agent sees ------------------------------------------------------------------------


@EVERY_TABLE
def test_observation_and_mask_belong_to_the_agent_that_asks(table):
    env = impulse_v0.env(**table)
    env.reset(seed=2)
    mirror = Game(seed=2, **table)
    rng = np.random.default_rng(2)
    for _ in range(CYCLES // 2):
        assert env.agent_selection == f"player_{mirror.seat}"
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            np.testing.assert_array_equal(
                seen["observation"], observation.observe(mirror.state, seat)
            )
            own = [
                action
                for action in np.flatnonzero(seen["action_mask"])
                if mirror.legal_mask()[to_absolute(action, mirror.players, seat)]
            ]
            expected = len(mirror.legal_actions()) if seat == mirror.seat else 0
            assert seen["action_mask"].sum() == len(own) == expected
        action = legal_action(env, rng)
        mirror.step(to_absolute(action, mirror.players, mirror.seat))
        env.step(action)
        assert env.game == mirror


def test_an_observation_handed_out_never_changes():
    env = impulse_v0.env()
    env.reset(seed=1)
    kept = []
    for _ in play(env, 1, 40):
        seen = env.last()[0]
        kept.append((seen, copy.deepcopy(seen)))
    for seen, as_it_was in kept:
        for key, array in seen.items():
            np.testing.assert_array_equal(array, as_it_was[key])


def test_writing_into_an_observation_changes_nothing():
    env = impulse_v0.env()
    env.reset(seed=1)
    before = copy.deepcopy(env.last()[0])
    env.last()[0]["action_mask"][:] = 1
    env.last()[0]["observation"][:] = 7
    for key, array in env.last()[0].items():
        np.testing.assert_array_equal(array, before[key])


def test_last_can_leave_the_observation_out():
    env = impulse_v0.env()
    env.reset(seed=1)
    assert env.last(observe=False) == (None, 0.0, False, False, env.infos[env.agent_selection])


# --- Rewards and the end -----------------------------------------------------------------------


def rewards_of_a_game(env, seed):
    """Play to the end; check that every step is zero-sum; return each agent's total."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for _ in play(env, seed):
        for agent in env.agents:
            total[agent] += env.rewards[agent]
        assert sum(env.rewards.values()) == pytest.approx(0)
    assert env.agents == env.possible_agents
    assert sum(env.rewards.values()) == pytest.approx(0)
    for agent in env.agents:
        total[agent] += env.rewards[agent]
    return total


@MANY_STEPS
@EVERY_TABLE
def test_winners_get_one_and_losers_share_the_opposite(table):
    env = impulse_v0.env(**table, target_score=5)
    total = rewards_of_a_game(env, seed=3)
    winners = env.game.winners
    assert len(winners) == table.get("team_size", 1)
    losers = table["players"] - len(winners)
    for seat, agent in enumerate(env.possible_agents):
        expected = 1.0 if seat in winners else -len(winners) / losers
        assert total[agent] == pytest.approx(expected)
        assert env.terminations[agent] is True
        assert env.truncations[agent] is False


@MANY_STEPS
@EVERY_TABLE
def test_score_rewards_add_the_lead_over_the_mean_opponent(table):
    teams = table["players"] // table.get("team_size", 1)
    env = impulse_v0.env(**table, target_score=8, reward="score")
    total = rewards_of_a_game(env, seed=6)
    scores, winners = env.game.scores, env.game.winners
    for seat, agent in enumerate(env.possible_agents):
        others = [s for other, s in enumerate(scores) if (other - seat) % teams]
        won = 1.0 if seat in winners else -len(winners) / (table["players"] - len(winners))
        lead = (scores[seat] - np.mean(others)) / 8
        assert total[agent] == pytest.approx(won + lead)


@EVERY_REWARD
@EVERY_TABLE
def test_a_truncated_game_is_won_by_nobody(table, reward):
    env = impulse_v0.env(**table, max_turns=3, reward=reward)
    total = rewards_of_a_game(env, seed=1)
    assert env.game.is_truncated
    assert sum(total.values()) == pytest.approx(0)
    if reward == "win":
        assert set(total.values()) == {0.0}
    for agent in env.agents:
        assert env.truncations[agent] is True
        assert env.terminations[agent] is False
        assert ENDS[env.infos[agent]["end"]] == env.end == "truncation"
        assert not env.infos[agent]["winners"].any()
    assert env.winners == ()


@MANY_STEPS
def test_last_gives_all_rewards_since_the_agent_acted():
    env = impulse_v0.env(players=3, reward="score", target_score=6)
    env.reset(seed=8)
    owed = dict.fromkeys(env.agents, 0.0)
    rng = np.random.default_rng(8)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert reward == pytest.approx(owed[agent])
        owed[agent] = 0.0
        env.step(None if terminated or truncated else legal_action(env, rng))
        for other, given in env.rewards.items():
            owed[other] += given
    assert not env.agents


def test_all_seats_learn_of_the_end_and_not_before():
    env = impulse_v0.env(players=3, target_score=4)
    env.reset(seed=2)
    first = [(name, np.shape(v), v.dtype) for name, v in env.infos["player_0"].items()]
    for _ in play(env, 2):
        assert set(env.infos) == set(env.possible_agents)
        for info in env.infos.values():
            assert not any(np.any(value) for value in info.values())
        assert (env.end, env.winners) == ("", ())
        assert list(env.scores.values()) == env.game.scores
    game = env.game
    assert env.end == "score"
    assert env.winners == tuple(f"player_{seat}" for seat in game.winners)
    assert env.scores == dict(zip(env.possible_agents, game.scores, strict=True))
    for agent in env.agents:
        info = env.infos[agent]
        assert [(name, np.shape(v), v.dtype) for name, v in info.items()] == first
        assert ENDS[info["end"]] == "score"
        assert np.flatnonzero(info["winners"]).tolist() == list(game.winners)
        assert info["scores"].tolist() == game.scores
        assert info["turns"] == game.turn
        assert not env.observe(agent)["action_mask"].any()


def test_all_agents_leave_one_by_one_after_the_end():
    env = impulse_v0.env(players=3, target_score=2)
    env.reset(seed=2)
    for _ in play(env, 2):
        pass
    for left in (3, 2, 1):
        assert env.num_agents == left
        agent = env.agent_selection
        with pytest.raises(ValueError, match="only valid action is None"):
            env.step(0)
        env.step(None)
        assert agent not in env.agents
        for kept in (env.rewards, env.terminations, env.truncations, env.infos):
            assert set(kept) == set(env.agents)
        assert set(env.rewards.values()) <= {0}
    env.reset(seed=3)
    assert env.agents == env.possible_agents


# --- A player eliminated in mid-game -----------------------------------------------------------


def seed_of_elimination(table):
    """Return the first seed whose random game goes on after a player is out."""
    for seed in range(60):
        env = impulse_v0.env(**table, ships=3, target_score=40, max_turns=200)
        env.reset(seed=seed)
        for _ in play(env, seed):
            if env._batch.states["eliminated"].any():
                return seed
    pytest.fail("nobody was eliminated")


@MANY_STEPS  # and of two players the other one wins at once
@pytest.mark.parametrize("table", TABLES[1:], ids=str)
def test_an_eliminated_agent_waits_for_the_end_and_its_reward(table):
    seed = seed_of_elimination(table)
    env = impulse_v0.env(**table, ships=3, target_score=40, max_turns=200)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    is_out, returned, last_steps = set(), dict.fromkeys(env.possible_agents, 0.0), []
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        returned[agent] += reward
        if terminated or truncated:
            last_steps.append(agent)
            env.step(None)
            continue
        assert env.agents == env.possible_agents
        assert agent not in is_out
        for other in is_out:
            assert not env.observe(other)["action_mask"].any()
            assert not env.terminations[other]
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        out = np.flatnonzero(env._batch.states["eliminated"][0])
        is_out |= {f"player_{seat}" for seat in out}
    assert is_out
    assert last_steps == env.possible_agents
    winners = env.game.winners
    losers = table["players"] - len(winners)
    for seat, agent in enumerate(env.possible_agents):
        won = 1.0 if seat in winners else -len(winners) / losers if winners else 0.0
        assert returned[agent] == pytest.approx(won)


@MANY_STEPS
def test_an_eliminated_agent_wins_with_its_team():
    """The reason why it waits: its reward is not certain when it is out."""
    table = {"players": 6, "team_size": 3, "ships": 3, "target_score": 12}
    for seed in range(200):
        env = impulse_v0.env(**table)
        total = rewards_of_a_game(env, seed)
        out = {int(seat) for seat in np.flatnonzero(env.game.state["eliminated"])}
        if out & set(env.game.winners):
            for seat in out:
                assert total[f"player_{seat}"] == (1.0 if seat in env.game.winners else -1.0)
            return
    pytest.fail("no team has won with an eliminated player")


@MANY_STEPS
@pytest.mark.parametrize("table", [{"players": 2}, {"players": 4, "team_size": 2}], ids=str)
def test_the_last_player_or_team_on_the_map_wins(table):
    for seed in range(300):
        env = impulse_v0.env(**table, ships=3, target_score=100)
        env.reset(seed=seed)
        for _ in play(env, seed):
            pass
        if env.end == "elimination":
            winners = env.game.winners
            assert [env.rewards[f"player_{seat}"] for seat in winners] == [1.0] * len(winners)
            assert sum(env.rewards.values()) == pytest.approx(0)
            return
    pytest.fail("no game has ended so")


# --- Copies ------------------------------------------------------------------------------------


def reset_and_play(env, steps):
    """Play with the environment's own generators; return everything that was seen."""
    seen = []
    for _ in range(steps):
        agent = env.agent_selection
        observed, *others = env.last()
        seen.append((agent, [array.tobytes() for array in observed.values()], others))
        if env.terminations[agent]:
            env.step(None)
            if not env.agents:
                env.reset()
        else:
            env.step(env.action_space(agent).sample(observed["action_mask"]))
    return seen, env.game


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@EVERY_REWARD
@MANY_STEPS
def test_a_copy_of_a_running_environment_continues_alike_and_apart(copied, reward):
    for steps in (0, 1, 77):
        env = played(steps, players=3, reward=reward, target_score=12)
        other = copied(env)
        before = env.game
        theirs = reset_and_play(other, 500)
        assert env.game == before
        np.testing.assert_equal(reset_and_play(env, 500), theirs)


def test_an_environment_can_be_copied_before_its_first_game():
    env = copy.deepcopy(impulse_v0.env(players=3))
    with pytest.raises(AssertionError):
        env.step(0)
    env.reset(seed=1)
    assert env.game == Game(players=3, seed=1)


# --- Illegal actions ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.uint8, np.array])
def test_any_kind_of_integer_is_an_action(kind):
    env, other = played(20), played(20)
    action = legal_action(env, np.random.default_rng(1))
    env.step(action)
    other.step(kind(action))
    assert env.game == other.game


@MANY_STEPS
@EVERY_TABLE
def test_every_action_out_of_the_mask_is_refused_before_anything_changes(table):
    """`raw_env` refuses it, and nothing has changed."""
    env = impulse_v0.raw_env(**table)
    env.reset(seed=7)
    for number, _ in enumerate(play(env, 7, 120)):
        if number % 10:
            continue
        before = pickle.dumps(env)
        mask = env.last()[0]["action_mask"]
        for action in [*np.flatnonzero(mask == 0), -1, N_ACTIONS, 1.0, None, "pass", [3]]:
            with pytest.raises(IllegalActionError):
                env.step(action)
        env._has_stepped = pickle.loads(before)._has_stepped
        assert pickle.dumps(env) == before


def test_a_refusal_names_action_meaning_agent_and_what_is_allowed():
    env = played(30, players=4, illegal="raise")
    agent = env.agent_selection
    mask = env.last()[0]["action_mask"]
    wrong = int(np.flatnonzero(mask == 0)[0])
    with pytest.raises(IllegalActionError) as found:
        env.step(wrong)
    message = str(found.value)
    assert f"illegal action {wrong} ({NAMES[wrong]}" in message
    assert agent in message
    assert f"in turn {env.game.turn}" in message
    assert env.game.decision.prompt in message
    for action in np.flatnonzero(mask):
        assert f"{action} ({NAMES[action]}" in message


def test_a_refusal_names_places_in_the_frame_and_on_the_map():
    env = impulse_v0.raw_env(start_player=1)
    env.reset(seed=1)
    cell = NAMES.index("cell 8")
    with pytest.raises(IllegalActionError, match=r"cell 8, on the map cell 12\) of player_1"):
        env.step(cell)


def test_env_ends_the_game_at_an_illegal_action_as_pettingzoos_own_games_do():
    env = impulse_v0.env(players=3)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert env.end == "illegal"
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0, "player_2": 0.0} | {agent: -1.0}


@EVERY_TABLE
def test_the_state_is_what_all_agents_see(table):
    env = impulse_v0.env(**table)
    with pytest.raises(Exception, match="reset"):
        env.state()
    env.reset(seed=3)
    for _ in range(40):
        seen = [env.observe(agent)["observation"] for agent in env.possible_agents]
        np.testing.assert_array_equal(env.state(), seen)
        assert env.state_space.contains(env.state())
        env.step(env.action_space(env.agent_selection).sample(env.last()[0]["action_mask"]))


def test_an_illegal_action_can_end_the_game_as_pettingzoos_wrapper_ends_it():
    for reward in ("win", "score"):
        ours = played(25, players=3, reward=reward, illegal="terminate")
        theirs = wrappers.TerminateIllegalWrapper(
            played(25, players=3, reward=reward), ILLEGAL_REWARD
        )
        agent = ours.agent_selection
        wrong = int(np.flatnonzero(ours.last()[0]["action_mask"] == 0)[0])
        ours.step(wrong)
        theirs.step(wrong)
        assert ours.end == "illegal"
        assert not ours.observe(agent)["action_mask"].any()
        while ours.agents:
            assert ours.agent_selection == theirs.agent_selection
            assert ours.rewards == theirs.rewards
            assert ours.last(observe=False)[1:4] == theirs.last(observe=False)[1:4]
            ours.step(None)
            theirs.step(None)
        assert not theirs.agents


# --- Order -------------------------------------------------------------------------------------


def test_nothing_can_be_asked_before_reset():
    env = impulse_v0.env(render_mode="ansi")
    for name in (
        "agents", "agent_selection", "rewards", "terminations", "truncations", "infos",
        "num_agents", "game",
    ):  # fmt: skip
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    for call in (
        lambda: env.step(0), env.render, lambda: env.observe("player_0"), env.agent_iter,
    ):  # fmt: skip
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):
            call()
    with pytest.raises(AttributeError, match="no attribute 'agent'"):
        _ = env.agent


def test_the_loop_over_agents_must_step():
    env = impulse_v0.env()
    env.reset(seed=1)
    turns = iter(env.agent_iter())
    next(turns)
    with pytest.raises(AssertionError, match="need to call step"):
        next(turns)
    assert (
        len([env.step(legal_action(env, np.random.default_rng(0))) for _ in env.agent_iter(5)]) == 5
    )


def test_a_step_after_the_last_one_changes_nothing(capsys):
    env = impulse_v0.env(target_score=1)
    env.reset(seed=1)
    for _ in play(env, 1):
        pass
    while env.agents:
        env.step(None)
    before = env.game
    env.step(None)
    assert env.game == before
    assert not env.agents
