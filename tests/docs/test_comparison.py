"""The comparison's claims hold in the installed versions of the libraries."""

import re
from importlib.metadata import version
from importlib.resources import files

import pytest

import impulse_agents
from pages import ROOT, text_of

PAGE = text_of(ROOT / "docs/comparison.md")
HEAD, *ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in PAGE[PAGE.index("| | Impulse |") :].split("\n\n")[0].splitlines()
    if "---" not in line
]
TABLE = {row[0]: dict(zip(HEAD[1:], row[1:], strict=True)) for row in ROWS}


def test_the_claims_about_this_project_hold():
    ours = {claim: cells["Impulse"] for claim, cells in TABLE.items()}
    assert ours["Version compared"] == version("impulse_env")
    assert ours["Rule-based opponents"] == str(len(impulse_agents.RULE_BASED))
    assert ours["Licence"] == "MIT"


@pytest.mark.peers
def test_the_claims_about_open_spiel_hold():
    import pyspiel

    said = {claim: cells["OpenSpiel"] for claim, cells in TABLE.items()}
    assert said["Version compared"] == version("open_spiel")
    assert said["Games"] == str(len(pyspiel.registered_names()))
    assert hasattr(pyspiel, "ISMCTSBot")
    assert hasattr(pyspiel.State, "resample_from_infostate")
    assert (files("open_spiel") / "python/vector_env.py").is_file()


@pytest.mark.peers
def test_the_claims_about_petting_zoo_hold():
    said = {claim: cells["PettingZoo classic"] for claim, cells in TABLE.items()}
    assert said["Version compared"] == version("pettingzoo")
    modules = [path.name for path in (files("pettingzoo") / "classic").iterdir()]
    games = [name for name in modules if re.fullmatch(r"\w+_v\d+\.py", name)]
    assert said["Games"] == str(len(games))
