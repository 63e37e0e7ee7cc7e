"""Updates the table of answers in notebooks/README.md from the notebooks' outputs."""

from lab.answers import with_table
from paths import ROOT

PAGE = ROOT / "notebooks" / "README.md"

if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), PAGE.parent), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: written")
