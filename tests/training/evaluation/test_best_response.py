"""Exploitation by search and by coalitions: small ones, from end to end."""

import csv
import json
from dataclasses import asdict, replace

import pytest
from rich.console import Console

from bots import bot
from impulse_agents.base import AgentError
from impulse_agents.checkpoints import path_of
from impulse_env.options import OptionError
from impulse_training.evaluation import best_response, trainings
from impulse_training.evaluation.best_response import exploit
from impulse_training.evaluation.evaluation_options import BestResponseArgs
from impulse_training.evaluation.exploit_result import results_table
from impulse_training.rollout import match
from impulse_training.run.common_options import ConfigError
from impulse_training.selfplay import train
from impulse_training.selfplay.train_options import Args as TrainArgs
from impulse_training.statistics.intervals import newcombe, wilson
from impulse_training.tournament.settings import TournamentError

QUIET = Console(quiet=True)
TINY = {"num_envs": 8, "rollout_steps": 16, "minibatch_size": 64, "width": 16, "eval_games": 3}
SMALL = {"timesteps": 128, "games": 6, "points": 1, "workers": 1}


@pytest.fixture(autouse=True)
def small_trainings(monkeypatch):
    """Trainings of 16 games side by side, whatever else is asked for."""
    for module in (best_response, trainings):
        monkeypatch.setattr(module, "TrainArgs", lambda **given: TrainArgs(**(given | TINY)))


@pytest.fixture
def asked(monkeypatch):
    """The numbers of the games with search that are played, a list for each search."""
    real, lists = best_response.local.play_all, []

    def counted(schedule, numbers, workers):
        lists.append(list(numbers))
        yield from real(schedule, numbers, workers)

    monkeypatch.setattr(best_response.local, "play_all", counted)
    return lists


# --- Coalitions ----------------------------------------------------------------------------------


def test_a_coalition_plays_all_seats_but_the_targets(tmp_path, monkeypatch):
    entrants = []
    real = match.play

    def noted(agents, *more):
        entrants.append([agent.name for agent in agents])
        return real(agents, *more)

    monkeypatch.setattr(match, "play", noted)
    found = exploit("miner", players=3, coalition=True, out=tmp_path, **SMALL)
    assert entrants == [["miner", "policy"]] * 2  # an evaluation, and the final match
    folder = tmp_path / "miner-coalition"
    options = json.loads((folder / "args.json").read_text())
    assert (options["coalition"], options["reward"]) == (True, "win")
    assert options["opponents"] == ["miner"]
    assert (found.players, found.team_size, found.timesteps, found.games) == (3, None, 128, 6)
    assert (found.target, found.folder, found.is_coalition) == ("miner", folder, True)
    assert found.checkpoint == folder / "policy.safetensors"
    assert found.par == pytest.approx(1 / 3)
    assert found.of_par == pytest.approx(3 * found.wins)
    assert found.of_par_interval == pytest.approx([3 * end for end in found.interval])
    assert found.interval == wilson(round(6 * found.wins), 6)
    # The untrained coalition is weaker than random players: the target wins more than its par.
    assert found.wins > found.par
    with (folder / "curve.csv").open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert found.curve == {128: 1 - float(row["win/miner"])}


def test_the_result_is_written(tmp_path):
    found = exploit("random", players=3, coalition=True, search=("2",), out=tmp_path, **SMALL)
    written = json.loads((found.folder / "exploit.json").read_text())
    assert written == json.loads(json.dumps(asdict(found), default=str))
    assert written["searches"][0]["budget"] == "2"
    assert written["checkpoint"] == str(found.checkpoint)


def test_the_table_of_coalitions_tells_what_targets_keep(tmp_path):
    more = {"players": 3, "coalition": True, "search": ("2",)}
    args = BestResponseArgs(("random",), out=tmp_path, **more, **SMALL)
    table = best_response.table(args, QUIET)
    result = exploit("random", out=tmp_path, **more, **SMALL)
    assert table == results_table([result], args)
    assert table.title == "Games that the target wins, %"
    assert table.columns[2:] == ("of 6", "of par,\u00a0%", "search 2", "gain by 2")
    assert table.rows[0][2].startswith(f"{100 * result.wins:.1f} [")
    assert table.rows[0][3].startswith(f"{300 * result.wins:.1f} [")
    assert table.rows[0][5].startswith(f"{100 * (result.wins - result.searches[0].wins):.1f} [")
    assert "keeps of the 33.3 %" in table.note


def test_a_program_in_any_language_is_a_target(tmp_path):
    found = exploit(bot("first"), search=("2",), out=tmp_path, **SMALL)
    assert found.target == bot("first")
    assert 0 <= found.searches[0].wins <= 1


def test_a_stopped_coalition_continues(tmp_path, monkeypatch):
    whole = train.train
    more = {"players": 3, "coalition": True, "out": tmp_path} | SMALL | {"timesteps": 384}
    with monkeypatch.context() as patch:
        patch.setattr(
            train,
            "train",
            lambda given: replace(whole(replace(given, timesteps=128)), was_interrupted=True),
        )
        with pytest.raises(KeyboardInterrupt, match="128 of 384 decisions; the same command"):
            exploit("miner", **more)
    assert not (tmp_path / "miner-coalition" / "exploit.json").exists()
    assert list(exploit("miner", **more).curve) == [128, 384]


