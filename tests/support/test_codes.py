"""E-mail codes: when one is sent, what a typed one is told, and that neither code nor mailbox shows anywhere else."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as installation
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.accounts.rules.mailboxes import counted_mailbox
from apps.agents.models import Agent
from apps.ai.models import Exchange
from apps.chats.actions import accept_chat, post_agent_message, post_client_message, rate_chat
from apps.chats.models import Chat, Message
from apps.chats.questions import Brand, taken_messages
from apps.compat.actions import register_bot
from apps.core.database import encryption
from apps.core.models import QuotaUse
from apps.demo.servers.language_models import Vendor
from apps.learning.models import DemandSignal
from apps.leases import claims
from apps.letters.actions.addresses import address_of
from apps.letters.models import Address
from apps.support.actions.code_limits import OF_ADDRESS, OF_WIDGET, WRONG, mailbox_key
from apps.support.mail import code_mail
from apps.support.models import EmailCode, Identity, SupportAction, SupportSettings, Verification
from apps.support.rules.codes import (
    ChatHandling,
    CodeResult,
    SentCode,
    agent_handles,
    result_of,
    typed_code,
)
from apps.support.tasks import CODE_QUEUE, TAKEN_QUEUE
from apps.webhooks.models import Event, EventSwitch
from apps.webhooks.rules import NATIVE_NAMES
from apps.widget.models import VisitorSession
from tests.ai.desk import desk_of
from tests.budgets import spent
from tests.client import assert_problem
from tests.factories import AgentFactory, AiAgentFactory, ChatFactory, WidgetFactory
from tests.factories.support import TicketFactory, at_desk, leased
from tests.factories.webhooks import SubscriptionFactory
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.rows import snapshot
from tests.support.test_desk import Desk
from tests.widget.visitor import VisitorClient

MAILBOX = "ivan.planted@mail.example"
NOW = timezone.now()
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("chat", "handles"),
    [
        (ChatHandling(), False),
        (ChatHandling(is_leased=True), True),
        (ChatHandling(is_held=True, queued_at=NOW - HOUR), True),
        (ChatHandling(queued_at=NOW - HOUR), False),
        (ChatHandling(queued_at=NOW - HOUR, agent_wrote_at=NOW - 2 * HOUR), False),
        (ChatHandling(queued_at=NOW - HOUR, agent_wrote_at=NOW - HOUR), True),
        (ChatHandling(agent_wrote_at=NOW - HOUR), False),
        (ChatHandling(person_replied_at=NOW - HOUR), True),
        (ChatHandling(person_replied_at=NOW - 24 * HOUR), False),
        (ChatHandling(person_replied_at=NOW - HOUR, assistant_chosen_at=NOW - 2 * HOUR), True),
        (ChatHandling(person_replied_at=NOW - 2 * HOUR, assistant_chosen_at=NOW - HOUR), False),
        (ChatHandling(is_leased=True, assistant_chosen_at=NOW), True),
        (ChatHandling(is_held=True, queued_at=NOW - HOUR, assistant_chosen_at=NOW), True),
    ],
)
def test_when_an_agent_handles_the_chat(chat: ChatHandling, handles: bool) -> None:
    assert agent_handles(chat, NOW) is handles


SENT = SentCode(sent_at=NOW, used_at=None, died_at=None, wrong=0)
LATE = NOW + timedelta(minutes=10)


@pytest.mark.parametrize(
    ("code", "is_right", "now", "result"),
    [
        (SENT, True, NOW, "verified"),
        (SENT, True, LATE - timedelta(microseconds=1), "verified"),
        (SENT, True, LATE, "expired"),
        (SENT, False, LATE, "expired"),
        (SENT, False, NOW, "wrong"),
        (SENT._replace(wrong=3), False, NOW, "wrong"),
        (SENT._replace(wrong=4), False, NOW, "attempts_exhausted"),
        (SENT._replace(wrong=4), True, NOW, "verified"),
        (SENT._replace(wrong=5), True, NOW, "attempts_exhausted"),
        (SENT._replace(wrong=5), True, LATE, "attempts_exhausted"),
        (SENT._replace(used_at=NOW), True, LATE, "consumed"),
        (SENT._replace(used_at=NOW), False, NOW, "wrong"),
        (SENT._replace(died_at=NOW), True, NOW, "expired"),
    ],
)
def test_what_a_typed_code_is_told(code: SentCode, is_right: bool, now: Any, result: str) -> None:
    assert result_of(code, is_right=is_right, now=now) == result


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("123456", "123456"),
        (" 123 456\n", "123456"),
        ("12-34–56", "123456"),
        ("١٢٣٤٥٦", "123456"),
        ("１２３４５６", "123456"),
        ("12345", None),
        ("1234567", None),
        ("код 123456", None),
        ("123456.", None),
        ("¹²³⁴⁵⁶", None),
        ("1" + " " * 80 + "23456", None),
        ("", None),
    ],
)
def test_a_try_is_six_digits_of_any_script_and_nothing_else(text: str, code: str | None) -> None:
    assert typed_code(text) == code


class Browser:
    """Ivan's browser, and the workers behind it."""

    def __init__(self, chat: Chat, folder: Path, address: str = "") -> None:
        self.chat, self._folder = chat, folder
        session = VisitorSessionFactory.create(contact=chat.contact)
        self._client = VisitorClient(chat.widget, visitor_token(session))
        self._address = address

    def post(self, path: str, body: Any = None) -> Any:
        return self._client.post(path, body)

    def asks(self) -> None:
        response = self.post("verification", {})
        assert response.status_code == 202, response.content
        if self._address:
            VisitorSession.objects.filter(contact=self.chat.contact).update(address=self._address)

    def writes(self, text: str) -> int:
        """Ivan writes, and the workers do what follows."""
        message = post_client_message(contact=self.chat.contact, content={"type": "text", "body": text})
        self.works()
        return message.id

    def works(self) -> None:
        for queue in (TAKEN_QUEUE, CODE_QUEUE):
            for lease in claims.claim(queue, wanted=9):
                lease.run()

    def gets_code(self) -> str:
        """The code of a mail that comes when he has asked for one."""
        self.asks()
        self.writes(f"Вот: {MAILBOX}")
        return self.mailed()[-1]

    def mailed(self) -> list[str]:
        """The codes of all mails, each the only run of six digits in the plain part."""
        found = []
        for path in sorted(self._folder.glob("*.eml")):
            plain = path.read_text().partition("text/html")[0].partition("\n\n")[2]
            (code,) = re.findall(r"(?<!\d)\d{6}(?!\d)", plain.partition("Content-Type: text/plain")[2])
            found.append(code)
        return found

    def heard(self) -> list[str]:
        rows = Message.objects.filter(chat=self.chat, sender_kind="system")
        return list(rows.order_by("id").values_list("body", flat=True))

    def result(self) -> str | None:
        row = Verification.objects.filter(chat=self.chat).first()
        return row.last_result if row else None


