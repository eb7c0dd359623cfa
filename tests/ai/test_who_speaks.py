"""Who speaks is said everywhere (EU AI Act, article 50): marks on messages, names, and the owner's first sentence."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.models import AiSettings, Conversation
from apps.ai.rules.disclosures import DISCLOSURES, disclosure
from apps.ai.rules.languages import LANGUAGES
from apps.chats import questions
from apps.chats.models import Message
from apps.widget.querysets.public_config import served_config
from apps.widget.querysets.settings import settings_of
from tests.ai.desk import Desk
from tests.ai.external_desk import ExternalDesk
from tests.client import ApiClient, assert_problem

OWN = "Здесь отвечает наш робот Флора."


def shown(api: ApiClient, chat_id: int) -> list[tuple[str, bool]]:
    """The senders of the chat's messages and whether a machine speaks, oldest first."""
    data = api.get(f"/chats/{chat_id}/messages").json()["data"]
    return [(one["sender"]["kind"], one["ai"]) for one in reversed(data)]


def served(widget: Widget, language: str = "ru") -> dict[str, Any]:
    return served_config(settings_of(widget.pk), language)


class TestMessages:
    def test_an_ai_operators_are_marked_and_nobody_elses(self, api: ApiClient, desk: Desk, alice: Agent) -> None:
        desk.answers("Сколько стоят розы?")
        desk.person_writes(alice)
        assert shown(api, desk.chat.pk) == [("client", False), ("ai", True), ("agent", False)]

    def test_an_external_operators_are_marked(self, robin: ExternalDesk, api: ApiClient) -> None:
        assert robin.answers(robin.asks()).status_code == 202
        assert shown(api, robin.desk.chat.pk) == [("client", False), ("external_operator", True)]

    def test_unless_its_settings_say_that_a_person_answers(self, robin: ExternalDesk, api: ApiClient) -> None:
        robin.operator.answers_by_person = True
        robin.operator.save(update_fields=["answers_by_person"])
        assert robin.answers(robin.asks()).status_code == 202
        assert shown(api, robin.desk.chat.pk) == [("client", False), ("external_operator", False)]
        transcript = api.get(f"/chats/{robin.desk.chat.pk}/transcript").getvalue().decode()
        assert "Robin: По 80." in transcript

    def test_the_mark_is_part_of_no_text(self, desk: Desk) -> None:
        desk.answers("Сколько стоят розы?")
        answer = Message.objects.get(sender_kind="ai")
        assert (answer.body, answer.markdown, answer.sender_name) == ("По 90 рублей.", None, desk.operator.full_name)
        assert Message.objects.count() == 2

    def test_a_transcript_says_ai_behind_the_name(self, api: ApiClient, desk: Desk) -> None:
        desk.answers("Сколько стоят розы?")
        transcript = api.get(f"/chats/{desk.chat.pk}/transcript").getvalue().decode()
        assert f"{desk.operator.full_name} (AI): По 90 рублей." in transcript


class TestTheFirstSentence:
    def test_there_is_one_in_each_language(self) -> None:
        assert set(DISCLOSURES) == set(LANGUAGES)

    @pytest.mark.parametrize(
        ("language", "worded", "worded_i18n", "said"),
        [
            ("de", "", {}, DISCLOSURES["de"]),
            ("de", OWN, {}, OWN),
            ("de", OWN, {"de": "Hier antwortet Flora, eine KI."}, "Hier antwortet Flora, eine KI."),
            ("de", "", {"ru": OWN}, DISCLOSURES["de"]),
            ("fi", "", {}, DISCLOSURES["en"]),
        ],
    )
    def test_is_the_owners_else_the_languages(
        self, language: str, worded: str, worded_i18n: dict[str, str], said: str
    ) -> None:
        assert disclosure(language, worded, worded_i18n) == said

    def test_is_worded_by_the_api(self, api: ApiClient, shop: Widget) -> None:
        before = api.get("/ai/settings").json()["data"]
        assert (before["ai_disclosure"], before["ai_disclosure_i18n"]) == (None, {})
        body = {"ai_disclosure": f" <b>{OWN}</b>\n", "ai_disclosure_i18n": {"de": "Eine KI.", "en": "An AI."}}
        changed = api.patch("/ai/settings", json=body).json()["data"]
        assert (changed["ai_disclosure"], changed["ai_disclosure_i18n"]) == (OWN, body["ai_disclosure_i18n"])
        changed = api.patch("/ai/settings", json={"ai_disclosure": None, "ai_disclosure_i18n": {"de": None}}).json()
        assert (changed["data"]["ai_disclosure"], changed["data"]["ai_disclosure_i18n"]) == (None, {"en": "An AI."})
        assert served(shop, "ru")["ai"] is None

    @pytest.mark.parametrize("text", ["", "  ", "<i></i>", "...", "🤖", "x" * 501])
    def test_cannot_be_taken_away(self, api: ApiClient, shop: Widget, text: str) -> None:
        assert_problem(api.patch("/ai/settings", json={"ai_disclosure": text}), 422, "invalid_input")
        assert_problem(api.patch("/ai/settings", json={"ai_disclosure_i18n": {"ru": text}}), 422, "invalid_input")

    def test_is_served_to_visitors_while_ai_is_on(self, desk: Desk) -> None:
        assert served(desk.widget)["ai_disclosure"] == DISCLOSURES["ru"]
        desk.switch(ai_disclosure=OWN)
        assert served(desk.widget, "de")["ai_disclosure"] == OWN
        desk.switch(enabled=False)
        assert (served(desk.widget)["ai"], served(desk.widget)["ai_disclosure"]) == (None, OWN)
        desk.switch(ai_disclosure="")
        assert "ai_disclosure" not in served(desk.widget)

    def test_is_told_in_the_language_of_the_chat(self, desk: Desk) -> None:
        desk.answers("How much is a rose?")
        language = Conversation.objects.get().language
        assert questions.ai_disclosure(desk.widget.pk, desk.chat.pk) == DISCLOSURES[language] == DISCLOSURES["en"]

    def test_is_worded_in_the_cabinet(self, cabinet: Client, shop: Widget) -> None:
        AiSettings.objects.create(widget=shop, ai_disclosure_i18n={"en": "An AI."})
        page = f"/admin/ai/aisettings/{shop.pk}/change/"
        assert DISCLOSURES["el"] in cabinet.get(page).content.decode()
        form = {
            "takeover_timeout_sec": "60",
            "offline_outcome_mode": "handover",
            "evaluation_gate": "ask",
            "legacy_persona": "",
        }
        refused = cabinet.post(page, {**form, "ai_disclosure": "..."})
        assert list(refused.context["adminform"].form.errors) == ["ai_disclosure"]
        sent = {**form, "ai_disclosure": OWN, "ai_disclosure_de": "Eine KI.", "ai_disclosure_en": ""}
        assert cabinet.post(page, sent).status_code == 302
        settings = AiSettings.objects.get()
        assert (settings.ai_disclosure, settings.ai_disclosure_i18n) == (OWN, {"de": "Eine KI."})
