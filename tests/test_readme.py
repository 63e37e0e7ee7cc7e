"""The README's Python runs and prints what it says."""

import doctest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_readme_prints_what_it_says():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 5
    assert failed == 0


def test_links_of_the_documents_lead_somewhere():
    for page in ROOT.glob("*.md"):
        for part in page.read_text(encoding="utf-8").split("](")[1:]:
            target = part.split(")")[0]
            if "://" not in target and not target.startswith("#"):
                assert (page.parent / target.split("#")[0]).exists(), f"{page.name}: {target}"