@pytest.fixture
def desk(token: str, alice: Agent) -> Desk:
    at_desk(token, alice)
    SupportSettings.objects.update(email_codes=True)
    return Desk(token)


@pytest.fixture
def ivan_online(desk: Desk, chat: Chat, settings: Settings, tmp_path: Path) -> Browser:
    settings.VISITOR_RATE_LIMIT = 1_000_000
    settings.EMAIL_BACKEND = "apps.core.mail.FolderBackend"
    settings.EMAIL_FOLDER = tmp_path
    return Browser(chat, tmp_path)


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06}"


class TestAsking:
    def test_asking_for_a_code_is_404_where_codes_are_off(self, ivan_online: Browser) -> None:
        SupportSettings.objects.update(email_codes=False)
        assert_problem(ivan_online.post("verification", {}), 404, "not_found")

    def test_asking_for_a_code_without_a_chat_is_409(self, desk: Desk, shop: Widget) -> None:
        visitor = VisitorClient(shop)
        visitor.come()
        assert_problem(visitor.post("verification", {}), 409, "no_chat")
        assert_problem(visitor.post("assistant", {}), 409, "no_chat")

    def test_while_an_agent_handles_the_chat(self, ivan_online: Browser) -> None:
        leased(ivan_online.chat)
        assert_problem(ivan_online.post("verification", {}), 409, "agent_handles_chat")
        assert ivan_online.heard() == []

    def test_it_is_said_once_and_shown_at_the_desk(self, ivan_online: Browser, desk: Desk) -> None:
        ivan_online.asks()
        ivan_online.asks()
        assert len(ivan_online.heard()) == 1
        account = desk.get(f"/chats/{ivan_online.chat.pk}").json()["data"]["account"]
        assert (account["email_requested"], account["link"], account["code_pending"]) == (True, "anonymous", False)

    def test_choosing_the_assistant_ends_a_persons_word(self, ivan_online: Browser, alice: Agent) -> None:
        content = {"type": "text", "body": "Здравствуйте!"}
        widget_id, chat_id = ivan_online.chat.widget_id, ivan_online.chat.pk
        post_agent_message(widget_id=widget_id, chat_id=chat_id, agent_id=alice.pk, content=content)
        assert_problem(ivan_online.post("verification", {}), 409, "agent_handles_chat")
        assert ivan_online.post("assistant", {}).json() == {"data": {"chat_id": chat_id}}
        ivan_online.asks()


