"""The facts of AI for both sides: for operators, who answers and the grounds of answers; for visitors, the greeter."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Max

from apps.accounts.rules import Answerer
from apps.agents.serializers.responses import avatar_address
from apps.ai.actions.replies.speakers import speaker_of
from apps.ai.models import AnswerFeedback, Conversation, Exchange, ReplyJob, Turn
from apps.ai.rules.decisions import Mode, ReplyFacts, mode_of
from apps.ai.rules.disclosures import DISCLOSURES, disclosure
from apps.ai.settings import settings_of
from apps.chats.models import Chat, Message
from apps.chats.questions import widget_language
from apps.chats.rules import Handling, OperatorType, SenderKind, Via

# The newest answers of a chat of which is told what they rest on, and what the visitor thought of them.
ANSWERS = 30
_BY_PERSON = (Handling.HUMAN, Handling.AI_TO_HUMAN)


def answering_facts(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The values of `AnsweringSerializer` of the console, for the chats among these whose AI is on."""
    rows = Chat.objects.for_widget(widget_id).select_related("widget").filter(pk__in=chat_ids)
    chats = {chat.pk: chat for chat in rows}
    conversations = {one.pk: one for one in Conversation.objects.for_widget(widget_id).filter(pk__in=chats)}
    jobs = ReplyJob.objects.for_widget(widget_id).filter(chat_id__in=chats, due_at__isnull=False)
    due = dict(jobs.values_list("chat_id", "due_at"))
    waits_for = _waits_for(widget_id, chats)
    words, answers = _last_words(widget_id, chats), _answers(widget_id, chats)
    return {
        pk: {
            "mode": _mode(chat, conversations.get(pk), words.get(pk)),
            "is_shadow": Answerer.AI_IN_SHADOW in chat.widget.answerers,
            "looks_at": due.get(pk),
            "waits_for": waits_for.get(pk),
            "answers": answers.get(pk, []),
        }
        for pk, chat in chats.items()
    }


def served_config(widget_id: int, language: str) -> dict[str, Any]:
    """The members of AI in the config that visitors are served.

    `ai`: who greets them, how, and what they may ask at a click; null while AI is off, in shadow mode, or no operator
    is able to answer. `ai_disclosure`: the sentence before a machine's first message; left out while AI is off and the
    owner has no wording of it, since the widget knows the default.
    """
    settings = settings_of(widget_id)
    is_on = settings.enabled and not settings.shadow_mode
    sentence = disclosure(language, settings.ai_disclosure, settings.ai_disclosure_i18n)
    told = {"ai_disclosure": sentence} if is_on or sentence != DISCLOSURES.get(language) else {}
    return {"ai": _greeter(widget_id, language) if is_on else None, **told}


def _greeter(widget_id: int, language: str) -> dict[str, Any] | None:
    speaker = speaker_of(widget_id, spoke_last=None)
    if speaker is None:
        return None
    assistant, operator = speaker.assistant, speaker.operator
    languages = (language, widget_language(widget_id))
    operator_shown = {
        "id": operator.pk,
        "name": operator.full_name,
        "avatar_url": avatar_address(operator.pk, operator.avatar),
    }
    return {
        "greeting": _in_language(assistant.greeting_i18n, languages, assistant.greeting) or None,
        "quick_phrases": _in_language(assistant.quick_phrases_i18n, languages, assistant.quick_phrases),
        "operator": operator_shown,
    }


def _in_language(texts: Mapping[str, Any], languages: Collection[str], base: Any) -> Any:
    """The text in the first of the languages that has one; else that of no language."""
    return next((texts[language] for language in languages if language in texts), base)


def _mode(chat: Chat, noted: Conversation | None, last_word_at: datetime | None) -> Mode:
    mode = mode_of(
        ReplyFacts(
            owner_id=chat.agent_id,
            handled_by_person=chat.handling in _BY_PERSON and chat.handled_type == OperatorType.HUMAN,
            handed_over_at=chat.handed_over_at,
            handover_reason=chat.handover_reason,
            noted=Mode(noted.mode) if noted else None,
            noted_since=noted.mode_since if noted else None,
            last_word_at=last_word_at,
        )
    )
    # Of what is for people, AI answers nothing; what the visitor writes besides, it does.
    return Mode.WAITING if mode is Mode.AI and chat.for_people_since is not None else mode


def _waits_for(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The external operator that is waited for in each chat. Index: ai_turn_one_open."""
    turns = Turn.objects.for_widget(widget_id).open().filter(chat_id__in=chat_ids)
    rows = turns.values_list("chat_id", "operator__agent__name", "created_at", "deadline_at")
    return {chat_id: {"name": name, "since": since, "until": until} for chat_id, name, since, until in rows}


def _last_words(widget_id: int, chat_ids: Collection[int]) -> dict[int, datetime]:
    """When a person wrote last into each chat."""
    said = Message.objects.for_widget(widget_id).filter(
        chat_id__in=chat_ids, sender_kind=SenderKind.AGENT, is_internal=False
    )
    newest = said.exclude(via=Via.LEGACY_BOT).values("chat_id").annotate(at=Max("created_at"))
    return dict(newest.values_list("chat_id", "at"))


def _answers(widget_id: int, chat_ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """The newest answers that rest on knowledge, or that the visitor rated, by chat, oldest first."""
    most = ANSWERS * max(1, len(chat_ids))
    shown = Exchange.objects.for_widget(widget_id).filter(chat_id__in=chat_ids, answer_message_id__isnull=False)
    rows = shown.exclude(sources=[]).order_by("-id").values_list("chat_id", "answer_message_id", "sources")
    thumbs = AnswerFeedback.objects.for_widget(widget_id).filter(chat_id__in=chat_ids).order_by("-message_id")
    rated = {message_id: rest for message_id, *rest in thumbs.values_list("message_id", "chat_id", "helpful")[:most]}
    answers: dict[Any, tuple[int, list[Any]]] = {
        message_id: (chat_id, sources) for chat_id, message_id, sources in rows[:most]
    }
    answers = {message_id: (chat_id, []) for message_id, (chat_id, _) in rated.items()} | answers
    found: dict[int, list[dict[str, Any]]] = {}
    for message_id, (chat_id, sources) in sorted(answers.items(), reverse=True):
        of_chat = found.setdefault(chat_id, [])
        if len(of_chat) < ANSWERS:
            helpful = rated[message_id][1] if message_id in rated else None
            of_chat.insert(0, {"message_id": message_id, "sources": sources, "helpful": helpful})
    return found
