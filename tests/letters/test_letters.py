"""The letters with answers that a visitor has not seen: who gets one, what is in it, and what a mail server says."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.formats import date_format
from pytest_django import Settings

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import mark_seen, post_note, update_contact
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import Via
from apps.letters.models import Address, OutLetter, Thread
from apps.letters.rules import rights
from apps.letters.rules.addresses import Purpose, read_address, read_message_id
from apps.letters.rules.reading.letters import read_letter
from apps.letters.rules.reading.markup import read
from apps.letters.rules.reading.words import lines_of, words_of
from apps.letters.settings import SETTINGS
from apps.widget.actions.settings import change_settings as change_look
from tests.cast import Rival
from tests.letters.conftest import REPLIES
from tests.letters.post import Answering, after, queue, work
from tests.mail_server import MailServer
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db(transaction=True)


def text_of(letter: Any, kind: str = "plain") -> str:
    part = letter.get_body(preferencelist=(kind,))
    text: str = part.get_content()
    return text.replace("\r\n", "\n")


def delivery(message_id: int) -> tuple[str, str | None] | None:
    found = Message.objects.unscoped("a test").get(pk=message_id).delivery
    return None if found is None else (found["state"], found["code"])


class TestWhoIsReached:
    def test_who_left_an_address_is_mailed_without_a_tick(
        self, mary: VisitorClient, answer: Answering, server: MailServer
    ) -> None:
        answer(mary)
        said = answer(mary, "<b>Come</b>\ntomorrow")
        assert (queue(4.5), queue(5.5), queue(6.5)) == (0, 1, 0)
        assert work() == 1
        ((to, letter),) = server.received
        assert to == "mary@mail.test"
        text, html = text_of(letter), text_of(letter, "html")
        assert text.splitlines()[0] == "=== Answer above this line ==="
        for expected in ("> Is the oolong in stock?", "Yes, 12 packets", "<b>Come</b>\ntomorrow", "/letter/"):
            assert expected in text
        assert "&lt;b&gt;Come&lt;/b&gt;<br>tomorrow" in html
        assert not re.search(r"vt_[0-9A-Za-z]", text + html)
        assert delivery(said) == ("sent", None)
        answer(mary, "Pu-erh, too")
        assert queue() == 0  # an unproven address gets one an hour
        assert "http://" not in re.sub(r"http://(testserver|localhost)\S*", "", html.split("<body")[1])

    @pytest.mark.parametrize(
        ("accent", "ink"), [("#ffffff", "#111418"), ("#000000", "#ffffff"), ("#C0392B", "#ffffff")]
    )
    def test_it_wears_the_widgets_name_and_accent_and_an_accent_like_the_card_gets_an_edge(
        self, mary: VisitorClient, answer: Answering, server: MailServer, shop: Widget, accent: str, ink: str
    ) -> None:
        change_look(widget_id=shop.pk, changes={"widget_accent_color": accent, "widget_name": "Leaf & Kettle"})
        answer(mary)
        queue()
        work()
        html = text_of(server.received[0][1], "html")
        assert "<bdi>Leaf &amp; Kettle</bdi></td>" in html
        assert html.count(f'bgcolor="{accent.lower()}"') == 2
        assert f"color: {ink}; font-size" in html
        assert (f"border: 1px solid {ink}" in html) == (accent != "#C0392B")

    def test_an_answer_that_quotes_the_whole_letter_is_cut_to_its_own_words(
        self, mary: VisitorClient, answer: Answering, server: MailServer
    ) -> None:
        """The preheader stands above the marker, where the reader's own words do."""
        answer(mary)
        queue()
        work()
        html = text_of(server.received[0][1], "html")
        body = html.partition("<body")[2].partition(">")[2].partition("</body>")[0]
        intro = "<div>On Fri, Nov 20, 2026 at 10:11 AM Shop &lt;parley@shop.test&gt; wrote:</div>"
        quoted = f"From: mary@mail.test\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<div>Two, please</div>{intro}<blockquote>{body}</blockquote>"
        found = read_letter(quoted.encode())
        assert found.html is not None
        assert words_of(found.plain, lines_of(read(found.html.encode()))).text == "Two, please"

    def test_times_are_told_in_the_widgets_zone_which_is_named_once(
        self, mary: VisitorClient, answer: Answering, server: MailServer, shop: Widget
    ) -> None:
        Widget.objects.filter(pk=shop.pk).update(time_zone="Asia/Tokyo")
        said = [answer(mary), answer(mary, "Pu-erh, too")]
        late = (datetime.now(UTC) - timedelta(days=1)).replace(hour=21, minute=30, second=0, microsecond=0)
        there = date_format(late + timedelta(hours=9), "N j, Y")
        Message.objects.unscoped("a test").filter(pk__in=said).update(created_at=late)
        queue()
        work()
        text = text_of(server.received[0][1])
        assert (text.count(f"{there}, 6:30 a.m."), text.count("(JST)")) == (2, 1)

    def test_an_address_that_an_operator_typed_is_used_and_counts_as_proven(
        self, shop: Widget, answer: Answering, server: MailServer
    ) -> None:
        browser = VisitorClient(shop)
        ivan = Contact.objects.unscoped("a test").get(guid=browser.come()["contact_id"])
        browser.chat_id = browser.say("Hello")["chat_id"]
        update_contact(widget_id=ivan.widget_id, guid=ivan.guid, changes={"email": "ivan@new.test"})
        for number in range(3):
            answer(browser, f"Answer {number}")
            assert queue() == 1
        assert (work(), work()) == (2, 1)
        assert Address.objects.get().proven_by == Address.Proof.OWNER

    @pytest.mark.parametrize("via", [None, Via.LEGACY_BOT, Via.API])
    def test_what_the_api_or_a_program_wrote_is_not_mailed(
        self, mary: VisitorClient, answer: Answering, alice: Agent, via: Via | None
    ) -> None:
        answer(mary, via=via)
        note = {"type": "text", "body": "She was here"}
        chat_id: int = mary.chat_id
        post_note(widget_id=alice.widget_id, chat_id=chat_id, agent_id=alice.pk, content=note, via=Via.CONSOLE)
        assert queue() == 0

    def test_what_was_seen_is_not_mailed_and_seen_before_it_is_sent_is_taken_out(
        self, mary: VisitorClient, answer: Answering, server: MailServer
    ) -> None:
        first = answer(mary)
        assert queue() == 1
        assert delivery(first) == ("queued", None)
        mary.post("seen", {"message_id": first})
        assert work() == 1
        assert server.received == []
        assert OutLetter.objects.get().state == OutLetter.State.DROPPED
        assert delivery(first) is None

    def test_off_and_ask(self, mary: VisitorClient, answer: Answering, shop: Widget) -> None:
        change_settings(SETTINGS, widget_id=shop.pk, changes={"answers": "off"})
        said = answer(mary)
        assert queue() == 0
        change_settings(SETTINGS, widget_id=shop.pk, changes={"answers": "ask"})
        assert queue() == 0  # nor what was written before letters were on
        answer(mary, "Still there?")
        assert queue() == 0
        mary.post("offline", {"message_id": said - 1, "mail_answers": True})
        answer(mary, "We are open")
        assert queue() == 1

    def test_who_said_no_gets_none(self, mary: VisitorClient, answer: Answering) -> None:
        assert mary.put("address", {"email": None}).json()["data"]["letters"]["state"] == "none"
        answer(mary)
        assert queue() == 0
        mary.put("address", {"email": "mary@mail.test"})
        assert queue() == 1

    @pytest.mark.parametrize("state", ["spam", "internal"])
    def test_spam_and_chats_between_colleagues_are_not_mailed(
        self, mary: VisitorClient, answer: Answering, state: str
    ) -> None:
        answer(mary)
        rows = Chat.objects.unscoped("a test")
        rows.update(**({"status": "spam"} if state == "spam" else {"internal": True}))
        assert queue() == 0

    def test_a_rivals_chats_are_not_touched(self, mary: VisitorClient, rival: Rival) -> None:
        assert queue() == 0
        assert not Thread.objects.unscoped("a test").exists()

    @pytest.mark.parametrize("word", ["stop", "СТОП.", "Отписаться"])
    def test_a_word_in_the_chat_stops_them(self, mary: VisitorClient, answer: Answering, word: str) -> None:
        mary.say(word)
        answer(mary)
        assert queue() == 0
        assert Address.objects.get().stopped_at is not None


