"""What the wheel does where nothing but its dependencies is installed.

These tests come first: the ones beside another author's project install the extras there.
"""

import pytest

pytestmark = pytest.mark.package


def test_without_extras_it_describes_itself_and_plays(bare):
    assert "in the browser" in bare.impulse("--help")
    assert "impulse-env[play]: missing aiohttp" in bare.impulse("info")
    assert "greedy" in bare.impulse("agents")
    assert "100 games" in bare.impulse("match", "greedy", "random", "--games", "100")


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("match", "policy:2p", "random"), "networks"),
        (("play", "--no-open"), "play"),
        (("tournament", "--agents", "greedy", "random"), "tournament"),
        (("train", "--timesteps", "1"), "train"),
        (("export", "--out", "board.png"), "render"),
    ],
)
def test_a_missing_extra_is_one_sentence(bare, words, extra):
    done = bare.run("impulse", *words)
    assert done.returncode == 2
    assert f'pip install "impulse-env[{extra}]"' in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr + done.stdout


def test_every_data_file_can_be_read_where_it_is_installed(bare):
    script = """
from importlib.resources import files
assert files("impulse_agents.checkpoints").joinpath("2p.safetensors").read_bytes()
assert files("impulse_training.report").joinpath("report.html.jinja").read_text()
assert files("impulse_table.web").joinpath("static/lobby.html").read_text()
assert files("impulse_env.replay").joinpath("web/page.html").read_text()
assert files("impulse_env.pages").joinpath("kit/base.css").read_text()
assert files("impulse_env.engine").joinpath("cards.csv").read_text()
import impulse_env, impulse_agents, impulse_table, impulse_training
for package in (impulse_env, impulse_agents, impulse_table, impulse_training):
    assert "site-packages" in package.__file__, package.__file__
"""
    done = bare.run("python", "-c", script)
    assert done.returncode == 0, done.stderr
