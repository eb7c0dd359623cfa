"""Translation both ways: operators' words before they go, and the visitor's as they come."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.actions.settings import change_settings
from apps.assists.models import TranslationJob
from apps.assists.tasks import TRANSLATIONS
from apps.chats.models import Chat, ChatActivity, Message
from apps.chats.questions import spoken_language, visitor_language, widget_language
from apps.chats.settings import SETTINGS
from apps.leases import claims
from tests.assists.help import Help
from tests.client import assert_problem

pytestmark = pytest.mark.django_db


def said(language: str, *texts: str) -> str:
    return json.dumps({"language": language, "texts": texts}, ensure_ascii=False)


def the_chat() -> Chat:
    return Chat.objects.unscoped("the test's").select_related("contact").get()


def works() -> None:
    for lease in claims.claim(TRANSLATIONS, wanted=9):
        lease.run()


def switch(help_: Help, on: bool = True, **body: Any) -> dict[str, Any]:
    switched: dict[str, Any] = help_.console.data("PUT", f"/chats/{help_.chat_id}/translation", json={"on": on, **body})
    return switched


def messages(help_: Help) -> list[dict[str, Any]]:
    """The chat's messages as operators see them, the oldest first."""
    found: list[dict[str, Any]] = help_.console.data("GET", f"/chats/{help_.chat_id}/messages")
    return found[::-1]


def asked(help_: Help) -> dict[str, Any]:
    """The last message that the model was sent."""
    question: dict[str, Any] = json.loads(help_.prompt[-1][1])
    return question


@pytest.fixture
def reader(help_: Help) -> Help:
    """Alice reads Russian alone; nobody answers but people."""
    help_.desk.switch(enabled=False)
    help_.console.data("PATCH", "/me", json={"reads": ["ru"]})
    return help_


@pytest.fixture
def spanish(reader: Help) -> Help:
    switch(reader, visitor_language="es")
    return reader


class TestSwitch:
    def test_a_chat_in_a_language_that_is_not_read_is_offered(self, reader: Help) -> None:
        in_russian = {"Accept-Language": "ru"}
        card = reader.console.data("GET", f"/chats/{reader.chat_id}", headers=in_russian)["card"]["translation"]
        assert card == {
            "on": False,
            "is_offered": True,
            "is_possible": True,
            "visitor_language": "en",
            "from": "default",
            "to": [],
        }

    def test_one_in_a_language_that_is_read_is_not(self, reader: Help) -> None:
        reader.console.data("PATCH", "/me", json={"reads": ["ru", "en"]})
        assert reader.console.data("GET", f"/chats/{reader.chat_id}")["card"]["translation"]["is_offered"] is False

    def test_the_language_that_the_console_speaks_is_not_offered(self, reader: Help) -> None:
        card = reader.console.data("GET", f"/chats/{reader.chat_id}")["card"]["translation"]
        assert (card["visitor_language"], card["is_offered"], card["is_possible"]) == ("en", False, True)

    def test_a_chat_that_is_not_offered_can_be_switched_on_and_its_language_is_told_by_the_first_translation(
        self, reader: Help
    ) -> None:
        reader.console.data("PATCH", "/me", json={"reads": ["ru", "en"]})
        assert switch(reader)["on"] is True
        reader.desk.writes("Wie viel kosten rote Rosen für morgen?")
        reader.model_says(said("de", "Сколько стоят красные розы на завтра?"))
        works()
        card = reader.console.data("GET", f"/chats/{reader.chat_id}")["card"]["translation"]
        assert (card["visitor_language"], card["from"]) == ("de", "model")

    def test_one_question_decides_for_all_who_speak_to_the_visitor(self, reader: Help) -> None:
        assert spoken_language(the_chat(), heard="es") == "es"
        switch(reader, visitor_language="de")
        assert visitor_language(the_chat(), heard="es") == "de"
        assert spoken_language(the_chat(), heard="es") == "de"
        switch(reader, visitor_language="sv")
        assert visitor_language(the_chat()) == "sv"
        assert spoken_language(the_chat()) == widget_language(reader.desk.widget.pk)

    def test_the_messengers_language_is_known(self, reader: Help) -> None:
        Chat.objects.update(channel="tg")
        contact = Chat.objects.get().contact
        contact.attributes = {"tg_language": "pt-BR"}
        contact.save()
        card = reader.console.data("GET", f"/chats/{reader.chat_id}")["card"]["translation"]
        assert (card["visitor_language"], card["from"]) == ("pt", "messenger")

    def test_switching_is_told_in_the_thread_once(self, reader: Help) -> None:
        assert switch(reader, visitor_language="es") == {
            "on": True,
            "is_offered": False,
            "is_possible": True,
            "visitor_language": "es",
            "from": "operator",
            "to": ["ru"],
        }
        switch(reader)
        assert switch(reader, on=False)["on"] is False
        assert list(ChatActivity.objects.values_list("kind", "agent_id")) == [
            ("translated", reader.operator.pk),
            ("untranslated", reader.operator.pk),
        ]

    def test_without_a_model_or_by_the_settings_there_is_none(self, reader: Help) -> None:
        change_settings(SETTINGS, widget_id=reader.desk.widget.pk, changes={"translation": "off"})
        answer = reader.console.request("PUT", f"/chats/{reader.chat_id}/translation", json={"on": True})
        assert_problem(answer, 409, "translation_unavailable")
        assert reader.console.data("GET", f"/chats/{reader.chat_id}")["card"]["translation"]["is_offered"] is False
        assert Chat.objects.get(pk=reader.chat_id).translation is None

    @pytest.mark.parametrize("body", [{}, {"on": 1}, {"on": True, "visitor_language": "Spanish"}, {"on": True, "x": 1}])
    def test_bad_input_changes_nothing(self, reader: Help, body: dict[str, Any]) -> None:
        answer = reader.console.request("PUT", f"/chats/{reader.chat_id}/translation", json=body)
        assert_problem(answer, 422, "invalid_input")
        assert Chat.objects.get(pk=reader.chat_id).translation is None

    def test_another_widgets_chat_is_not_there(self, reader: Help, rival: Any) -> None:
        answer = reader.console.request("PUT", f"/chats/{rival.chat.pk}/translation", json={"on": True})
        assert_problem(answer, 404, "not_found")