class TestLimits:
    def test_an_unproven_address_gets_one_an_hour_from_all_widgets(
        self, shop: Widget, answer: Answering, server: MailServer
    ) -> None:
        for _ in range(3):
            browser = VisitorClient(shop)
            browser.come()
            said = browser.say("Hello")
            browser.post("offline", {"email": "Victim@mail.test", "message_id": said["id"]})
            browser.chat_id = said["chat_id"]
            answer(browser, "Buy now")
        assert queue() == 1

    def test_three_letters_without_a_sign_of_life_are_all(
        self, mary: VisitorClient, answer: Answering, server: MailServer
    ) -> None:
        answer(mary)
        Address.objects.unscoped("a test").update_or_create(
            widget_id=Widget.objects.get(guid=mary.guid).pk,
            digest=__import__("hashlib").sha256(b"mary@mail.test").digest(),
            defaults={"unopened": 3, "email": "mary@mail.test"},
        )
        assert queue() == 0
        Address.objects.unscoped("a test").update(unopened=2)
        assert queue() == 1

    def test_links_and_long_numbers_of_an_unproven_visitor_are_hidden(
        self, shop: Widget, answer: Answering, server: MailServer
    ) -> None:
        browser = VisitorClient(shop)
        browser.come()
        said = browser.say("Win at casino.example now, call +1 (555) 010-99-88 or me@spam.test, order 12345")
        browser.post("offline", {"email": "victim@mail.test", "message_id": said["id"]})
        browser.chat_id = said["chat_id"]
        answer(browser, "See https://shop.test/oolong")
        queue()
        work()
        text = text_of(server.received[0][1])
        assert "> Win at […] now, call +[…] or […] order 12345" in text.replace("+1 (555) 010-99-88", "?")
        assert "https://shop.test/oolong" in text