# --- Searches ------------------------------------------------------------------------------------


def test_the_best_response_also_searches(tmp_path, asked):
    found = exploit("random", search=("2", "3"), out=tmp_path, **SMALL)
    assert [search.budget for search in found.searches] == ["2", "3"]
    assert asked == [list(range(6))] * 2
    for search in found.searches:
        assert search.interval == wilson(round(6 * search.wins), 6)
        assert search.gain == pytest.approx(search.wins - found.wins)
        own, bare = (search.wins, search.interval), (found.wins, found.interval)
        assert search.gain_interval == newcombe(*own, *bare)
    settings = json.loads((found.folder / "search-2" / "settings.json").read_text())
    assert settings["agents"] == [f"policy+search:{found.checkpoint}:2", "random"]
    assert settings["versus"]


def test_a_searching_coalition_gains_what_its_target_loses(tmp_path):
    found = exploit("random", players=3, coalition=True, search=("2",), out=tmp_path, **SMALL)
    (search,) = found.searches
    assert search.gain == pytest.approx(found.wins - search.wins)
    assert search.gain_interval[0] <= search.gain <= search.gain_interval[1]
    settings = json.loads((found.folder / "search-2" / "settings.json").read_text())
    assert settings["agents"] == ["random", f"policy+search:{found.checkpoint}:2"]


def test_finished_games_with_search_are_not_played_again(tmp_path, asked, monkeypatch):
    real = best_response.local.play_all

    def interrupted(schedule, numbers, workers):
        for count, result in enumerate(real(schedule, numbers, workers)):
            if count == 2:
                raise KeyboardInterrupt
            yield result

    with monkeypatch.context() as patch:
        patch.setattr(best_response.local, "play_all", interrupted)
        with pytest.raises(KeyboardInterrupt, match="the same command plays the missing ones"):
            exploit("random", search=("2",), out=tmp_path, **SMALL)
    assert not (tmp_path / "random" / "exploit.json").exists()
    found = exploit("random", search=("2",), out=tmp_path, **SMALL)
    assert exploit("random", search=("2",), out=tmp_path, **SMALL) == found
    assert [len(numbers) for numbers in asked] == [6, 4, 0]


def test_another_network_plays_the_games_with_search_again(tmp_path, asked):
    exploit("random", search=("2",), out=tmp_path, **SMALL)
    longer = exploit("random", search=("2",), out=tmp_path, **(SMALL | {"timesteps": 256}))
    assert [len(numbers) for numbers in asked] == [6, 6]
    assert longer.timesteps == 256


def test_fewer_games_with_search_than_there_are_is_a_clear_error(tmp_path):
    exploit("random", search=("2",), out=tmp_path, **SMALL)
    with pytest.raises(TournamentError, match="--games must be 6 or more, not 4"):
        exploit("random", search=("2",), out=tmp_path, **(SMALL | {"games": 4}))


@pytest.mark.parametrize(
    ("target", "more", "network"),
    [("2p", {}, "2p"), ("random", {"warm_start": "policy:2p"}, "2p")],
)
def test_without_training_a_network_searches_as_it_is(target, more, network, tmp_path):
    more |= SMALL | {"timesteps": 0, "games": 2, "search": ("2",), "out": tmp_path}
    found = exploit(target, **more)
    assert (found.timesteps, found.curve) == (0, {})
    assert found.checkpoint == path_of(network)
    assert not list(tmp_path.glob("*/state*"))
    settings = json.loads((found.folder / "2p-search-2" / "settings.json").read_text())
    assert settings["agents"] == ["policy+search:2p:2", found.target]
    table = best_response.table(BestResponseArgs((target,), **more), QUIET)
    assert table.columns == ("Target", "of 2", "search 2", "gain by 2")
    assert "training decisions" not in table.note


# --- Refused options -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "more", "message"),
    [
        ("miner", {"timesteps": 0}, "timesteps 0 trains nothing, so only a search can exploit"),
        ("miner", {"timesteps": 0, "search": ("4",)}, "miner has no network that could search"),
        (
            "policy+search:2p:4",
            {"timesteps": 0, "search": ("4",)},
            "policy.search:2p:4 cannot exploit itself without training",
        ),
        ("2p", {"timesteps": 0, "search": ("4",), "players": 3}, "policy:2p was trained for 2"),
        ("miner", {"timesteps": -1}, "timesteps must be 0 or more, not -1"),
        ("miner", {"search": ("many",)}, "a search takes a number of simulations such as 1000"),
        ("miner", {"search": ("4", "4")}, "search must all be different, but 4 occurs twice"),
        ("miner", {"workers": 0}, "workers must be 1 or more, not 0"),
        ("miner", {"coalition": True}, "a coalition needs three players or more and no teams"),
        (
            "miner",
            {"coalition": True, "players": 4, "team_size": 2},
            "a coalition needs three players or more and no teams",
        ),
    ],
)
def test_what_cannot_work_is_refused(target, more, message, tmp_path):
    with pytest.raises((AgentError, ConfigError, OptionError, TournamentError), match=message):
        exploit(target, out=tmp_path / "new", **(SMALL | more))
    assert not (tmp_path / "new").exists()