class TestCodes:
    def test_the_right_one_proves_the_mailbox_for_a_day(self, ivan_online: Browser, desk: Desk) -> None:
        code = ivan_online.gets_code()
        pending = desk.get(f"/chats/{ivan_online.chat.pk}").json()["data"]["account"]
        assert (pending["link"], pending["code_pending"], pending["email_requested"]) == ("awaiting_code", True, False)
        assert pending["code_expires_at"] is not None
        ivan_online.writes(code)
        account = desk.get(f"/chats/{ivan_online.chat.pk}").json()["data"]["account"]
        assert account["last_code_result"] == "verified"
        assert (account["link"], account["email"], account["app_user_id"]) == ("verified", MAILBOX, None)
        assert (account["link_source"], account["code_pending"]) == ("email_code", False)
        lives = Identity.objects.get().expires_at - timezone.now()
        assert timedelta(hours=23) < lives <= timedelta(hours=24)
        ivan_online.writes(code)
        assert ivan_online.result() == CodeResult.CONSUMED

    def test_the_fifth_wrong_one_ends_it(self, ivan_online: Browser) -> None:
        code = ivan_online.gets_code()
        results = []
        for _ in range(5):
            ivan_online.writes(wrong(code))
            results.append(ivan_online.result())
        ivan_online.writes(code)
        assert [*results, ivan_online.result()] == ["wrong"] * 4 + ["attempts_exhausted"] * 2
        assert not Identity.objects.exists()

    def test_a_code_expires_after_10_minutes(self, ivan_online: Browser) -> None:
        code = ivan_online.gets_code()
        EmailCode.objects.update(sent_at=timezone.now() - timedelta(minutes=10))
        ivan_online.writes(code)
        assert ivan_online.result() == "expired"

    def test_a_new_one_kills_the_old_one(self, ivan_online: Browser) -> None:
        first = ivan_online.gets_code()
        second = ivan_online.gets_code()
        if first != second:
            ivan_online.writes(first)
            assert ivan_online.result() == "wrong"
        ivan_online.writes(second)
        assert ivan_online.result() == "verified"

    def test_over_ten_tries_an_hour_nothing_is_compared(self, ivan_online: Browser) -> None:
        code = ivan_online.gets_code()
        QuotaUse.objects.bulk_create(
            QuotaUse(scope="email_code_tries", key=str(ivan_online.chat.pk), weight=1) for _ in range(10)
        )
        ivan_online.writes(code)
        assert ivan_online.result() == "rate_limited"
        assert not Identity.objects.exists()

    def test_a_chat_gets_three_an_hour(self, ivan_online: Browser) -> None:
        for _ in range(4):
            ivan_online.asks()
            ivan_online.writes(MAILBOX)
        assert len(ivan_online.mailed()) == 3
        assert ivan_online.result() == "rate_limited"

    def test_an_account_keeps_its_source_and_end(self, ivan_online: Browser) -> None:
        ends_at = timezone.now() + timedelta(hours=2)
        chat = ivan_online.chat
        Identity.objects.create(chat=chat, app_user_id="u-1", link_source="cabinet", expires_at=ends_at)
        ivan_online.writes(ivan_online.gets_code())
        row = Identity.objects.get()
        assert (row.email, row.app_user_id, row.link_source, row.expires_at) == (MAILBOX, "u-1", "cabinet", ends_at)

    def test_while_an_agent_handles_the_chat_it_is_checked_in_silence(self, ivan_online: Browser) -> None:
        code = ivan_online.gets_code()
        before = ivan_online.heard()
        leased(ivan_online.chat)
        ivan_online.writes(wrong(code))
        ivan_online.writes(code)
        assert ivan_online.heard() == before
        assert Identity.objects.get().link_source == "agent_code"

    def test_a_held_ticket_leaves_a_typed_mailbox_an_ordinary_message(self, ivan_online: Browser) -> None:
        ivan_online.asks()
        TicketFactory.create(chat=ivan_online.chat, held_for_owner=True)
        message_id = ivan_online.writes(MAILBOX)
        assert ivan_online.mailed() == []
        assert taken_messages(ivan_online.chat.widget_id, ivan_online.chat.pk, [message_id]) == frozenset()

    def test_a_number_where_no_code_was_sent_is_an_ordinary_message(self, ivan_online: Browser) -> None:
        message_id = ivan_online.writes("123456")
        assert taken_messages(ivan_online.chat.widget_id, ivan_online.chat.pk, [message_id]) == frozenset()

    def test_a_mail_server_that_is_away_is_tried_three_times(self, ivan_online: Browser, settings: Settings) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
        ivan_online.asks()
        ivan_online.writes(MAILBOX)
        for attempt in (1, 2):
            row = EmailCode.objects.get()
            assert (row.attempts, row.sent_at, row.died_at) == (attempt, None, None)
            EmailCode.objects.update(due_at=timezone.now())
            ivan_online.works()
        row = EmailCode.objects.get()
        assert (row.due_at, row.code) == (None, None)
        assert row.died_at is not None
        assert len(ivan_online.heard()) == 2


