"""The cabinet's pages: drafts beside what was sent, the owner's tools, the settings of the console."""

from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from apps.assists.models import Assist, OwnTool
from apps.chats.models import Chat
from apps.chats.settings import console_settings
from tests.cast import Rival

pytestmark = pytest.mark.django_db


def a_draft(chat: Chat, **fields: object) -> Assist:
    values: dict[str, object] = {
        "kind": "draft",
        "state": "done",
        "question": "Сколько стоят розы?",
        "answer": "По 90 рублей.",
        "sent": "По 95 рублей.",
        "outcome": "edited",
        "distance": 0.25,
        **fields,
    }
    return Assist.objects.create(widget=chat.widget, chat=chat, client_id=uuid4(), due_at=None, **values)


class TestDrafts:
    def test_the_question_the_draft_and_what_was_sent_stand_side_by_side(
        self, cabinet: Client, chat: Chat, rival: Rival
    ) -> None:
        a_draft(chat, helpful=False)
        a_draft(rival.chat, question="Их вопрос")
        a_draft(chat, kind="summary", question="Не черновик")
        page = cabinet.get(reverse("admin:assists_assist_changelist")).content.decode()
        for text in ("Сколько стоят розы?", "По 90 рублей.", "По 95 рублей.", "25%"):
            assert text in page
        assert "Их вопрос" not in page
        assert "Не черновик" not in page

    def test_one_that_was_made_otherwise_becomes_a_test_question_or_a_wish(self, cabinet: Client, chat: Chat) -> None:
        draft = a_draft(chat)
        page = cabinet.get(reverse("admin:assists_assist_change", args=[draft.pk])).content.decode()
        assert "Make a test case" in page
        for action, address, name in (
            ("case", "admin:ai_evaluationcase_add", "question"),
            ("wish", "admin:learning_wish_add", "text"),
        ):
            led = cabinet.get(
                f"{reverse('admin:assists_assist_change', args=[draft.pk]).removesuffix('change/')}{action}/"
            )
            assert led.status_code == 302, action
            assert urlsplit(led["Location"]).path == reverse(address)
            assert "Сколько стоят розы?" in parse_qs(urlsplit(led["Location"]).query)[name][0]
            assert "Сколько стоят розы?" in cabinet.get(led["Location"]).content.decode()

    def test_one_that_was_sent_nearly_as_it_was_does_not(self, cabinet: Client, chat: Chat) -> None:
        draft = a_draft(chat, distance=0.19)
        page = cabinet.get(reverse("admin:assists_assist_change", args=[draft.pk])).content.decode()
        assert "Make a test case" not in page

    def test_another_accounts_is_404(self, cabinet: Client, rival: Rival) -> None:
        draft = a_draft(rival.chat)
        assert cabinet.get(reverse("admin:assists_assist_change", args=[draft.pk])).status_code in (302, 404)


class TestTools:
    def test_an_owner_makes_changes_and_deletes_one(self, cabinet: Client, chat: Chat) -> None:
        address = reverse("admin:assists_owntool_add")
        form = {"widget": chat.widget_id, "name_en": "Poem", "name_ru": "", "instruction": "Write verse."}
        assert cabinet.post(address, form).status_code == 302
        tool = OwnTool.objects.get()
        assert (tool.names, tool.instruction, tool.widget_id) == ({"en": "Poem"}, "Write verse.", chat.widget_id)
        change = reverse("admin:assists_owntool_change", args=[tool.pk])
        assert cabinet.post(change, {**form, "name_ru": "Стих"}).status_code == 302
        tool.refresh_from_db()
        assert tool.names == {"en": "Poem", "ru": "Стих"}
        cabinet.post(reverse("admin:assists_owntool_delete", args=[tool.pk]), {"post": "yes"})
        assert not OwnTool.objects.exists()

    @pytest.mark.parametrize(
        "wrong", [{"name_en": " "}, {"name_en": "x" * 61}, {"instruction": ""}, {"instruction": "x" * 1_001}]
    )
    def test_what_is_no_tool_is_refused(self, cabinet: Client, chat: Chat, wrong: dict[str, str]) -> None:
        form = {"widget": chat.widget_id, "name_en": "Poem", "name_ru": "", "instruction": "Write verse.", **wrong}
        assert cabinet.post(reverse("admin:assists_owntool_add"), form).status_code == 200
        assert not OwnTool.objects.exists()

    def test_twenty_are_enough(self, cabinet: Client, chat: Chat) -> None:
        OwnTool.objects.bulk_create(
            OwnTool(widget=chat.widget, names={"en": f"{n}"}, instruction="x") for n in range(20)
        )
        form = {"widget": chat.widget_id, "name_en": "Poem", "name_ru": "", "instruction": "Write verse."}
        cabinet.post(reverse("admin:assists_owntool_add"), form)
        assert OwnTool.objects.count() == 20


def test_the_settings_of_the_console_are_changed_there(cabinet: Client, chat: Chat) -> None:
    address = reverse("admin:chats_consolesettings_change", args=[chat.widget_id])
    assert cabinet.get(address).status_code == 200
    form = {"drafts": "waiting", "past_answers": "on", "summaries": "off", "translation": "auto", "away_minutes": "3"}
    assert cabinet.post(address, form).status_code == 200
    assert cabinet.post(address, {**form, "away_minutes": "30"}).status_code == 302
    now = console_settings(chat.widget_id)
    assert (now.drafts, now.summaries, now.translation, now.away_minutes) == ("waiting", "off", "auto", 30)
