"""Make the two font files and their widths from Roboto Condensed; for developers.

    python tests/tools/make_font.py FOLDER

The folder holds RobotoCondensed-Regular.ttf and RobotoCondensed-Bold.ttf as Google publishes
them. Kerning and hints are left out, so that a text is as wide as the sum of its letters.
"""

import argparse
import json
import string
from pathlib import Path
from typing import Final

from fontTools import subset

CHARACTERS: Final = string.ascii_letters + string.digits + string.punctuation + " \xa0·"
"""All that the drawing writes; the last but one is a space at which no line breaks."""
FACES: Final = {"regular": "RobotoCondensed-Regular.ttf", "bold": "RobotoCondensed-Bold.ttf"}
TARGET: Final = Path(__file__).parents[2] / "impulse_env/drawing/font"


def make(source: Path, target: Path) -> dict[str, float]:
    """Write the subset of a font file; return the width of each character in ems."""
    options = subset.Options(layout_features=[], hinting=False, name_IDs=[0, 1, 2, 4, 6, 13, 14])
    options.drop_tables += ["GDEF", "GPOS", "GSUB"]
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=CHARACTERS)
    subsetter.subset(font)
    subset.save_font(font, str(target), options)
    ems = font["head"].unitsPerEm
    glyphs = font.getBestCmap()
    return {letter: font["hmtx"][glyphs[ord(letter)]][0] / ems for letter in CHARACTERS}


def main() -> None:
    """Write the fonts and `widths.json` into the package."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the two original files are")
    folder = parser.parse_args().folder
    widths = {name: make(folder / file, TARGET / file) for name, file in FACES.items()}
    text = json.dumps(widths, indent=0, sort_keys=True) + "\n"
    (TARGET / "widths.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