class TestStrangersMailboxes:
    """A stranger types somebody else's address into a chat: to have letters sent there, or to guess its codes."""

    @pytest.fixture
    def stranger(self, ivan_online: Browser, tmp_path: Path) -> Callable[..., Browser]:
        """Another chat of the shop, or of another widget, from an address."""

        def come(widget: Widget | None = None, address: str = "203.0.113.9") -> Browser:
            widget = widget or ivan_online.chat.widget
            SupportSettings.objects.get_or_create(widget=widget, defaults={"email_codes": True})
            session = VisitorSessionFactory.create(contact__widget=widget, address=address)
            return Browser(ChatFactory.create(contact=session.contact), tmp_path, address)

        return come

    def asks_for(self, browser: Browser, mailbox: str) -> str | None:
        browser.asks()
        browser.writes(mailbox)
        return browser.result()

    def test_a_mailbox_gets_five_an_hour_of_all_widgets(self, stranger: Callable[..., Browser]) -> None:
        widgets = [WidgetFactory.create() for _ in range(6)]
        spelt = ["vic.tim@gmail.com", "Victim@gmail.com", "victim+1@gmail.com", "victim@googlemail.com"]
        spelt.append("victim@gmail.com")
        results = [self.asks_for(stranger(widget), mailbox) for widget, mailbox in zip(widgets, spelt, strict=False)]
        assert results == [None] * 5
        last = stranger(widgets[5])
        assert self.asks_for(last, "victim@gmail.com") == "rate_limited"
        assert len(last.mailed()) == 5

    def test_an_address_causes_forty_an_hour(self, stranger: Callable[..., Browser]) -> None:
        spent(OF_ADDRESS, "203.0.113.9", *[timedelta(minutes=30)] * 39)
        assert self.asks_for(stranger(), "a@example.com") is None
        assert self.asks_for(stranger(WidgetFactory.create()), "b@example.com") == "rate_limited"
        assert self.asks_for(stranger(address="203.0.113.10"), "b@example.com") is None

    def test_a_widget_mails_three_hundred_a_day(self, stranger: Callable[..., Browser]) -> None:
        browser = stranger()
        spent(OF_WIDGET, browser.chat.widget_id, *[timedelta(hours=23)] * 300)
        assert self.asks_for(browser, "a@example.com") == "rate_limited"
        assert browser.mailed() == []

    def test_a_refused_code_counts_against_no_limit(self, stranger: Callable[..., Browser]) -> None:
        browser = stranger()
        spent(OF_WIDGET, browser.chat.widget_id, *[timedelta(hours=23)] * 300)
        before = QuotaUse.objects.count()
        self.asks_for(browser, "a@example.com")
        assert QuotaUse.objects.count() == before

    def test_the_letters_link_ends_them(self, stranger: Callable[..., Browser], tmp_path: Path) -> None:
        assert self.asks_for(stranger(), MAILBOX) is None
        (letter,) = [message_from_bytes(path.read_bytes()) for path in tmp_path.glob("*.eml")]
        link = str(letter["List-Unsubscribe"]).replace("\n", "").replace(" ", "").strip("<>")
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        plain, html = (part.get_payload(decode=True).decode() for part in letter.walk() if not part.is_multipart())
        assert link in plain
        assert link in html
        page = Client().get(link.removeprefix(installation.PUBLIC_URL))
        assert MAILBOX in page.content.decode()
        assert self.asks_for(stranger(), MAILBOX) is None, "a program that opens links ends nothing"
        assert Client().post(link.removeprefix(installation.PUBLIC_URL)).status_code == 200
        assert self.asks_for(stranger(), MAILBOX) == "rate_limited"
        assert self.asks_for(stranger(), MAILBOX.replace("@", "+again@")) == "rate_limited"
        assert self.asks_for(stranger(WidgetFactory.create()), MAILBOX) is None, "another shop is another sender"

    def test_who_guesses_waits_an_hour_and_then_a_day(self, stranger: Callable[..., Browser]) -> None:
        first, second = stranger(), stranger(WidgetFactory.create())
        for browser in (first, second):
            assert self.asks_for(browser, MAILBOX) is None
            code = browser.mailed()[-1]
            for _ in range(5):
                browser.writes(wrong(code))
        assert second.result() == "attempts_exhausted"
        third = stranger()
        assert self.asks_for(third, MAILBOX) == "rate_limited", "ten wrong ones, whatever the chats"
        QuotaUse.objects.update(at=timezone.now() - timedelta(minutes=61))
        self.asks_for(third, MAILBOX)
        assert len(third.mailed()) == 3, "an hour later"
        code = third.mailed()[-1]
        for _ in range(5):
            third.writes(wrong(code))
        key = mailbox_key(MAILBOX)
        assert third.result() == "attempts_exhausted"
        spent(WRONG[1], key, *[timedelta(hours=2)] * 5)
        third.writes(code)
        assert third.result() == "rate_limited", "twenty wrong ones within a day"


