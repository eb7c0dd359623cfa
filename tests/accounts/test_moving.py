"""An export of a widget is imported: what the API answers is the same byte for byte, or but for the new numbers."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from apps.accounts.actions import exports, imports, moves, widget_export
from apps.accounts.actions.export_folder import ImportFailed
from apps.accounts.actions.exports import cell, export_widget
from apps.accounts.actions.imports import ImportOptions, abandon_import, import_widget
from apps.accounts.models import Account, AuditEntry, ImportedNumber, User, Widget, WidgetImport
from apps.agents.models import Agent, Department, OperatorChoices
from apps.ai.models import AiSettings, Credential, EvaluationCase
from apps.articles.models import Article, ArticleCategory, ArticlePicture, ArticleText, HelpCenter
from apps.assists.models import ChatSummary, OwnTool
from apps.automations.models import Automation, AutomationRun, AutomationVersion, Macro
from apps.cards.models import CardSettings
from apps.chats.models import (
    Block,
    Chat,
    ChatActivity,
    ConsoleSettings,
    Contact,
    ContactNote,
    File,
    Message,
    MessageEdit,
    Rating,
    RatingRequest,
    Retention,
)
from apps.console.models import CannedReply
from apps.core.files import storage
from apps.kb.models import Embedding, KnowledgeBase, Rule
from apps.reports.models import RatingPolicy
from apps.reviews.labels import default_criteria
from apps.reviews.models import Review, Scorecard
from apps.routing.actions.settings import change_routing
from apps.routing.models import Assignment, EstimateTally, OperatorPlaces, SlaClock
from apps.widget.models import ChatAnswers, ChatInvitation, ContactConsent, QuestionSet, WidgetSettings
from tests.cast import signed_in
from tests.client import ApiClient, client
from tests.factories import ApiTokenFactory, StaffFactory, plain_text
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.factories.articles import an_article
from tests.factories.automations import AutomationFactory, AutomationRunFactory, MacroFactory
from tests.factories.chats import ContactTagFactory, MessageFactory
from tests.factories.files import FileFactory
from tests.factories.invitations import ChatInvitationFactory
from tests.factories.kb import RuleFactory, SourceFactory, UploadFactory
from tests.factories.messengers import ChannelFactory
from tests.factories.support import TicketFactory
from tests.factories.webhooks import SubscriptionFactory
from tests.widget.asking import ask, question

pytestmark = pytest.mark.django_db

SECRET = "whsec-never-7Q"
# As it was, with what was at work there.
WHOLE = ImportOptions(with_seats=True, with_switches=True)
KEPT = ImportOptions(keep_numbers=True, with_seats=True, with_switches=True)
LISTS = (
    *("/chats", "/contacts", "/agents", "/departments", "/tags", "/kb/rules", "/kb/sources", "/kb/status"),
    *("/ai/assistants", "/ai/settings", "/api/v1/widget/settings"),
)

# What is behind a file's number in its address says until when that is good.
SIGNATURE = re.compile(rb"(/files/[0-9]+)[^\"]*")


@pytest.fixture
def full(shop: Widget, olga: Agent, alice: Agent, ada: Agent, sales: Department, chat: Chat) -> Widget:
    """The shop, with something in every table that is exported, and with secrets."""
    Widget.objects.filter(pk=shop.pk).update(answerers=["ai"])
    file = FileFactory.create(widget=shop, contact=chat.contact, is_sent=True)
    details = {"file": {"id": file.pk, "name": file.name, "size": file.size, "content_type": file.content_type}}
    first = MessageFactory.create(chat=chat, body="=cmd|' /C calc'!A0")
    MessageFactory.create(chat=chat, type="file", body="", details=details)
    MessageFactory.create(chat=chat, body="A note", is_internal=True, sender_kind="agent", agent=alice)
    last = MessageFactory.create(chat=chat, body="Здравствуйте!", sender_kind="agent", agent=alice, sender_name="Alice")
    Chat.objects.filter(pk=chat.pk).update(
        department=sales,
        agent=alice,
        handling="human",
        has_client_messages=True,
        last_message=last,
        last_message_at=last.created_at,
        dealt_with_message_id=first.pk,
    )
    Rating.objects.create(widget=shop, chat=chat, value=5, comment="+7 thanks", agent=alice)
    RatingRequest.objects.create(
        widget=shop, chat=chat, cause="operator", agent=alice, channel="widget", after_message_id=last.pk
    )
    RatingPolicy.objects.create(widget=shop, low=3, question_i18n={"en": "Was it tea?"}, channels=["widget"])
    Scorecard.objects.create(widget=shop, version=2, criteria=default_criteria(), prefill="reviews")
    quoted = [{"message_id": last.pk, "text": "Здравствуйте!"}]
    Review.objects.create(
        widget=shop,
        chat=chat,
        episode_id=first.pk,
        kind="person",
        agent_id=alice.pk,
        origin="flag",
        flags=["low_rating"],
        state="answered",
        scorecard_version=2,
        scores=[{"key": "correct", "value": 1, "note": ""}],
        score=100,
        reviewer=olga,
        suggestion=[{"key": "correct", "value": 1, "reason": "It is so.", "quotes": quoted}],
        assist_id=7,
        reply="I see",
        replied_at=last.created_at,
        done_at=last.created_at,
    )
    ChatActivity.objects.create(widget=shop, chat=chat, kind="closed", agent=alice, after_message_id=last.pk)
    Block.objects.create(widget=shop, contact=chat.contact, reason="spam", agent=olga)
    Retention.objects.create(widget=shop, chats=400)
    ContactTagFactory.create(contact=chat.contact, tag__name="vip")
    assistant = AssistantFactory.create(widget=shop)
    EvaluationCase.objects.create(widget=shop, assistant=assistant, question="How much is a rose?", must=["90"])
    Agent.objects.filter(pk=ada.pk).update(ai_assistant_id=assistant.pk)
    AiSettings.objects.create(widget=shop, enabled=True, phrases={"handoff_to_human": {"en": "A moment"}})
    rule = RuleFactory.create(source__widget=shop, operator=ada)
    Rule.objects.filter(pk=rule.pk).update(embedding_status="ready")
    Embedding.objects.create(widget=shop, digest=rule.digest, space="test", vector=[0.5, -0.25, 1.0])
    upload = UploadFactory.create(widget=shop, state="ready")
    document = SourceFactory.create(widget=shop, ref=f"upload:{upload.pk}", type="upload", upload_id=upload.pk)
    RuleFactory.create(source=document, content="Of a document.")
    WidgetSettings.objects.create(widget=shop, stored={}, identity_secret=SECRET)
    ChatAnswers.objects.create(
        widget=shop, chat=chat, message_id=first.pk, answers={"department": sales.pk, "text": "A-17"}
    )
    ContactConsent.objects.create(
        widget=shop, contact=chat.contact, chat=chat, key="privacy", given=True, text_sha256="a" * 64, lang="en"
    )
    CannedReply.objects.create(widget=shop, shortcut="hi", body="Hello!")
    ConsoleSettings.objects.create(
        widget=shop, away_minutes=30, attribute_kinds=[{"key": "plan", "kind": "choice", "choices": ["free", "pro"]}]
    )
    ask(shop, question("department"), question("text", when={"department": [sales.pk]}))
    CardSettings.objects.create(
        widget=shop,
        url="https://shop.example/cards",
        target="https://shop.example/cards",
        cards=[{"key": "order", "title": "Order", "ttl_seconds": 300}],
        secret=SECRET,
    )
    OperatorChoices.objects.create(widget=shop, agent=alice, reads=["ru", "de"])
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes={"accept_seconds": 30})
    OperatorPlaces.objects.create(widget=shop, agent=alice, capacity=3)
    Assignment.objects.create(
        widget=shop,
        chat=chat,
        agent=alice,
        department_id=sales.pk,
        waits_since=first.created_at,
        outcome="missed",
        why={},
    )
    SlaClock.objects.create(
        widget=shop,
        chat=chat,
        metric="first_reply",
        department_id=sales.pk,
        priority="normal",
        since=first.created_at,
        target_minutes=10,
        warn_percent=80,
        ended_at=last.created_at,
        ended_by="person",
        ended_after_id=last.pk,
    )
    reply = CannedReply.objects.for_widget(shop.pk).get()
    automation = AutomationFactory.create(
        widget=shop,
        condition={"all": [{"field": "department_id", "op": "in", "value": [sales.pk]}]},
        then=[
            {"do": "assign", "agent_id": alice.pk},
            {"do": "send_to", "department_id": sales.pk},
            {"do": "notify", "whom": {"agent_ids": [alice.pk]}, "by": ["console"], "text": "Look"},
        ],
    )
    invitation = ChatInvitationFactory.create(widget=shop, speaker="agent", agent=alice, department=sales)
    Chat.objects.filter(pk=chat.pk).update(invitation_id=invitation.pk, invitation_name=invitation.name)
    macro = MacroFactory.create(widget=shop, key=1, then=[{"do": "reply", "reply_id": reply.pk}])
    AutomationRunFactory.create(
        chat=chat,
        automation=automation,
        macro=macro,
        why=[{"field": "agent_id", "op": "is", "value": alice.pk, "was": alice.pk, "held": True}],
        before=[{"agent_id": alice.pk}],
    )
    EstimateTally.objects.create(widget=shop, department_id=sales.pk, day=first.created_at.date(), count=3, kept=2)
    MessageEdit.objects.create(
        widget=shop, chat=chat, message=last, agent=alice, change="edited", type="text", body="Здравствуй!"
    )
    ContactNote.objects.create(widget=shop, contact=chat.contact, agent=alice, text="Calls after six")
    ChatSummary.objects.create(widget=shop, chat=chat, wants="A rose", language="ru", up_to_message_id=last.pk)
    OwnTool.objects.create(widget=shop, names={"en": "Rhyme"}, instruction="Make it rhyme.")
    TicketFactory.create(chat=chat, opening_message_id=first.pk)
    CredentialFactory.create(widget=shop, api_key=SECRET)
    with storage.stored(io.BytesIO(b"a picture")) as key:
        picture = ArticlePicture.objects.create(
            widget=shop, key=key, content_type="image/webp", width=8, height=8, size=9
        )
    category = ArticleCategory.objects.create(widget=shop, name={"en": "Orders"}, position=2)
    HelpCenter.objects.create(widget=shop, is_public=True, slug="flowers", for_ai=False, domain="help.shop.test")
    about = an_article(shop, title="About", published=True, category_id=category.pk)
    an_article(shop, body=f"[us](article:{about.pk}) ![](/files/articles/{picture.guid.hex})", origin_key="path:a.md")
    SubscriptionFactory.create(widget=shop, secret=SECRET)
    ChannelFactory.create(widget=shop)
    shop.refresh_from_db()
    return shop


def answers(widget: Widget) -> dict[str, bytes]:
    """What the API answers of a widget, by path; where paths name rows, by the place of those rows.

    A credential stays at home, and what it makes possible with it: so it is gone before.
    """
    Credential.objects.for_widget(widget.pk).delete()
    api = ApiClient(plain_text(ApiTokenFactory.create(widget=widget)))
    chat, contact = Chat.objects.for_widget(widget.pk).get(), Contact.objects.for_widget(widget.pk).get()
    file, agents = File.objects.for_widget(widget.pk).get(), Agent.objects.for_widget(widget.pk).order_by("pk")
    paths = {path: path for path in LISTS}
    paths |= {f"agent {place}": f"/agents/{agent.pk}" for place, agent in enumerate(agents)}
    paths |= {"messages": f"/chats/{chat.pk}/messages", "chat": f"/chats/{chat.pk}", "file": f"/files/{file.pk}"}
    paths |= {"contact": f"/contacts/{contact.guid}"}
    found: dict[str, bytes] = {}
    for name, path in paths.items():
        answer = api.get(path)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        if answer.status_code == 302:  # a file, at an address of its own
            answer = client().get("/" + answer["Location"].split("/", 3)[3])
            content = b"".join(answer.streaming_content)
        assert answer.status_code == 200, (path, content)
        found[name] = SIGNATURE.sub(rb"\1", content)
    return found


def exported(widget: Widget, tmp_path: Path) -> Path:
    directory = tmp_path / "export"
    export_widget(widget=widget, directory=directory)
    return directory


def rows_in(directory: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (directory / f"{name}.jsonl").read_bytes().splitlines()]


class TestRestored:
    """The widget is gone, and comes back with its own numbers."""

    def test_the_api_answers_byte_for_byte_what_it_did(self, full: Widget, tmp_path: Path) -> None:
        before, guid = answers(full), full.guid
        directory = exported(full, tmp_path)
        account = full.account
        full.delete()
        done = import_widget(account=account, directory=directory, options=KEPT)
        assert (done.widget.guid, done.left_out) == (guid, 0)
        after = answers(done.widget)
        assert {path: after[path] for path in before if after[path] != before[path]} == {}

    def test_numbers_that_are_taken_are_refused(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        with pytest.raises(ImportFailed):
            import_widget(account=full.account, directory=directory, options=KEPT)

    def test_numbers_that_are_still_to_be_given_are_refused(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        path = directory / "contacts.jsonl"
        (row,) = rows_in(directory, "contacts")
        path.write_text(json.dumps({**row, "id": 2**40}) + "\n")
        account = full.account
        full.delete()
        with pytest.raises(ImportFailed, match="will give the number"):
            import_widget(account=account, directory=directory, options=KEPT)


# Of each member that is called `…_id`, or whose object has an `id`: the table whose number it is.
TABLES = {
    "files": "files",
    "chat": "chats",
    "chats": "chats",
    "messages": "messages",
    "last_message": "messages",
    "message": "messages",
    "agent": "agents",
    "agents": "agents",
    "accepted_agent": "agents",
    "handled_agent": "agents",
    "sender": "agents",
    "operator": "agents",
    "assigned_agent": "agents",
    "department": "departments",
    "invitation": "chat_invitations",
    "departments": "departments",
    "file": "files",
    "attachment": "files",
    "assistant": "assistants",
    "ai_assistant": "assistants",
    "upload": "uploads",
    "rules": "rules",
    "sources": "sources",
    "source": "sources",
    "tag": "tags",
}


class TestCopied:
    """A copy beside the widget has new numbers and guids, and is the same but for them."""

    def test_the_api_answers_the_same_by_the_new_numbers(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        copy = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        assert copy.guid != full.guid
        (path,) = directory.glob("numbers-*.jsonl")
        numbers: dict[str, dict[int, int]] = {}
        for line in path.read_bytes().splitlines():
            row = json.loads(line)
            numbers.setdefault(row["table"], {})[row["was"]] = row["now"]
        was, now = Contact.objects.for_widget(full.pk).get().guid, Contact.objects.for_widget(copy.pk).get().guid
        before, after = answers(full), answers(copy)
        assert before.pop("file") == after.pop("file")
        of_path = {"/kb/rules": "rules", "/kb/sources": "sources", "/ai/assistants": "assistants", "contact": ""}
        for name, content in before.items():
            table = of_path.get(name, "agents" if name.startswith("agent") else name.strip("/"))
            expected = renumbered(json.loads(content), numbers, TABLES.get(table, table))
            text = json.dumps(expected, ensure_ascii=False).replace(
                f'"button_id": {full.pk}', f'"button_id": {copy.pk}'
            )
            text = text.replace(was, now).replace(full.guid, copy.guid)
            assert json.loads(text) == json.loads(after[name]), name

    def test_every_row_is_there(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        copy = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        counts = json.loads((directory / "complete.json").read_bytes())
        tables, _ = widget_export.exported_of_widget(copy.pk)
        own = {table.name: table.rows.count() for table in tables}
        assert own == counts
        assert {name for name, count in counts.items() if not count} <= {
            *("transfers", "icons", "translations", "verified_visitors", "stopped_addresses"),
            *(
                "support_settings",
                "app_rooms",
                "crawler",
                "letter_settings",
                "letter_addresses",
                "holidays",
                "widget_week",
                "letters_in",
            ),
            *("contact_joins", "letters_in"),
        }
        chat = Chat.objects.for_widget(copy.pk).get()
        assert chat.last_message is not None
        assert chat.last_message.chat_id == chat.pk
        assert Message.objects.for_widget(copy.pk).filter(pk=chat.dealt_with_message_id).exists()
        assert KnowledgeBase.objects.for_widget(copy.pk).get().ready == 1
        sales = Department.objects.for_widget(copy.pk).get(name=Department.objects.for_widget(full.pk).get().name)
        assert Assignment.objects.for_widget(copy.pk).get().department_id == sales.pk
        assert SlaClock.objects.for_widget(copy.pk).get().department_id == sales.pk
        (asked,) = QuestionSet.objects.for_widget(copy.pk)
        assert (asked.is_on, asked.questions[1]["when"]) == (True, {"department": [sales.pk]})
        assert chat.answers == {"department": sales.pk, "text": "A-17"}
        assert [one["key"] for one in chat.contact.consents] == ["privacy"]
        told = EstimateTally.objects.for_widget(copy.pk).get()
        assert (told.department_id, told.count, told.kept) == (sales.pk, 3, 2)

    def test_what_automations_name_is_the_copys_and_they_come_switched_off(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        copy = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        alice = Agent.objects.for_widget(copy.pk).get(name="Alice")
        sales, reply = Department.objects.for_widget(copy.pk).get(), CannedReply.objects.for_widget(copy.pk).get()
        automation = Automation.objects.for_widget(copy.pk).get()
        assert (automation.is_enabled, automation.tried_version, automation.problem) == (False, None, None)
        assert automation.condition["all"][0]["value"] == [sales.pk]
        assign, send_to, notify = automation.then
        assert (assign["agent_id"], send_to["department_id"]) == (alice.pk, sales.pk)
        assert notify["whom"] == {"agent_ids": [alice.pk]}
        assert AutomationVersion.objects.for_widget(copy.pk).get().then == automation.then
        macro, run = Macro.objects.for_widget(copy.pk).get(), AutomationRun.objects.for_widget(copy.pk).get()
        assert macro.then == [{"do": "reply", "reply_id": reply.pk}]
        assert (run.automation_id, run.macro_id, run.before) == (automation.pk, macro.pk, [])
        assert (run.why[0]["value"], run.why[0]["was"]) == (alice.pk, alice.pk)

    def test_articles_lead_to_the_copys_own(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        copy = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        was, picture = (
            ArticlePicture.objects.for_widget(full.pk).get(),
            ArticlePicture.objects.for_widget(copy.pk).get(),
        )
        assert (was.guid != picture.guid, was.key != picture.key) == (True, True)
        about, other = Article.objects.for_widget(copy.pk).order_by("pk")
        text = ArticleText.objects.for_widget(copy.pk).get(article=other)
        assert text.body == f"[us](article:{about.pk}) ![](/files/articles/{picture.guid.hex})"
        assert text.versions.get().body == text.body
        assert (about.category, other.origin_key) == (ArticleCategory.objects.for_widget(copy.pk).get(), "path:a.md")
        assert ArticleText.objects.for_widget(copy.pk).get(article=about).published_version == 1
        center = HelpCenter.objects.for_widget(copy.pk).get()
        assert center.slug != "flowers"  # which is the first one's
        assert (center.domain, center.is_public, center.for_ai) == (None, True, False)
        plain = import_widget(account=full.account, directory=directory).widget
        center = HelpCenter.objects.for_widget(plain.pk).get()
        assert (center.is_public, center.for_ai, center.in_widget) == (False, False, "off")

    def test_invitations_come_paused_and_chats_name_the_copys(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        copy = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        invitation = ChatInvitation.objects.for_widget(copy.pk).get()
        named = (invitation.state, invitation.agent, invitation.department)
        alice, sales = Agent.objects.for_widget(copy.pk).get(name="Alice"), Department.objects.for_widget(copy.pk).get()
        assert named == ("paused", alice, sales)
        chat = Chat.objects.for_widget(copy.pk).exclude(invitation_id=None).get()
        assert (chat.invitation_id, chat.invitation_name) == (invitation.pk, invitation.name)

    def test_a_review_and_its_quotes_are_of_the_copys_chat(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        copy = import_widget(account=full.account, directory=directory, options=ImportOptions()).widget
        was, now = (Review.objects.for_widget(widget.pk).get() for widget in (full, copy))
        messages = list(Message.objects.for_widget(copy.pk).order_by("id"))
        agents = {agent.pk: agent.full_name for agent in Agent.objects.for_widget(copy.pk)}
        assert (now.chat.widget_id, now.episode_id, now.assist_id) == (copy.pk, messages[0].pk, None)
        assert (agents[now.agent_id or 0], now.reviewer and now.reviewer.full_name) == ("Alice Weber", "Olga Romanova")
        assert now.suggestion is not None
        assert now.suggestion[0]["quotes"] == [{"message_id": messages[-1].pk, "text": "Здравствуйте!"}]
        same = ("state", "version", "scorecard_version", "scores", "score", "flags", "origin", "reply", "done_at")
        assert [getattr(now, name) for name in same] == [getattr(was, name) for name in same]
        card = Scorecard.objects.for_widget(copy.pk).get()
        assert (card.version, card.criteria, card.prefill) == (2, default_criteria(), "off")

    def test_rows_that_did_not_come_are_told_at_the_automation(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        (row,) = rows_in(directory, "automations")
        row["then"][0]["agent_id"] = 2**40
        (directory / "automations.jsonl").write_text(json.dumps(row) + "\n")
        copy = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        automation = Automation.objects.for_widget(copy.pk).get()
        assert automation.then[0] == {"do": "assign", "agent_id": 0}
        assert automation.problem == {"path": "then.0.agent_id", "code": "gone"}

    def test_who_signs_in_is_of_the_new_account(self, full: Widget, rival: Any, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        here = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        own = Agent.objects.for_widget(full.pk).get(role="owner")
        assert Agent.objects.for_widget(here.pk).get(role="owner").user_id == own.user_id
        there = import_widget(account=rival.account, directory=directory, options=WHOLE).widget
        assert set(Agent.objects.for_widget(there.pk).values_list("user_id", flat=True)) == {None}

    @pytest.mark.parametrize("address", ["Olga@Shop.test", "OLGA@SHOP.TEST"])
    def test_who_writes_their_address_in_another_case_signs_in_as_their_operator(
        self, full: Widget, tmp_path: Path, address: str
    ) -> None:
        directory = exported(full, tmp_path)
        own = Agent.objects.for_widget(full.pk).get(role="owner")
        assert own.user is not None
        User.objects.filter(pk=own.user.pk).update(email=address)
        rows = rows_in(directory, "agents")
        text = "".join(json.dumps({**row, "user_email": str(row["user_email"] or "").upper()}) + "\n" for row in rows)
        (directory / "agents.jsonl").write_text(text)
        here = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        assert Agent.objects.for_widget(here.pk).get(role="owner").user_id == own.user_id

    def test_what_it_names_too_late_is_left_out(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        (rating,) = rows_in(directory, "ratings")
        (directory / "ratings.jsonl").write_text(json.dumps({**rating, "chat_id": 2**40}) + "\n")
        done = import_widget(account=full.account, directory=directory, options=WHOLE)
        assert done.left_out == 1
        assert not Rating.objects.for_widget(done.widget.pk).exists()


def renumbered(value: Any, numbers: dict[str, dict[int, int]], table: str) -> Any:
    """An answer with the new numbers: an `id` is of the table that its object is called by."""
    if isinstance(value, list):
        return [renumbered(each, numbers, table) for each in value]
    if isinstance(value, dict):
        return {name: _renumbered(name, each, numbers, table) for name, each in value.items()}
    if isinstance(value, str):
        value = re.sub(r"(?<=^upload:)\d+$", lambda found: str(numbers["uploads"][int(found[0])]), value)
        return re.sub(r"(?<=/files/)\d+", lambda found: str(numbers["files"][int(found[0])]), value)
    return value


def _renumbered(name: str, value: Any, numbers: dict[str, dict[int, int]], table: str) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        if name == "id":
            return numbers.get(table, {}).get(value, value)
        return numbers.get(TABLES.get(name.removesuffix("_id"), ""), {}).get(value, value)
    if name.endswith("_ids") and isinstance(value, list):
        of = numbers.get(TABLES.get(name.removesuffix("_ids"), ""), {})
        return [of.get(each, each) for each in value]
    return renumbered(value, numbers, TABLES.get(name, table))


class TestInterrupted:
    """Nothing of a widget that is not whole is anybody's, and another call finishes it."""

    @pytest.fixture
    def stopping(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
        monkeypatch.setattr(imports, "BATCH", 2)
        original = imports._ImportWork.put_batch

        def stop_after(batches: int) -> None:
            done = iter(range(batches))

            def put_batch(work: Any) -> None:
                if next(done, None) is None:
                    raise KeyboardInterrupt
                original(work)

            monkeypatch.setattr(imports._ImportWork, "put_batch", put_batch)

        return stop_after

    @pytest.mark.parametrize("batches", [0, 1, 5, 9, 12, 20, 33])
    def test_an_import_that_was_cut_off_goes_on(
        self, full: Widget, tmp_path: Path, stopping: Callable[[int], None], batches: int
    ) -> None:
        directory = exported(full, tmp_path)
        stopping(batches)
        with pytest.raises(KeyboardInterrupt):
            import_widget(account=full.account, directory=directory, options=WHOLE)
        half = WidgetImport.objects.get().widget
        assert (half.guid != full.guid, half.api_enabled) == (True, False)
        stopping(10_000)
        whole = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        assert whole.pk == half.pk
        tables, _ = widget_export.exported_of_widget(whole.pk)
        assert {table.name: table.rows.count() for table in tables} == json.loads(
            (directory / "complete.json").read_bytes()
        )
        assert not ImportedNumber.objects.exists()

    def test_an_import_that_was_cut_off_can_be_abandoned(
        self, full: Widget, tmp_path: Path, stopping: Callable[[int], None]
    ) -> None:
        directory = exported(full, tmp_path)
        stopping(20)
        with pytest.raises(KeyboardInterrupt):
            import_widget(account=full.account, directory=directory, options=WHOLE)
        abandon_import(account=full.account, directory=directory)
        assert list(Widget.objects.all()) == [full]
        assert not ImportedNumber.objects.exists()
        with pytest.raises(ImportFailed):
            abandon_import(account=full.account, directory=directory)


class TestRefused:
    def test_an_export_that_was_not_finished(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        (directory / "complete.json").unlink()
        with pytest.raises(ImportFailed, match="not made to its end"):
            import_widget(account=full.account, directory=directory, options=WHOLE)
        assert list(Widget.objects.all()) == [full]

    @pytest.mark.parametrize("manifest", [b"{}", b"[]", b"no", b'{"format": "parley-widget", "version": 99}'])
    def test_what_is_no_export(self, account: Account, tmp_path: Path, manifest: bytes) -> None:
        (tmp_path / "manifest.json").write_bytes(manifest)
        (tmp_path / "complete.json").write_bytes(b"{}")
        with pytest.raises(ImportFailed):
            import_widget(account=account, directory=tmp_path)
        assert not Widget.objects.filter(account=account).exists()

    @pytest.mark.parametrize(
        "line", ["no json", "[]", "{}", '{"id": "x", "guid": "y"}', '{"id": 1, "created_at": "no"}']
    )
    def test_a_line_that_is_none(self, full: Widget, tmp_path: Path, line: str) -> None:
        directory = exported(full, tmp_path)
        (directory / "contacts.jsonl").write_text(line + "\n")
        with pytest.raises(ImportFailed):
            import_widget(account=full.account, directory=directory, options=WHOLE)
        assert Contact.objects.count() == 1

    def test_a_file_that_leads_elsewhere(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        (row,) = rows_in(directory, "files")
        for key in ("../manifest.json", "..", "a\x00b", "/etc/passwd\n"):
            (directory / "files.jsonl").write_text(json.dumps({**row, "storage_key": key}) + "\n")
            with pytest.raises(ImportFailed):
                import_widget(account=full.account, directory=directory, options=WHOLE)

    def test_a_folder_that_is_not_empty(self, full: Widget, tmp_path: Path) -> None:
        (tmp_path / "mine.txt").write_text("kept")
        with pytest.raises(exports.ExportFailed):
            export_widget(widget=full, directory=tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


class TestExport:
    def test_it_has_no_secret(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        for path in directory.rglob("*"):
            assert path.is_dir() or SECRET.encode() not in path.read_bytes(), path

    def test_it_is_read_in_batches(self, full: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(widget_export, "BATCH", 2)
        pieces = {name: list(content) for name, content in exports._files(full)}
        assert len(pieces["messages.jsonl"]) == 2
        assert all(piece.count(b"\n") <= 2 for piece in pieces["messages.jsonl"])

    def test_formulas_are_text_in_its_sheets(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        with (directory / "ratings.csv").open(newline="", encoding="utf-8-sig") as file:
            (rating,) = csv.DictReader(file)
        assert (rating["rating"], rating["comment"], rating["operator"]) == ("5", "'+7 thanks", "Alice")
        with (directory / "chats.csv").open(newline="", encoding="utf-8-sig") as file:
            (chat,) = csv.DictReader(file)
        assert (chat["name"], chat["phone"], chat["rating"]) == ("Иван Петров", "'+7 901 123-45-67", "5")

    @pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "\n", "＝1", "\ttext"])
    def test_a_cell_that_looks_like_a_formula_is_escaped(self, text: str) -> None:
        assert cell(text) == f"'{text}"

    @pytest.mark.parametrize("value", ["text", "", "a=b", 5, -5, 0.5])
    def test_what_is_no_formula(self, value: Any) -> None:
        assert cell(value) == value

    def test_bytes_that_are_lost_are_lost_in_the_copy_too(self, full: Widget, tmp_path: Path) -> None:
        directory = exported(full, tmp_path)
        for path in (directory / "files").iterdir():
            path.unlink()
        copy = import_widget(account=full.account, directory=directory, options=WHOLE).widget
        keys = [File.objects.for_widget(each.pk).get().storage_key for each in (full, copy)]
        assert keys[0] != keys[1]


class TestCabinet:
    def test_a_manager_takes_it_and_a_viewer_does_not(self, cabinet: Client, full: Widget) -> None:
        page = f"/admin/accounts/widget/{full.pk}"
        assert f"{page}/export" in cabinet.get(f"{page}/change/").content.decode()
        answer = cabinet.post(f"{page}/export/")
        assert answer["Content-Type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
            assert archive.testzip() is None
            assert {"manifest.json", "messages.jsonl", "chats.csv", "complete.json"} <= set(archive.namelist())
        assert AuditEntry.objects.filter(changes={"export": ["", "made"]}).count() == 1
        viewer = signed_in(StaffFactory.create(account=full.account, role=User.Role.VIEWER))
        assert f"{page}/export" not in viewer.get(f"{page}/change/").content.decode()
        assert viewer.post(f"{page}/export/").status_code == 403

    def test_another_accounts_widget_is_not_there(self, cabinet: Client, rival: Any) -> None:
        assert cabinet.post(f"/admin/accounts/widget/{rival.widget.pk}/export/").status_code in (302, 404)
        assert not AuditEntry.objects.filter(changes={"export": ["", "made"]}).exists()


class TestCommands:
    def test_commands_export_and_import_a_widget(self, full: Widget, rival: Any, tmp_path: Path) -> None:
        directory = str(tmp_path / "export")
        call_command("export_widget", full.guid, directory)
        call_command("import_widget", directory, account=rival.account.email)
        assert Widget.objects.filter(account=rival.account).count() == 2

    def test_an_account_moves(self, full: Widget, rival: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(moves, "QUIET_S", 0.0)
        directory = str(tmp_path / "all")
        account, guid = full.account, full.guid
        call_command("move_account", "out", account.email, directory)
        with pytest.raises(CommandError):  # it is still here
            call_command("move_account", "in", rival.account.email, directory)
        full.delete()
        for _ in range(2):
            call_command("move_account", "in", account.email, directory, keep_numbers=True, with_seats=True)
            assert [widget.guid for widget in Widget.objects.filter(account=account)] == [guid]

    @pytest.mark.parametrize(
        "command",
        [
            ["export_widget", "nobody", "x"],
            ["import_widget", "x", "--account", "nobody@shop.test"],
            ["import_widget", "x", "--account", "office@shop.test"],
            ["import_widget", "x", "--account", "office@shop.test", "--abandon"],
            ["move_account", "out", "nobody@shop.test", "x"],
            ["move_account", "in", "office@shop.test", "x"],
            ["import_chatwoot", "x", "--account", "nobody@shop.test"],
            ["import_chatwoot", "x", "--account", "office@shop.test"],
        ],
    )
    def test_what_is_not_there_is_told(self, account: Account, tmp_path: Path, command: list[str]) -> None:
        with pytest.raises(CommandError):
            call_command(*[str(tmp_path / "none") if each == "x" else each for each in command])
        assert not Widget.objects.filter(account=account).exists()


class TestChatwoot:
    @pytest.fixture
    def taken(self, tmp_path: Path) -> Path:
        (tmp_path / "contacts.csv").write_text(
            "id,name,email,phone_number,company\n7,Jane,jane@mail.test,'+15550100,Acme\n8,Joe\t,no address,ext. 7,\n"
        )

        def message(number: int, kind: int, content: str | None, at: int, **more: Any) -> dict[str, Any]:
            return {"id": number, "message_type": kind, "content": content, "created_at": at, "private": False, **more}

        jane = {"id": 7, "name": "Jane", "type": "contact"}
        # app/models/user.rb of Chatwoot, `push_event_data`: no e-mail address; GET …/agents has it.
        agent = {"id": 3, "name": "Olga", "available_name": "Olga", "avatar_url": "", "type": "user", "thumbnail": ""}
        listed = {
            "id": 3,
            "account_id": 1,
            "name": "Olga",
            "email": "olga@shop.test",
            "role": "agent",
            "confirmed": True,
        }
        (tmp_path / "agents.json").write_text(json.dumps([listed, {**listed, "id": 4, "email": "new@shop.test"}]))
        attached = [{"data_url": "https://chat.test/cat.png"}]
        conversations = [
            {
                "id": 2,
                "status": "open",
                "meta": {"sender": jane},
                "messages": [
                    message(21, 0, "Me again", 1_700_000_200, sender=jane),
                    message(22, 1, "A note", 1_700_000_210, sender=agent, private=True),
                ],
            },
            {
                "id": 1,
                "status": "resolved",
                "meta": {"sender": jane},
                "messages": [
                    message(11, 0, "Hello", 1_700_000_000, sender=jane),
                    message(12, 2, "Conversation was opened", 1_700_000_001),
                    message(13, 1, None, 1_700_000_010, sender=agent, attachments=attached),
                ],
            },
            {
                "id": 3,
                "status": "resolved",
                "meta": {"sender": {"id": 9, "name": "Ann", "email": None, "phone_number": None}},
                "messages": [message(31, 3, "Leave your address", 1_700_000_300)],
            },
        ]
        (tmp_path / "conversations.jsonl").write_text("".join(json.dumps(each) + "\n" for each in conversations))
        return tmp_path

    def test_contacts_and_conversations_come(self, account: Account, taken: Path) -> None:
        StaffFactory.create(account=account, role=User.Role.OWNER, email="boss@shop.test")
        call_command("import_chatwoot", str(taken), account=account.email, name="Old chats")
        widget = Widget.objects.get(account=account)
        assert widget.name == "Old chats"
        jane, joe, ann = Contact.objects.for_widget(widget.pk).order_by("pk")
        assert (jane.name, jane.email, jane.phone, jane.attributes) == (
            *("Jane", "jane@mail.test", "+15550100"),
            {"company": "Acme"},
        )
        assert (joe.name, ann.name) == ("Joe", "Ann")
        assert (joe.email, joe.phone) == ("", ""), "what is neither is kept beside"
        assert joe.attributes == {"email": "no address", "phone_number": "ext. 7"}
        chat = Chat.objects.for_widget(widget.pk).get(contact=jane)
        said = Message.objects.for_widget(widget.pk).filter(chat=chat).order_by("pk")
        assert [(each.body, each.sender_kind, each.is_internal) for each in said] == [
            ("Hello", "client", False),
            ("https://chat.test/cat.png", "agent", False),
            ("Me again", "client", False),
            ("A note", "agent", True),
        ]
        assert (chat.status, chat.handling, chat.last_message) == ("active", "human", said[2])
        boss = Agent.objects.for_widget(widget.pk).get(role="owner")
        assert chat.agent == Agent.objects.for_widget(widget.pk).get(email="olga@shop.test")
        assert boss.user is not None
        assert Chat.objects.for_widget(widget.pk).get(contact=ann).status == "expired"
        api = ApiClient(plain_text(ApiTokenFactory.create(widget=widget)))
        Widget.objects.filter(pk=widget.pk).update(api_enabled=True)
        assert api.get(f"/chats/{chat.pk}/messages").status_code == 200

    def test_the_owner_is_found_among_those_who_wrote(self, account: Account, taken: Path) -> None:
        StaffFactory.create(account=account, role=User.Role.OWNER, email="Olga@shop.test")
        call_command("import_chatwoot", str(taken), account=account.email)
        agent = Agent.objects.for_widget(Widget.objects.get(account=account).pk).get()
        assert (agent.email, agent.role) == ("olga@shop.test", "owner")

    def test_operators_without_an_address_are_told_of(self, account: Account, taken: Path) -> None:
        StaffFactory.create(account=account, role=User.Role.OWNER, email="boss@shop.test")
        (taken / "agents.json").unlink()
        told = io.StringIO()
        call_command("import_chatwoot", str(taken), account=account.email, stderr=told)
        assert "1 operators have no e-mail address" in told.getvalue()

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("no json", "this is no JSON"),
            ("{}", "meta is missing"),
            ('{"meta": {"sender": null}}', "of another kind"),
            ("[1]", "of another kind"),
            ('{"meta": {"sender": {"id": 1}}, "messages": [{"id": 1}]}', "message_type is missing"),
        ],
    )
    def test_what_is_none_of_chatwoots_is_told_by_file_and_line(
        self, account: Account, taken: Path, line: str, why: str
    ) -> None:
        (taken / "conversations.jsonl").write_text(f"\n{line}\n")
        with pytest.raises(CommandError, match=f"^conversations.jsonl, line 2: .*{why}.*Chatwoot"):
            call_command("import_chatwoot", str(taken), account=account.email)
        assert not Widget.objects.filter(account=account).exists()

    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251", "utf-16", "utf-16-le", "utf-16-be"])
    def test_contacts_are_read_as_a_spreadsheet_saves_them_again(
        self, account: Account, taken: Path, delimiter: str, encoding: str
    ) -> None:
        StaffFactory.create(account=account, role=User.Role.OWNER, email="boss@shop.test")
        mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
        rows = (("id", "name", "email", "phone_number"), ("7", "Мария, Рига; дом", "maria@mail.test", ""))
        text = "".join(delimiter.join(f'"{each}"' for each in row) + "\r\n" for row in rows)
        (taken / "contacts.csv").write_bytes((mark + text).encode(encoding))
        call_command("import_chatwoot", str(taken), account=account.email)
        contact = Contact.objects.for_widget(Widget.objects.get(account=account).pk).get(email="maria@mail.test")
        assert contact.name == "Мария, Рига; дом"

    @pytest.mark.parametrize(
        ("contacts", "why"),
        [
            (b"name;mail\nJane;j@mail.test\n", "^contacts.csv, line 1: there is no column `id`"),
            (b"id,name\n7,Jane\nseven,Joe\n", "^contacts.csv, line 3: a value is of another kind.*`id` is a number"),
            (b"id,name\n7,\x98\xff\n", "^contacts.csv: its characters are of no encoding"),
            (b"", "^contacts.csv, line 1: there is no column `id`"),
        ],
    )
    def test_a_file_of_contacts_that_is_none_is_told_with_a_way_on(
        self, account: Account, taken: Path, contacts: bytes, why: str
    ) -> None:
        (taken / "contacts.csv").write_bytes(contacts)
        with pytest.raises(CommandError, match=why + ".*Export Chatwoot's page of contacts again"):
            call_command("import_chatwoot", str(taken), account=account.email)
        assert not Widget.objects.filter(account=account).exists()

    def test_a_list_of_agents_that_is_none_is_told(self, account: Account, taken: Path) -> None:
        (taken / "agents.json").write_text("[3")
        with pytest.raises(CommandError, match=r"^agents\.json: this is no JSON.*`/agents`"):
            call_command("import_chatwoot", str(taken), account=account.email)

    def test_a_surveys_answer_is_the_chats_rating_and_a_deleted_message_nobodys_words(
        self, account: Account, taken: Path
    ) -> None:
        StaffFactory.create(account=account, role=User.Role.OWNER, email="boss@shop.test")
        jane = {"id": 7, "name": "Jane", "type": "contact"}

        def survey(number: int, at: int, **answer: Any) -> dict[str, Any]:
            values = {"submitted_values": {"csat_survey_response": answer}} if answer else {"display_type": "emoji"}
            said = {"id": number, "message_type": 3, "content_type": "input_csat", "content": "Please rate us"}
            return said | {"created_at": at, "private": False, "content_attributes": values}

        deleted = {"id": 40, "message_type": 0, "content": "This message was deleted", "created_at": 1_700_000_000}
        deleted |= {"private": False, "sender": jane, "content_attributes": {"deleted": True}}
        messages = [
            deleted,
            survey(41, 1_700_000_100, rating=2, feedback_message="Slow"),
            survey(42, 1_700_000_200, rating=5, feedback_message="Быстро\nи вежливо"),
            survey(43, 1_700_000_300),
            survey(44, 1_700_000_400, rating=9),
        ]
        conversation = {"id": 9, "status": "resolved", "meta": {"sender": jane}, "messages": messages}
        (taken / "conversations.jsonl").write_text(json.dumps(conversation) + "\n")
        call_command("import_chatwoot", str(taken), account=account.email)
        widget = Widget.objects.get(account=account)
        rating = Rating.objects.for_widget(widget.pk).get()
        assert (rating.value, rating.comment, rating.rated_at.timestamp()) == (5, "Быстро\nи вежливо", 1_700_000_200)
        kinds = Message.objects.for_widget(widget.pk).order_by("pk").values_list("body", "sender_kind")
        assert kinds[0] == ("This message was deleted", "system")
        assert not rating.chat.has_client_messages
