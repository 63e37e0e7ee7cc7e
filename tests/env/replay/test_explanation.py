"""Sentences about causes: in four languages, with the check, and nothing hidden."""

import string

import pytest

from impulse_env.replay.explanation import EFFECT, LANGUAGES, TURN, Explanation, causes


def test_every_cause_has_a_sentence_in_every_language():
    said = {
        (cause, language): Explanation(cause, TURN, 0.8, 0.1).sentences(language)[0]
        for cause in causes()
        for language in LANGUAGES
    }
    assert len(set(said.values())) == len(said)
    assert not any(set(text) & set("{}") for text in said.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_tells_the_share_and_twice_its_error(language):
    _, text = Explanation("hand", TURN, 0.834, 0.061).sentences(language)
    assert "83" in text
    assert "12" in text


def test_more_than_the_loss_is_the_whole():
    _, text = Explanation("hand", EFFECT, 1.33, 0.4).sentences()
    assert text.endswith("the whole loss is gone (133 % ± 80).")


@pytest.mark.parametrize("cause", causes())
def test_no_sentence_names_a_card_a_seat_or_a_number_of_the_position(cause):
    text, _ = Explanation(cause, TURN, 0.0, 0.0).sentences()
    assert not set(text) & set(string.digits)
    assert "seat" not in text


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="language must be one of en, fr, es, zh, not 'de'"):
        Explanation("hand", TURN, 0.8, 0.1).sentences("de")
