"""Assists that nobody asks for: a draft where a visitor waits, a summary where a chat changes hands."""

from typing import Any
from uuid import uuid4

from django.apps import apps as django_apps
from django.conf import settings as installation
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from apps.agents.models import Agent
from apps.ai.actions.usage import is_budget_left
from apps.ai.settings import settings_of
from apps.assists.actions.asking import available_kinds, newest_visible, queue_assist
from apps.assists.models import Assist, ChatSummary
from apps.assists.rules.kinds import AT_ONCE_OF_OPERATOR, AssistKind
from apps.assists.rules.summing import LEAST_CHARACTERS, LEAST_MESSAGES, LEAST_NEW, LONG_CHAT, MAX_MESSAGES
from apps.chats.models import Chat, Message
from apps.chats.querysets.waiting import waits_since
from apps.chats.questions import widget_language
from apps.chats.rules import SenderKind
from apps.chats.rules.console_settings import DraftsMode, SummariesMode
from apps.chats.settings import console_settings
from apps.core import database


@transaction.atomic
def chat_opened(*, agent: Agent, chat_id: int) -> None:
    """An operator has opened a chat: a draft if its visitor waits, a summary if it is long and new to them."""
    desk = console_settings(agent.widget_id)
    if desk.drafts == DraftsMode.WAITING or (desk.drafts != DraftsMode.OFF and _is_of_drafting_mailbox(agent, chat_id)):
        draft_for_waiting(agent=agent, chat_id=chat_id)
    if desk.summaries == SummariesMode.AUTO and _is_long_and_unseen(agent.widget_id, chat_id):
        sum_up(widget_id=agent.widget_id, chat_id=chat_id, language=_language_of(agent), agent=agent)


def draft_for_waiting(*, agent: Agent, chat_id: int) -> Assist | None:
    """A draft for an operator in whose chat the visitor waits; one a state of the chat. In a transaction."""
    chats = Chat.objects.for_widget(agent.widget_id).filter(pk=chat_id)
    chat = chats.exclude(status="spam").annotate(since=waits_since(timezone.now())).filter(since__isnull=False).first()
    if chat is None:
        return None
    database.lock(f"assists:{agent.pk}")
    newest = newest_visible(agent.widget_id, chat_id)
    mine = Assist.objects.for_widget(agent.widget_id).filter(agent=agent)
    if mine.filter(chat_id=chat_id, kind=AssistKind.DRAFT, based_on__gte=newest).exists():
        return None
    if mine.in_flight().count() >= AT_ONCE_OF_OPERATOR or not _may_be_asked(agent.widget_id, AssistKind.DRAFT):
        return None
    return _queued(chat, AssistKind.DRAFT, based_on=newest, agent=agent)


def sum_up(
    *, widget_id: int, chat_id: int, language: str, least_new: int = 1, agent: Agent | None = None
) -> Assist | None:
    """A summary of a chat that has enough to sum up, and so much that is new since the last. In a transaction."""
    chat = Chat.objects.for_widget(widget_id).filter(pk=chat_id, internal=False).exclude(status="spam").first()
    if chat is None:
        return None
    visible = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, is_internal=False)
    visible = visible.exclude(sender_kind=SenderKind.SYSTEM)
    said = list(visible.order_by("-pk").values_list("pk", "body")[:MAX_MESSAGES])
    if len(said) < LEAST_MESSAGES or sum(len(body) for _, body in said) < LEAST_CHARACTERS:
        return None
    known = ChatSummary.objects.for_widget(widget_id).filter(pk=chat_id).first()
    if known and sum(pk > known.up_to_message_id for pk, _ in said) < least_new and known.language == language:
        return None
    database.lock(f"assists.summary:{chat_id}")
    under_way = Assist.objects.for_widget(widget_id).filter(chat_id=chat_id, kind=AssistKind.SUMMARY).in_flight()
    if under_way.exists() or not _may_be_asked(widget_id, AssistKind.SUMMARY):
        return None
    return _queued(chat, AssistKind.SUMMARY, based_on=said[0][0], agent=agent, language=language)


def changed_hands(*, widget_id: int, chat_id: int, to_agent_id: int | None) -> Assist | None:
    """A chat was given to somebody, to a department, or to people by AI: it is summed up for whom it is for."""
    agent = Agent.objects.for_widget(widget_id).filter(pk=to_agent_id or 0).select_related("user").first()
    language = _language_of(agent) if agent else widget_language(widget_id)
    return sum_up(widget_id=widget_id, chat_id=chat_id, language=language)


def taken_over(*, widget_id: int, chat_id: int, agent_id: int) -> Assist | None:
    """A person has taken a chat: it is summed up if enough is new since it was last."""
    agent = Agent.objects.for_widget(widget_id).filter(pk=agent_id).select_related("user").first()
    language = _language_of(agent) if agent else widget_language(widget_id)
    return sum_up(widget_id=widget_id, chat_id=chat_id, language=language, least_new=LEAST_NEW)


def _may_be_asked(widget_id: int, kind: AssistKind) -> bool:
    return kind in available_kinds(widget_id) and is_budget_left(settings_of(widget_id), automatic=True)


def _queued(chat: Chat, kind: AssistKind, *, based_on: int, agent: Agent | None, **asked: Any) -> Assist:
    return queue_assist(
        chat, kind=kind, asked=asked, agent=agent, client_id=uuid4(), is_automatic=True, based_on=based_on
    )


def _is_of_drafting_mailbox(agent: Agent, chat_id: int) -> bool:
    """Whether the chat is of a mailbox whose letters AI drafts answers to."""
    if not django_apps.is_installed("apps.letters"):
        return False
    from apps.letters.actions.mailboxes import drafts_in

    channel = Chat.objects.for_widget(agent.widget_id).filter(pk=chat_id).values_list("channel", flat=True).first()
    return channel is not None and drafts_in(agent.widget_id, channel)


def _is_long_and_unseen(widget_id: int, chat_id: int) -> bool:
    """Whether so much stands behind the last message of the visitor that an operator has seen."""
    visible = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, is_internal=False)
    seen = visible.filter(sender_kind=SenderKind.CLIENT, seen_at__isnull=False).aggregate(newest=Max("id"))
    return visible.exclude(sender_kind=SenderKind.SYSTEM).filter(pk__gt=seen["newest"] or 0).count() >= LONG_CHAT


def _language_of(agent: Agent) -> str:
    """The language that the console speaks to an operator."""
    chosen = agent.user.language if agent.user else ""
    return chosen or ("ru" if installation.LANGUAGE_CODE.startswith("ru") else "en")
