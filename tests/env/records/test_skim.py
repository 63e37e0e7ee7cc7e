"""A record that is skimmed is the one that is read; what has not the form is told with its line."""

from dataclasses import replace

import pytest

from impulse_env.errors import RecordError
from impulse_env.records.reader import read, skim
from recorded import IDS, TABLES, played

LINES = played(TABLES[0])[0].text().splitlines()


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_a_record_is_the_same_read_and_skimmed(table, tmp_path):
    played(table)[0].save(tmp_path / "game.jsonl")
    whole, skimmed = read(tmp_path / "game.jsonl"), skim(tmp_path / "game.jsonl")
    assert skimmed.header == whole.header
    assert skimmed.moves == [replace(move, note=None) for move in whole.moves]
    result = replace(skimmed.result, points=tuple(skimmed.result.points))
    assert result == whole.result


@pytest.mark.parametrize(
    ("line", "text", "told"),
    [
        (1, "{}", "line 1: this is not a record"),
        (3, '{"action":"pass"}', "line 3: a seat is an integer, not None"),
        (3, '{"seat":"0","action":"pass"}', "line 3: a seat is an integer, not '0'"),
        (3, '{"seat":0,"action":7}', "line 3: an action is a name such as 'card 57', not 7"),
        (3, '{"seat":0,"action":"fly"}', "line 3: unknown action 'fly'"),
        (3, "[]", "line 3: a line must be a JSON object"),
        (len(LINES), '{"end":"score"}', "it has no winners"),
        (len(LINES), LINES[-1].replace('"winners":[', '"winners":["a",'), "must be a whole number"),
        (
            len(LINES),
            LINES[-1].replace('"winners":[', '"winners":3,"w":['),
            "winners must be a list",
        ),
        (len(LINES), LINES[-1].replace('"scores":[', '"scores":[1,'), "scores must be a list of 2"),
        (
            len(LINES),
            LINES[-1].replace('"turns":', '"turns":0.'),
            "turns must be a whole",
        ),
        (len(LINES), '{"seat":0,"action":"pass"}', "the record ends here without a result"),
    ],
)
def test_a_line_of_another_form_is_reported(line, text, told, tmp_path):
    lines = [*LINES[: line - 1], text, *LINES[line:]]
    (tmp_path / "game.jsonl").write_text("".join(f"{one}\n" for one in lines))
    with pytest.raises(RecordError, match=rf"game\.jsonl, line \d+: .*{told.split(': ')[-1]}"):
        skim(tmp_path / "game.jsonl")


def test_a_file_that_is_not_text_is_reported(tmp_path):
    (tmp_path / "game.jsonl").write_bytes(b"\n\xff")
    with pytest.raises(RecordError, match="line 2: this is not text in UTF-8"):
        skim(tmp_path / "game.jsonl")
