"""What the comparison says of other libraries is so in the versions that are installed here."""

import re
from importlib.metadata import version
from importlib.resources import files

import pytest

import impulse_agents
from pages import ROOT, text_of

PAGE = text_of(ROOT / "README.md")
HEAD, *ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in PAGE.split("[start:table]")[1].split("[end:table]")[0].splitlines()
    if line.startswith("|") and "---" not in line
]
TABLE = {row[0]: dict(zip(HEAD[1:], row[1:], strict=True)) for row in ROWS}


def test_what_is_said_of_this_project_is_so():
    ours = {claim: cells["Impulse"] for claim, cells in TABLE.items()}
    assert ours["Version looked at"] == version("impulse_env")
    assert ours["Rule-based opponents"] == str(len(impulse_agents.RULE_BASED))
    assert ours["Licence"] == "MIT"


@pytest.mark.peers
def test_what_is_said_of_open_spiel_is_so():
    import pyspiel

    said = {claim: cells["OpenSpiel"] for claim, cells in TABLE.items()}
    assert said["Version looked at"] == version("open_spiel")
    assert said["Games"] == str(len(pyspiel.registered_names()))
    assert hasattr(pyspiel, "ISMCTSBot")
    assert hasattr(pyspiel.State, "resample_from_infostate")
    assert (files("open_spiel") / "python/vector_env.py").is_file()


@pytest.mark.peers
def test_what_is_said_of_petting_zoo_is_so():
    said = {claim: cells["PettingZoo classic"] for claim, cells in TABLE.items()}
    assert said["Version looked at"] == version("pettingzoo")
    modules = [path.name for path in (files("pettingzoo") / "classic").iterdir()]
    games = [name for name in modules if re.fullmatch(r"\w+_v\d+\.py", name)]
    assert said["Games"] == str(len(games))