class TestHeaders:
    def test_what_a_letter_says_of_itself(
        self, mary: VisitorClient, answer: Answering, server: MailServer, shop: Widget
    ) -> None:
        answer(mary)
        queue()
        work()
        letter, thread, row = server.received[0][1], Thread.objects.get(), OutLetter.objects.get()
        reply = read_address(REPLIES, letter["Reply-To"])
        assert (reply.purpose, rights.digest_of(reply.right)) == (Purpose.REPLY, bytes(thread.digest))  # type: ignore[union-attr]
        assert server.senders == [f"reply+b{row.right}@shop.test"]
        assert rights.digest_of(read_message_id(letter["Message-ID"]) or "") == bytes(row.digest)
        assert letter["From"] == f"{shop.name} <parley@shop.test>"
        assert letter["Subject"] == f"An answer from {shop.name}"
        assert (letter["Auto-Submitted"], letter["X-Auto-Response-Suppress"]) == ("auto-generated", "All")
        assert re.fullmatch(
            r"<http\S+/mails/stop/\S+>, <mailto:reply\+s\S+@shop\.test>", letter["List-Unsubscribe"].strip()
        )
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert letter["X-Parley-Origin"]
        assert letter["References"] is None

    def test_a_thread_goes_on(self, mary: VisitorClient, answer: Answering, server: MailServer, shop: Widget) -> None:
        update_contact(
            widget_id=shop.pk,
            guid=Contact.objects.unscoped("a test").get(email="mary@mail.test").guid,
            changes={"email": "Mary@mail.test"},
        )
        for number in range(2):
            answer(mary, f"Answer {number}")
            assert queue() == 1
            work()
        first, second = (letter for _, letter in server.received)
        assert second["In-Reply-To"] == second["References"] == first["Message-ID"]
        assert Thread.objects.get().references == [first["Message-ID"], second["Message-ID"]]

    def test_without_reply_addresses_the_shops_own_is_there(
        self, mary: VisitorClient, answer: Answering, server: MailServer, shop: Widget, settings: Settings
    ) -> None:
        settings.MAIL_REPLY_ADDRESS = ""
        change_settings(
            SETTINGS, widget_id=shop.pk, changes={"shop_address": "hello@tea.test", "site": "https://tea.test/help"}
        )
        answer(mary)
        queue()
        work()
        letter = server.received[0][1]
        assert (letter["Reply-To"], server.senders) == ("hello@tea.test", ["parley@shop.test"])
        assert "https://tea.test/help#letter=" in text_of(letter)
        assert "mailto" not in letter["List-Unsubscribe"]


