"""The demo's third widget, whose model and visitors are played: what it shows, and what it leaves alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.ai.models import AiSettings, Credential
from apps.ai.rules.languages import language_of
from apps.demo import seeding
from apps.demo.data import played
from apps.demo.data.phrase_book import KNOWLEDGE, PARTS, PlayedPart
from apps.demo.servers import visitors
from apps.demo.servers.language_models import behaving
from apps.demo.servers.played import PlayedRequest
from apps.demo.servers.tea_shop import words_for
from apps.demo.servers.trial import PlayedModel
from apps.demo.servers.visitors import PlayedVisitors, pauses
from tests.demo.test_seed_demo import rows

PIECES = "<0123456789abcdef>\n{}\n<0123456789abcdef>"


@pytest.fixture
def document(db: None, settings: Settings, tmp_path: Path) -> dict[str, Any]:
    settings.PARLEY_HOME = tmp_path / "home"
    return seeding.seed()


def request(purpose: str, *texts: str, system: str = "") -> PlayedRequest:
    messages = [{"role": "system", "content": system}, *({"role": "user", "content": text} for text in texts)]
    body = json.dumps({"model": "m", "messages": messages}).encode()
    return PlayedRequest("POST", "/v1/chat/completions", {"x-service-purpose": purpose}, body)


def asked(question: str, language: str, purpose: str = "reply") -> str:
    """The answer with all that the shop knows, as the product writes it."""
    known = [piece[each] for piece in KNOWLEDGE for each in piece]
    numbered = "\n\n".join(f"[{number}] {title}\n{text}" for number, (title, text) in enumerate(known, 1))
    told = f"Knowledge:\n{PIECES.format(numbered)}\n\n{question}"
    return words_for(request(purpose, told, system=f"Rules.\n\nReply language: {language}"))


class TestWidget:
    def test_the_other_widgets_and_their_document_stay_as_they_are(
        self, document: dict[str, Any], settings: Settings
    ) -> None:
        before = rows()
        played.seed_played(8097)
        assert seeding.seed(keep_tokens=True) == document
        theirs = {label: found for label, found in rows().items() if label != "accounts.User"}
        ids = {widget["id"] for account in document["accounts"] for widget in account["widgets"]}
        for label, found in theirs.items():
            of_them = [row for row in found if row.get("widget_id") in ids]
            assert of_them == [row for row in before[label] if row.get("widget_id") in ids], label

    def test_it_is_the_first_accounts_third_and_says_that_it_is_played(self, document: dict[str, Any]) -> None:
        found = played.seed_played(8097)
        assert found is not None
        widget = Widget.objects.get(pk=found["id"])
        account = document["accounts"][0]
        assert widget.account_id == account["id"]
        assert [each.pk for each in widget.account.widgets.order_by("pk")] == [
            *(each["id"] for each in account["widgets"]),
            widget.pk,
        ]
        assert "played" in widget.name
        assert AiSettings.objects.get(widget=widget).enabled
        assert Client().login(username=found["operator"], password=found["password"])
        page = Client().get("/demo/model")
        assert f"/widget/{widget.guid}/embed.js" in page.content.decode()
        assert "A played model answers here" in page.content.decode()
        assert "unsafe" not in page["Content-Security-Policy"]
        assert "A played model answers here" not in Client().get("/demo/").content.decode()

    def test_a_second_start_changes_the_port_alone(self, document: dict[str, Any]) -> None:
        first = played.seed_played(8097)
        before = rows()
        assert played.seed_played(8097) == first
        assert rows() == before
        played.seed_played(9123)
        assert Credential.objects.get(provider="openai_compatible").target == "http://127.0.0.1:9123/v1"

    def test_without_a_model_its_ai_is_off_and_nothing_is_made(self, document: dict[str, Any]) -> None:
        assert played.seed_played(0) is None
        assert not Widget.objects.filter(guid=played.guid()).exists()
        assert Client().get("/demo/model").status_code == 404
        found = played.seed_played(8097)
        assert found is not None
        assert played.seed_played(0) is None
        assert not AiSettings.objects.get(widget_id=found["id"]).enabled


class TestModel:
    @pytest.mark.parametrize("language", ["en", "de", "ru"])
    def test_it_answers_each_question_that_it_knows_in_its_language(self, language: str) -> None:
        for piece in KNOWLEDGE:
            question, answer = piece[language]
            assert asked(question, language) == answer
            assert language_of(answer) == language

    def test_a_draft_names_its_piece(self) -> None:
        question, answer = KNOWLEDGE[1]["de"]
        assert asked(question, "de", "draft") == f"{answer} [5]"

    def test_what_no_piece_has_is_not_known_and_thanks_are_answered(self) -> None:
        assert asked("Do you sell bicycles?", "en") == "I don't know that. Shall I call a person?"
        assert asked("Danke, das passt.", "de") == "Gern geschehen!"

    def test_a_summary_has_what_is_wanted_and_open(self) -> None:
        said = (
            "Visitor: Hallo!\nVisitor: Wo ist mein Paket?\nAssistant: Das weiß ich nicht.\nVisitor: Bitte ein Mensch."
        )
        made = json.loads(words_for(request("summary", said)))
        assert (made["wants"], made["done"]) == ("Wo ist mein Paket?", "Das weiß ich nicht.")
        assert made["open"] == ["Bitte ein Mensch."]

    def test_it_translates_its_phrases_and_marks_what_it_can_not(self) -> None:
        texts = ["Hallo! Wie lange dauert die Lieferung?", "Etwas anderes, das nicht im Buch steht."]
        made = json.loads(words_for(request("translation", json.dumps({"to": "en", "texts": texts}))))
        assert made["language"] == "de"
        assert made["texts"] == ["Hello! How long does delivery take?", f"(en) {texts[1]}"]

    def test_the_examination_asks_the_titles(self) -> None:
        passages = [{"title": title, "text": text} for title, text in (piece["en"] for piece in KNOWLEDGE)]
        made = json.loads(words_for(request("examination", json.dumps(passages))))
        assert made == [piece["en"][0] for piece in KNOWLEDGE]

    def test_it_is_heard_over_http(self) -> None:
        with PlayedModel() as model:
            assert model.hear(request("classifier", "x")).body["choices"][0]["message"]["content"]

    @pytest.mark.parametrize(
        ("text", "language"),
        [
            ("Wo ist meine Bestellung?", "de"),
            ("Где мой заказ?", "ru"),
            ("Where is my order?", "en"),
            ("¿Dónde está?", "es"),
        ],
    )
    def test_every_played_model_names_the_language_of_what_it_translates(self, text: str, language: str) -> None:
        """It said "en" to German: the console showed "Translated: English ⇄ English"."""
        wish = json.dumps({"to": "ru", "texts": [text]})
        made = behaving("echo")(request("translation", wish))
        assert json.loads(made["choices"][0]["message"]["content"])["language"] == language  # type: ignore[index]


class Spoken:
    """A visitor whose visit is written down; answered at the second look."""

    def __init__(self, log: list[str], part: PlayedPart) -> None:
        self._log, self._part, self._looks = log, part, 0
        log.append(f"{part.name} comes")

    def say(self, line: str) -> None:
        self._log.append(line)
        self._looks = 0

    def is_answered(self) -> bool:
        self._looks += 1
        return self._looks == 2

    def rate(self, stars: int) -> None:
        self._log.append(f"{stars} stars")


class TestVisitors:
    @pytest.fixture
    def log(self) -> list[str]:
        return []

    @pytest.fixture
    def played_visitors(self, log: list[str]) -> PlayedVisitors:
        return PlayedVisitors(
            "http://localhost",
            "guid",
            say=lambda _: None,
            visitor=lambda _service, _guid, part: Spoken(log, part),  # type: ignore[arg-type,return-value]
        )

    def test_each_line_waits_for_the_answer_before(self, played_visitors: PlayedVisitors, log: list[str]) -> None:
        waits: list[float] = []
        played_visitors.wait = lambda seconds: bool(waits.append(seconds))  # type: ignore[func-returns-value]
        played_visitors.visit(PARTS[0])
        assert log == ["Jonas Krüger comes", *PARTS[0].lines, "5 stars"]
        assert waits == [visitors.LOOK_S, visitors.READING_S, visitors.LOOK_S, visitors.READING_S]

    def test_they_come_an_hour_and_a_day_later_at_a_calm_pace(
        self, played_visitors: PlayedVisitors, log: list[str]
    ) -> None:
        clock = 0.0
        came: list[float] = []

        def wait(seconds: float) -> bool:
            nonlocal clock
            clock += seconds
            if seconds not in (visitors.LOOK_S, visitors.READING_S):
                came.append(clock)
            return clock > 25 * 3600

        played_visitors.wait = wait
        played_visitors.run()
        first_minute = [at for at in came if at <= 60]
        assert len(first_minute) >= 2
        in_hour = [at for at in came if 23 * 3600 < at <= 24 * 3600]
        assert 5 <= len(in_hour) <= 12
        assert set(log) >= {f"{part.name} comes" for part in PARTS}

    def test_a_service_that_is_away_is_tried_again(self) -> None:
        tried: list[str] = []

        def away(_service: str, _guid: str, part: PlayedPart) -> Any:
            tried.append(part.name)
            raise ConnectionRefusedError

        said: list[str] = []
        gone = PlayedVisitors("http://localhost", "guid", say=said.append, visitor=away)
        gone.wait = lambda _: len(tried) == 3
        gone.run()
        assert tried == [part.name for part in PARTS[:3]]
        assert said[0].startswith("Jonas Krüger could not come")

    def test_stopping_ends_them_at_once(self, played_visitors: PlayedVisitors, log: list[str]) -> None:
        played_visitors.stop()
        played_visitors.run()
        assert log == []

    def test_the_first_come_soon(self) -> None:
        assert next(pauses()) < 10
