"""Texts of a widget's owner by language: which is served, and which are refused."""

from typing import Any

import pytest
from rest_framework import serializers

from apps.chats.rules.texts import language_of_texts, language_refusals, text_in
from apps.chats.serializers.texts import TextsByLanguage
from apps.core.endpoints.serializers import Body, flatten

ORDER = {"fallback": "en", "supported": ["ru", "en", "de"]}


class _Body(Body):
    text = TextsByLanguage(max_length=10)
    lines = TextsByLanguage(max_length=40, multiline=True, links=True, required=False)


def refusals(**document: Any) -> dict[str, list[str]]:
    try:
        _Body().run_validation(document)
    except serializers.ValidationError as refused:
        return flatten(refused.detail)
    return {}


@pytest.mark.parametrize(
    ("texts", "wished", "language"),
    [
        ({"ru": "р", "en": "e", "de": "d"}, "de", "de"),
        ({"ru": "р", "en": "e"}, "de", "en"),
        ({"de": "d", "ru": "р"}, "el", "ru"),
        ({"el": "ε"}, "ru", "el"),
    ],
)
def test_a_visitor_reads_their_language_then_the_fallback_then_the_first_supported(
    texts: dict[str, str], wished: str, language: str
) -> None:
    assert language_of_texts(texts, wished, **ORDER) == language  # type: ignore[arg-type]
    assert text_in(texts, wished, **ORDER) == texts[language]  # type: ignore[arg-type]


def test_texts_in_languages_that_the_widget_lacks_are_named() -> None:
    found = language_refusals({"ru": "р", "el": "ε"}, ["ru", "en"], "intro")
    assert found == {"intro.el": "The widget does not support this language."}


@pytest.mark.parametrize(
    ("texts", "path", "why"),
    [
        ("Hello", "text", "Must be an object of texts by language."),
        ({}, "text", "There is no text."),
        ({"fr": "Salut"}, "text.fr", "There is no such language."),
        ({"en": 5}, "text.en", "Not a valid string."),
        ({"en": "12345678901"}, "text.en", "Ensure this field has no more than 10 characters."),
        ({"en": " "}, "text.en", "This must not be blank."),
        ({"en": "a\nb"}, "text.en", "This is one line without control characters."),
    ],
)
def test_what_is_no_text_is_refused_by_its_path(texts: Any, path: str, why: str) -> None:
    assert refusals(text=texts) == {path: [why]}


def test_links_of_markdown_lead_to_https_alone() -> None:
    good = {"en": "[terms](https://shop.example/t)\n"}
    assert refusals(text={"en": "[a](b)"}, lines=good) == {}
    for address in ("javascript:alert(1)", "http://shop.example", "//shop.example", "< data:x>"):
        found = refusals(text={"en": "a"}, lines={"en": f"[terms]({address})"})
        assert found == {"lines.en": ["A link begins with https://."]}, address
