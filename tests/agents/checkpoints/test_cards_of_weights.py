"""A card is about certain weights; what else has its name is refused, or told of."""

import json

import pytest

import impulse_agents
from impulse_agents import checkpoints, standings
from impulse_env.files import sha256_of
from networks import untrained

SHORT = {"agent": "policy:2p", "players": 2, "won": {"random": 99.5}, "decisions_per_second": 9}


@pytest.fixture
def agent(tmp_path):
    made = untrained()
    made.save(tmp_path / "2p.safetensors")
    return made


def tell(folder, digest):
    text = f"# 2p\n\n| | |\n| --- | --- |\n| SHA-256 of the weights | `{digest}` |\n"
    (folder / "2p.md").write_text(text, encoding="utf-8")


def test_weights_that_are_those_of_their_card_say_nothing(agent, tmp_path, capsys):
    tell(tmp_path, agent.weights_digest())
    impulse_agents.make(f"policy:{tmp_path / '2p.safetensors'}")
    (tmp_path / "2p.md").write_text("notes", encoding="utf-8")
    impulse_agents.make(f"policy:{tmp_path / '2p.safetensors'}")
    assert capsys.readouterr().err == ""


def test_weights_that_differ_from_their_card_are_reported_once(agent, tmp_path, capsys):
    tell(tmp_path, "ab" * 32)
    for _ in range(2):
        impulse_agents.make(f"policy:{tmp_path / '2p.safetensors'}")
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert (
        f"2p.safetensors has weights of SHA-256 {agent.weights_digest()[:8]}..., and its card"
        in said
    )
    assert "2p.md describes abababab...; `impulse agents model-card" in said


def test_shipped_weights_that_are_not_those_of_their_card_are_refused(agent, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    tell(tmp_path, "ab" * 32)
    with pytest.raises(impulse_agents.AgentError, match=r"describes abab.*: install the project"):
        impulse_agents.make("policy:2p")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("agent", 3, "card.agent must be a text, not 3"),
        ("players", 9, "card.players must be a whole number <= 6, not 9"),
        ("won", {"random": 101}, "a value of card.won must be a number <= 100.0, not"),
        ("won", {"random": float("nan")}, "JSON is malformed"),
        ("won", [], "card.won must be an object, not"),
        ("decisions_per_second", float("inf"), "JSON is malformed"),
        ("decisions_per_second", None, "card.decisions_per_second must be a number"),
        ("speed", 3, "card has an unknown field 'speed'"),
    ],
)
def test_a_field_of_a_short_card_that_is_not_what_it_may_be_is_named(
    agent, tmp_path, monkeypatch, name, value, said
):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    path = tmp_path / "2p.json"
    path.write_text(json.dumps({"card": SHORT}), encoding="utf-8")
    assert standings.cards()[0].agent == "policy:2p"
    path.write_text(json.dumps({"card": {**SHORT, name: value}}), encoding="utf-8")
    with pytest.raises(impulse_agents.AgentError, match=said) as raised:
        standings.cards()
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"card": 3}', "[" * 100_000, "\xff"])
def test_an_invalid_card_is_reported(agent, tmp_path, monkeypatch, text):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    (tmp_path / "2p.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(impulse_agents.AgentError, match=r"2p\.json is not a card: "):
        standings.cards()


@pytest.mark.parametrize("name", checkpoints.shipped())
def test_a_shipped_card_tells_the_digest_and_the_size_of_its_file(name):
    path = checkpoints.path_of(name)
    card = path.with_suffix(".md").read_text(encoding="utf-8")
    assert f"| SHA-256 | `{sha256_of(path)}` |" in card
    assert f"| File | `{path.name}`, {path.stat().st_size / 1e6:.2f} MB |" in card
