"""A Ray cluster plays the same games as one process, even if one of its machines is lost."""

import io

import pytest
from rich.console import Console

from bots import bot
from faulty_agents import FAULTY
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_training.report import page
from impulse_training.tournament.run import run
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers import local, ray

pytestmark = [
    pytest.mark.ray,
    # Ray leaves sockets and the pipes of its processes to the end of this one.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

SETTINGS = Settings(("random", "greedy", "core_rush"), players=3, games=3000, seed=6)
TABLES = ("ratings.csv", "matrix.csv", "points.csv", "seats.csv", "lengths.csv", "summary.json")


def alone(schedule, numbers):
    return local.play_all(schedule, numbers, workers=1)


@pytest.fixture
def two_machines():
    """A cluster of two nodes with one core each, and its second node."""
    ray_cluster = pytest.importorskip("ray.cluster_utils")
    made = ray_cluster.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made, second
    made.shutdown()


def tables_of(folder, players, settings=SETTINGS):
    """Play a tournament in a folder; return its tables and the numbers of the games there."""
    results = run(settings, folder, players, Console(file=io.StringIO()))
    page.write(folder, Store.read(folder).described(), results)
    numbers = [result.game for result in Store.read(folder).results()]
    assert len((folder / "games.jsonl").read_text().splitlines()) == len(numbers)
    assert numbers == list(range(len(results)))
    return {name: (folder / name).read_bytes() for name in TABLES}


def test_a_lost_machine_changes_nothing(two_machines, tmp_path):
    made, second = two_machines
    lost = []

    def players(schedule, numbers):
        results = ray.play_all(schedule, numbers, made.address, is_installed=True)
        for count, result in enumerate(results, 1):
            yield result
            if not lost and count >= 200:
                made.remove_node(second, allow_graceful=False)
                lost.append(count)

    found = tables_of(tmp_path / "cluster", players)
    assert lost
    assert lost[0] < SETTINGS.games
    assert found == tables_of(tmp_path / "alone", alone)


def test_code_and_checkpoints_are_sent_along(two_machines, tmp_path, monkeypatch):
    made, _ = two_machines
    network = {"width": 16, "policy": (16,), "value": (), "card_dim": 4}
    agent = PolicyAgent(PolicyNetwork(2, **network), checkpoint_config(2, network), "policy")
    agent.save(tmp_path / "policy.safetensors")
    # A path that the tasks, which run elsewhere, do not find.
    monkeypatch.chdir(tmp_path)
    settings = Settings(("random", "policy:policy.safetensors"), games=8, target_score=5)

    def players(schedule, numbers):
        return ray.play_all(schedule, numbers, made.address)

    found = tables_of(tmp_path / "cluster", players, settings)
    assert found == tables_of(tmp_path / "alone", alone, settings)


def test_a_program_in_any_language_plays_on_every_machine(two_machines, tmp_path):
    made, _ = two_machines
    settings = Settings(("random", bot("first")), games=8, target_score=5)

    def players(schedule, numbers):
        return ray.play_all(schedule, numbers, made.address)

    found = tables_of(tmp_path / "cluster", players, settings)
    assert found == tables_of(tmp_path / "alone", alone, settings)


@pytest.mark.parametrize(
    ("kind", "fault", "limits"), [("Dies", "died", {}), ("Hangs", "time", {"time_limit": 1.0})]
)
def test_an_agent_that_dies_or_hangs_loses_its_games_alone(kind, fault, limits, two_machines):
    made, _ = two_machines
    bad = f"{FAULTY}:{kind}"
    schedule = Schedule(Settings((bad, "random", "greedy"), games=6, **limits))
    results = list(ray.play_all(schedule, range(6), made.address, is_installed=True))
    assert sorted(result.game for result in results) == list(range(6))
    for result in results:
        is_bad = bad in result.agents
        assert result.fault == (fault if is_bad else None)
        assert result.failed == (result.agents.index(bad) if is_bad else None)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", r"no Ray cluster at '127\.0\.0\.1:1': .*refused"),
        ("auto", "no Ray cluster at 'auto': "),
        ("ray://head:10001", "run the command on a machine of the cluster"),
    ],
)
def test_a_cluster_that_is_not_there_is_named(address, message):
    pytest.importorskip("ray")
    with pytest.raises(TournamentError, match=message):
        list(ray.play_all(Schedule(SETTINGS), [0], address))
