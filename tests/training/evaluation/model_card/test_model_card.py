"""A card tells what is known of a trained agent and keeps what a person wrote."""

from dataclasses import replace

import pytest

from calibrated import REPORT
from commands import impulse, refusal
from impulse_agents import checkpoints
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.weights_file import weights_digest
from impulse_env.files import sha256_of
from impulse_training.evaluation.model_card import card_training, model_card
from impulse_training.evaluation.results import Evaluation, Row
from impulse_training.run import learning_curve
from impulse_training.selfplay.train_options import Args
from impulse_training.statistics.intervals import Share
from networks import untrained

TRAINING = {
    "command": "impulse train --players 2 --minutes 600",
    "steps": 12_345_678,
    "seconds": 36_900,
    "hardware": "16 cores of X | Y",
    "versions": {
        "python": "3.11.7",
        "torch": "2.13.0",
        "stable_baselines3": "2.9.2",
        "sb3-contrib": "2.9.2",
        "numpy": "2.4.1",
        "impulse-env": "0.1.0",
    },
    "commit": "abc123",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    # What was found out about the shipped agents lies under runs/ of the folder where one works.
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save(folder, report=REPORT, **more):
    """A shipped agent of that training and its results; returns the folder of the latter."""
    path = folder / "2p.safetensors"
    agent = untrained(**more)
    if report is not None:
        agent.config["calibration"] = {"weights": agent.weights_digest(), **report.record}
    agent.save(path)
    row = Row("policy:2p", "greedy", Share.of(2000, 1700, 1000), 7.25, 0, 0, 0.8)
    command = "impulse evaluate 2p"
    weights = weights_digest(agent.network.state_dict())
    found = Evaluation("2p", weights, 2, None, 0, "0.1.0", command, (row,))
    results = folder / "evaluate-2p"
    results.mkdir(exist_ok=True)
    found.write(results)
    return results


def written(results, *more, checkpoint="2p"):
    """Run the command; return the text of the card."""
    assert impulse("agents", "model-card", checkpoint, "--results", results, *more) == 0
    return (results.parent / "2p.md").read_text()


def test_a_card_tells_all_that_is_known(folder):
    text = written(save(folder, trained={"seed": 7}, training=TRAINING))
    head, _, rest = text.removeprefix("---\n").partition("---\n\n")
    assert "license: mit\nlibrary_name: impulse-env\n" in head
    assert rest.startswith("# 2p\n\nA trained agent for 2 players: `policy:2p` plays")
    for line in (
        "| Command | `impulse train --players 2 --minutes 600` |",
        "| Seed | 7 |",
        "| Steps | 12,345,678 |",
        "| Hours | 10.25 |",
        "| Hardware | 16 cores of X \\| Y |",
        "| Versions | torch 2.13.0, stable-baselines3 2.9.2, sb3-contrib 2.9.2, numpy 2.4.1, "
        "numba not recorded, impulse_env 0.1.0, python 3.11.7 |",
        "| Commit | abc123 |",
        "| policy v greedy | 85.0 [83.4, 86.5] | 50.0 | 2,000 | 7.2 |",
        "$ impulse evaluate 2p",
    ):
        assert f"\n{line}\n" in text
    size = (folder / "2p.safetensors").stat().st_size / 1e6
    assert f"\n| File | `2p.safetensors`, {size:.2f} MB |\n" in text
    assert text.endswith("\n## Known weaknesses\n\nNone recorded yet.\n")


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"trained": {}, "training": {}},
        {"trained": None},
        {"training": {"steps": "many", "seconds": None, "versions": [], "command": [], "seed": ""}},
    ],
)
def test_missing_fields_are_reported(folder, more):
    text = written(save(folder, **more))
    for what in ("Command", "Seed", "Steps", "Hours", "Hardware", "Commit"):
        assert f"\n| {what} | not recorded |\n" in text
    assert "\n| Versions | torch not recorded, " in text


def test_a_command_in_parts_is_one_line(folder):
    text = written(save(folder, training={"command": ["python", "-m", "x", "--out", "a b"]}))
    assert "\n| Command | `python -m x --out 'a b'` |\n" in text


