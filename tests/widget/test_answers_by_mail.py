"""What a visitor leaves below a message of theirs, and the letters with answers that they have not seen."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import mark_seen, post_agent_message, post_note
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import Via
from apps.core.models import Mail
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Event
from apps.widget.actions import mail_unseen_answers
from apps.widget.actions.settings import set_mail_answers
from apps.widget.models import OfflineNotification
from apps.widget.rules.offline_mail import is_stop_word, linked_page
from tests.cast import Rival
from tests.client import assert_problem
from tests.factories.webhooks import SubscriptionFactory
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient

MINUTE = timedelta(minutes=1)


@pytest.fixture
def question(ivans_browser: VisitorClient) -> dict[str, Any]:
    return ivans_browser.say("Есть ли у вас пуэр?")


@pytest.fixture
def mails(shop: Widget) -> None:
    set_mail_answers(widget_id=shop.pk, on=True)


def leave(browser: VisitorClient, message: dict[str, Any], **about: Any) -> Any:
    return browser.post("offline", {"email": "ivan@new.test", "message_id": message["id"], **about})


def answer(alice: Agent, chat_id: int, body: str = "Есть, и шу, и шэн", via: Via | None = Via.CONSOLE) -> int:
    content = {"type": "text", "body": body}
    return post_agent_message(
        widget_id=alice.widget_id, chat_id=chat_id, content=content, agent_id=alice.pk, via=via
    ).id


def after(minutes: float) -> datetime:
    return timezone.now() + minutes * MINUTE


def letters() -> list[str]:
    return list(Mail.objects.order_by("pk").values_list("text", flat=True))


class TestLeftBelow:
    def test_it_is_told_of_the_message_like_that_of_the_form(
        self, ivans_browser: VisitorClient, question: dict[str, Any], shop: Widget, ivan: Contact
    ) -> None:
        set_event_enabled(name="offline_message.created", enabled=True)
        SubscriptionFactory.create(widget=shop, events=["offline_message.created"])
        left = leave(ivans_browser, question, name="Иван Петров")
        assert (left.status_code, left.json()["data"]) == (200, question)
        assert Message.objects.count() == 1
        ivan.refresh_from_db()
        assert (ivan.name, ivan.email) == ("Иван Петров", "ivan@new.test")
        assert Event.objects.filter(type="offline_message.created").count() == 1
        assert leave(ivans_browser, question, phone="+7 902 765-43-21").status_code == 200
        assert Event.objects.filter(type="offline_message.created").count() == 1
        ivan.refresh_from_db()
        assert ivan.phone == "+7 902 765-43-21"

    def test_a_message_that_is_not_the_visitor_s_own_is_not_found(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent, shop: Widget
    ) -> None:
        stranger = VisitorClient(shop)
        stranger.come()
        others = [answer(alice, question["chat_id"]), stranger.say("Hello")["id"], 10**12]
        rows = snapshot()
        for id_ in others:
            assert_problem(leave(ivans_browser, {"id": id_}), 404, "not_found")
        assert snapshot() == rows

    @pytest.mark.parametrize(("body", "path"), [({}, "message"), ({"message": "x", "message_id": 1}, "message_id")])
    def test_either_a_message_or_the_id_of_one(
        self, ivans_browser: VisitorClient, body: dict[str, Any], path: str
    ) -> None:
        assert_problem(ivans_browser.post("offline", body), 422, "invalid_input", errors=[path])

    def test_answers_can_t_be_mailed_to_nobody(self, visitor: VisitorClient, mails: None) -> None:
        visitor.come()
        said = visitor.say("Hello")
        refused = visitor.post("offline", {"message_id": said["id"], "mail_answers": True})
        assert_problem(refused, 422, "invalid_input", errors=["email"])
        assert not OfflineNotification.objects.exists()


@pytest.mark.usefixtures("mails")
class TestLetters:
    def test_what_stays_unseen_for_five_minutes_is_mailed_once_in_one_letter(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent
    ) -> None:
        leave(ivans_browser, question, mail_answers=True)
        answer(alice, question["chat_id"])
        answer(alice, question["chat_id"], "<b>Приезжайте</b>\nзавтра")
        assert mail_unseen_answers(as_of=after(4.5)) == 0
        assert mail_unseen_answers(as_of=after(5.5)) == 1
        assert mail_unseen_answers(as_of=after(6.5)) == 0
        letter = Mail.objects.get()
        assert letter.to == "ivan@new.test"
        assert "Есть, и шу, и шэн" in letter.text
        assert "<b>Приезжайте</b>\nзавтра" in letter.text
        assert "&lt;b&gt;Приезжайте&lt;/b&gt;<br>завтра" in letter.html
        assert not re.search(r"vt_[0-9A-Za-z]", letter.text + letter.html)
        answer(alice, question["chat_id"], "Ещё есть улун")
        assert mail_unseen_answers(as_of=after(6)) == 1
        assert ["улун" in text and "шэн" not in text for text in letters()] == [False, True]

    def test_what_was_seen_is_not_mailed(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent
    ) -> None:
        leave(ivans_browser, question, mail_answers=True)
        said = answer(alice, question["chat_id"])
        mark_seen(widget_id=alice.widget_id, chat_id=question["chat_id"], message_id=said, seen_by="USER")
        assert mail_unseen_answers(as_of=after(6)) == 0

    @pytest.mark.parametrize("via", [None, Via.LEGACY_BOT])
    def test_what_the_api_or_a_program_wrote_is_not_mailed(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent, via: Via | None
    ) -> None:
        leave(ivans_browser, question, mail_answers=True)
        answer(alice, question["chat_id"], via=via)
        note = {"type": "text", "body": "Он уже был"}
        post_note(
            widget_id=alice.widget_id, chat_id=question["chat_id"], agent_id=alice.pk, content=note, via=Via.CONSOLE
        )
        assert mail_unseen_answers(as_of=after(6)) == 0

    def test_who_did_not_ask_gets_none(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent
    ) -> None:
        leave(ivans_browser, question)
        answer(alice, question["chat_id"])
        assert mail_unseen_answers(as_of=after(6)) == 0

    def test_nothing_is_mailed_while_the_widget_s_switch_is_off(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent, shop: Widget
    ) -> None:
        leave(ivans_browser, question, mail_answers=True)
        answer(alice, question["chat_id"])
        set_mail_answers(widget_id=shop.pk, on=False)
        assert mail_unseen_answers(as_of=after(6)) == 0
        OfflineNotification.objects.all().delete()
        leave(ivans_browser, question, mail_answers=True)
        assert OfflineNotification.objects.get().email == ""

    @pytest.mark.parametrize("state", ["spam", "internal"])
    def test_spam_and_chats_between_colleagues_are_not_mailed(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent, state: str
    ) -> None:
        leave(ivans_browser, question, mail_answers=True)
        answer(alice, question["chat_id"])
        Chat.objects.update(**({"status": "spam"} if state == "spam" else {"internal": True}))
        assert mail_unseen_answers(as_of=after(6)) == 0

    def test_a_wish_of_a_month_ago_is_over(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent
    ) -> None:
        leave(ivans_browser, question, mail_answers=True)
        OfflineNotification.objects.update(left_at=timezone.now() - timedelta(days=30))
        answer(alice, question["chat_id"])
        assert mail_unseen_answers(as_of=after(6)) == 0

    def test_an_address_gets_three_letters_an_hour_whoever_gives_it(self, shop: Widget, alice: Agent) -> None:
        for _ in range(4):
            browser = VisitorClient(shop)
            browser.come()
            said = browser.say("Hello")
            leave(browser, said, email="Victim@mail.test", mail_answers=True)
            answer(alice, said["chat_id"], "Buy now")
        assert mail_unseen_answers(as_of=after(6)) == 3
        assert mail_unseen_answers(as_of=after(7)) == 0
        assert Mail.objects.count() == 3

    @pytest.mark.parametrize("word", ["stop", "СТОП.", "Отписаться"])
    def test_a_word_in_the_chat_stops_them(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent, word: str
    ) -> None:
        leave(ivans_browser, question, mail_answers=True)
        ivans_browser.say(word)
        answer(alice, question["chat_id"])
        assert mail_unseen_answers(as_of=after(6)) == 0
        leave(ivans_browser, question, mail_answers=True)
        answer(alice, question["chat_id"])
        assert mail_unseen_answers(as_of=after(6)) == 0

    def test_the_letter_s_link_stops_them_once_a_button_is_pressed(
        self, ivans_browser: VisitorClient, question: dict[str, Any], alice: Agent
    ) -> None:
        leave(ivans_browser, question, mail_answers=True)
        answer(alice, question["chat_id"])
        mail_unseen_answers(as_of=after(6))
        found = re.search(r"https?://[^/]+(/mails/stop/\S+)", letters()[0])
        assert found is not None
        page = Client().get(found[1])
        assert (page.status_code, "ivan@new.test" in page.content.decode()) == (200, True)
        assert OfflineNotification.objects.get().email == "ivan@new.test"
        assert Client().post(found[1]).status_code == 200
        assert OfflineNotification.objects.get().email == ""
        leave(ivans_browser, question, mail_answers=True)
        answer(alice, question["chat_id"])
        assert mail_unseen_answers(as_of=after(6)) == 0
        for wrong in (found[1][:-1], "/mails/stop/x", "/mails/stop/a:b:c"):
            assert [Client().get(wrong).status_code, Client().post(wrong).status_code] == [410, 410]

    def test_it_is_written_in_the_visitor_s_language_and_leads_back_to_a_named_origin_alone(
        self, shop: Widget, alice: Agent
    ) -> None:
        shop.allowed_origins = ["https://shop.test"]
        shop.save(update_fields=["allowed_origins"])
        pages = {"named@mail.test": "https://shop.test/tea?x=1", "other@mail.test": "https://evil.test/tea"}
        for email, page in pages.items():
            browser = VisitorClient(shop)
            browser.come(page_url=page, lang="en")
            said = browser.say("Hello")
            leave(browser, said, email=email, mail_answers=True)
            answer(alice, said["chat_id"], "Hi")
        assert mail_unseen_answers(as_of=after(6)) == 2
        written = dict(Mail.objects.values_list("to", "text"))
        assert ["https://shop.test/tea?x=1" in written[email] for email in pages] == [True, False]
        assert not any("evil" in text for text in letters())

    def test_a_rival_s_chats_are_not_touched(
        self, ivans_browser: VisitorClient, question: dict[str, Any], rival: Rival
    ) -> None:
        leave(ivans_browser, question, mail_answers=True)
        answer(rival.agent, rival.chat.pk)
        assert mail_unseen_answers(as_of=after(6)) == 0


@pytest.mark.parametrize(
    ("page", "linked"),
    [
        ("https://shop.test/a", True),
        ("HTTPS://Shop.test/a", True),
        ("https://shop.test", True),
        ("https://shop.test@evil.test/", False),
        ("https://shop.test.evil.test/", False),
        ("https://shop.test\\@evil.test/", False),
        ("http://shop.test/a", False),
        ("javascript://shop.test/%0aalert(1)", False),
        ("https://shop.test/a\nhttps://evil.test", False),
        ("", False),
    ],
)
def test_which_page_a_letter_leads_to(page: str, linked: bool) -> None:
    assert linked_page(page, ["https://shop.test"]) == (page if linked else None)
    assert linked_page(page, []) is None


@pytest.mark.parametrize(("text", "stops"), [("Stop", True), (" стоп! ", True), ("stop it", False), ("", False)])
def test_a_stop_word_stands_alone(text: str, stops: bool) -> None:
    assert is_stop_word(text) is stops
