"""The numbers of the pages are those of the file of claims, digit by digit."""

import json
import re
import shlex

import pytest

import claims_tables
from impulse_agents import checkpoints
from impulse_training.cli.framework.parsing import parse
from impulse_training.cli.framework.tree import find
from impulse_training.evaluation.claims.claims import read
from pages import PAGES, ROOT, name_of, text_of

CLAIMS = read()
BLOCK = re.compile(r"<!-- claims: ([\w-]+).*?<!-- end -->", re.DOTALL)


def in_one_line(text):
    return " ".join(text.split())


@pytest.mark.parametrize(
    "page", [page for page in PAGES if BLOCK.search(text_of(page))], ids=name_of
)
def test_a_table_holds_what_is_claimed(page):
    assert claims_tables.with_tables(text_of(page), CLAIMS) == text_of(page), "make claims"


def test_a_digit_that_differs_is_noticed():
    page = text_of(ROOT / "docs/results.md")
    changed = page.replace("91.8 [90.5, 92.9]", "91.9 [90.5, 92.9]", 1)
    assert changed != page
    assert claims_tables.with_tables(changed, CLAIMS) == page


@pytest.mark.parametrize("claim", [one for one in CLAIMS if one.text], ids=lambda one: one.id)
def test_a_sentence_says_what_is_claimed(claim):
    for page in claim.pages:
        assert in_one_line(claim.sentence) in in_one_line(text_of(ROOT / page))


def test_every_table_of_claims_stands_on_the_pages_that_they_name():
    shown = {name_of(page): set(BLOCK.findall(text_of(page))) for page in PAGES}
    for claim in CLAIMS:
        for page in claim.pages:
            assert not claim.table or claim.table in shown[page], (claim.id, page)


def test_no_two_claims_share_a_cell():
    cells = [(claim.table, claim.row, claim.column) for claim in CLAIMS if claim.table]
    assert len(cells) == len(set(cells))


def test_the_page_of_results_has_no_other_measured_number():
    rest = in_one_line(BLOCK.sub("", text_of(ROOT / "docs/results.md")))
    for claim in CLAIMS:
        if claim.text:
            rest = rest.replace(in_one_line(claim.sentence), "")
    assert re.findall(r"\d+\.\d+", rest) == []


def test_all_that_the_cards_tell_is_claimed():
    told = {
        (name, opponent)
        for name in checkpoints.shipped()
        for opponent in json.loads((checkpoints.FOLDER / f"{name}.json").read_text())["card"]["won"]
    }
    claimed = {
        (claim.source[1], claim.command.split()[-1])
        for claim in CLAIMS
        if claim.table in ("strength", "baselines")
    }
    assert claimed == told


def test_commands_are_understood():
    for line in sorted({claim.command for claim in CLAIMS}):
        program, *words = shlex.split(line)
        if program != "impulse":
            assert program == "make"
            continue
        command = find(words)
        parse(
            command.options,
            command.name,
            words[len(command.name.split()) :],
            command.declared.has_json,
        )
        assert command.declared.has_json


def test_whoever_is_not_verified_says_why_and_others_can_be_read():
    for claim in CLAIMS:
        assert claim.by_hand or claim.at, claim.id
        assert claim.by_hand or claim.at != "rows", f"{claim.id}: a value, not a whole table"
        assert claim.pages, claim.id