class TestTheMailServersAnswer:
    def test_an_address_that_is_refused_for_good_is_dead_at_once(
        self, mary: VisitorClient, answer: Answering, server: MailServer
    ) -> None:
        server.replies["RCPT"] = "550 5.1.1 no such user"
        said = answer(mary)
        queue()
        assert work() == 1
        assert delivery(said) == ("failed", "address_rejected")
        assert "550 5.1.1 no such user" in Address.objects.get().dead_detail
        assert work() == 0
        answer(mary, "Hello?")
        assert queue() == 0

    @pytest.mark.parametrize(
        ("command", "said_by_server", "code"),
        [
            ("RCPT", "451 4.3.0 later", "mail_unavailable"),
            ("RCPT", "550 5.7.1 not you", "sender_refused"),
            ("MAIL", "550 5.1.8 bad sender", "sender_refused"),
            ("DOT", "554 5.7.1 spam", "sender_refused"),
            ("DATA", "452 4.2.2 full", "mail_unavailable"),
        ],
    )
    def test_what_may_change_is_tried_again(
        self, mary: VisitorClient, answer: Answering, server: MailServer, command: str, said_by_server: str, code: str
    ) -> None:
        server.replies[command] = said_by_server
        said = answer(mary)
        queue()
        work()
        assert delivery(said) == ("queued", code)
        assert work() == 0
        row = OutLetter.objects.get()
        assert row.due_at is not None
        assert timedelta(seconds=50) < row.due_at - timezone.now() < timedelta(seconds=61)
        del server.replies[command]
        OutLetter.objects.unscoped("a test").update(due_at=timezone.now())
        work()
        assert delivery(said) == ("sent", None)
        assert Address.objects.get().dead_at is None

    def test_a_day_in_vain_is_a_failure(self, mary: VisitorClient, answer: Answering, server: MailServer) -> None:
        server.replies["MAIL"] = "421 not now"
        said = answer(mary)
        queue()
        for _ in range(7):
            OutLetter.objects.unscoped("a test").update(due_at=timezone.now())
            assert work() == 1
        assert delivery(said) == ("failed", "mail_unavailable")

    def test_the_id_that_a_server_gives_is_kept(
        self, mary: VisitorClient, answer: Answering, server: MailServer
    ) -> None:
        server.replies["DOT"] = "250 Ok 0100018f2b7c-4f1e-0000-000000"
        answer(mary)
        queue()
        work()
        assert OutLetter.objects.get().server_id == "0100018f2b7c-4f1e-0000-000000"

    def test_an_operator_sends_again(
        self, mary: VisitorClient, answer: Answering, server: MailServer, shop: Widget
    ) -> None:
        from apps.chats.actions.delivery import send_message_again

        server.replies["RCPT"] = "550 no such user"
        said = answer(mary)
        queue()
        work()
        del server.replies["RCPT"]
        send_message_again(widget_id=shop.pk, message_id=said, now=timezone.now())
        assert work() == 1
        assert delivery(said) == ("sent", None)


class TestTheStopLink:
    def test_it_stops_once_a_button_is_pressed_and_letters_can_come_again(
        self, mary: VisitorClient, answer: Answering, server: MailServer
    ) -> None:
        from django.test import Client

        answer(mary)
        queue()
        work()
        found = re.search(r"https?://[^/]+(/mails/stop/\S+)", text_of(server.received[0][1]))
        assert found is not None
        assert Client().get(found[1]).status_code == 200
        assert Address.objects.get().stopped_at is None
        assert Client().post(found[1], {"List-Unsubscribe": "One-Click"}).status_code == 200
        assert Address.objects.get().stopped_at is not None
        assert mary.come(visitor_token=mary.token)["letters"]["state"] == "stopped"
        assert "again" in Client().get(found[1]).content.decode()
        Client().post(found[1], {"again": "1"})
        assert Address.objects.get().stopped_at is None
        for wrong in (found[1][:-1], "/mails/stop/x", "/mails/stop/a:b:c"):
            assert [Client().get(wrong).status_code, Client().post(wrong).status_code] == [410, 410]


def test_both_jobs_at_once_make_one_letter(mary: VisitorClient, answer: Answering) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connection

    def run(_: int) -> int:
        try:
            return queue()
        finally:
            connection.close()

    answer(mary)
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(run, range(4))) == 1
    assert OutLetter.objects.count() == 1


def test_a_letter_that_was_taken_too_late_is_sent_again_under_its_id(
    mary: VisitorClient, answer: Answering, server: MailServer
) -> None:
    answer(mary)
    queue()
    work()
    OutLetter.objects.unscoped("a test").update(state="queued", due_at=timezone.now())
    work()
    first, second = (letter for _, letter in server.received)
    assert first["Message-ID"] == second["Message-ID"]


def test_seen_is_a_sign_of_life(mary: VisitorClient, answer: Answering, server: MailServer, shop: Widget) -> None:
    said = answer(mary)
    queue()
    work()
    assert Address.objects.get().unopened == 1
    chat_id: int = mary.chat_id
    mark_seen(widget_id=shop.pk, chat_id=chat_id, message_id=said, seen_by="USER")
    assert Address.objects.get().unopened == 0


def test_old_words_are_not_mailed(mary: VisitorClient, answer: Answering) -> None:
    answer(mary)
    assert queue(minutes=60 * 24 * 8) == 0
    assert after(0) > timezone.now() - timedelta(minutes=1)
