"""The page is one file that needs nothing else, lets nothing else in, and is small."""

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from impulse_env import drawing
from impulse_env.information import EVERYTHING
from impulse_env.outcomes import turn_number
from impulse_env.records.record import Annotation, Header, Move, Record, SeatedAgent
from impulse_env.replay.bundle import bundle
from impulse_env.replay.page import page, write
from impulse_env.replay.steps import all_viewers
from recorded import TABLES, played

SHORT = TABLES[8]
EVIL = "</script><img src=x onerror=alert(1)>"


class Outline(HTMLParser):
    """The elements of a page, with their attributes, and what stands in its scripts."""

    def __init__(self, text):
        self.elements, self.scripts, self.is_in_script = [], [], False
        super().__init__()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.is_in_script = tag == "script"
        if self.is_in_script:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.is_in_script = False

    def handle_data(self, data):
        if self.is_in_script:
            self.scripts[-1] += data

    def one(self, **attributes):
        (found,) = (a for _, a in self.elements if attributes.items() <= a.items())
        return found


def data_of(html):
    packed = Outline(html).scripts[0]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@pytest.fixture(scope="module")
def html():
    return page(played(SHORT)[0])


def test_the_page_has_what_a_replay_needs(html):
    outline = Outline(html)
    for name in ("board", "decision", "log", "chart", "sources", "slider", "eyes", "speed", "play"):
        assert outline.one(id=name) is not None
    assert outline.one(id="slider")["type"] == "range"
    assert outline.one(name="viewport")["content"].startswith("width=device-width")
    assert html.startswith("<!doctype html>\n<html lang=")
    assert "<!--" not in html, "a place of the template was not filled"


def test_nothing_is_loaded_and_no_other_script_runs(html):
    outline = Outline(html)
    policy = outline.one(**{"http-equiv": "Content-Security-Policy"})["content"]
    script = outline.scripts[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}';" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
    assert not any(
        "src" in attributes or "href" in attributes for _, attributes in outline.elements
    )
    assert not any(
        name.startswith("on") for _, attributes in outline.elements for name in attributes
    )
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in script


def test_names_of_agents_are_data_and_nothing_else():
    record, _ = played(SHORT)
    agents = (SeatedAgent(EVIL), SeatedAgent("b"))
    html = page(replace(record, header=replace(record.header, agents=agents)), [None])
    assert EVIL not in html
    assert "onerror" not in html
    assert data_of(html)["agents"] == [EVIL, "b"]


def test_the_same_game_is_the_same_page(html, tmp_path):
    write(played(SHORT)[0], tmp_path / "deep" / "page.html")
    assert (tmp_path / "deep" / "page.html").read_text(encoding="utf-8") == html


def test_the_drawing_of_each_step_comes_out_of_what_changed(html):
    record, _ = played(SHORT)
    data = data_of(html)
    assert [eye["name"] for eye in data["eyes"]] == [
        "Everything", "What everybody sees", "Seat 0", "Seat 1",
    ]  # fmt: skip
    for by, eye in zip(all_viewers(2), data["eyes"], strict=True):
        shown = {}
        for game, changes in zip(record.games(), eye["changes"], strict=True):
            for part, fragment in zip(changes[::2], changes[1::2], strict=True):
                shown[eye["parts"][part]] = data["fragments"][fragment]
            drawn = drawing.parts(game.state, by)
            assert "light-dark(" in shown["style"]
            assert shown | {"style": drawn["style"]} == drawn


def test_words_points_and_choices_are_those_of_the_game(html):
    record, _ = played(SHORT)
    data = data_of(html)
    eye, texts = data["eyes"][0], data["texts"]
    scores = list(data["start"])
    assert data["steps"] == len(record.moves)
    for step, game in enumerate(record.games()):
        for number, seat, _, gained in data["points"]:
            scores[seat] += gained if number == step else 0
        assert scores == game.scores
        assert data["seats"][step] == (-1 if game.seat is None else game.seat)
        assert data["turns"][step] == turn_number(game.state)
        assert texts[eye["prompts"][step]] == game.decision.prompt
        names = [texts[choice[0]] for choice in eye["choices"][step]]
        assert names == [game.name(action) for action in game.legal_actions()]
        chosen = eye["chosen"][step]
        assert chosen == -1 if game.seat is None else names[chosen] == record.moves[step].action
    assert (data["end"], data["is_over"]) == ("truncation", True)


def test_probabilities_and_values_of_agents_are_in_it():
    record, _ = played(SHORT)
    move = record.moves[0]
    note = Annotation("policy:x", {move.action: 0.625}, 0.25, 0.5)
    moves = [Move(move.seat, move.action, note), *record.moves[1:]]
    data = bundle(Record(record.header, moves, record.result), [EVERYTHING])
    eye = data["eyes"][0]
    assert eye["choices"][0][eye["chosen"][0]][2] == 625
    by, value, seconds = eye["notes"][0]
    assert (data["texts"][by], value, seconds) == ("policy:x", 0.25, 0.5)
    assert eye["notes"][1] is None


def test_a_record_that_was_cut_off_says_so():
    record, _ = played(SHORT)
    data = bundle(Record(record.header, record.moves[:5]), [None])
    assert (data["end"], data["is_over"], data["steps"]) == (-1, False, 5)


@pytest.mark.slow
def test_a_game_of_six_is_below_two_megabytes_by_all_eyes():
    record, _ = played(TABLES[7])
    assert len(record.moves) > 300
    assert len(page(record).encode()) < 2_000_000


def test_a_game_of_six_is_small_by_one_pair_of_eyes():
    record, _ = played(TABLES[4])
    assert len(page(record, [None]).encode()) < 400_000


def test_positions_count_from_the_points_they_begin_with():
    record, _ = played(SHORT)
    *_, game = Record(record.header, record.moves[:40]).games()
    header = Header.of_game(game, record.header.agents)
    data = bundle(Record(header, record.moves[40:45]), [None])
    assert data["start"] == game.scores
    assert all(step > 0 for step, *_ in data["points"])


def test_the_script_is_of_this_package_alone(html):
    assert not re.search(r"https?://(?!www\.w3\.org/)", html)
