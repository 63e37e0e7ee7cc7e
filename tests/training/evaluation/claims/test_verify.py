"""`impulse tools claims`: lists claims, and measures them again."""

import json
import os
import signal
import time
from dataclasses import replace
from math import inf

import pytest

from commands import PROGRAM, impulse
from impulse_agents.checkpoints import path_of
from impulse_training.evaluation.claims import verify
from impulse_training.evaluation.claims.claims import Claim, read
from impulse_training.evaluation.claims.estimate import Estimate, critical

CHEAP = """
[[claim]]
id = "games"
statement = "A fingerprint of so many games"
command = "impulse tools signature --games 3"
value = 3
digits = 0
at = "games"
minutes = 0.1
minutes_are = "measured"
pages = ["README.md"]

[[claim]]
id = "unknown"
statement = "Nobody knows what it costs."
command = "impulse tools signature --games 4"
value = 4
digits = 0
at = "games"
"""
WRONG = CHEAP.replace("value = 3", "value = 5")
MATCH = """
[[claim]]
id = "match"
statement = "random against itself wins so many games"
command = "impulse match random random --games 100 --seed 0"
value = 50.0
low = 40.4
high = 59.6
unit = "%"
at = "agents/0/share"
low_at = "agents/0/low"
high_at = "agents/0/high"
factor = 100
seed = 0
games = 100
minutes = 0.1
minutes_are = "computed"
"""


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Call the command with claims; return its exit code and what it printed."""
    monkeypatch.chdir(tmp_path)

    def called(text, *words):
        (tmp_path / "claims.toml").write_text(text, encoding="utf-8")
        code = impulse("tools", "claims", *words, "--file", "claims.toml")
        return code, capfd.readouterr()

    return called


def test_claims_are_listed_with_all_that_is_known(call):
    code, printed = call(CHEAP)
    assert code == 0
    assert "games: A fingerprint of so many games: 3\n    impulse tools signature" in printed.out
    assert "0.1 CPU minutes, measured; README.md" in printed.out
    assert "cost not known" in printed.out
    code, printed = call(MATCH, "match", "--json")
    (claim,) = json.loads(printed.out)["claims"]
    assert claim["estimate"] == {"value": 50.0, "low": 40.4, "high": 59.6}


def test_a_claim_that_holds_agrees_and_is_not_measured_twice(call, monkeypatch):
    code, printed = call(CHEAP, "verify", "games")
    assert code == 0
    assert "old 3, new 3: agrees" in printed.out
    monkeypatch.setattr(verify, "_run", lambda *_: pytest.fail("it was measured again"))
    code, printed = call(CHEAP, "verify", "games")
    assert code == 0
    assert "games (measured before)" in printed.out


def test_a_measurement_without_a_limit_is_stored_as_it_is(tmp_path):
    claim = Claim("c", "", "impulse tournament", -476.0, -inf, -203.0)
    open_below = Estimate(-480.0, -inf, -210.0)
    stored = verify.StoredMeasurements(tmp_path)
    stored.add(verify.Measurement(claim.id, verify._digest(claim, 5), open_below, "", None))
    again = verify.StoredMeasurements(tmp_path).of(claim, 5)
    assert again is not None
    assert again.new == open_below


def test_a_claim_that_does_not_hold_ends_with_1(call):
    code, printed = call(WRONG, "verify", "games", "--json")
    assert code == 1
    found = json.loads(printed.out)
    assert found["passed"] is False
    (claim,) = found["claims"]
    assert (claim["old"]["value"], claim["new"]["value"], claim["agrees"]) == (5, 3, False)


def test_a_command_that_fails_is_no_agreement(call):
    text = CHEAP.replace("impulse tools signature --games 3", "impulse tools signature --games 0")
    code, printed = call(text, "verify", "games")
    assert code == 1
    assert "could not be measured: it ended with 2: error: games must be 1 or more" in printed.out
    assert "1 could not be measured (games)" in printed.out


def test_a_match_is_played_again_with_another_seed(call):
    code, printed = call(MATCH, "verify", "match", "--seed", "7", "--json")
    assert code == 0
    found = json.loads(printed.out)
    (claim,) = found["claims"]
    assert claim["agrees"] is True
    assert claim["new"]["low"] < claim["new"]["value"] < claim["new"]["high"]
    assert claim["minutes"] > 0
    assert found["seed"] == 7
    code, printed = call(MATCH, "verify", "match", "--seed", "0")
    assert code == 0
    assert "this is the claim's own seed" in printed.out


@pytest.mark.parametrize(("value", "agrees"), [(None, True), (40.0, False)])
def test_a_claim_of_the_project_is_measured_again_with_few_games(tmp_path, value, agrees):
    claim = next(claim for claim in read() if claim.id == "strength-2p-random")
    command = claim.command.replace("--games 2000", "--games 40 --workers 1")
    few = replace(claim, command=command)
    if value is not None:
        few = replace(few, source=[], value=value, low=value - 2, high=value + 2)
    found = verify.measure(few, tmp_path, 5)
    assert found.failure == ""
    assert found.new.low < 95 < found.new.high
    assert verify.Verdict.of(few, found, critical(0.05, 1)).agrees is agrees


def test_claims_of_one_command_run_it_once(call, monkeypatch):
    run, runs = verify._run, []
    monkeypatch.setattr(verify, "_run", lambda *words: runs.append(words) or run(*words))
    twice = CHEAP + CHEAP.replace('"games"', '"again"', 1).split('[[claim]]\nid = "unknown"')[0]
    code, printed = call(twice, "verify", "--minutes", "5")
    assert code == 0
    assert "2 agree" in printed.out
    assert len(runs) == 1


def test_within_minutes_the_cheapest_are_taken_and_none_of_unknown_cost(call):
    code, printed = call(CHEAP + MATCH.replace("0.1", "5"), "verify", "--minutes", "1")
    assert code == 0
    assert "1 of 1, games" in printed.out
    assert "unknown" not in printed.out


def with_field(text, field):
    """Add a field to the first claim."""
    return text.replace('at = "games"', f'at = "games"\n{field}', 1)


def test_what_depends_on_the_machine_is_measured_and_not_judged(call):
    code, printed = call(with_field(WRONG, "depends_on_machine = true"), "verify", "games")
    assert code == 0
    assert "old 5, new 3: depends on the machine" in printed.out


def test_a_checkpoint_that_a_command_writes_is_copied(tmp_path):
    for agent in ("2p", "policy+search:2p:100"):
        claim = Claim("c", "", f"impulse agents calibrate {agent}", 1.0, copy="2p", seed=0)
        copied = (tmp_path / "2p.safetensors").resolve()
        command = verify.command_of(claim, tmp_path, 5)
        named = agent.replace("2p", str(copied))
        assert command == [*PROGRAM, "agents", "calibrate", named, "--seed", "5", "--json"]
        assert copied.read_bytes() == path_of("2p").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("verify",), "say for how long, such as --minutes 30, or which claims, such as"),
        (("verify", "gmaes"), "there is no claim and no table 'gmaes'; did you mean games?"),
        (("verfy",), "there is no claim and no table 'verfy'"),
        (("--minutes", "3"), "--minutes is for `impulse tools claims verify`"),
        (
            ("verify", "--minutes", "0.05"),
            "no claim takes 0.05 minutes or less: the cheapest, games, takes 0.1",
        ),
        (("verify", "--minutes", "-1"), "minutes must be 0 or more, not -1"),
        (("verify", "games", "--alpha", "2"), "alpha must be above 0 and below 1, not 2"),
        (("verify", "games", "--seed", "-1"), "seed must be 0 or more, not -1"),
    ],
)
def test_a_mistake_is_one_sentence(call, words, said):
    code, printed = call(CHEAP, *words)
    assert code == 2
    assert said in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (
            CHEAP.replace("impulse tools", "rm tools", 1),
            "the command of the claim games must begin with impulse, not rm",
        ),
        (
            with_field(CHEAP, 'by_hand = "it takes a year"'),
            "games cannot be verified by this command: it takes a year",
        ),
    ],
    ids=["another program", "by hand"],
)
def test_what_cannot_be_verified_says_why(call, claims, said):
    code, printed = call(claims, "verify", "games")
    assert code == 2
    assert said in printed.err


def test_ctrl_c_says_what_is_done_and_the_same_command_continues(tmp_path):
    import subprocess

    dear = CHEAP.replace("signature --games 4", "signature --games 400000").replace(
        "value = 4", "value = 400000"
    )
    (tmp_path / "claims.toml").write_text(dear, encoding="utf-8")
    words = ["tools", "claims", "verify", "games", "unknown", "--file", "claims.toml"]
    process = subprocess.Popen(
        [*PROGRAM, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while "2 of 2" not in process.stdout.readline():
        assert process.poll() is None
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "interrupted; 1 of 2 claims are done and stored in runs/claims/seed-101" in said
    assert "Traceback" not in said
    stored = json.loads((tmp_path / "runs/claims/seed-101/results.json").read_text())
    assert [row["id"] for row in stored] == ["games"]
