"""The rows that episodes are read off: the histories of many chats, in as many statements as of one."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import BooleanField, Case, ExpressionWrapper, Func, Q, TextField, Value, When
from django.db.models.functions import Right

from apps.chats.models import Chat, ChatActivity, Message, Rating, RatingRequest
from apps.chats.rules import MessageType, SenderKind, Status
from apps.chats.rules.activities import StepKind
from apps.chats.rules.episodes import LONGEST_COURTESY, LOW_RATING, ChatEpisode, episodes_of
from apps.chats.rules.histories import ChatHistory, ChatWord, EpisodeStep, EpisodeStepKind, RatingWord, side_of
from apps.chats.rules.messages import ANSWERING, BY_ITSELF, BY_PERSON

# So many characters of an answer's end say whether it asks.
END_OF_ANSWER = 200
_KINDS = {
    StepKind.CLOSED: EpisodeStepKind.CLOSED,
    StepKind.WAITS: EpisodeStepKind.HANDED_OVER,
    StepKind.DEALT_WITH: EpisodeStepKind.DEALT_WITH,
}
# The words that count, in SQL terms: seen by both sides, of one of them, not deleted, and not said by itself.
_COUNTED = Q(is_internal=False, sender_kind__in=[SenderKind.CLIENT, *ANSWERING]) & ~Q(details__has_key="deleted_at")
_BY_ITSELF = Q(origin__in=BY_ITSELF) & ~Q(sender_kind=SenderKind.CLIENT)
# Of a visitor's text as much as a courtesy may have, and one character more; of an answer its end.
_IS_WORD = Q(sender_kind=SenderKind.CLIENT, type=MessageType.TEXT)
_TEXT = Case(
    When(_IS_WORD, then=Func("body", Value(LONGEST_COURTESY + 1), function="left")),
    When(~Q(sender_kind=SenderKind.CLIENT), then=Right(Func("body", function="rtrim"), END_OF_ANSWER)),
    output_field=TextField(),
)
_BY_PERSON = ExpressionWrapper(Q(**{f"details__{BY_PERSON}": True}), output_field=BooleanField())
_WORD_COLUMNS = ("id", "created_at", "sender_kind", "via", "agent_id", "assistant_id", "language", "page")


def histories_of(widget_id: int, chat_ids: Collection[int]) -> dict[int, ChatHistory]:
    """The histories of those chats of the widget, by chat; an empty one for spam, and for a chat between colleagues.

    Indexes: chats_message_in_chat, chats_step_in_chat, chats_rating_in_chat, chats_request_in_chat.
    """
    chats = Chat.objects.for_widget(widget_id).filter(pk__in=chat_ids)
    counted = {pk: department_id for pk, department_id, is_out in _with_out(chats) if not is_out}
    words, steps = _words(widget_id, counted), _steps(widget_id, counted)
    ratings = _ratings(Rating.objects.for_widget(widget_id), counted, "rated_at", "value")
    requests = _ratings(RatingRequest.objects.for_widget(widget_id), counted, "at")
    return {
        pk: ChatHistory(words[pk], steps[pk], counted.get(pk), ratings[pk], requests[pk])
        if pk in counted
        else ChatHistory(())
        for pk in chat_ids
    }


def episodes_of_chat(widget_id: int, chat_id: int) -> list[ChatEpisode]:
    """The episodes of a chat, in order, as its rows tell them now."""
    return episodes_of(histories_of(widget_id, [chat_id])[chat_id])


def current_episode_id(widget_id: int, chat_id: int) -> int | None:
    """The first message of a chat's newest episode, ended or not; None before the first."""
    episodes = episodes_of_chat(widget_id, chat_id)
    return episodes[-1].id if episodes else None


def _with_out(chats: Any) -> Iterable[tuple[int, int | None, bool]]:
    for pk, department_id, status, internal in chats.values_list("pk", "department_id", "status", "internal"):
        yield pk, department_id, internal or status == Status.SPAM


def _words(widget_id: int, chat_ids: Collection[int]) -> dict[int, list[ChatWord]]:
    messages = Message.objects.for_widget(widget_id).filter(_COUNTED, chat_id__in=chat_ids).exclude(_BY_ITSELF)
    messages = messages.annotate(text=_TEXT, by_person=_BY_PERSON).order_by("chat_id", "id")
    found: dict[int, list[ChatWord]] = defaultdict(list)
    rows = messages.values_list("chat_id", "text", "by_person", *_WORD_COLUMNS)
    for chat_id, text, by_person, pk, at, sender_kind, via, agent_id, assistant_id, language, page in rows.iterator():
        side = side_of(sender_kind, via, {BY_PERSON: by_person})
        found[chat_id].append(ChatWord(pk, at, side, text, agent_id, assistant_id, language, page))
    return found


def _steps(widget_id: int, chat_ids: Collection[int]) -> dict[int, list[EpisodeStep]]:
    steps = ChatActivity.objects.for_widget(widget_id).filter(chat_id__in=chat_ids)
    steps = steps.filter(Q(kind__in=_KINDS) | Q(department_id__isnull=False)).order_by("chat_id", "id")
    found: dict[int, list[EpisodeStep]] = defaultdict(list)
    columns = ("chat_id", "pk", "after_message_id", "at", "kind", "agent_id", "department_id", "comment")
    for chat_id, pk, after_id, at, kind, agent_id, department_id, comment in steps.values_list(*columns):
        is_return = kind == StepKind.WAITS and comment == LOW_RATING
        step_kind = EpisodeStepKind.OTHER if is_return else _KINDS.get(StepKind(kind), EpisodeStepKind.OTHER)
        reason = comment or None
        found[chat_id].append(EpisodeStep(pk, after_id, at, step_kind, agent_id, department_id, reason))
    return found


def _ratings(rows: Any, chat_ids: Collection[int], at: str, *value: str) -> dict[int, list[RatingWord]]:
    found: dict[int, list[RatingWord]] = defaultdict(list)
    columns = ("chat_id", "after_message_id", at, *value)
    for chat_id, *given in rows.filter(chat_id__in=chat_ids).order_by("pk").values_list(*columns):
        found[chat_id].append(RatingWord(*given))
    return found
