"""Summing a chat up."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.db.models.functions import Now

from apps.ai.actions.replies.reading import history_of, visible_messages
from apps.ai.rules.redaction import Redaction
from apps.assists.actions.runs import AssistRun
from apps.assists.models import Assist, ChatSummary
from apps.assists.rules.results import AssistResult
from apps.assists.rules.summing import MAX_MESSAGES, MOST_TAGS, TAGS_SHOWN, read_summary, summary_prompt
from apps.chats.broadcasts import ChatsChanged
from apps.chats.models import ContactTag
from apps.chats.questions import widget_language
from apps.core.redis import broadcasts


def summarise(run: AssistRun) -> AssistResult:
    """A summary of the chat, in the language of its reader. Raises AssistFailed, and what `AssistRun.ask` raises."""
    chat = run.chat
    messages = [said for said in visible_messages(chat.widget_id, chat.pk, MAX_MESSAGES) if said.says_something]
    tags = tags_in_use(chat.widget_id)
    language = str(run.asked.get("language") or widget_language(chat.widget_id))
    run.redaction = Redaction()
    prompt = summary_prompt(history_of(messages), tags=tags, language=language, redaction=run.redaction)
    read = run.ask_for_json(prompt, read_summary)
    whole = _restorer(run.redaction)
    summary: dict[str, Any] = {
        "wants": whole(read.wants),
        "done": whole(read.done),
        "open": [whole(line) for line in read.open],
        "promised": [whole(line) for line in read.promised],
    }
    by_name = {tag.casefold(): tag for tag in tags}
    suggested = list(dict.fromkeys(by_name[tag.casefold()] for tag in read.tags if tag.casefold() in by_name))
    if messages:
        run.assist.based_on = messages[-1].id
    return AssistResult(text=summary["wants"], summary=summary, tags=suggested[:MOST_TAGS], language=language)


def _restorer(redaction: Redaction) -> Callable[[str], str]:
    """Puts names back; a line with one that was never given out, or with a card, stays as it is."""

    def whole(text: str) -> str:
        restored = redaction.restore(text)
        return text if restored is None else restored

    return whole


def tags_in_use(widget_id: int) -> list[str]:
    """The tags of the widget's contacts, those in most use first."""
    rows = ContactTag.objects.for_widget(widget_id).values("tag__name").annotate(uses=Count("id"))
    return [row["tag__name"] for row in rows.order_by("-uses", "tag__name")[:TAGS_SHOWN]]


def keep_summary(assist: Assist, result: AssistResult) -> None:
    """Stores the summary as the chat's own, unless there is one of a later message. In a transaction."""
    summary = result.summary or {}
    row = {
        "assist_id": assist.pk,
        "wants": summary["wants"],
        "done": summary["done"],
        "open": summary["open"],
        "promised": summary["promised"],
        "tags": list(result.tags),
        "language": result.language or "",
        "up_to_message_id": assist.based_on,
        "at": Now(),
    }
    mine = ChatSummary.objects.for_widget(assist.widget_id).filter(pk=assist.chat_id)
    newer = mine.filter(up_to_message_id__gt=assist.based_on)
    if newer.exists():
        return
    mine.update_or_create(
        defaults=row, create_defaults={**row, "chat_id": assist.chat_id, "widget_id": assist.widget_id}
    )
    told = ChatsChanged(chat_ids=(assist.chat_id,), widget_ids=(assist.widget_id,))
    transaction.on_commit(partial(broadcasts.send, told))
