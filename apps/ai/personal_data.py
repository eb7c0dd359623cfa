"""The personal data that the AI side holds of a contact: redacted exchanges, thumbs, turns of external operators."""

from collections.abc import Iterator

from apps.ai.models import AnswerFeedback, Conversation, EvaluationCase, EvaluationResult, Exchange, ReplyJob, Turn
from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.chats.models import Chat


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """All of it goes with the chats, and so do test questions that were made of them, with their results; uses of a
    model are counted by a chat's number, and hold no words."""
    of_chats = {"chat__contact_id": contact_id}
    told = ("chat_id", "question", "answer", "language", "outcome", "at")
    thumbs = AnswerFeedback.objects.for_widget(widget_id).filter(**of_chats)
    yield PersonalRows(name="answer_feedback", rows=thumbs, fields=("chat_id", "message_id", "helpful", "at"))
    yield PersonalRows(name="exchanges", rows=Exchange.objects.for_widget(widget_id).filter(**of_chats), fields=told)
    yield PersonalRows(name="turns", rows=Turn.objects.for_widget(widget_id).filter(**of_chats))
    yield PersonalRows(name="conversations", rows=Conversation.objects.for_widget(widget_id).filter(**of_chats))
    chats = list(Chat.objects.for_widget(widget_id).filter(contact_id=contact_id).values_list("pk", flat=True))
    cases = EvaluationCase.objects.for_widget(widget_id).filter(born_chat_id__in=chats)
    results = EvaluationResult.objects.for_widget(widget_id).filter(
        case_id__in=list(cases.values_list("pk", flat=True))
    )
    yield PersonalRows(name="evaluation_results", rows=results)
    yield PersonalRows(name="evaluation_cases", rows=cases, fields=("born_chat_id", "question", "created_at"))
    yield PersonalRows(name="reply_jobs", rows=ReplyJob.objects.for_widget(widget_id).filter(**of_chats))


PERSONAL_DATA = PersonalData(held_of_contact)