def test_what_a_person_wrote_stays_when_the_card_is_written_again(folder, tmp_path):
    results = save(folder)
    text = written(results, "--weaknesses", "Loses to\n\n- patience\n\n## More\n\nand haste")
    assert text.endswith(
        "\n## Known weaknesses\n\nLoses to\n\n- patience\n\n## More\n\nand haste\n"
    )
    assert written(results) == text
    (tmp_path / "said.txt").write_text("Nothing else.\n")
    text = written(results, "--weaknesses-file", str(tmp_path / "said.txt"))
    assert text.endswith("\n## Known weaknesses\n\nNothing else.\n")
    assert written(results) == text


def test_a_shipped_agent_given_by_its_path_keeps_its_name(folder):
    results = save(folder)
    assert written(results, checkpoint=str(folder / "2p.safetensors")) == written(results)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--weaknesses", "a", "--weaknesses-file", "b"), "not both"),
        (("--weaknesses-file", "not-there"), "No such file"),
        (("--results", "not-there"), "not-there/results.json does not exist"),
    ],
)
def test_what_cannot_be_written_is_one_line_and_changes_nothing(folder, capsys, more, message):
    results = save(folder)
    before = written(results, "--weaknesses", "Mine.")
    capsys.readouterr()
    assert impulse("agents", "model-card", "2p", "--results", results, *more) == 2
    assert message in refusal(capsys)
    assert (folder / "2p.md").read_text() == before


def test_the_results_of_another_agent_are_refused(folder, capsys):
    results = save(folder)
    found = Evaluation.read(results)
    replace(found, weights="0" * 64).write(results)
    assert impulse("agents", "model-card", "2p", "--results", results) == 2
    assert (
        "results belong to another agent, 2p, whose weights have SHA-256 00000000…"
        in capsys.readouterr().err
    )
    assert not (folder / "2p.md").exists()


def test_results_stay_for_the_same_weights_alone(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)  # runs/evaluate-2p is not there
    results = save(folder, report=None)
    row = "| policy v greedy | 85.0 [83.4, 86.5] | 50.0 | 2,000 | 7.2 |"
    monkeypatch.setattr(model_card, "calibrate", calibrated)
    whole = written(results, "--weaknesses", "Mine.")
    short = (folder / "2p.json").read_bytes()
    assert row in whole
    for path in results.iterdir():
        path.unlink()
    results.rmdir()
    assert impulse("agents", "model-card", "2p") == 0
    assert (folder / "2p.md").read_text() == whole
    assert (folder / "2p.json").read_bytes() == short
    # A card of before, which says the file alone.
    lines = whole.splitlines(keepends=True)
    old = "".join(line for line in lines if not line.startswith("| SHA-256 of the weights"))
    (folder / "2p.md").write_text(old)
    assert impulse("agents", "model-card", "2p") == 0
    assert (folder / "2p.md").read_text() == whole
    agent = PolicyAgent.load(folder / "2p.safetensors")
    agent.network.value.bias.data += 1
    agent.save(folder / "2p.safetensors")
    capsys.readouterr()
    assert impulse("agents", "model-card", "2p") == 2
    assert "runs/evaluate-2p/results.json does not exist" in refusal(capsys)
    assert (folder / "2p.md").read_text() == whole


def calibrated(agent):
    agent.config["calibration"] = {"weights": agent.weights_digest(), **REPORT.record}
    agent.calibration = REPORT.calibration
    return REPORT


def test_an_agent_that_is_not_calibrated_is_when_its_card_is_written(folder, monkeypatch):
    results = save(folder, report=None)
    assert PolicyAgent.load(folder / "2p.safetensors").calibration is None
    monkeypatch.setattr(model_card, "calibrate", calibrated)
    text = written(results)
    agent = PolicyAgent.load(folder / "2p.safetensors")
    assert agent.calibration == REPORT.calibration
    assert f"\n| SHA-256 | `{sha256_of(folder / '2p.safetensors')}` |\n" in text
    digest = weights_digest(agent.network.state_dict())
    assert f"\n| SHA-256 of the weights | `{digest}` |\n" in text
    monkeypatch.setattr(model_card, "calibrate", None)  # not once more
    assert written(results) == text


