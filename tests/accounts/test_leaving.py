"""An account leaves: it is closed, its work under way is waited for, and then it is exported."""

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, RequestFactory
from django.utils import timezone

from apps.accounts.actions import moves, widget_export
from apps.accounts.actions.exports import ExportFailed
from apps.accounts.models import Account, AuditEntry, Widget
from apps.agents.models import Agent
from apps.ai.models import ReplyJob
from apps.cards.models import CardAction
from apps.chats.models import Chat, Contact, Message
from apps.core.endpoints.bodies import AWAITED
from apps.core.problems import Problem
from apps.core.tasks import queues
from apps.messengers.models import Inbound, OutboundJob, OutboundMessage
from apps.support.models import ClaimedMessage
from apps.support.rules.codes import TakenKind
from apps.webhooks.models import Delivery
from apps.widget import actions as visitors
from apps.widget.models import Translation
from config.direct import DirectApplication
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.compat.clients import LegacyBot, LegacyChannel
from tests.console.browser import Console
from tests.factories import ChatFactory, MessageFactory
from tests.factories.ai import TurnFactory
from tests.factories.kb import UploadFactory
from tests.factories.messengers import ChannelFactory, ConnectionFactory
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.messengers.payloads import TEXTS
from tests.messengers.test_hooks import post
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

TEXT = {"type": "text", "body": "Hello"}


def assert_refused(answer: Any) -> None:
    problem = assert_problem(answer, 503, "try_again")
    assert problem["detail"] == "The account is being moved: nothing is taken until that is done."
    assert answer.headers["Retry-After"] == "60"


class TestClosed:
    """What is there is read, and nobody adds to it."""

    @pytest.fixture(autouse=True)
    def closed(self, account: Account, shop: Widget, chat: Chat) -> None:
        moves.close(account=account)

    def test_a_token_reads_and_does_not_write(self, api: ApiClient, chat: Chat) -> None:
        before = snapshot()
        assert api.get(f"/chats/{chat.pk}").status_code == 200
        assert_refused(api.post(f"/chats/{chat.pk}/messages", json=TEXT))
        assert_refused(api.patch(f"/contacts/{chat.contact.guid}", json={"name": "Ann"}))
        assert snapshot() == before

    def test_a_visitor_reads_and_does_not_write(self, shop: Widget, ivan: Contact) -> None:
        browser = VisitorClient(shop, visitor_token(VisitorSessionFactory.create(contact=ivan)))
        before = snapshot()
        assert browser.get("config").status_code == 200
        assert browser.get("messages").status_code == 200
        assert_refused(browser.post("messages", {"client_id": str(uuid.uuid4()), **TEXT}))
        assert_refused(browser.post("sessions"))
        assert snapshot() == before

    def test_a_visitors_open_socket_takes_no_message(self, ivan: Contact) -> None:
        session = VisitorSessionFactory.create(contact=ivan)
        message = {"client_id": uuid.uuid4(), "type_": "text", "body": "Hello"}
        with pytest.raises(Problem) as refused:
            visitors.post_from_socket(session_id=session.pk, address="127.0.0.1", **message)
        assert refused.value.type.code == "try_again"
        assert not Message.objects.exists()

    def test_an_operator_reads_and_does_not_write(self, alice: Agent, chat: Chat) -> None:
        console = Console(alice)
        assert console.get(f"/chats/{chat.pk}").status_code == 200
        assert console.post("/ticket").status_code == 200  # for the socket, by which the inbox is read
        assert_refused(console.post(f"/chats/{chat.pk}/close"))
        chat.refresh_from_db()
        assert chat.status == "active"

    def test_bots_and_channels_do_not_write(self, shop: Widget, token: str, chat: Chat) -> None:
        channel = ChannelFactory.create(widget=shop)
        assert_refused(LegacyBot(token).say(chat.pk, text="Hello"))
        assert_refused(LegacyChannel(channel.secret).say("client-1", "Hello"))
        assert LegacyChannel(channel.secret).status().status_code == 200
        assert not Message.objects.exists()

    def test_a_messenger_is_to_come_again(self, shop: Widget) -> None:
        connection = ConnectionFactory.create(widget=shop)
        assert_refused(post(connection, TEXTS["tg"][0]))
        assert not Inbound.objects.exists()

    def test_other_accounts_are_not(self, rival_api: ApiClient, rival: Rival) -> None:
        changed = rival_api.patch(f"/contacts/{rival.contact.guid}", json={"name": "Ann"})
        assert changed.status_code == 200

    def test_it_is_on_record_and_ends(self, account: Account, api: ApiClient, shop: Widget, chat: Chat) -> None:
        moves.cancel_move(account=account)
        shop.refresh_from_db()
        assert not shop.is_moving
        assert api.patch(f"/contacts/{chat.contact.guid}", json={"name": "Ann"}).status_code == 200
        entries = AuditEntry.objects.filter(action=AuditEntry.Action.UPDATE, changes__has_key="moving_since").order_by(
            "id"
        )
        assert [entry.changes["moving_since"][1] == "None" for entry in entries] == [False, True]

    def test_the_cabinet_says_so(self, cabinet: Client) -> None:
        assert "The account moves to another installation" in cabinet.get("/admin/").content.decode()


