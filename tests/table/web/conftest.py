"""Servers and pages for the tests of the pages."""

import shutil
import subprocess

import numpy as np
import pytest

from impulse_env.game import Game
from impulse_table.tables.protocol import PERSON, NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table
from serving import serving
from table_pages import WAIT, Served

RARE = ((4, 42), (6, 21))
"""Players and seed of random games with a choice between owners, and one with an empty deck."""


@pytest.fixture
def site():
    """Where the server of `browser` listens; None: for this machine alone."""


@pytest.fixture
def browser(tmp_path, workers, site):
    """A browser of a server of the test's own, which an asynchronous test gets when it begins."""
    return serving(tmp_path, workers, site)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    served = Served(tmp_path_factory.mktemp("games"))
    yield served
    served.stop()


@pytest.fixture
def visit(chromium, served):
    """Opens pages of browsers that know nothing of each other; they must not complain."""
    contexts, complaints = [], []

    def visit(address=served.address, width=1280, height=800, **device):
        context = chromium.new_context(viewport={"width": width, "height": height}, **device)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: line.type == "error" and complaints.append(line.text))
        page.goto(address)
        return page

    yield visit
    for context in contexts:
        context.close()
    # A stopped server cannot be reached, and a damaged table, a used link or a browser that is not
    # let in is told; all else is an error of ours.
    foreseen = ("ERR_CONNECTION_REFUSED", "status of 500", "status of 410", "status of 403")
    assert [line for line in complaints if not any(word in line for word in foreseen)] == []


@pytest.fixture(scope="session")
def pem(tmp_path_factory):
    """A certificate for this machine, and its key."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("tls")
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=impulse"]
    files = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([program, *made, *files], cwd=folder, check=True, capture_output=True)
    return folder / "cert.pem", folder / "key.pem"


def first_of_each_kind():
    """Return the options and the actions of random games up to a decision of each kind."""
    found = {}
    for players, seed in (*((2, seed) for seed in range(60)), *RARE):
        options = {"seed": seed, "races": None if seed else "draft"}
        game, rng, taken = Game(players, **options), np.random.default_rng(seed), []
        while not game.is_over and len(taken) < 1000:
            shortest = found.get(game.decision.kind)
            if shortest is None or len(taken) < len(shortest[2]):
                found[game.decision.kind] = players, options, list(taken)
            taken.append(game.name(int(rng.choice(game.legal_actions()))))
            game.step(taken[-1])
    return found


@pytest.fixture(scope="module")
def tables(served):
    """The address of the seat that decides, by the kind of decision."""
    store, addresses = Store(served.folder), {}
    for kind, (players, options, actions) in first_of_each_kind().items():
        table = Table.create(NewTable(seats=[PERSON] * players, **options))
        for action in actions:
            table.act(action)
        store.keep(table)
        token = table.saved.seats[table.game.seat].token
        addresses[kind] = f"{served.address}table/{table.name}#{token}"
    return addresses