def test_a_card_tells_how_good_the_chances_are(folder):
    text = written(save(folder, trained={"reward": "score"}))
    assert (
        "\nHere `x` is the value plus the agent's lead in points divided by the target, and `p`"
        in text
    )
    assert "\nHere `x` is the value, and `p`" in written(save(folder))
    for line in (
        "## Calibration",
        "z = 2 x + 0.25 x^3 + 1.5 p - 0.75",
        "| Chances by | Log-loss | Brier score | Behind |",
        "| calibrated value | 0.400 [0.390, 0.410] | 0.100 [0.090, 0.110] | - |",
        "![Reliability](2p.calibration.png)",
        "$ impulse agents calibrate 2p --games 100 --seed 3 --opponents miner",
    ):
        assert f"\n{line}\n" in text
    assert "400 positions of 50 held-out games" in text
    assert "Knowing nothing always forecasts 52.5 %" in text
    assert (folder / "2p.calibration.csv").read_text().splitlines()[1] == (
        "all,0.5,0.6,400,0.5500,0.5600,0.5000,0.6000"
    )
    assert (folder / "2p.calibration.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_checkpoint_is_refused(folder, capsys):
    save(folder)
    assert impulse("agents", "model-card", "5p") == 2
    assert "no checkpoint '5p'; shipped are 2p, and a path" in capsys.readouterr().err


def test_a_card_names_the_trainings_before(folder):
    first = {"command": "impulse train imitate", "steps": 1_000}
    second = {"command": "impulse train --warm-start a.safetensors", "steps": 2_000}
    chain = {**TRAINING, "started_from": {**second, "started_from": first}}
    text = written(save(folder, training=chain))
    assert (
        "It started from the weights of\n\n"
        "1. `impulse train imitate`, 1,000 steps\n"
        "1. `impulse train --warm-start a.safetensors`, 2,000 steps\n"
    ) in text
    assert "It began with" not in written(save(folder, training=TRAINING))


def test_a_card_lists_every_part_of_a_resumed_run(folder):
    told = {name: TRAINING[name] for name in ("hardware", "versions", "commit")}
    first = {
        **told, "command": "impulse train --out a", "args": {}, "steps": 1_000, "seconds": 3_600,
        "began": "2026-01-01T12:00:00+00:00", "ended": "2026-01-01T13:00:00+00:00",
    }  # fmt: skip
    second = {
        **told, "command": "impulse train --resume a",
        "args": {"gamma": 0.9, "opponents": ["miner"]},
        "steps": 500, "seconds": 1_800, "commit": "def456", "is_dirty": True,
        "began": "2026-01-02T12:00:00+00:00", "ended": "2026-01-02T12:30:00+00:00",
    }  # fmt: skip
    training = {"steps": 1_500, "seconds": 5_400, "legs": [first, second]}
    text = written(save(folder, training=training))
    for line in (
        "| Command | `impulse train --out a`, then `impulse train --resume a` |",
        "| Steps | 1,500 |",
        "| Hours | 1.50 |",
        "| Time | 2026-01-01T12:00:00+00:00 to 2026-01-02T12:30:00+00:00 |",
        "| Hardware | 16 cores of X \\| Y |",
        "| Commit | abc123, then def456, with uncommitted changes |",
        "| 2026-01-01T12:00:00+00:00 | 2026-01-01T13:00:00+00:00 | 1.00 | 1,000 | none |",
        "| 2026-01-02T12:00:00+00:00 | 2026-01-02T12:30:00+00:00 | 0.50 | 500 "
        "| `gamma 0.9, opponents miner` |",
    ):
        assert f"\n{line}\n" in text
    one = written(save(folder, training={**training, "legs": [first]}))
    assert "It was stopped and resumed" not in one
    later = written(save(folder, training={**TRAINING, "started_from": training}))
    assert (
        "1. `impulse train --out a`, 1,000 steps, 1.00 hours\n"
        "1. `impulse train --resume a`, 500 steps, 0.50 hours\n"
    ) in later


def test_a_card_shows_the_learning_curve(folder):
    results, run = save(folder), folder / "run"
    assert "Learning curve" not in written(results)
    run.mkdir()
    points = [
        {"seconds": 60.0 * k, "steps": 1e6 * k, "win/random": 0.5 + 0.1 * k, "win/past": 0.5}
        for k in range(1, 4)
    ]
    learning_curve.write(run / "curve.csv", points)
    text = written(results, "--run", str(run))
    assert "\n![Learning curve](2p.curve.png)\n" in text
    assert learning_curve.read(folder / "2p.curve.csv") == points
    assert (folder / "2p.curve.png").read_bytes().startswith(b"\x89PNG")
    assert written(results) == text  # it stays, whoever writes the card again


def test_the_curve_of_several_stages_continues_where_the_previous_one_ended(folder):
    results = save(folder)
    for leg in (1, 2):
        points = [{"seconds": 60.0 * k, "steps": 1e6 * k, "win/random": 0.1 * k} for k in (leg, 3)]
        learning_curve.write(folder / f"{leg}.csv", points)
    written(results, "--run", str(folder / "1.csv"), str(folder / "2.csv"))
    curve = learning_curve.read(folder / "2p.curve.csv")
    assert [point["steps"] for point in curve] == [1e6, 3e6, 5e6, 6e6]
    assert [point["seconds"] for point in curve] == [60, 180, 300, 360]
    assert [point["win/random"] for point in curve] == pytest.approx([0.1, 0.3, 0.2, 0.3])


def test_the_tenth_leg_comes_after_the_second_as_no_shell_has_them(folder):
    results = save(folder)
    for leg in (2, 10):
        path = folder / f"{leg}.csv"
        learning_curve.write(path, [{"seconds": 60.0, "steps": 1e6, "win/random": leg / 10}])
    written(results, "--run", str(folder / "10.csv"), str(folder / "2.csv"))
    curve = learning_curve.read(folder / "2p.curve.csv")
    assert [point["win/random"] for point in curve] == [0.2, 1.0]


@pytest.mark.parametrize("text", ["", "steps,seconds\n", "a,b\n1,2\n", "steps,seconds\n1,x\n"])
def test_a_run_without_a_curve_is_reported(folder, capsys, text):
    results = save(folder)
    run = folder / "run"
    run.mkdir()
    (run / "curve.csv").write_text(text)
    assert impulse("agents", "model-card", "2p", "--results", results, "--run", run) == 2
    assert "curve.csv is not a learning curve" in capsys.readouterr().err
    assert not (folder / "2p.md").exists()


def test_the_commands_of_a_resumed_training_stand_apart():
    assert card_training._command("python -m a --b 1; python -m a --resume c") == (
        "`python -m a --b 1`, then `python -m a --resume c`"
    )
    assert card_training._command(["python", "-m", "a b"]) == "`python -m 'a b'`"


def test_a_card_tells_whom_it_was_never_trained_against(folder):
    before = {"legs": [{"args": {"opponents": ["miner", "core_rush"]}}]}
    trained = {"opponents": ["random"], "self_fraction": 0.5}
    text = written(save(folder, trained=trained, training={"started_from": before}))
    known = "Training opponents: itself, its snapshots and `core_rush`, `miner`, `random`"
    assert f"{known}, but never against `greedy`." in text
    text = written(save(folder, trained={"opponents": ["greedy"]}))
    assert "Training opponents: `greedy`." in text


def test_opponents_that_nothing_names_are_the_usual_ones():
    assert card_training.USUAL_OPPONENTS == Args.opponents
    first = {"legs": [{"args": {}}], "started_from": {"command": "of a day when it was not told"}}
    told = {"trained": {"opponents": ["warrior"]}, "training": {"started_from": first}}
    assert card_training.opponents_met(told) is None
    del first["started_from"]
    assert card_training.opponents_met(told) == set(Args.opponents)
    assert card_training.opponents_met({}) is None
