"""The acts that write: notes to operators, and the shop's word to the visitor.

A burst gets one visible answer.
"""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.agents.models import Agent
from apps.automations.actions.acts.acting import Acting, Done, skipped
from apps.automations.models import AutomationRun
from apps.automations.querysets.variables import variable_values
from apps.automations.questions import reply_texts
from apps.automations.rules.limits import MAX_REPLIES_HOURLY
from apps.automations.rules.runs import SPEAKS_LATE, ActResult
from apps.automations.rules.variables import INPUT, FilledText, filled
from apps.chats import actions as chats
from apps.chats.models import Chat, Message
from apps.chats.querysets.counted_messages import IS_AUTOMATIONS_WORD
from apps.chats.questions import shown_name, spoken_language, visitor_language, widget_language
from apps.chats.rules import MessageType, SenderKind, Status, Via
from apps.chats.rules.messages import ANSWERING, BY_AUTOMATION, MAX_BODY_LENGTH

RUN = "run_id"  # in the details of the shop's word
_HOUR = timedelta(hours=1)
_BY_AUTOMATION = f"sender_kind = '{SenderKind.SYSTEM}' AND origin = '{BY_AUTOMATION}'"
_SAID = "widget_id = %(widget_id)s AND chat_id = %(chat_id)s AND NOT is_internal"
# The visitor's messages that a reply answered, as the first word behind them (the hook of chats). In nearly every chat
# nothing but the first condition is looked at.
TAKEN_MESSAGES = f"""
SELECT asked.id FROM asked WHERE EXISTS (
    SELECT FROM chats_message WHERE {_SAID} AND id > (SELECT min(id) FROM asked) AND {_BY_AUTOMATION}
) AND (
    SELECT sender_kind FROM chats_message
    WHERE {_SAID} AND chats_message.id > asked.id
      AND (sender_kind IN ({", ".join(f"'{kind}'" for kind in ANSWERING)}) OR ({_BY_AUTOMATION}))
    ORDER BY chats_message.id LIMIT 1
) = '{SenderKind.SYSTEM}'"""  # noqa: S608 - of constants


def note(acting: Acting) -> Done:
    """A note for operators: of who runs the macro, else of the service itself."""
    body = text_for(acting).text[:MAX_BODY_LENGTH]
    if acting.agent is None:
        posted = chats.post_system_note(**acting.ids, body=body)
    else:
        content = {"type": MessageType.TEXT, "body": body}
        posted = chats.post_note(**acting.ids, agent_id=acting.agent.pk, content=content, via=Via.CONSOLE)
    return Done(ActResult.DONE, None, {"message_id": posted.id})


def reply(acting: Acting) -> Done:
    """The shop's word to the visitor, at most one a burst; a macro's is its operator's own message."""
    if acting.agent is not None:
        body = acting.texts.get("body") or text_for(acting).text
        content = {"type": MessageType.TEXT, "body": body[:MAX_BODY_LENGTH]}
        client_id = acting.texts.get("client_id")
        chats.post_agent_message(
            **acting.ids, agent_id=acting.agent.pk, content=content, client_id=client_id, via=Via.CONSOLE
        )
        return Done(ActResult.DONE)
    if why := _silence(acting):
        return skipped(why)
    chat = acting.chat
    chats.post_shop_word(
        **acting.ids,
        body=text_for(acting).text[:MAX_BODY_LENGTH],
        name=shown_name(chat.widget_id, spoken_language(chat), chat.widget.name),
        details={RUN: acting.run.pk},
    )
    return Done(ActResult.DONE)


def text_for(acting: Acting) -> FilledText:
    """The text of a note or a reply in the visitor's language, with all that is known of the chat."""
    texts = acting.texts
    return fill(acting.act, acting.chat, acting.agent, texts.get("values") or {}, texts.get("optional") or ())


def fill(
    act: Mapping[str, Any],
    chat: Chat,
    agent: Agent | None,
    inputs: Mapping[str, str],
    optional: Collection[str] = (),
) -> FilledText:
    """The text of an act in the visitor's language, filled; `inputs` are values by their keys, of which those that are
    `optional` may be left out.
    """
    language = str(visitor_language(chat) or widget_language(chat.widget_id))
    short = language.split("-")[0]
    if "reply_id" in act:
        text = reply_texts(chat.widget_id, agent.pk if agent else None, short).get(act["reply_id"], "")
    else:
        texts = act.get("texts") or {}
        text = texts.get(language) or texts.get(short) or act["text"]
    values = variable_values(chat, agent, short, timezone.localtime())
    found = filled(text, {**values, **{f"{INPUT}{key}": value for key, value in inputs.items()}})
    left_out = [name for key in optional if (name := f"{INPUT}{key}") in found.missing]
    text = found.text
    for name in left_out:
        text = text.replace(f"{{{name}}}", "")
    return FilledText(text, [name for name in found.missing if name not in left_out])


def _silence(acting: Acting) -> str | None:
    """Why the visitor is not written to."""
    chat = acting.chat
    if chat.status == Status.SPAM:
        return "spam"
    if chat.internal:
        return "internal"
    if acting.facts.get("is_automatic"):
        return "automatic_letter"
    words = _spoken(chat)
    if words.filter(IS_AUTOMATIONS_WORD, created_at__gt=timezone.now() - _HOUR).count() >= MAX_REPLIES_HOURLY:
        return "limit"
    theirs = words.filter(sender_kind=SenderKind.CLIENT).order_by("-id").values_list("id", flat=True).first() or 0
    since = words.filter(id__gt=theirs)
    if acting.trigger in SPEAKS_LATE:
        is_answered = _spoke_late(since)
    else:
        is_answered = since.filter(Q(sender_kind__in=ANSWERING) | IS_AUTOMATIONS_WORD).exists()
    return "already_answered" if is_answered else None


def _spoken(chat: Chat) -> QuerySet[Message]:
    said = Message.objects.for_widget(chat.widget_id).filter(chat=chat, is_internal=False)
    return said.exclude(~Q(sender_kind=SenderKind.CLIENT) & Q(details__has_key="deleted_at"))


def _spoke_late(since: QuerySet[Message]) -> bool:
    """Whether a reply of those triggers that answer nobody was among these messages."""
    runs = [
        details.get(RUN) for details in since.filter(IS_AUTOMATIONS_WORD).values_list("details", flat=True) if details
    ]
    found = AutomationRun.objects.unscoped("of messages read with their widget").filter(pk__in=runs)
    triggers = found.values_list("trigger", flat=True)
    return any((each.get("event") or each.get("wait")) in SPEAKS_LATE for each in triggers)
