"""OpenSpiel's own checks accept the game, its bots and learners play it, nothing hidden shows."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

from impulse_agents import make
from impulse_env import (
    ArgumentError,
    Game,
    IllegalActionError,
    OptionError,
    Options,
    observation,
)
from impulse_env.frame import to_absolute, to_own

pyspiel = pytest.importorskip("pyspiel")
torch = pytest.importorskip("torch")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import mcts  # noqa: E402

from impulse_agents.openspiel import AgentBot, RandomPlayouts  # noqa: E402 - they need pyspiel
from impulse_env.environments.openspiel import SEED_BYTES, deal, options_of, views_of  # noqa: E402

pytestmark = pytest.mark.interop

TABLES = [
    {"players": 2},
    {"players": 3, "races": "draft"},
    {"players": 4, "team_size": 2},
    {"players": 5, "max_turns": 9},
    {"players": 6, "team_size": 3, "auto_forced": False},
]
IDS = [str(table["players"]) for table in TABLES]


def loaded(**parameters):
    return pyspiel.load_game("python_impulse", {"target_score": 4} | parameters)


def played(game, seed, decisions):
    """A game some random decisions after the deal."""
    state, rng = deal(game, seed), np.random.default_rng(seed)
    for _ in range(decisions):
        if not state.is_terminal():
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def test_the_page_of_openspiel_runs(shown):
    assert shown["state"].is_terminal()
    assert len(shown["agents"][0]._rl_agent._replay_buffer) > 64


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_openspiels_own_check_of_games_accepts_it(table):
    """Clones, strings, masks, observations, serialisation and returns at every step."""
    pyspiel.random_sim_test(loaded(**table), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_a_deal_is_the_game_of_that_seed(table):
    state = deal(loaded(**table), 2**63 + 5)
    options = {"target_score": 4} | table
    assert state.impulse == Game(seed=2**63 + 5, **options)
    assert len(state.history()) == SEED_BYTES
    assert options_of(options) == Options(**options)


def test_actions_are_in_the_own_frame_and_their_names_absolute():
    state, rng = deal(loaded(players=3), 5), np.random.default_rng(5)
    beside = state.impulse.copy()
    while not state.is_terminal():
        seat = beside.seat
        own = sorted(to_own(action, 3, seat) for action in beside.legal_actions())
        assert state.legal_actions() == own
        action = int(rng.choice(own))
        name = beside.name(to_absolute(action, 3, seat))
        assert state.action_to_string(seat, action) == name
        state.apply_action(action)
        beside.step(name)
    assert state.impulse == beside
    winners = beside.winners
    expected = [1.0 if seat in winners else -len(winners) / (3 - len(winners)) for seat in range(3)]
    assert state.returns() == expected


def test_observations_hide_hidden_information():
    game, differing = loaded(players=3, target_score=20), 0
    for seed in range(6):
        state = played(game, seed, 20 * seed)
        for seat in range(3):
            other = state.resample_from_infostate(seat, np.random.default_rng(seed).random)
            differing += other.impulse != state.impulse
            assert views_of(state.impulse)[seat] == state.impulse.view(seat).state
            assert views_of(other.impulse)[seat] == state.impulse.view(seat).state
            for told in ("information_state", "observation"):
                assert getattr(state, f"{told}_string")(seat) == getattr(other, f"{told}_string")(
                    seat
                )
                assert getattr(state, f"{told}_tensor")(seat) == getattr(other, f"{told}_tensor")(
                    seat
                )
    assert differing == 18


def test_an_information_state_tells_apart_what_a_player_did():
    """The observations alone would be the same again after some detours."""
    game = loaded(auto_forced=False)
    state = played(game, 3, 12)
    seat, other = state.current_player(), None
    for action in state.legal_actions():
        after = state.child(action).information_state_string(seat)
        assert after not in (other, state.information_state_string(seat))
        other = after
    hidden = [state.clone(), state.clone()]
    for number, one in enumerate(hidden):
        one._remember(bytes([number]), seat)  # as if it could not see what it had done
    keys = [[one.information_state_string(player) for player in range(2)] for one in hidden]
    assert [keys[0][player] == keys[1][player] for player in (seat, 1 - seat)] == [False, True]


def test_a_state_that_was_read_again_continues_alike():
    state = played(loaded(players=4), 9, 30)
    for one in (state, state.resample_from_infostate(0, np.random.default_rng(1).random)):
        text = pyspiel.serialize_game_and_state(one.get_game(), one)
        _, again = pyspiel.deserialize_game_and_state(text)
        assert again.impulse == one.impulse
        assert again.history() == one.history()
        assert again.information_state_string(2) == one.information_state_string(2)


def test_the_tensor_is_the_observation_over_its_highest_values():
    state = played(loaded(), 4, 25)
    for seat in range(2):
        tensor = np.array(state.observation_tensor(seat), np.float32)
        assert 0 <= tensor.min() < tensor.max() <= 1
        own = np.rint(tensor * np.asarray(observation.high(2)))
        assert (own == observation.observe(state.impulse, seat)).all()


def test_before_the_deal_nobody_knows_anything():
    state = loaded().new_initial_state()
    assert state.is_chance_node()
    assert not any(state.observation_tensor(0))
    assert state.information_state_string(1) == "player 1: not dealt"
    with pytest.raises(ValueError, match="8 chance nodes come first"):
        state.resample_from_infostate(0, np.random.default_rng(1).random)


def test_a_bad_parameter_or_action_is_refused_in_one_sentence():
    with pytest.raises(OptionError, match="players must be an integer from 2 to 6, not 7"):
        loaded(players=7)
    with pytest.raises(OptionError, match="unknown race 'klingons'"):
        loaded(races="klingons+")
    state = deal(loaded(), 1)
    illegal = next(action for action in range(180) if action not in state.legal_actions())
    before = state.impulse.copy()
    with pytest.raises(IllegalActionError, match="legal are"):
        state.apply_action(illegal)
    with pytest.raises(IllegalActionError, match="action must be an integer from 0 to 179, not -2"):
        state.apply_action(-2)  # -1 is a number of OpenSpiel's own
    assert state.impulse == before
    with pytest.raises(IllegalActionError, match="outcome must be an integer from 0 to 255, not"):
        loaded().new_initial_state().apply_action(256)
    for wrong in (-1, 2**64, 1.0, "7", None):
        with pytest.raises(ArgumentError, match="seed must be an integer from 0 to"):
            deal(loaded(), wrong)
    for wrong in (0, -1, 1.5, None):
        with pytest.raises(ArgumentError, match="playouts must be an integer of 1 or more, not"):
            RandomPlayouts(wrong)
    with pytest.raises(ArgumentError, match="seed must be an integer of 0 or more, not -1"):
        AgentBot("random", -1)
    with pytest.raises(ArgumentError, match="player must be an integer from 0 to 1, not -1"):
        state.information_key(-1)


def test_races_are_named_with_a_plus():
    state = deal(loaded(races="ariek+"), 1)
    assert state.impulse == Game(seed=1, races=["ariek", None], target_score=4)


def test_openspiels_search_with_playouts_beats_random_play():
    game, won = loaded(target_score=8), 0
    for seed in range(6):
        rng = np.random.RandomState(seed)
        search = mcts.MCTSBot(game, 2.0, 20, RandomPlayouts(2, seed), random_state=rng)
        bots = [AgentBot("random", seed), AgentBot("random", seed)]
        bots[seed % 2] = search
        state = deal(game, seed)
        while not state.is_terminal():
            state.apply_action(int(bots[state.current_player()].step(state)))
        won += state.returns()[seed % 2] > 0
    assert won >= 5


@pytest.mark.parametrize("name", ["python_impulse", "python_kuhn_poker"])
@pytest.mark.parametrize("bot", ["MCTSBot", "ISMCTSBot"])
def test_bots_in_compiled_code_end_the_process(bot, name):
    """Two bots in C++ cannot play games written in Python, this one or OpenSpiel's own: with 2.0.2
    `step` of `pyspiel.MCTSBot` and of `pyspiel.ISMCTSBot` ends the process.
    """
    done = subprocess.run([sys.executable, "-c", COMPILED[bot] % name], capture_output=True)
    assert b"deals" in done.stdout
    assert done.returncode < 0


COMPILED = {
    bot: f"""
