"""Another author's project, installed beside the wheel in an empty environment: all of it works."""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from pages import blocks
from paths import ROOT

pytestmark = pytest.mark.package


def test_its_agent_is_listed(whole):
    listed = json.loads(whole.impulse("agents", "--json"))
    assert "scout" in listed["names"]


def test_a_match(whole):
    result = json.loads(whole.impulse("match", "scout", "random", "--games", "200", "--json"))
    assert result["games"] == 200
    assert result["agents"][0]["low"] > 0.5


def test_the_class_and_its_file_are_agents_too(whole):
    assert "20 games" in whole.impulse(
        "match", "impulse_scout.agent:Scout", "random", "--games", "20"
    )
    source = (ROOT / "docs/examples/scout/impulse_scout/agent.py").read_text(encoding="utf-8")
    (whole.work / "mine.py").write_text(source, encoding="utf-8")
    assert "20 games" in whole.impulse("match", "mine.py:Scout", "random", "--games", "20")


def test_a_tournament_in_several_processes(whole):
    words = ("--agents", "scout", "greedy", "random", "--games", "60", "--workers", "2")
    told = whole.impulse("tournament", *words, "--out", "t1")
    assert "60 games" in told
    assert (whole.work / "t1" / "report.html").is_file()
    settings = json.loads((whole.work / "t1" / "settings.json").read_text())
    assert settings["agents"] == ["scout", "greedy", "random"]
    assert "scout" in whole.impulse("tournament", "report", "t1")


def test_twenty_seconds_of_training_with_its_network_and_on_with_them(whole):
    words = ("--network", "scout", "--network-args", '{"width": 32}', "--num-envs", "64")
    more = ("--opponents", "scout", "random", "--eval-opponents", "scout", "--eval-games", "20")
    whole.impulse("train", *words, *more, "--minutes", "0.2", "--out", "run")
    first = json.loads(whole.impulse("train", "--resume", "run", "--minutes", "0.34", "--json"))
    assert first["seconds"] >= 20
    assert first["steps"] > 0
    assert "10 games" in whole.impulse(
        "match", "policy:run/policy.safetensors", "random", "--games", "10"
    )
    assert "10 games" in whole.impulse(
        "match", "scout:run/policy.safetensors", "random", "--games", "10"
    )


def test_the_table_plays_it(whole):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(
        [whole.programs / "impulse", "play", "--no-open", "--port", str(port)],
        cwd=whole.work,
        env=whole.variables,
    )
    try:
        setup = json.loads(_answer(f"{address}/api/setup"))
        assert "scout" in setup["agents"]
        body = json.dumps({"seats": ["scout", "random"]}).encode()
        table = json.loads(_answer(f"{address}/api/tables", body, {"Origin": address}))
        assert json.loads(_answer(f"{address}/api/tables/{table['name']}"))["players"] == [
            "scout",
            "random",
        ]
        assert "<html" in _answer(f"{address}/table/{table['name']}")
    finally:
        server.terminate()
        server.wait(30)


def test_a_replay_page(whole):
    whole.impulse("games", "record", "scout", "greedy", "--seed", "3", "--out", "games")
    whole.impulse("replay", "games/3.jsonl", "--html", "game.html")
    assert "</html>" in (whole.work / "game.html").read_text(encoding="utf-8")
    assert "scout" in whole.impulse("replay", "games/3.jsonl")
    assert "seats.csv" in whole.impulse("export", "games", "--out", "tables")


def test_its_own_tests_pass(whole):
    done = whole.run("python", "-m", "pytest", "-q", str(ROOT / "docs/examples/scout/tests"))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "page", ["README.md", "docs/tutorials/agent.md", "docs/tutorials/package.md"]
)
def test_the_code_of_readme_and_tutorials_runs(whole, page):
    done = whole.run("python", "-c", code_of(ROOT / page))
    assert done.returncode == 0, done.stdout + done.stderr


def code_of(page):
    """The Python of a page, without the prompts."""
    lines = "".join(body for language, body in blocks(page) if language == "python").splitlines()
    if not any(line.startswith(">>> ") for line in lines):
        return "\n".join(lines)
    return "\n".join(line[4:] for line in lines if line.startswith((">>> ", "... ")))


def _answer(address, body=None, headers=None, patience=180.0):
    """Return what the server says, as soon as it is there."""
    end = time.monotonic() + patience
    while True:
        request = urllib.request.Request(address, body, headers or {})
        if body is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=patience) as response:
                return response.read().decode()
        except (ConnectionError, urllib.error.URLError) as error:
            if isinstance(error, urllib.error.HTTPError) or time.monotonic() > end:
                raise
            time.sleep(0.5)
