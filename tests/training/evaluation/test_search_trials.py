"""Trials of searches are fair: equal time is equal, and who is stronger is found stronger."""

from io import StringIO

import pytest
from rich.console import Console

import impulse_agents
from impulse_agents.search.agent import SearchAgent
from impulse_env.options import Options
from impulse_training.cli.agents.search_trials import main
from impulse_training.evaluation import search_trials
from impulse_training.evaluation.evaluation_options import SearchTrialsArgs
from impulse_training.evaluation.search_trials import Candidate, make_search
from impulse_training.run.common_options import ConfigError


def test_a_candidate_is_settings_or_another_search_or_both():
    assert Candidate.read("turns=3,exploration=0.5") == Candidate(
        None, {"turns": 3, "exploration": 0.5}
    )
    assert Candidate.read("ismcts:300") == Candidate("ismcts:300", {})
    assert Candidate.read("ismcts:300,turns=4") == Candidate("ismcts:300", {"turns": 4})


@pytest.mark.parametrize(
    "wrong", ["turns=0", "turns=", "turns", "turns=x", "policy=1", "turns=nan"]
)
def test_a_setting_that_cannot_be_names_those_that_can(wrong):
    with pytest.raises(ConfigError, match="allowed: turns=1 to 1000, temperature="):
        Candidate.read(f"turns=3,{wrong}")


def test_a_search_gets_its_settings_and_its_share_of_simulations():
    agent = make_search("ismcts:40", {"exploration": 2.0, "turns": 3}, scale=2.5)
    assert agent.budget.simulations == 100
    assert (agent.config["exploration"], agent.config["turns"]) == (2, 3)
    assert make_search("ismcts:40:random", {}, scale=2).name == "ismcts:80:random"
    assert make_search("ismcts:40", {}, scale=1e-9).budget.simulations == 1


@pytest.mark.parametrize("name", ["random", "ismcts:1s"])
def test_what_counts_no_simulations_is_refused(name):
    with pytest.raises(ConfigError, match="not a search with a number of simulations"):
        make_search(name, {})


def test_the_same_search_has_time_for_about_as_many_simulations():
    args = SearchTrialsArgs(("ismcts:40",), agent="ismcts:10")
    assert 0.15 < search_trials.equal_time(args, Candidate.read("ismcts:40")) < 0.6


@pytest.mark.parametrize("players", [2, 3])
def test_every_deal_is_played_from_every_seat(players):
    strong, weak = impulse_agents.make("core_rush"), impulse_agents.make("random")
    for deal in range(3):
        assert search_trials.play_deal([strong, weak], Options(players), deal) == 1
        assert search_trials.play_deal([weak, strong], Options(players), deal) == 0


def test_the_stronger_is_found_better_and_the_weaker_is_not(capsys):
    args = SearchTrialsArgs(
        ("ismcts:30", "ismcts:1:random"), agent="ismcts:2", equal="simulations", difference=0.2
    )
    found = main(args)
    assert [row[-1] for row in found["rows"]] == ["yes", "no"]
    assert all(20 <= int(row[4]) < 2000 for row in found["rows"])
    assert "better" in capsys.readouterr().out


def test_the_time_to_load_compiled_code_does_not_count(monkeypatch):
    clock = [0.0]

    def act(agent, seen, streams):
        clock[0] += 0.001 * len(seen) if clock[0] else 5
        return seen.masks.argmax(1)

    monkeypatch.setattr(SearchAgent, "act", act)
    monkeypatch.setattr(search_trials, "process_time", lambda: clock[0])
    args = SearchTrialsArgs(("ismcts:40",), agent="ismcts:40", games=4)
    row = search_trials.try_out(args, "ismcts:40", Console(file=StringIO()))
    assert row[1:4] == ("40", "1.0", "1.0")
    assert clock[0] > 5


def test_the_reference_may_have_settings_too():
    args = SearchTrialsArgs(("turns=3",), agent="ismcts:10,exploration=2", games=4)
    tried, present = search_trials.searches(args, Candidate.read("turns=3"))
    assert (tried.config["turns"], tried.config["exploration"]) == (3, 2)
    assert (present.config["turns"], present.config["exploration"]) == (2, 2)
    assert tried.budget == present.budget


def test_a_reference_without_a_name_is_refused():
    with pytest.raises(ConfigError, match="the reference must be the name of a search"):
        search_trials.check(SearchTrialsArgs(("turns=3",), agent="turns=2"))
