"""The environment's page says what the code does: every table is read here."""

import dataclasses
import inspect
import re
from fractions import Fraction

import gymnasium
import numpy as np
import pettingzoo
import pytest

from impulse_env import impulse_v0, observation
from impulse_env.actions import N_ACTIONS
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.engine.action_space import BLOCKS
from impulse_env.environments.aec import ILLEGAL_REWARD, RENDER_MODES, RawEnv
from impulse_env.environments.opponents import checked_opponents, random_opponent
from impulse_env.environments.outcome_arrays import ENDS
from impulse_env.environments.registration import GYMNASIUM_ID, PETTINGZOO_ID
from impulse_env.environments.rewards import REWARDS
from impulse_env.environments.single_seat import ImpulseEnv
from impulse_env.environments.vector import ImpulseVectorEnv
from impulse_env.options import TEAM_SIZES, Options
from paths import ROOT

MANY_STEPS = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")

PAGE = (ROOT / "docs/environment.md").read_text(encoding="utf-8")
LINES = PAGE.splitlines()


def tables():
    """Return every table by the words of its first row: rows of cells, without the heads."""
    found, number = {}, 0
    while number < len(LINES):
        if LINES[number].startswith("|"):
            start = number
            while number < len(LINES) and LINES[number].startswith("|"):
                number += 1
            rows = [
                [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                for line in LINES[start:number]
            ]
            found.setdefault(tuple(rows[0]), []).append(rows[2:])
        number += 1
    return found


TABLES = tables()


def table(*head, index=0):
    return TABLES[head][index]


def code(cell):
    """Return what stands between the backticks of a cell, evaluated."""
    return eval(cell.strip("`"))


def defaults_of(function):
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty}


def test_the_page_has_these_tables_and_each_is_tested():
    assert {head: len(found) for head, found in TABLES.items()} == {
        ("", ""): 1,
        ("Argument", "Default", "Meaning"): 3,
        ("Players", "Size"): 1,
        ("Index", "Section", "Shape", "Values", "Meaning"): 1,
        ("`frame_op`", "`frame_mode`", "`frame_number`"): 1,
        ("Index", "Block", "Meaning"): 1,
        ("Players", "Players in a team", "Each winner", "Each loser", "Truncated"): 1,
        ("`env.end`", "When", "Ends as"): 1,
        ("Key of `info` of an agent", "Shape", "Meaning"): 1,
        ("Key of `info`", "Shape", "Meaning"): 1,
        ("`render_mode`", "`render()` returns"): 1,
    }


def test_the_specification_is_true():
    rows = dict(table("", ""))
    assert rows["Import"] == "`from impulse_env import impulse_v0`"
    for name in re.findall(r"impulse_v0\.(\w+)", rows["Constructors"]):
        assert callable(getattr(impulse_v0, name))
    for kind, name in re.findall(r'make\("(\w+)", "([^"]+)"\)', rows["PettingZoo"]):
        assert name == PETTINGZOO_ID
        pettingzoo.make(kind, name)
    (name,) = re.findall(r'make\("([^"]+)"\)', rows["Gymnasium"])
    assert name == f"impulse_env:{GYMNASIUM_ID}"
    gymnasium.make(name)
    assert rows["Action space"].startswith(f"`Discrete({N_ACTIONS})`")
    assert f"(0, 1, ({N_ACTIONS},), int8)" in rows["Observation space"]
    assert "`False`" in rows["Acts at once"]
    assert RawEnv.metadata["is_parallelizable"] is False
    assert tuple(re.findall(r"`(\w+)`", rows["Render modes"])) == RENDER_MODES
    agents = re.findall(r"`(player_\d)`", rows["Agents"])
    assert agents == [RawEnv(6).possible_agents[0], RawEnv(6).possible_agents[-1]]


def test_the_arguments_are_those_of_the_environment():
    options = {field.name: field.default for field in dataclasses.fields(Options)}
    expected = defaults_of(RawEnv.__init__) | options
    written = table("Argument", "Default", "Meaning")
    assert {row[0].strip("`"): code(row[1]) for row in written} == expected
    rows = {row[0].strip("`"): row[2] for row in written}
    assert all(f'`"{reward}"`' in rows["reward"] for reward in REWARDS)
    for players, sizes in TEAM_SIZES.items():
        assert str(players) in rows["team_size"]
        assert all(str(size) in rows["team_size"] for size in sizes)


def test_the_arguments_for_one_agent_are_those_of_its_environment():
    rows = table("Argument", "Default", "Meaning", index=1)
    assert {row[0].strip("`"): code(row[1]) for row in rows} == defaults_of(ImpulseEnv.__init__)
    meanings = {row[0].strip("`"): row[2] for row in rows}
    named = re.findall(r'`"([^"]+)"`', meanings["opponents"])
    assert "random" in named
    for name in named:
        if ".py:" not in name:  # a file of the reader's
            (opponent,) = checked_opponents(name, 1)
            assert (name == "random") == (opponent is random_opponent)
    assert f"reward {ILLEGAL_REWARD:g}" in meanings["illegal"]