import pyspiel
from open_spiel.python.games import kuhn_poker
import impulse_env.environments.openspiel

game, evaluator = pyspiel.load_game("%s"), pyspiel.RandomRolloutEvaluator(1, 1)
state = game.new_initial_state()
while state.is_chance_node():
    state.apply_action(state.legal_actions()[0])
bot = {made}
print("deals", flush=True)
bot.step(state)
"""
    for bot, made in {
        "MCTSBot": "pyspiel.MCTSBot(game, evaluator, 2.0, 5, 10, False, 1, False)",
        "ISMCTSBot": "pyspiel.ISMCTSBot(1, evaluator, 2.0, 5, 10, "
        "pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False)",
    }.items()
}


@pytest.mark.parametrize(
    ("module", "kind", "options"),
    [
        ("dqn", "DQN", {"batch_size": 32, "min_buffer_size_to_learn": 64}),
        ("policy_gradient", "PolicyGradient", {"batch_size": 16, "num_critic_before_pi": 1}),
    ],
)
def test_learners_of_openspiel_play_and_learn(module, kind, options):
    """`NFSP`, `DQN` and `PolicyGradient` of `open_spiel.python.pytorch` work with the game through
    `rl_environment`.

    NFSP is on the page. An illegal action would raise.
    """
    env = rl_environment.Environment(loaded(target_score=3))
    (size,), actions = env.observation_spec()["info_state"], env.action_spec()["num_actions"]
    learner = getattr(importlib.import_module(f"open_spiel.python.pytorch.{module}"), kind)
    agents = [learner(player, size, actions, **options) for player in range(2)]
    for _ in range(4):
        step = env.reset()
        while not step.last():
            output = agents[step.observations["current_player"]].step(step)
            step = env.step([output.action])
        for agent in agents:
            agent.step(step)
    losses = [agent.loss if module != "dqn" else (agent.loss,) for agent in agents]
    assert all(torch.as_tensor(loss).isfinite() for both in losses for loss in both)


def test_an_agent_plays_as_a_bot_what_it_plays_here():
    game, agent = loaded(players=3, target_score=20), make("greedy")
    state = deal(game, 11)
    returns = pyspiel.evaluate_bots(state, [AgentBot("greedy", seat) for seat in range(3)], 1)
    alone = Game(3, seed=11)
    streams = [np.random.default_rng(seat) for seat in range(3)]
    while not alone.is_over:
        alone.step(agent.act_in_game(alone, streams[alone.seat]))
    assert state.impulse == alone
    assert returns == state.returns()


def test_the_package_does_not_need_openspiel():
    script = "import impulse_env, impulse_agents, sys; sys.exit('pyspiel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_without_openspiel_it_says_what_is_missing():
    script = "import sys; sys.modules['pyspiel'] = None; import impulse_env.environments.openspiel"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr.endswith(
        "ImportError: python_impulse needs OpenSpiel: pip install open_spiel\n"
    )
