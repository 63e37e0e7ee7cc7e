"""The page on the C library: its program in C compiles and plays."""

import re
import shlex
import shutil
import subprocess

import pytest

from c_calls import STRICT
from impulse_env import Game
from impulse_env.c_library.entries import ENTRIES
from impulse_env.c_library.files import c_flags
from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE
from pages import ROOT, blocks, text_of

PAGE = ROOT / "docs/guides/c_library.md"


@pytest.mark.slow  # it compiles the library
@pytest.mark.skipif(not (IS_COMPILED and LINKS_LATE), reason="it is compiled from numba's own IR")
@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler here")
def test_the_program_of_the_page_plays(tmp_path):
    (source,) = (body for language, body in blocks(PAGE) if language == "c")
    path = tmp_path / "game.c"
    path.write_text(source, encoding="utf-8")
    command = ["cc", *STRICT, path, *shlex.split(c_flags()), "-o", tmp_path / "game"]
    subprocess.run(command, check=True)
    game = Game(players=3, seed=7)
    while not game.is_over:
        game.step(game.legal_actions()[0])
    played = subprocess.check_output([tmp_path / "game"], text=True)
    assert played == f"{game.scores[0]} to {game.scores[1]}\n"


def test_the_page_names_functions_of_the_library():
    named = set(re.findall(r"impulse_\w+", text_of(PAGE)))
    others = {"impulse_env", "impulse_error", "impulse_game", "impulse_options"}
    assert named - others <= {entry.name for entry in ENTRIES}