def test_a_call_whose_body_comes_later_is_asked_once_more(account: Account, token: str, chat: Chat) -> None:
    """It was let in while the account was open, and its body took its time."""
    headers = {"Authorization": f"Bearer {token}", "X-Service-Idempotency-Key": "1"}
    path, body = f"/api/v1/contacts/{chat.contact.guid}", json.dumps({"name": "Ann"})
    request = RequestFactory().generic("PATCH", path, body, content_type="application/json", headers=headers)
    web, answers = DirectApplication(everything_else=lambda environ, start: []), []
    request.environ[AWAITED] = True
    web(request.environ, lambda status, headers: answers.append(status))
    moves.close(account=account)
    del request.environ[AWAITED]
    web(request.environ, lambda status, headers: answers.append(status))
    assert answers == ["100 Continue", "503 Service Unavailable"]
    assert Contact.objects.get(pk=chat.contact_id).name == "Иван Петров"


def a_delivery(shop: Widget) -> None:
    DeliveryFactory.create(subscription=SubscriptionFactory.create(widget=shop))


def an_update(shop: Widget) -> None:
    connection = ConnectionFactory.create(widget=shop)
    Inbound.objects.create(widget=shop, connection=connection, conversation="1", external_id="1", part="{}")


def a_message_to_a_messenger(shop: Widget) -> None:
    message = MessageFactory.create(chat=Chat.objects.for_widget(shop.pk).get())
    OutboundMessage.objects.create(widget=shop, message=message, channel="tg")
    OutboundJob.objects.create(widget=shop)


def an_answer(shop: Widget) -> None:
    ReplyJob.objects.create(widget=shop, chat=Chat.objects.for_widget(shop.pk).get())


def a_turn(shop: Widget) -> None:
    TurnFactory.create(widget=shop, chat=Chat.objects.for_widget(shop.pk).get())


def a_document(shop: Widget) -> None:
    UploadFactory.create(widget=shop, state="extracting")


def a_code(shop: Widget) -> None:
    message = MessageFactory.create(chat=Chat.objects.for_widget(shop.pk).get())
    ClaimedMessage.objects.create(widget=shop, chat_id=message.chat_id, message_id=message.pk, kind=TakenKind.CODE)


def a_translation(shop: Widget) -> None:
    Translation.objects.create(widget=shop, field="welcome", locale="de", state="pending")


def a_button(widget: Widget) -> None:
    chat = ChatFactory.create(contact__widget=widget)
    CardAction.objects.create(widget=widget, chat=chat, client_id=uuid.uuid4(), key="order", action="pay")


WORK: dict[str, Callable[[Widget], None]] = {
    "events to deliver": a_delivery,
    "messages from messengers": an_update,
    "messages to messengers": a_message_to_a_messenger,
    "answers of AI": an_answer,
    "turns of external operators": a_turn,
    "documents to read": a_document,
    "messages with codes": a_code,
    "translations": a_translation,
    "buttons of cards": a_button,
}


@pytest.mark.parametrize("name", WORK)
def test_work_of_a_widget_is_counted(shop: Widget, chat: Chat, rival: Rival, name: str) -> None:
    assert widget_export.unfinished_of_widget(shop.pk) == {}
    WORK[name](shop)
    assert widget_export.unfinished_of_widget(shop.pk) == {name: 1}
    assert widget_export.unfinished_of_widget(rival.widget.pk) == {}


def test_what_ai_would_say_later_is_not_waited_for(shop: Widget, chat: Chat) -> None:
    ReplyJob.objects.create(widget=shop, chat=chat, due_at=timezone.now() + timezone.timedelta(minutes=5))
    assert widget_export.unfinished_of_widget(shop.pk) == {}


