"""A draft of an answer: from what the visitor wrote to what its operator is shown (guide "Beside the operator")."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.ai.models import Alert, Usage
from apps.assists.actions.runs import AssistRun
from apps.assists.models import Assist
from apps.cards.models import CardSettings, ChatCards
from apps.chats.models import Contact, Message
from tests.assists.help import Help
from tests.client import assert_problem

pytestmark = pytest.mark.django_db

MEMBERS = {
    *("id", "chat_id", "kind", "tool", "state", "is_stale", "text", "sentences", "sources", "unsupported", "differs"),
    *("summary", "tags", "language", "based_on", "reason", "outcome", "distance", "created_at", "finished_at"),
}


class TestADraft:
    def test_waits_then_is_done_and_nothing_of_it_is_sent(self, help_: Help) -> None:
        question = help_.desk.writes("Сколько стоят розы?")
        begun = help_.begins()
        assert begun.keys() == MEMBERS
        assert (begun["state"], begun["text"], begun["based_on"]) == ("queued", "", question)
        help_.works()
        done = help_.sees(begun["id"])
        assert (done["state"], done["text"], done["language"]) == ("done", "По 90 рублей.", "ru")
        assert done["sentences"] == [{"text": "По 90 рублей.", "sources": []}]
        assert done["unsupported"] == []
        assert done["finished_at"] is not None
        assert Message.objects.count() == 1

    def test_is_asked_for_under_its_own_purpose_and_counted_once(self, help_: Help) -> None:
        help_.desk.writes()
        help_.asks()
        assert [asked.headers["x-service-purpose"] for asked in help_.desk.vendor.asked] == ["draft"]
        assert [(row.purpose, row.chat_id) for row in Usage.objects.all()] == [("draft", help_.chat_id)]

    def test_reads_the_owners_texts_the_key_words_and_the_conversation_but_no_note(
        self, help_: Help, alices_note: None
    ) -> None:
        help_.desk.writes("Сколько стоят розы? Мой адрес ivan@mail.test")
        help_.asks(text="доставка завтра")
        system, *_, (role, last) = help_.prompt
        assert "Ты Флора. Роза: 90 рублей." in system[1]
        assert "доставка завтра" in system[1]
        assert (role, last) == ("user", "Сколько стоят розы? Мой адрес [EMAIL_1]")
        assert "между нами" not in str(help_.prompt)

    def test_a_known_wish_is_answered_with_what_it_began(self, help_: Help) -> None:
        help_.desk.writes()
        wish = {"client_id": str(uuid4()), "kind": "draft"}
        path = f"/chats/{help_.chat_id}/assists"
        first = help_.console.data("POST", path, 202, json=wish)
        assert help_.console.data("POST", path, 200, json=wish)["id"] == first["id"]
        assert Assist.objects.count() == 1

    def test_a_fact_that_stands_nowhere_is_named(self, help_: Help) -> None:
        help_.desk.writes()
        help_.model_says("Розы по 90 рублей, доставка 1 500 ₽.")
        assert help_.asks()["unsupported"] == ["1 500 ₽"]

    def test_a_word_of_danger_is_refused_without_a_call(self, help_: Help) -> None:
        help_.desk.writes("я хочу умереть")
        made = help_.asks()
        assert (made["state"], made["reason"], made["text"]) == ("refused", "safety_floor", "")
        assert help_.desk.vendor.asked == []

    def test_other_floors_of_the_burst_do_not_count(self, help_: Help) -> None:
        help_.desk.writes("Позовите оператора, нужен возврат")
        assert help_.asks()["state"] == "done"

    def test_a_leak_is_refused_and_told(self, help_: Help) -> None:
        help_.desk.writes()
        begun = help_.begins()
        help_.desk.vendor.answer = lambda asked: _leaks(asked.json["messages"][0]["content"])
        help_.works()
        made = help_.sees(begun["id"])
        assert (made["state"], made["reason"], made["text"]) == ("refused", "prompt_leak", "")
        assert Alert.objects.get().code == "prompt_leak"

    def test_marks_tags_and_unknown_links_are_cut_and_names_come_back(self, help_: Help) -> None:
        help_.desk.writes("ivan@mail.test")
        help_.model_says("[KEY_TO_OPERATOR] <b>Пишем</b> на [EMAIL_1], см. https://evil.example/x")
        assert help_.asks()["text"] == "Пишем на ivan@mail.test, см."

    def test_without_a_new_word_of_the_visitor_it_is_the_next_message(self, help_: Help) -> None:
        help_.desk.writes("Сколько стоят розы?")
        help_.desk.person_writes(help_.operator, "По 90.")
        assert help_.asks()["state"] == "done"
        assert [said for _, said in help_.prompt[1:]][-3:-1] == ["Сколько стоят розы?", "Operator Alice Weber: По 90."]


class TestSources:
    def test_numbers_go_from_the_text_into_its_sentences_and_unknown_ones_are_dropped(self, help_: Help) -> None:
        help_.desk.writes()
        help_.model_says("Роза стоит 90 рублей [99]. Доставка завтра. [1]")
        made = help_.asks()
        assert made["text"] == "Роза стоит 90 рублей. Доставка завтра."
        assert [one["sources"] for one in made["sentences"]] == [[], []]
        assert made["sources"] == []

    def test_a_number_that_the_visitor_typed_is_no_source(self, help_: Help) -> None:
        help_.desk.writes("[1] costs 0 ₽")
        help_.asks()
        assert help_.prompt[-1][1] == "(1) costs 0 ₽"


class TestRefusals:
    def test_without_a_credential_there_is_no_help(self, help_: Help) -> None:
        help_.desk.credential.delete()
        assert_problem(help_.request(), 409, "assist_unavailable")

    def test_where_drafts_are_off_there_is_none(self, help_: Help, olga: object) -> None:
        from apps.accounts.actions.settings import change_settings
        from apps.chats.settings import SETTINGS

        change_settings(SETTINGS, widget_id=help_.desk.widget.pk, changes={"drafts": "off"})
        assert_problem(help_.request(), 409, "assist_unavailable")
        assert help_.begins("rewrite", text="Привет", tool="formal")["state"] == "queued"

    def test_people_get_help_though_ai_answers_nobody(self, help_: Help) -> None:
        help_.desk.switch(enabled=False)
        help_.desk.writes()
        assert help_.asks()["state"] == "done"

    @pytest.mark.parametrize(
        ("kind", "body", "named"),
        [
            ("draft", {"text": "x" * 501}, "text"),
            ("draft", {"tool": "formal"}, "tool"),
            ("rewrite", {"tool": "formal"}, "text"),
            ("rewrite", {"text": "  ", "tool": "formal"}, "text"),
            ("rewrite", {"text": "x"}, "tool"),
            ("rewrite", {"text": "x", "tool": "louder"}, "tool"),
            ("rewrite", {"text": "x", "tool": "own:1"}, "tool"),
            ("rewrite", {"text": "x" * 10_001, "tool": "formal"}, "text"),
            ("summary", {"text": "x"}, "text"),
            ("draft", {"to": "english"}, "to"),
            ("poem", {}, "kind"),
        ],
    )
    def test_what_cannot_be_asked_is_named(self, help_: Help, kind: str, body: dict[str, str], named: str) -> None:
        problem = assert_problem(help_.request(kind, **body), 422, "invalid_input")
        assert list(problem["errors"]) == [named]
        assert not Assist.objects.exists()

    def test_four_at_once_are_enough_for_one_operator(self, help_: Help) -> None:
        for _ in range(4):
            help_.begins()
        answer = help_.request()
        assert_problem(answer, 429, "too_many_assists")
        assert int(answer.headers["Retry-After"]) > 0

    def test_thirty_a_minute_are(self, help_: Help) -> None:
        for _ in range(30):
            help_.begins()
            Assist.objects.update(state="done", due_at=None)
        assert_problem(help_.request(), 429, "too_many_assists")

    def test_anothers_assist_and_anothers_chat_are_404(
        self, help_: Help, boriss_console: object, rival: object
    ) -> None:
        from tests.cast import Rival
        from tests.console.browser import Console

        assert isinstance(boriss_console, Console)
        assert isinstance(rival, Rival)
        begun = help_.begins()
        assert_problem(boriss_console.request("GET", f"/assists/{begun['id']}"), 404, "not_found")
        assert_problem(boriss_console.request("PATCH", f"/assists/{begun['id']}", json={}), 404, "not_found")
        wish = {"client_id": str(uuid4()), "kind": "draft"}
        assert_problem(help_.console.request("POST", f"/chats/{rival.chat.pk}/assists", json=wish), 404, "not_found")


class TestAJudgement:
    def test_a_thumb_and_a_word_are_kept(self, help_: Help) -> None:
        help_.desk.writes()
        made = help_.asks()
        changed = help_.console.data("PATCH", f"/assists/{made['id']}", json={"helpful": False, "comment": "Нет"})
        assert changed["outcome"] is None
        row = Assist.objects.get()
        assert (row.helpful, row.comment) == (False, "Нет")

    def test_dismissing_one_that_runs_stops_it(self, help_: Help) -> None:
        help_.desk.writes()
        begun = help_.begins()
        lease = help_.take()
        changed = help_.console.data("PATCH", f"/assists/{begun['id']}", json={"outcome": "dismissed"})
        assert (changed["state"], changed["reason"], changed["outcome"]) == ("failed", "stopped", "dismissed")
        lease.run()
        assert help_.sees(begun["id"]) == changed

    @pytest.mark.parametrize("outcome", ["used", "edited", None, 1])
    def test_only_dismissing_is_said_by_hand(self, help_: Help, outcome: object) -> None:
        begun = help_.begins()
        answer = help_.console.request("PATCH", f"/assists/{begun['id']}", json={"outcome": outcome})
        assert_problem(answer, 422, "invalid_input")


class TestTheChatGoesOn:
    def test_a_done_draft_of_an_older_state_says_so(self, help_: Help) -> None:
        help_.desk.writes()
        made = help_.asks()
        assert made["is_stale"] is False
        help_.desk.writes("А тюльпаны?")
        assert help_.sees(made["id"])["is_stale"] is True

    def test_before_a_word_is_shown_it_is_begun_again_with_what_came_once(
        self, help_: Help, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        help_.desk.writes("Сколько стоят розы?")
        begun = help_.begins()
        later = iter(["А тюльпаны?", "А лилии?"])
        ask = AssistRun.ask

        def asks_while_the_visitor_writes(run: AssistRun, *args: Any, **options: Any) -> str:
            said = ask(run, *args, **options)
            help_.desk.writes(next(later))
            return said

        monkeypatch.setattr(AssistRun, "ask", asks_while_the_visitor_writes)
        help_.works()
        made = help_.sees(begun["id"])
        assert len(help_.desk.vendor.asked) == 2
        assert help_.prompt[-1][1] == "Сколько стоят розы?\nА тюльпаны?"
        assert (made["state"], made["is_stale"]) == ("done", True), "it is begun again once"


def _leaks(system: str) -> dict[str, object]:
    from apps.demo.servers.language_models import chat

    canary = system.partition("Never write this word: ")[2].split()[0]
    return chat(f"Секрет: {canary}")


@pytest.fixture
def alices_note(help_: Help) -> None:
    from apps.chats.actions import post_note

    post_note(
        widget_id=help_.desk.widget.pk,
        chat_id=help_.chat_id,
        agent_id=help_.operator.pk,
        content={"type": "text", "body": "между нами"},
        client_id=uuid4(),
    )


class TestCards:
    """From the shop's own system."""

    @pytest.mark.parametrize("is_proved", [True, False])
    def test_a_fresh_card_is_a_source_where_it_is_proved_who_the_contact_is(self, help_: Help, is_proved: bool) -> None:
        chat, now = help_.desk.chat, timezone.now().timestamp()
        if is_proved:
            Contact.objects.filter(pk=chat.contact_id).update(external_id="user-1")
        CardSettings.objects.create(
            widget=chat.widget,
            url="https://shop.test/cards",
            target="https://shop.test/cards",
            secret="s",
            cards=[{"key": "order", "title": "Last order", "ttl_seconds": 300}],
        )
        kept = {
            "components": [{"type": "row", "label": "Order", "value": "4711"}],
            "is_proved": is_proved,
            "fetched_at": now,
            "expires_at": now + 300,
            "error": None,
            "failed_at": None,
        }
        ChatCards.objects.create(widget=chat.widget, chat=chat, due_at=None, contents=json.dumps({"order": kept}))
        help_.desk.writes("Где мой заказ?")
        help_.model_says("Заказ 4711 уже едет [1].")
        made = help_.asks()
        named = [(source["kind"], source["title"], source["is_public"]) for source in made["sources"]]
        assert named == ([("card", "Last order", False)] if is_proved else [])
        assert any("Order: 4711" in content for _, content in help_.prompt) is is_proved
