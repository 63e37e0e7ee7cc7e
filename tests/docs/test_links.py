"""Links between the pages, and the parts of them that are made from the code."""

import re
from urllib.parse import unquote

import pytest
import yaml

from impulse_env import analysis
from pages import PAGES, ROOT, name_of, prose, text_of

INCLUDED = re.compile(r"^--8<-- \"(.+\.md):([\w-]+)\"$", re.MULTILINE)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")


def links_within(text):
    """The links of a text that lead to the repository."""
    return [to for to in LINK.findall(text) if "://" not in to and not to.startswith("mailto:")]


def anchors(page):
    """What can be linked to in a page, as GitHub and the site name it."""
    heads = re.findall(r"^#+ +(.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in links_within(prose(page)):
        path, _, anchor = unquote(target).partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        assert linked.is_relative_to(ROOT), target
        if anchor and linked.suffix == ".md":
            assert anchor in anchors(linked), target


def test_links_were_found():
    assert sum(len(LINK.findall(prose(page))) for page in PAGES) > 50


def test_what_the_site_includes_links_to_nothing_beside_it():
    included = sorted({found for page in PAGES for found in INCLUDED.findall(text_of(page))})
    assert len(included) > 10
    for path, section in included:
        text = prose(ROOT / path).partition(f"[start:{section}]")[2]
        within = text.partition(f"[end:{section}]")[0]
        assert within, f"{path} has no section {section}"
        # On the page that includes it, such a link would lead somewhere else.
        assert links_within(within) == [], path


def test_every_page_of_the_site_is_in_its_navigation():
    # The file has tags for Python objects in other settings than these.
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))

    def pages(entry):
        if isinstance(entry, str):
            return [entry]
        values = entry.values() if isinstance(entry, dict) else entry
        return [page for value in values for page in pages(value)]

    written = [
        name_of(page).removeprefix("docs/") for page in PAGES if ROOT / "docs" in page.parents
    ]
    assert sorted(pages(settings["nav"])) == sorted(written)


@pytest.mark.parametrize("table", analysis.COLUMNS)
def test_the_columns_on_the_page_are_those_of_the_tables(table):
    page = text_of(ROOT / "docs/tutorials/analysis.md")
    start = f'<!-- analysis.column_table("{table}") -->\n'
    assert page.count(start) == 1
    written = page.split(start)[1].split("\n<!-- end -->")[0]
    generated = analysis.column_table(table)
    assert written == generated, f"put this into docs/tutorials/analysis.md:\n{generated}"
