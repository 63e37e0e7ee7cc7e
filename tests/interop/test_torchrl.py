"""TorchRL's own checks accept one seat, many games and all seats; its PPO keeps to the masks."""

import gymnasium
import pytest

from impulse_env import OptionError, impulse_v0

torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")

from torchrl.data import Binary  # noqa: E402 - they need TorchRL
from torchrl.envs import (  # noqa: E402
    ActionMask,
    GymEnv,
    GymWrapper,
    PettingZooWrapper,
    TransformedEnv,
    check_env_specs,
    default_info_dict_reader,
)
from torchrl.modules import MLP, MaskedCategorical  # noqa: E402

pytestmark = [
    pytest.mark.interop,
    # It says so of every version but one that is years old.
    pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested:UserWarning"),
    # Of its own classes, while it is imported.
    pytest.mark.filterwarnings("ignore:Creating .* is deprecated:DeprecationWarning"),
]


def chosen(masks, actions):
    """Whether the masks have a 1 where the actions are."""
    return masks.gather(-1, actions.unsqueeze(-1)).squeeze(-1).bool()


def with_masks(env, shape=()):
    """The wrapped environment, whose random actions are legal."""
    wrapped = GymWrapper(env, categorical_action_encoding=True)
    mask = Binary(shape=(*shape, 180), dtype=torch.int8)
    wrapped.set_info_dict_reader(default_info_dict_reader(["action_mask"], [mask]))
    return TransformedEnv(wrapped, ActionMask())


def test_the_page_trains_with_legal_actions_alone(shown):
    page = shown
    rollout, game = page["rollout"], page["game"]
    assert rollout.shape == (8, 64)
    assert chosen(rollout["action_mask"], rollout["action"]).all()
    torch.manual_seed(1)
    before = MLP(page["size"], page["actions"], num_cells=[64]).state_dict()
    after = page["network"].state_dict()
    assert all(not torch.equal(before[name], after[name]) for name in before)
    deciding = torch.cat([game[seat, "mask"] for seat in page["table"].group_map], 1)
    assert (deciding.sum(1) == 1).all()
    for seat in page["table"].group_map:
        legal = chosen(game[seat, "action_mask"], game[seat, "action"])
        assert legal[game[seat, "mask"]].all()
        assert game["next", seat, "info", "end"][-1] in (1, 2, 3)
    rewards = [page["rows_of"](seat)["next", "reward"].sum() for seat in page["table"].group_map]
    assert sorted(map(float, rewards)) == [-1, 1]
    assert page["rows"]["advantage"].all()


@pytest.mark.parametrize("categorical", [True, False])
@pytest.mark.parametrize("table", [{}, {"players": 4, "team_size": 2, "races": "draft"}], ids=str)
def test_its_checks_accept_all_seats(table, categorical):
    """TorchRL's own `check_env_specs` accepts both."""
    env = impulse_v0.env(**table)
    check_env_specs(PettingZooWrapper(env, use_mask=True, categorical_actions=categorical))


def test_its_checks_accept_one_game():
    env = with_masks(gymnasium.make("impulse_env:Impulse-v0", players=3))
    check_env_specs(env)
    game = env.rollout(3000)
    assert chosen(game["action_mask"], game["action"]).all()
    assert game["next", "done"].squeeze(-1).tolist() == [False] * (len(game) - 1) + [True]


@pytest.mark.parametrize("mode", ["Disabled", "SameStep"])
# It unwraps its own transforms, which SameStep needs, and says so.
@pytest.mark.filterwarnings("ignore:Nested TransformedEnvs are automatically unwrapped")
def test_its_checks_accept_many_games_with_resets(mode):
    def made(target_score):
        arguments = {"autoreset_mode": mode, "target_score": target_score}
        games = gymnasium.make_vec("impulse_env:Impulse-v0", num_envs=3, **arguments)
        return with_masks(games, shape=(3,))

    check_env_specs(made(target_score=20))
    played = made(target_score=2).rollout(200, break_when_any_done=False)
    assert chosen(played["action_mask"], played["action"]).all()
    assert played["next", "done"].sum() > 3


def test_what_the_page_says_does_not_work_does_not():
    """`PettingZooWrapper` takes every agent of `impulse_v0.parallel_env()` for one that acts, and
    cannot draw an action where the mask is empty because it is another's turn. It warns that it is
    tested with PettingZoo 1.24.3.
    """
    with pytest.warns(UserWarning, match=r"tested using version == 1\.24\.3"):
        parallel = PettingZooWrapper(impulse_v0.parallel_env(), use_mask=True)
    with pytest.raises(RuntimeError, match="invalid multinomial distribution"):
        check_env_specs(parallel)
    with pytest.raises(RuntimeError, match="only supports boolean masks"):
        MaskedCategorical(logits=torch.zeros(9), mask=torch.ones(9, dtype=torch.int8)).sample()
    with pytest.raises(OptionError, match="frameskip"):
        GymEnv("impulse_env:Impulse-v0")
    with pytest.raises(RuntimeError, match="must be one of SAME_STEP or DISABLED"):
        GymWrapper(gymnasium.make_vec("impulse_env:Impulse-v0", num_envs=2))
