"""The file of claims: what it may hold, and where the values stand."""

from math import inf

import numpy as np
import pytest

from impulse_agents import checkpoints, standings
from impulse_training.evaluation.claims.claims import ClaimError, cheapest_first, chosen, read
from impulse_training.evaluation.claims.estimate import Estimate, critical, difference
from impulse_training.evaluation.claims.sources import SourceError, at, estimate_in, resolve
from impulse_training.statistics.intervals import wilson

ONE = """
[[claim]]
id = "one"
statement = "It is so."
command = "impulse info"
"""


def claims_in(tmp_path, text):
    path = tmp_path / "claims.toml"
    path.write_text(text, encoding="utf-8")
    return read(path)


# --- The file -------------------------------------------------------------------------------------


def test_a_claim_stands_for_each_of_its_rows(tmp_path):
    text = """
    [[claim]]
    id = "{agent}-wins"
    statement = "{agent} wins."
    command = "impulse match {agent} random{options}"
    options = ""
    unit = "%"
    each = [
      {agent = "greedy", value = 91.84, low = 90.5, high = 92.9},
      {agent = "miner", value = 50, options = " --games 7"},
    ]
    """
    greedy, miner = claims_in(tmp_path, text)
    assert (greedy.id, greedy.command) == ("greedy-wins", "impulse match greedy random")
    assert greedy.shown == "91.8 [90.5, 92.9]"
    assert (miner.command, miner.shown) == ("impulse match miner random --games 7", "50.0")


def test_a_sentence_of_a_page_is_filled_in(tmp_path):
    text = ONE + 'value = 98.94\nlow = 97.8\nhigh = 99.5\ntext = "{value} % ({low} to {high})"'
    (claim,) = claims_in(tmp_path, text)
    assert claim.sentence == "98.9 % (97.8 to 99.5)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[claim]", "is not TOML"),
        ("claims = 1", "must hold only [[claim]] tables, not claims"),
        ("claim = [1]", "a claim must be a table, not 1"),
        (ONE, "one: a claim has either a value or a source"),
        (ONE + 'value = 1\nsource = ["card"]', "one: a claim has either a value or a source"),
        (ONE + 'value = "1"', "one: value must be a number or null, not '1'"),
        (
            ONE + "value = 1\nvalu = 1",
            "no text has {valu}, and a claim has no such field; did you mean value?",
        ),
        (ONE + "value = 1\nminutes = 1", "minutes and minutes_are belong together"),
        (ONE + "value = 1\nlow = 1", "an interval has two ends"),
        (ONE + "value = 1\n" + ONE + "value = 1", "has two claims named one"),
        (ONE + 'value = 1\neach = "all"', "each must be rows of fields, or 'standings'"),
        ('[[claim]]\nid = "x"', "x: it has no statement"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(tmp_path, text, said):
    with pytest.raises(ClaimError) as error:
        claims_in(tmp_path, text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_claims_are_chosen_by_their_names_or_tables_and_ordered_by_their_cost(tmp_path):
    rows = [
        ("dear", 'minutes = 9\nminutes_are = "measured"\ntable = "speed"'),
        ("unknown", 'table = "speed"'),
        ("cheap", 'minutes = 1\nminutes_are = "computed"'),
    ]
    text = "".join(ONE.replace("one", name) + f"value = 1\n{more}\n" for name, more in rows)
    claims = claims_in(tmp_path, text)
    assert [claim.id for claim in cheapest_first(claims)] == ["cheap", "dear", "unknown"]
    assert [claim.id for claim in chosen(claims, ("speed",))] == ["dear", "unknown"]
    assert chosen(claims, ()) == claims
    with pytest.raises(ClaimError, match="no claim and no table 'cheep'; did you mean cheap"):
        chosen(claims, ("cheep",))


# --- Where values stand ---------------------------------------------------------------------------


def test_every_value_of_the_project_is_found():
    claims = read()
    assert len(claims) > 100
    for claim in claims:
        assert claim.estimate.value == claim.estimate.value, claim.id


def test_a_card_gives_the_interval_that_it_shows():
    found = resolve(["card", "2p", "policy v greedy", "Won, %"], None)
    page = (checkpoints.FOLDER / "2p.md").read_text(encoding="utf-8")
    assert f"| policy v greedy | {found.text(1)} |" in page
    assert found.low < found.value < found.high


def test_a_standing_gives_its_rating():
    row = next(row for row in standings.read() if row.agent == "random" and row.players == 2)
    assert resolve(["standing", "random", "2", "rating"], None) == Estimate(
        row.rating, -inf, row.high
    )


def test_a_share_of_an_agents_card_gets_the_interval_of_its_games():
    found = resolve(["agent", "greedy", "won", "miner"], 1000)
    assert found.low < found.value < found.high
    assert found.high - found.low == pytest.approx(5.2, abs=0.2)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (["card", "9p", "x", "y"], "there is no card of 9p"),
        (["card", "2p", "policy v nobody", "Won, %"], "has no number in the row 'policy v nobody'"),
        (["card", "2p"], "takes 3 words"),
        (["diary", "2p"], "a source is one of card, standing, agent, not 'diary'"),
        (["standing", "random", "9", "rating"], "no standing of random at the table 9"),
        (["standing", "random", "two", "rating"], "a table is written as 3 or 4x2, not 'two'"),
        (["standing", "random", "2", "height"], "not 'height'"),
        (["agent", "nobody", "won", "random"], "there is no card of nobody"),
        (["agent", "greedy", "won", "nobody"], "the card of greedy has no won nobody"),
    ],
)
def test_a_source_that_is_not_there_is_named(source, said):
    with pytest.raises(SourceError) as error:
        resolve(source, None)
    assert said in str(error.value)


