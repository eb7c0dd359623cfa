"""The model of `play_model` helps operators as a real one would: it streams, names sources, sums up, translates."""

import json

from apps.demo.servers.language_models import Vendor, behaving, helping
from apps.demo.servers.played import PlayedRequest
from tests.assists.help import Help


def asked(purpose: str, *contents: str) -> PlayedRequest:
    body = {"messages": [{"role": "user", "content": each} for each in contents]}
    return PlayedRequest("POST", "/v1/chat/completions", {"x-service-purpose": purpose}, json.dumps(body).encode())


def test_a_draft_is_of_the_first_piece_and_names_it() -> None:
    mark = "<0123456789abcdef>"
    pieces = f"Knowledge, between the marks {mark}:\n{mark}\n[1] Prices\nA rose costs 90 ₽.\n{mark}"
    assert helping(asked("draft", pieces, "How much?")) == "A rose costs 90 ₽. [1]"
    assert helping(asked("draft", "How much?")) == "How much?"


def test_a_translation_has_as_many_texts_and_may_change_a_number() -> None:
    wish = json.dumps({"to": "es", "texts": ["Роза 90 ₽", "Да"]})
    assert json.loads(helping(asked("translation", wish))) == {"language": "ru", "texts": ["(es) Роза 90 ₽", "(es) Да"]}
    assert json.loads(helping(asked("translation", wish), changes_number=True))["texts"][0] == "(es) Роза 91 ₽"


def test_an_operator_is_helped_by_it(help_: Help) -> None:
    assert isinstance(help_.desk.vendor, Vendor)
    help_.desk.vendor.answer = behaving("echo")
    help_.desk.writes("Сколько стоят розы?")
    assert help_.asks()["text"] == "Сколько стоят розы?"
    assert help_.asks("summary")["summary"]["wants"] == "Visitor: Сколько стоят розы?"
