"""Another wording of what an operator is about to send, and what a chat is about (guide "Beside the operator")."""

import json

import pytest

from apps.assists.models import Assist, ChatSummary, OwnTool
from tests.assists.help import Help
from tests.factories.chats import ContactTagFactory

pytestmark = pytest.mark.django_db


class TestRewriting:
    def test_the_model_is_sent_the_instruction_and_the_text_alone_as_the_last_message(self, help_: Help) -> None:
        help_.desk.writes("Сколько стоят розы?")
        help_.model_says("Розы стоят 90 рублей.")
        made = help_.asks("rewrite", text="розы 90 рублей, пишите ivan@mail.test", tool="formal")
        assert (made["state"], made["text"], made["tool"]) == ("done", "Розы стоят 90 рублей.", "formal")
        assert len(help_.prompt) == 2
        assert help_.prompt[1] == ("user", "розы 90 рублей, пишите [EMAIL_1]")
        assert help_.desk.vendor.asked[0].headers["x-service-purpose"] == "rewrite"

    def test_facts_that_were_changed_added_or_lost_are_named(self, help_: Help) -> None:
        help_.model_says("Розы стоят 95 рублей, скидка 10%.")
        made = help_.asks("rewrite", text="Розы стоят 90 рублей, до 15:30.", tool="friendlier")
        assert made["differs"] == [
            {"kind": "money", "source": "90 рублей", "text": "95 рублей"},
            {"kind": "time", "source": "15:30", "text": None},
            {"kind": "percent", "source": None, "text": "10%"},
        ]

    def test_what_is_shortened_may_lose_facts_and_change_none(self, help_: Help) -> None:
        help_.model_says("Розы стоят 90 рублей.")
        assert help_.asks("rewrite", text="Розы стоят 90 рублей, до 15:30.", tool="shorten")["differs"] == []

    def test_it_is_translated_into_the_visitors_language(self, help_: Help) -> None:
        help_.desk.writes("How much is a rose? I would like to order some for tomorrow.")
        help_.asks("rewrite", text="Роза стоит 90 рублей.", tool="translate")
        assert "`en`" in help_.prompt[0][1]

    def test_the_owners_tool_has_its_own_instruction(self, help_: Help) -> None:
        tool = OwnTool.objects.create(
            widget=help_.desk.widget, names={"en": "Poem", "ru": "Стих"}, instruction="Напиши стихами."
        )
        help_.asks("rewrite", text="Розы есть.", tool=f"own:{tool.pk}")
        assert "Напиши стихами." in help_.prompt[0][1]
        tools = help_.console.get("/tools").json()["data"]
        assert [one["id"] for one in tools if one["is_builtin"]] == [
            *("shorten", "friendlier", "formal", "grammar", "translate")
        ]
        assert tools[-1] == {"id": f"own:{tool.pk}", "name": "Poem", "is_builtin": False}

    def test_an_answer_that_names_what_was_never_hidden_is_a_bad_one(self, help_: Help) -> None:
        help_.model_says("Пишите [EMAIL_7].")
        made = help_.asks("rewrite", text="Пишите.", tool="formal")
        assert (made["state"], made["reason"]) == ("failed", "bad_answer")


SUMMARY = {
    "wants": "Розы к пятнице",
    "done": "Названа цена",
    "open": ["Адрес доставки [EMAIL_1]"],
    "promised": ["Перезвонить до 15:30"],
    "tags": ["vip", "unknown"],
}


class TestASummary:
    def test_is_the_chats_own_and_everybodys(self, help_: Help, boriss_console: object) -> None:
        from tests.console.browser import Console

        assert isinstance(boriss_console, Console)
        ContactTagFactory.create(contact=help_.desk.chat.contact, tag__name="VIP")
        last = help_.desk.writes("Нужны розы к пятнице, пишите на ivan@mail.test")
        help_.model_says(f"Вот: {json.dumps(SUMMARY, ensure_ascii=False)} готово")
        made = help_.asks("summary")
        assert made["state"] == "done"
        assert made["summary"] == {
            "wants": "Розы к пятнице",
            "done": "Названа цена",
            "open": ["Адрес доставки ivan@mail.test"],
            "promised": ["Перезвонить до 15:30"],
        }
        assert made["tags"] == ["VIP"]
        row = ChatSummary.objects.get()
        assert (row.wants, row.up_to_message_id, row.language) == ("Розы к пятнице", last, "en")
        assert boriss_console.data("GET", f"/assists/{made['id']}")["summary"] == made["summary"]

    def test_another_shape_is_asked_for_once_more(self, help_: Help) -> None:
        help_.desk.writes()
        help_.model_says("Ничего", json.dumps(SUMMARY))
        assert help_.asks("summary")["state"] == "done"
        assert len(help_.desk.vendor.asked) == 2

    def test_then_it_is_a_bad_answer(self, help_: Help) -> None:
        help_.desk.writes()
        help_.model_says('["wants"]', '{"wants": 1}')
        made = help_.asks("summary")
        assert (made["state"], made["reason"], made["summary"]) == ("failed", "bad_answer", None)
        assert not ChatSummary.objects.exists()
        assert len(help_.desk.vendor.asked) == 2


def test_what_was_shown_is_forgotten_after_a_day_and_its_redacted_words_stay(help_: Help) -> None:
    from datetime import timedelta

    from django.utils import timezone

    from apps.assists.actions.retention import forget_old

    help_.desk.writes("ivan@mail.test")
    help_.model_says("Пишем на [EMAIL_1].")
    made = help_.asks()
    assert made["text"] == "Пишем на ivan@mail.test."
    assert forget_old(as_of=timezone.now() + timedelta(hours=23)) == 0
    assert forget_old(as_of=timezone.now() + timedelta(days=2)) == 1
    assert help_.sees(made["id"])["text"] == "Пишем на [EMAIL_1]."
    assert Assist.objects.get().question == "[EMAIL_1]"
    assert forget_old(as_of=timezone.now() + timedelta(days=181)) == 1
    assert not Assist.objects.exists()