def test_a_path_leads_through_objects_lists_and_names():
    found = {"rows": [{"name": "a", "won": 1}, {"name": "b", "won": 2}]}
    assert at(found, "rows/1/won") == at(found, "rows/name=b/won") == 2
    for path in ("rows/2", "rows/name=c", "rows/0/lost", "rows/0/won/x"):
        with pytest.raises(SourceError, match="has nothing at"):
            at(found, path)


def test_what_a_command_printed_is_an_estimate():
    assert estimate_in('{"a": 0.5, "b": 0.4, "c": null}', "a", "b", "c", 100) == Estimate(
        50, 40, inf
    )
    assert estimate_in('["4,039 [4,000, 4,100]/s"]', "0", "", "", 1) == Estimate(4039, 4000, 4100)
    for text in ("", '{"a": true}', '{"a": "none"}'):
        with pytest.raises(SourceError):
            estimate_in(text, "a", "", "", 1)


# --- Whether two agree ----------------------------------------------------------------------------


def test_an_estimate_is_read_as_it_is_written():
    for found in (Estimate(91.8, 90.5, 92.9), Estimate(-1248, -inf, -743.5), Estimate(1234.5)):
        assert Estimate.parse(found.text(1)) == found
    assert Estimate.parse("none") is None
    assert Estimate(4039363).text(0) == "4,039,363"


def test_the_difference_is_in_its_standard_errors():
    old, new = Estimate(50, 48.04, 51.96), Estimate(53, 51.04, 54.96)
    assert difference(old, new) == pytest.approx(3 / 2**0.5, abs=1e-4)
    assert difference(new, old) == pytest.approx(-3 / 2**0.5, abs=1e-4)
    assert difference(old, old) == 0
    assert difference(old, Estimate(53)) is None
    assert difference(Estimate(-9, -inf, 0), Estimate(-99, -inf, 0)) == 0


def test_two_samples_of_one_share_are_found_to_differ_about_as_often_as_is_said():
    rng, games, differ = np.random.default_rng(0), 2000, 0
    for share in (0.5, 0.92, 0.995):
        for wins in rng.binomial(games, share, size=(1000, 2)).tolist():
            pair = [Estimate(won / games, *wilson(won, games)) for won in wins]
            differ += abs(difference(*pair)) > critical(0.05, 1)
    assert 0.03 < differ / 3000 < 0.06


def test_more_comparisons_make_each_stricter():
    assert critical(0.05, 1) == pytest.approx(1.96, abs=0.001)
    assert critical(0.05, 10) == pytest.approx(2.807, abs=0.001)