def test_the_sizes_are_those_of_the_vector():
    sizes = [(int(players), int(size)) for players, size in table("Players", "Size")]
    assert sizes == [(players, observation.size(players)) for players in range(2, 7)]


@pytest.mark.parametrize("call", re.findall(r"<!-- (observation\..*) -->", PAGE))
def test_a_generated_table_is_up_to_date(call):
    written = PAGE.split(f"<!-- {call} -->\n")[1].split("\n<!-- end -->")[0]
    generated = eval(call, {"observation": observation})
    assert written == generated, f"put this into docs/environment.md:\n{generated}"


def test_both_tables_of_the_observation_are_generated():
    assert PAGE.count("<!-- observation.table(2) -->") == 1
    assert PAGE.count("<!-- observation.frame_table() -->") == 1


def test_the_documented_numbers_of_the_vector_are_true():
    """Cards from 1 to 80, places to 61, seats to 6."""
    highs = {section.kind: section.high for section in observation.sections(6)}
    assert (highs["card"], highs["place"], highs["seat"]) == (84, 61, 6)
    assert "Cards are 1 to 80 in the order" in PAGE
    assert "Places are cells 1 to 19 and gates 20 to 61" in PAGE.replace("\n", " ")


def test_the_blocks_of_actions_are_those_of_the_action_space():
    start, expected = 0, []
    for block in BLOCKS:
        last = start + block.size - 1
        index = str(start) if block.size == 1 else f"{start}-{last}"
        expected.append([index, f"`{block.name}`", block.meaning])
        start += block.size
    assert table("Index", "Block", "Meaning") == expected


@MANY_STEPS
def test_the_rewards_are_those_of_every_table():
    head = ("Players", "Players in a team", "Each winner", "Each loser", "Truncated")
    rows = [[Fraction(cell) for cell in row] for row in table(*head)]
    assert [row[:2] for row in rows] == [
        [players, size] for players in range(2, 7) for size in (1, *TEAM_SIZES.get(players, ()))
    ]
    for players, size, winner, loser, truncated in rows:
        assert size * winner + (players - size) * loser == 0
        assert truncated == 0
        team_size = None if size == 1 else int(size)
        env = impulse_v0.env(players=int(players), team_size=team_size, target_score=1)
        env.reset(seed=1)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            if terminated:
                assert reward == pytest.approx(float(winner if reward > 0 else loser))
            env.step(None if terminated else env.action_space(agent).sample(seen["action_mask"]))


def ends_told(row):
    """How episodes end, by number, as a row of a table of infos has it."""
    return {0: ""} | {int(n): end for n, end in re.findall(r'(\d) `"(\w+)"`', row[2])}


@MANY_STEPS
def test_the_ends_and_the_infos_are_those_that_happen():
    ends = {row[0]: row[2] for row in table("`env.end`", "When", "Ends as")}
    happened = {}
    for arguments in (
        {"target_score": 1},
        {"max_turns": 1},
        {"ships": 3, "target_score": 100},
        {"illegal": "terminate"},
    ):
        for seed in range(1 if "ships" not in arguments else 60):
            env = impulse_v0.env(**arguments)
            env.reset(seed=seed)
            for agent in env.agents:
                env.action_space(agent).seed(seed)
            for agent in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    kinds = {(True, False): "termination", (False, True): "truncation"}
                    happened[f'`"{env.end}"`'] = kinds.get((terminated, truncated), "both")
                    break
                mask = seen["action_mask"]
                if "illegal" in arguments:
                    mask = 1 - mask
                env.step(env.action_space(agent).sample(mask))
            if '`"elimination"`' in happened:
                break
    assert happened == ends
    rows = {
        row[0].strip("`"): row for row in table("Key of `info` of an agent", "Shape", "Meaning")
    }
    for info in env.infos.values():
        assert {name: eval(row[1], {"players": 2}) for name, row in rows.items()} == {
            name: np.shape(value) for name, value in info.items()
        }
    assert ends_told(rows["end"]) == dict(enumerate(ENDS))


def test_the_render_modes_are_those_of_the_environment():
    rows = table("`render_mode`", "`render()` returns")
    assert {code(row[0]) for row in rows} == set(RENDER_MODES)


def test_the_arguments_for_many_games_are_those_of_their_environment():
    written = {
        row[0].strip("`"): code(row[1]) for row in table("Argument", "Default", "Meaning", index=2)
    }
    alone = {row[0].strip("`") for row in table("Argument", "Default", "Meaning", index=1)}
    vector = defaults_of(ImpulseVectorEnv.__init__)
    assert vector.pop("autoreset_mode").value == written.pop("autoreset_mode")
    assert {name: vector.pop(name) for name in written} == written
    assert set(vector) - {"num_envs", "reward"} == alone


def test_the_info_of_many_games_is_as_documented():
    rows = {row[0].strip("`"): row for row in table("Key of `info`", "Shape", "Meaning")}
    games, players = 7, 3
    _, info = ImpulseVectorEnv(games, players).reset(seed=1)
    shapes = {
        name: eval(row[1], {"games": games, "players": players}) for name, row in rows.items()
    }
    assert shapes == {name: values.shape for name, values in info.items()}
    assert ends_told(rows["end"]) == dict(enumerate(ENDS))
