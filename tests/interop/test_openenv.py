"""The example for OpenEnv: its server, many sessions at once, and OpenEnv's own validators."""

import re
import socket
import sys
import threading
import time

import pytest

from impulse_agents.tasks import Episode, read_tasks
from paths import ROOT

pytest.importorskip("openenv")
pytestmark = [
    pytest.mark.interop,
    # OpenEnv's libraries warn of one another.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
EXAMPLE = ROOT / "docs/examples/openenv"


@pytest.fixture(autouse=True)
def example(monkeypatch, tasks_file):
    """The example's folder is where Python looks for modules; its tasks are short races."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    yield tasks_file
    for name in [name for name in sys.modules if name.partition(".")[0] == "server"]:
        del sys.modules[name]


@pytest.fixture
def address(example):
    import uvicorn
    from server.app import app

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(20)


def client(address):
    from openenv.core.generic_client import GenericEnvClient

    return GenericEnvClient(base_url=address).sync()


def first_legal(text):
    return re.search(r"Legal: (\w+\((?:\w+=[\w-]+)?)", text)[1] + ")"


def test_the_page_plays_a_task_to_its_end(shown):
    assert shown["result"].done
    assert -1 <= shown["result"].reward <= 2


def test_sessions_at_the_same_time_play_tasks_of_their_own(address, tasks_file):
    tasks = read_tasks(tasks_file)
    with client(address) as one, client(address) as other:
        seen = [one.reset(seed=0), other.reset(task="race-1")]
        episodes = [Episode(tasks[0]), Episode(tasks[1])]
        for _ in range(8):
            for number, env in enumerate((one, other)):
                if seen[number].done:
                    continue
                reply = first_legal(seen[number].observation["text"])
                episodes[number].reply(reply)
                seen[number] = env.step({"text": reply})
                assert seen[number].observation["text"] == episodes[number].prompt()
        assert one.state()["task"] == "race-0"
        assert set(other.state()) <= {"task", "refused", "episode_id", "step_count"}


def test_three_bad_replies_forfeit_with_the_reward_of_the_episode(address):
    with client(address) as env:
        result = env.reset(seed=2)
        assert (result.done, result.reward) == (False, None)
        for bad in ("hello", "fly(to=9)", ""):
            assert not result.done
            result = env.step({"text": bad})
        assert result.done
        assert result.reward == -1
        assert env.state()["refused"] == 3


def test_its_validator_of_a_running_server_passes(address):
    from openenv.cli._validation import validate_running_environment

    report = validate_running_environment(address, timeout_s=30)
    assert report["passed"], report


def test_its_validator_of_packages_misses_nothing_but_a_lock():
    """Its validator for packages asks for a file `uv.lock`, which you create with `uv lock`."""
    from openenv.cli._validation import validate_multi_mode_deployment

    _, issues = validate_multi_mode_deployment(EXAMPLE)
    assert [issue.partition(" - ")[0] for issue in issues] == ["Missing uv.lock"]


def test_the_dockerfile_starts_the_app_of_the_manifest_with_files_of_the_folder():
    import yaml

    manifest = yaml.safe_load((EXAMPLE / "openenv.yaml").read_text(encoding="utf-8"))
    file = (EXAMPLE / "Dockerfile").read_text(encoding="utf-8")
    assert re.findall("COPY (.*)", file) == [". ."]
    assert f'"{manifest["app"]}", "--host", "0.0.0.0", "--port", "{manifest["port"]}"' in file
    module, _, name = manifest["app"].partition(":")
    assert f"\n{name} = " in (EXAMPLE / f"{module.replace('.', '/')}.py").read_text(
        encoding="utf-8"
    )
