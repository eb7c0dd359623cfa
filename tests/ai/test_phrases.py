"""The phrases: all forty-nine defaults, and how an override is kept."""

import pytest

from apps.ai.rules.languages import LANGUAGES, language_of
from apps.ai.rules.phrases import MAX_PHRASE, PHRASE_KEYS, PHRASES, phrase, stripped


def test_there_are_seven_keys_in_seven_languages() -> None:
    assert PHRASE_KEYS == (
        "handoff_to_human",
        "handover_notice",
        "handover_offline",
        "handover_unknown",
        "social_reply",
        "handoff_to_ai",
        "pii_restore_fallback",
    )
    for texts in PHRASES.values():
        assert tuple(texts) == LANGUAGES


@pytest.mark.parametrize("key", PHRASE_KEYS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_default_is_short_plain_and_in_its_language(key: str, language: str) -> None:
    text = PHRASES[key][language]
    assert 0 < len(text) <= MAX_PHRASE
    assert stripped(text) == text
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  Ждите.  ", "Ждите."),
        ("<b>Ждите</b>\n\tменя<br/>", "Ждите меня"),
        ("a\x00\x07b", "ab"),
        ("a\u2028\u2029b", "a b"),
        ("<script>x</script>", "x"),
        ("2 < 3", "2 < 3"),
        ("<p></p> \r\n", ""),
    ],
)
def test_tags_and_controls_are_stripped(text: str, kept: str) -> None:
    assert stripped(text) == kept


def test_an_override_is_said_in_its_language_alone() -> None:
    overrides = {"social_reply": {"ru": "Обращайтесь!"}}
    assert phrase("social_reply", "ru", overrides) == "Обращайтесь!"
    assert phrase("social_reply", "en", overrides) == PHRASES["social_reply"]["en"]
    assert phrase("handoff_to_ai", "ru", overrides) == PHRASES["handoff_to_ai"]["ru"]