@pytest.mark.parametrize(
    ("mailbox", "counted"),
    [
        ("Ivan@Example.com", "ivan@example.com"),
        ("ivan+shop@example.com", "ivan@example.com"),
        ("+@example.com", "+@example.com"),
        ("i.v.an@example.com", "i.v.an@example.com"),
        ("i.v.an+1@GoogleMail.com", "ivan@gmail.com"),
    ],
)
def test_a_mailbox_is_counted_whatever_its_spelling(mailbox: str, counted: str) -> None:
    assert counted_mailbox(mailbox) == counted


def test_a_stop_link_has_no_run_of_six_digits() -> None:
    letter = code_mail(
        email="a@example.com",
        widget_name="Shop",
        brand=Brand("Shop"),
        code="111111",
        stop="https://chat.example.com/mails/stop/a123456b-1234567-654321",
        language="en",
    )
    assert re.findall(r"(?<!\d)\d{6}(?!\d)", str(letter.body)) == ["111111"]
    assert "/mails/stop/a12%33456b-1234567-65%34321" in letter.body


def test_the_right_code_proves_the_address_to_letters(ivan_online: Browser) -> None:
    code = ivan_online.gets_code()
    ivan_online.writes(wrong(code))
    assert not Address.objects.filter(proven_at__isnull=False).exists()
    ivan_online.writes(code)
    assert address_of(ivan_online.chat.widget_id, MAILBOX).proven_at
    proven = Address.objects.get(widget=ivan_online.chat.widget_id, proven_at__isnull=False)
    assert (proven.email, proven.proven_by, proven.contact_id) == ("", "code", ivan_online.chat.contact_id)