class TestIn:
    def test_the_visitors_words_stay_and_their_translation_stands_beside(self, spanish: Help) -> None:
        spanish.desk.writes("¿Cuánto cuestan 5 rosas para mañana?")
        spanish.desk.writes("Mi correo es ana@mail.test, código AB-123")
        (first, second) = messages(spanish)[-2:]
        assert [each["state"] for each in first["translations"]] == ["pending"]
        spanish.model_says(said("es", "Сколько стоят 5 роз на завтра?", "Моя почта [EMAIL_1], код [CODE_1]"))
        works()
        assert asked(spanish) == {
            "to": "ru",
            "texts": ["¿Cuánto cuestan 5 rosas para mañana?", "Mi correo es [EMAIL_1], código [CODE_1]"],
        }
        assert spanish.desk.vendor.asked[-1].headers["x-service-purpose"] == "translation"
        (first, second) = messages(spanish)[-2:]
        assert first["body"] == "¿Cuánto cuestan 5 rosas para mañana?"
        assert first["translations"] == [
            {"lang": "ru", "text": "Сколько стоят 5 роз на завтра?", "is_source": False, "state": "done", "differs": []}
        ]
        assert second["translations"][0]["text"] == "Моя почта ana@mail.test, код AB-123"
        assert first["translated_from"] is None

    def test_what_differs_is_marked(self, spanish: Help) -> None:
        spanish.desk.writes("Quiero 15 rosas")
        spanish.model_says(said("es", "Хочу 16 роз"))
        works()
        (made,) = messages(spanish)[-1]["translations"]
        assert made["differs"] == [{"kind": "number", "source": "15", "text": "16"}]

    def test_tags_of_a_model_are_cut(self, spanish: Help) -> None:
        spanish.desk.writes("Quiero rosas <b>")
        spanish.model_says(said("es", "<script>x</script>Хочу розы <b>"))
        works()
        assert messages(spanish)[-1]["translations"][0]["text"] == "xХочу розы <b>"

    @pytest.mark.parametrize(
        "answers",
        [
            ["no JSON", '{"texts": []}'],
            [said("es", "one", "two"), said("es", 5)],  # type: ignore[arg-type]
            [said("es", "[LINK_9]"), said("es", "[LINK_9]")],
        ],
    )
    def test_a_bad_answer_fails_and_the_original_stays(self, spanish: Help, answers: list[str]) -> None:
        spanish.desk.writes("Quiero rosas")
        spanish.model_says(*answers)
        works()
        message = messages(spanish)[-1]
        assert (message["body"], message["translations"][0]["state"]) == ("Quiero rosas", "failed")

    def test_a_failed_one_is_asked_for_again(self, spanish: Help) -> None:
        spanish.desk.writes("Quiero rosas")
        spanish.model_says("no", "no")
        works()
        switch(spanish, earlier=True)
        spanish.model_says(said("es", "Хочу розы"))
        works()
        assert messages(spanish)[-1]["translations"][0]["text"] == "Хочу розы"

    def test_earlier_messages_are_translated_when_asked_for(self, reader: Help) -> None:
        reader.desk.writes("Quiero rosas")
        reader.desk.writes("123")
        switch(reader, visitor_language="es", earlier=True)
        reader.model_says(said("es", "Хочу розы"))
        works()
        first, second = messages(reader)[-2:]
        assert first["translations"][0]["text"] == "Хочу розы"
        assert second["translations"] == []

    def test_the_model_tells_the_language_and_changes_it_the_second_time(self, reader: Help) -> None:
        switch(reader)
        for language, known in (("es", "es"), ("fr", "es"), ("fr", "fr")):
            reader.desk.writes("una frase bastante larga")
            reader.model_says(said(language, "довольно длинная фраза"))
            works()
            card = reader.console.data("GET", f"/chats/{reader.chat_id}")["card"]["translation"]
            assert (card["visitor_language"], card["from"]) == (known, "model")

    def test_a_language_that_a_person_set_stays(self, spanish: Help) -> None:
        spanish.desk.writes("une phrase assez longue")
        spanish.model_says(said("fr", "довольно длинная фраза"))
        works()
        card = spanish.console.data("GET", f"/chats/{spanish.chat_id}")["card"]["translation"]
        assert (card["visitor_language"], card["from"]) == ("es", "operator")

    def test_nothing_is_asked_with_the_switch_off(self, spanish: Help) -> None:
        switch(spanish, on=False)
        spanish.desk.writes("Quiero rosas")
        assert not TranslationJob.objects.exists()
        assert messages(spanish)[-1]["translations"] == []

    def test_posting_costs_no_statement_more(self, reader: Help) -> None:
        reader.desk.writes("Quiero rosas")
        with CaptureQueriesContext(connection) as without:
            reader.desk.writes("Quiero rosas")
        switch(reader, visitor_language="es")
        reader.desk.writes("Quiero rosas")
        with CaptureQueriesContext(connection) as with_it:
            reader.desk.writes("Quiero rosas")
        assert len(with_it) == len(without)


