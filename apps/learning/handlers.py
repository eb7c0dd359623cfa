"""Handlers of answers, handovers, ratings and forms, which are demand signals; and of a text that people rewrote."""

from collections.abc import Sequence
from typing import Any

from apps.ai.events import Answered, AnswerRated, HandedOver, PersonaRewritten
from apps.ai.rules.configuration import PersonaCause
from apps.chats.events import ChatTaken, OfflineMessagePosted, RatingChanged, RatingCreated
from apps.core.bus import Cte, adds_cte, handles
from apps.learning.actions import demand, probation
from apps.learning.rules.demand import is_gap
from apps.learning.rules.states import DemandCategory


@adds_cte(Answered)
def note_gap(events: Sequence[Any]) -> Cte | None:
    """Knowledge was looked for, and there was none: noted by the statement that writes down the answer."""
    event = events[-1]
    if not is_gap(rag_status=event.rag_status, transformation=event.transformation, reason=event.reason):
        return None
    return demand.demand_cte(
        widget_id=event.widget_id,
        category=DemandCategory.KNOWLEDGE_GAP,
        chat_id=event.chat_id,
        burst_id=event.first_message_id,
        question=event.question,
    )


@handles(HandedOver)
def note_handover(event: HandedOver) -> None:
    """AI could not help."""
    demand.note_last_words(widget_id=event.widget_id, chat_id=event.chat_id, category=DemandCategory.ESCALATION)


@handles(ChatTaken)
def note_takeover(event: ChatTaken) -> None:
    """A person took over from AI. A widget that AI never answered costs nothing."""
    if event.answerers:
        demand.note_takeover(widget_id=event.widget_id, chat_id=event.chat_id)


@handles(RatingCreated)
def note_rating(event: RatingCreated) -> None:
    """A low rating is a signal."""
    demand.note_rating(widget_id=event.widget_id, chat_id=event.chat_id)


@handles(RatingChanged)
def note_changed_rating(event: RatingChanged) -> None:
    """A rating that is lowered counts as a signal too."""
    demand.note_rating(widget_id=event.widget_id, chat_id=event.chat_id)


@handles(AnswerRated)
def note_thumb(event: AnswerRated) -> None:
    """A visitor's thumb down under an answer is a signal, until it is taken back."""
    demand.note_thumb(
        widget_id=event.widget_id,
        chat_id=event.chat_id,
        burst_id=event.first_message_id,
        question=event.question,
        helpful=event.helpful,
    )


@handles(OfflineMessagePosted)
def note_form(event: OfflineMessagePosted) -> None:
    """A visitor's offline form is a signal."""
    demand.note_last_words(widget_id=event.widget_id, chat_id=event.chat_id, category=DemandCategory.MISSED_CONTACT)


@handles(PersonaRewritten)
def end_probation(event: PersonaRewritten) -> None:
    """Editing a text by hand ends its probation."""
    if event.cause == PersonaCause.EDITED:
        probation.ended_by_hand(widget_id=event.widget_id, assistant_id=event.assistant_id, actor=event.actor)