def test_neither_code_nor_mailbox_is_anywhere_else(
    ivan_online: Browser, desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    """Planted, and looked for: in logs, on record, in webhooks, in system messages and notes, at the desk."""
    chat = ivan_online.chat
    code = ivan_online.gets_code()
    tried = wrong(code)
    taken = [ivan_online.writes(tried), ivan_online.writes(code)]
    assert set(taken) <= taken_messages(chat.widget_id, chat.pk, taken)
    for path in (f"/chats/{chat.pk}/messages", "/chats?updated_since=" + (timezone.now() - HOUR).strftime("%FT%TZ")):
        said = desk.api.get(f"/support{path}").content.decode()
        assert not [one for one in (MAILBOX, code, tried) if one in said]
    shown = desk.get(f"/chats/{chat.pk}/messages").json()["data"]
    assert [one["text"] for one in shown if one["redacted"]] == ["Вот: ······", "······", "······"]
    rows = snapshot()
    assert MAILBOX in repr(rows.pop("chats.Message"))
    others = Message.objects.exclude(sender_kind="client").values_list("body", flat=True)
    actions = SupportAction.objects.values()
    everything = "\n".join([caplog.text, repr(rows), repr(list(actions)), *others])
    assert not [one for one in (MAILBOX, code, tried) if one in everything]


def types_mailbox_and_codes(ivan: Browser) -> tuple[str, ...]:
    """What is planted: Ivan is asked for his mailbox, types it, a wrong code, and the right one."""
    code = ivan.gets_code()
    tried = wrong(code)
    for typed in (tried, code):
        ivan.writes(typed)
    assert ivan.result() == "verified"
    return MAILBOX, code, tried


def test_they_are_in_no_prompt_and_in_nothing_that_is_learnt(ivan_online: Browser, vendor: Vendor) -> None:
    """Typed among questions that AI answers; the chat is rated low, and taken by a person."""
    chat, alice = ivan_online.chat, AgentFactory.create(widget=ivan_online.chat.widget)
    ai = desk_of(chat=chat, operator=AiAgentFactory.create(widget=chat.widget), vendor=vendor)
    assert ai.answers("Сколько стоят розы?") == ["Да."]
    planted = types_mailbox_and_codes(ivan_online)
    ai.quiet()
    ai.works()
    assert len(vendor.asked) == 1, "what is taken is not answered"
    rate_chat(widget_id=chat.widget_id, chat_id=chat.pk, value=1)
    assert ai.answers("А тюльпаны?") == ["Да."]
    accept_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
    assert Exchange.objects.filter(outcome="shown").count() == 2
    learnt = set(DemandSignal.objects.values_list("question", flat=True))
    assert learnt == {"Сколько стоят розы?", "А тюльпаны?"}, "when it was rated, and when a person took it"
    prompts = [asked.raw.decode() for asked in vendor.asked]
    for one in planted:
        assert not [prompt for prompt in prompts if one in prompt]
        rows = snapshot()
        assert not [name for name in rows if name.startswith(("ai.", "learning.")) and one in repr(rows[name])]


def test_they_are_in_no_webhook_and_a_bot_of_the_other_platform_hears_nothing_of_them(ivan_online: Browser) -> None:
    chat = ivan_online.chat
    EventSwitch.objects.update(enabled=True)
    SubscriptionFactory.create(widget=chat.widget, events=list(NATIVE_NAMES))
    register_bot(widget_id=chat.widget_id, url="https://bot.example.com/", target="https://bot.example.com/")
    chat.refresh_from_db()
    ivan_online.writes("Сколько стоят розы?")
    planted = types_mailbox_and_codes(ivan_online)
    ivan_online.writes("А тюльпаны?")
    rows = Event.objects.order_by("pk").values_list("body", "is_sealed")
    bodies = [encryption.decrypt(body) if is_sealed else body for body, is_sealed in rows]
    messages = [json.loads(body).get("message", {}) for body in bodies]
    heard = [message["text"] for message in messages if "text" in message]
    assert heard == ["Сколько стоят розы?", "А тюльпаны?"]
    assert len(bodies) > len(heard), "subscribers are told that there is a message, by its id"
    assert not [body for body in bodies for one in planted if one in body]