class TestOut:
    def test_an_operators_words_are_translated_before_they_go(self, spanish: Help) -> None:
        spanish.model_says(said("ru", "5 rosas cuestan 1500 ₽: [LINK_1]"))
        made = spanish.asks("translation", text="5 роз стоят 1 500 ₽: https://shop.example/roses")
        assert asked(spanish) == {"to": "es", "texts": ["5 роз стоят 1 500 ₽: [LINK_1]"]}
        assert (made["state"], made["text"], made["language"], made["differs"]) == (
            "done",
            "5 rosas cuestan 1500 ₽: https://shop.example/roses",
            "es",
            [],
        )

    def test_the_model_is_told_once_what_differs(self, spanish: Help) -> None:
        spanish.model_says(said("ru", "1600 ₽"), said("ru", "1500 ₽"))
        made = spanish.asks("translation", text="Цена 1 500 ₽", to="de")
        assert "1 500 ₽" in spanish.prompt[0][1]
        assert (made["text"], made["differs"], made["language"]) == ("1500 ₽", [], "de")

    def test_what_still_differs_is_shown_and_goes_nowhere(self, spanish: Help) -> None:
        spanish.model_says(said("ru", "1600 ₽"), said("ru", "1700 ₽"))
        made = spanish.asks("translation", text="Цена 1 500 ₽")
        assert made["differs"] == [{"kind": "money", "source": "1 500 ₽", "text": "1700 ₽"}]
        assert not Message.objects.filter(body__contains="1700").exists()


def test_a_worker_that_ends_leaves_the_waiting_messages_to_the_next(spanish: Help) -> None:
    spanish.desk.writes("¿Cuánto cuesta?")
    (lease,) = claims.claim(TRANSLATIONS, wanted=9)
    lease.stop()
    lease.run()
    assert spanish.desk.vendor.asked == []
    assert messages(spanish)[-1]["translations"][0]["state"] == "pending"
    spanish.model_says(said("es", "Сколько стоит?"))
    TranslationJob.objects.update(due_at=timezone.now())
    works()
    assert messages(spanish)[-1]["translations"][0]["text"] == "Сколько стоит?"
