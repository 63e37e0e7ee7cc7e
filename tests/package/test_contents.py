"""What the wheel and the sdist hold."""

import ctypes
import os
import re
import shlex
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes

import pytest

from impulse_env.c_library.entries import LAYOUT
from impulse_env.c_library.files import ARCHIVE, SHARED
from paths import ROOT, SHIPPED
from virtual_environment import Environment

pytestmark = pytest.mark.package


def sources():
    """Every file of the packages, by its path in the checkout."""
    for folder in SHIPPED:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT).as_posix()


def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


def test_the_wheel_holds_every_file_of_the_packages_and_no_other(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert not [name for name in held if re.search(r"\blab\b|notebooks", name)]
    recipes = {path.name for path in (ROOT / "agents" / "recipes").glob("*.toml")}
    assert len(recipes) > 5
    inside = {name.removeprefix("agents/").removeprefix("training/") for name in sources()}
    recipes = {f"impulse_training/recipes/files/{name}" for name in recipes}
    elsewhere = {"impulse_training/evaluation/claims/claims.toml", "impulse_training/bench/play.c"}
    assert held == inside | recipes | elsewhere
    for suffix in (".safetensors", ".csv", ".jinja", ".html", ".js", ".css", ".ttf", "py.typed"):
        assert any(name.endswith(suffix) for name in held), suffix


def test_the_sdist_holds_what_the_wheel_is_built_from_and_the_tests(sdist):
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert set(sources()) <= held
    assert {"pyproject.toml", "hatch_build.py", "README.md", "LICENSE"} <= held
    assert {"requirements.lock", "tests/tools/install_locked.py"} <= held
    assert any(name.startswith("tests/env/") for name in held)
    assert not [name for name in held if re.fullmatch(r"agents/recipes/.*\.safetensors", name)]
    assert not [name for name in held if name.startswith("notebooks/")]


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


@pytest.mark.slow  # it compiles everything, for each level of processors
def test_a_wheel_for_this_platform_needs_no_compiler(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "tests/tools/build_wheels.py", tmp_path / "dist"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests/support")},
        capture_output=True,
        text=True,
        check=True,
    )
    (wheel,) = (p for p in (tmp_path / "dist").glob("*.whl") if not p.stem.endswith("-any"))
    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-" in wheel.name
    assert "impulse_env.batch._run" in done.stdout
    assert re.search(r"impulse_step: 1 files, [\d.]+ MB, compressed [\d.]+ MB\n", done.stdout)
    with zipfile.ZipFile(wheel) as archive:
        ptx = [name for name in archive.namelist() if name.endswith(".ptx")]
        assert all(b".target sm_80" in archive.read(name) for name in ptx)
        library = {name.rsplit("/")[-1] for name in archive.namelist() if "/libimpulse." in name}
    assert library == {ARCHIVE, SHARED}
    kernels = ("begin", "determinize", "draw", "observe", "redact", "step", "unpack")
    everything = sorted((*kernels, "look_ahead", "rules"))  # with those of the agents
    assert sorted(name.rsplit("/")[-1] for name in ptx) == [f"impulse_{k}.ptx" for k in everything]
    environment = Environment(tmp_path / "elsewhere")
    environment.install(wheel)
    cache = tmp_path / "cache"
    program = (
        "from impulse_env import Game; import impulse_agents, numpy as np\n"
        "for name in ('greedy', 'ismcts:5'):\n"
        "    impulse_agents.make(name).act_in_game(Game(seed=0), np.random.default_rng(0))\n"
        "Game.from_bytes(Game(seed=0).to_bytes())"
    )
    settings = {"IMPULSE_CACHE_DIR": str(cache)}
    played = environment.run("python", "-c", program, env_more=settings)
    assert (played.returncode, played.stderr) == (0, "")
    assert not cache.exists()
    finds = (
        "from impulse_env.compiled.code_folder import PACKAGE\n"
        "from impulse_env.compiled.shipped_code import shipped_folder\n"
        "print(sum(p.suffix == '.ptx' for p in shipped_folder(PACKAGE).iterdir()))"
    )
    found = environment.run("python", "-c", finds, env_more=settings)
    assert (found.returncode, found.stdout.strip()) == (0, str(len(kernels)))
    assert "shipped with the package" in environment.impulse("info", env_more=settings)
    shared = environment.impulse("info", "--c-library", env_more=settings | {"PATH": ""})
    assert "site-packages" in shared
    assert ctypes.CDLL(shared.strip()).impulse_layout() == LAYOUT
    flags = shlex.split(environment.impulse("info", "--c-flags", env_more=settings))
    program = tmp_path / "play"
    subprocess.run(
        ["cc", ROOT / "docs/examples/c_library/play.c", *flags, "-o", program], check=True
    )
    assert int(subprocess.check_output([program, "--bench", "0.1"])) > 0