# Queues of a widget that nobody waits for, and why.
LEFT = {
    "letters.ReadJob": "a mailbox is read there from what comes after",
    "letters.MailCheck": "mail is tried out anew",
    "ai.Trial": "a question is asked anew",
    "assists.Assist": "an operator asks anew",
    "assists.TranslationJob": "a translation that failed can be asked for anew",
    "ai.EvaluationRun": "the questions are asked anew",
    "messengers.PollJob": "goes on for ever, and rests while the account moves",
    "messengers.CheckJob": "a messenger is connected anew",
    "kb.KnowledgeBase": "vectors that are missing are made there",
    "kb.CrawlRun": "a website is crawled anew",
    "learning.Cycle": "what it has learnt by then is in the assistant",
    "learning.Wish": "a log: what is done of it is in the assistant",
    "support.EmailCode": "a mailbox is proved anew",
    "cards.ChatCards": "a card is asked for anew",
    "automations.UndoJob": "runs are taken back here, or stay",
    "chats.Timer": "what a chat waits for is set anew there",
    "routing.QueueRow": "a chat that waits is looked at there",
    "routing.RouterRow": "the queue is decided on there",
    "automations.AutomationEvent": "automations come switched off",
    "articles.ArticleTold": "an operator tells anew who still waits",
}
WAITED_FOR = {
    *("messengers.InboundJob", "messengers.OutboundJob", "ai.ReplyJob", "kb.Upload", "support.ClaimedMessage"),
    "widget.Translation",
    "cards.CardAction",
    *("letters.GatherJob", "letters.OutLetter"),
    *("articles.ArticleImport", "articles.ArticleDraft"),
}


def test_each_queue_of_a_widget_is_waited_for_or_left_for_a_reason() -> None:
    models = {queue.model for queue in queues()}
    assert {model._meta.label for model in models if hasattr(model, "widget")} == WAITED_FOR | LEFT.keys()


class TestOut:
    """`move_account out`."""

    @pytest.fixture(autouse=True)
    def at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(moves, "QUIET_S", 0.0)

    def test_it_is_closed_and_exported(self, account: Account, shop: Widget, tmp_path: Path) -> None:
        assert moves.export_account(account=account, directory=tmp_path) == [shop.guid]
        assert (tmp_path / shop.guid / "complete.json").exists()
        shop.refresh_from_db()
        assert shop.is_moving
        manifest = json.loads((tmp_path / shop.guid / "manifest.json").read_bytes())
        assert manifest["widget"]["api_enabled"] is True  # there it is as it was here
        assert "moving_since" not in manifest["widget"]

    def test_work_that_is_not_done_in_time_refuses_it(
        self, account: Account, shop: Widget, chat: Chat, tmp_path: Path
    ) -> None:
        a_delivery(shop)
        an_update(shop)
        told: list[str] = []
        with pytest.raises(ExportFailed) as refused:
            moves.export_account(account=account, directory=tmp_path, wait_s=0, tell=told.append)
        waits = "events to deliver: 1, messages from messengers: 1"
        assert (str(refused.value), told) == (f"the account has work under way: {waits}", [waits])
        shop.refresh_from_db()
        assert not shop.is_moving
        assert list(tmp_path.iterdir()) == []

    def test_it_waits_until_the_work_is_done(self, account: Account, shop: Widget, tmp_path: Path) -> None:
        a_delivery(shop)
        told: list[tuple[str, bool]] = []

        def tell(waits: str) -> None:
            """A worker does it just then."""
            told.append((waits, Widget.objects.get(pk=shop.pk).is_moving))
            Delivery.objects.update(status="delivered")

        moves.export_account(account=account, directory=tmp_path, wait_s=60, tell=tell)
        assert told == [("events to deliver: 1", True)]
        assert (tmp_path / shop.guid / "complete.json").exists()

    def test_work_may_be_left(self, account: Account, shop: Widget, tmp_path: Path) -> None:
        a_delivery(shop)
        call_command("move_account", "out", account.email, str(tmp_path), leave_work=True)
        assert (tmp_path / shop.guid / "complete.json").exists()
        assert Delivery.objects.get().status == "pending"

    def test_it_goes_on_while_the_account_is_closed_and_begins_anew_else(
        self, account: Account, shop: Widget, tmp_path: Path
    ) -> None:
        call_command("move_account", "out", account.email, str(tmp_path))
        call_command("move_account", "out", account.email, str(tmp_path))
        call_command("move_account", "stay", account.email)
        with pytest.raises(CommandError, match="at which the account was open"):
            call_command("move_account", "out", account.email, str(tmp_path))
        shop.refresh_from_db()
        assert not shop.is_moving

    def test_a_folder_is_named(self, account: Account, shop: Widget) -> None:
        with pytest.raises(CommandError, match="folder"):
            call_command("move_account", "out", account.email)
        shop.refresh_from_db()
        assert not shop.is_moving

    def test_a_closed_account_stays_so_when_its_work_is_not_done(
        self, account: Account, shop: Widget, tmp_path: Path
    ) -> None:
        moves.export_account(account=account, directory=tmp_path)
        a_delivery(shop)
        with pytest.raises(ExportFailed):
            moves.export_account(account=account, directory=tmp_path)
        shop.refresh_from_db()
        assert shop.is_moving
