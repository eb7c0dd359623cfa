"""The operator whom a chat would go to now, for who gives it on at once."""

from datetime import datetime

from apps.chats.models import Chat
from apps.chats.questions import visitor_language
from apps.chats.rules import OperatorType
from apps.chats.rules.priorities import Priority
from apps.routing.actions.settings import routings_of
from apps.routing.querysets.operators import operators_of
from apps.routing.rules.matching import PlaceMatching, QueuedChat


def is_routed(chat: Chat) -> bool:
    """Whether the chat's department is routed."""
    routings = routings_of(chat.widget_id)
    return routings.get(chat.department_id, routings[None]).is_routed


def best_operator(chat: Chat, as_of: datetime) -> int | None:
    """The operator before the others by the rules of the queue; None where nobody has a free place."""
    routings = routings_of(chat.widget_id)
    matching = PlaceMatching(operators_of(chat.widget_id, routings[None]), routings, as_of)
    of_person = chat.handled_agent_id if chat.handled_type == OperatorType.HUMAN else None
    wanted = QueuedChat(
        id=chat.pk,
        department_id=chat.department_id,
        priority=Priority(chat.priority),
        waits_since=as_of,
        language=visitor_language(chat) or "",
        last_operator_id=chat.agent_id or of_person,
    )
    return next((each.operator.id for each in matching.matches([wanted], as_of)), None)
