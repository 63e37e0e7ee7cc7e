"""What the wheel and the sdist hold, and what the wheel does where nothing else is installed."""

import re
import tarfile
import zipfile
from email import message_from_bytes

import pytest

from paths import ROOT

pytestmark = pytest.mark.package
PACKAGES = ("impulse_env", "impulse_agents", "impulse_training")
FOLDERS = ("impulse_env", "agents/impulse_agents", "training/impulse_training")


def sources():
    """Every file of the three packages, by the path that it has in the wheel."""
    for package, folder in zip(PACKAGES, FOLDERS, strict=True):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{package}/{path.relative_to(ROOT / folder).as_posix()}"


def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


def test_the_wheel_holds_every_file_of_the_three_packages_and_no_other(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == set(sources())
    for suffix in (".pt", ".csv", ".jinja", ".html", ".js", ".css", ".ttf", "py.typed"):
        assert any(name.endswith(suffix) for name in held), suffix


def test_the_sdist_holds_what_the_wheel_is_built_from_and_the_tests(sdist):
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    for package, folder in zip(PACKAGES, FOLDERS, strict=True):
        inside = {
            name.replace(package, folder, 1) for name in sources() if name.startswith(package)
        }
        assert inside <= held
    assert {"pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "constraints.txt"} <= held
    assert any(name.startswith("tests/env/") for name in held)


def test_the_readme_has_no_pictures_or_links_that_a_package_index_cannot_show(wheel):
    readme = metadata(wheel).get_payload()
    targets = re.findall(r"\]\(([^)\s]+)\)", readme)
    assert not [target for target in targets if not target.startswith(("https://", "#"))]


def test_extras_that_name_extras_are_there(wheel):
    told = metadata(wheel)
    extras = set(told.get_all("Provides-Extra"))
    assert {"networks", "play", "tournament", "train", "analysis", "render", "all"} <= extras
    for wanted in told.get_all("Requires-Dist"):
        for inner in re.findall(r"impulse-env\[([\w,-]+)\]", wanted):
            assert set(inner.split(",")) <= extras


def test_bare_it_tells_of_itself_and_plays(bare):
    assert "play in the browser" in bare.impulse("--help")
    assert "impulse-env[play]: without aiohttp, pydantic" in bare.impulse("info")
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
assert files("impulse_agents.checkpoints").joinpath("2p.pt").read_bytes()
assert files("impulse_training.report").joinpath("report.html.jinja").read_text()
assert files("impulse_agents.web").joinpath("static/lobby.html").read_text()
assert files("impulse_env.replay").joinpath("web/page.html").read_text()
assert files("impulse_env.engine").joinpath("cards.csv").read_text()
import impulse_env, impulse_agents, impulse_training
for package in (impulse_env, impulse_agents, impulse_training):
    assert "site-packages" in package.__file__, package.__file__
"""
    done = bare.run("python", "-c", script)
    assert done.returncode == 0, done.stderr
