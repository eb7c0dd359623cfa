"""The owner of a chat: accepting, assigning and transferring it, and what else its operators do (rules/attribution).

Every entry point that lets an operator write, or hands a chat on, calls these actions.
"""

from django.db import transaction
from django.utils import timezone

from apps.agents.models import Agent, Department
from apps.agents.rules import person_refusal
from apps.chats.actions.changes import accepted, locked_chat, record_change, record_step
from apps.chats.actions.snoozes import AT_HAND, is_aside
from apps.chats.errors import CHAT_IS_SPAM, CHAT_IS_TAKEN
from apps.chats.events import AuthorType, ChatReturned, ChatSentToDepartment, ChatTaken, ChatTransferred
from apps.chats.models import Chat, Transfer
from apps.chats.rules import ATTRIBUTION_COLUMNS, Attribution, Status
from apps.chats.rules.activities import StepKind
from apps.chats.rules.attribution import AttributionEvent, after, waiting_for_person
from apps.core import bus
from apps.core.errors import INVALID_INPUT, NOT_FOUND


@transaction.atomic
def report_attribution_event(*, widget_id: int, chat_id: int, event: AttributionEvent, agent_id: int | None) -> Chat:
    """Records what an operator did in a chat; emits `chat.accepted` for its first answer.

    `agent_id` is the agent whom AttributionEvent names; the caller has checked that they are the widget's. Raises
    NOT_FOUND (404) for a chat that is not the widget's.
    """
    chat = locked_chat(widget_id, chat_id)
    _apply(chat, event, agent_id)
    return chat


@transaction.atomic
def escalate(*, widget_id: int, chat_id: int, reason: str, agent_id: int | None = None) -> Chat:
    """An AI or external operator hands a chat to people, to a named one or to any: it waits for a person.

    It waits until a person answers, accepts it, is assigned or given it, until an AI operator takes it over, or until
    it is closed; the sweep does not end it. `reason` is a slug of at most 32 characters; a second handover keeps since
    when it waits. Without effect on a chat that a person handles: they were quicker. Raises NOT_FOUND (404).
    """
    chat = locked_chat(widget_id, chat_id)
    if _apply(chat, AttributionEvent.ESCALATED, agent_id, reason):
        record_step(chat, StepKind.WAITS, to_agent_id=agent_id, comment=reason)
    return chat


@transaction.atomic
def request_operator(*, widget_id: int, chat_id: int, reason: str) -> Chat:
    """Does the same for a program that writes under a person's name: the chat waits, although a person seems to have
    answered.
    """
    chat = locked_chat(widget_id, chat_id)
    before = _attribution_of(chat)
    waiting = waiting_for_person(before, reason=reason, now=timezone.now())
    if waiting != before:
        record_step(chat, StepKind.WAITS, comment=reason)
        record_change(chat, **waiting.columns())
    return chat


@transaction.atomic
def end_handover(*, widget_id: int, chat_id: int) -> Chat:
    """People are not waited for any more: a machine may answer. Without effect where they were not.

    Raises NOT_FOUND (404), CHAT_IS_SPAM (409).
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    waits = {"handed_over_at": None, "handover_reason": None, "for_people_since": None}
    if any(getattr(chat, name) is not None for name in waits):
        record_change(chat, **waits)
    return chat


@transaction.atomic
def return_chat(*, widget_id: int, chat_id: int, by_agent_id: int | None = None) -> Chat:
    """A person gives a chat back: it has no owner, and any operator may take it, an AI operator too.

    `accepted_by` and `handled_by` stay as they are. Without effect on a chat without an owner. Raises NOT_FOUND (404),
    CHAT_IS_SPAM (409).
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    if chat.agent_id is not None:
        returned = ChatReturned.of(chat, from_agent_id=chat.agent_id)
        record_step(chat, StepKind.RETURNED, agent_id=by_agent_id)
        record_change(chat, returned, agent_id=None, **AT_HAND)
    return chat


@transaction.atomic
def accept_chat(*, widget_id: int, chat_id: int, agent_id: int, only_if_free: bool = False) -> Chat:
    """A person takes a chat and becomes its owner; if it had another owner, `chat.transferred` is published.

    With `only_if_free` it is not taken from another person: of two who accept at once, one gets it. Raises
    CHAT_IS_TAKEN (409) for the other, and what `transfer_chat` raises.
    """
    chat = _chat_to_give(widget_id, chat_id, agent_id)
    if only_if_free and chat.agent_id not in (None, agent_id):
        raise CHAT_IS_TAKEN()
    if chat.agent_id != agent_id:
        record_step(chat, StepKind.ACCEPTED, agent_id=agent_id)
    _hand_over(chat, AttributionEvent.HUMAN_ACCEPTED, agent_id)
    return chat


@transaction.atomic
def assign_chat(*, widget_id: int, chat_id: int, agent_id: int, by_agent_id: int | None = None) -> Chat:
    """Assigns a chat to a person; if it had another owner, `chat.transferred` is published.

    Raises what `transfer_chat` raises.
    """
    chat = _chat_to_give(widget_id, chat_id, agent_id)
    if chat.agent_id != agent_id:
        record_step(chat, StepKind.ASSIGNED, agent_id=by_agent_id, to_agent_id=agent_id)
    _hand_over(chat, AttributionEvent.HUMAN_ASSIGNED, agent_id)
    return chat


@transaction.atomic
def transfer_chat(
    *,
    widget_id: int,
    chat_id: int,
    agent_id: int,
    author_type: AuthorType = "OPERATOR",
    by_agent_id: int | None = None,
    comment: str = "",
) -> Chat:
    """Routes a chat to a person, in whichever state it is; emits `chat.transferred` unless it was theirs already.

    An answered chat is handled by that person from now on; a transfer answers none, so a missed chat stays missed. The
    `comment` is for that person to read in the thread.

    Raises NOT_FOUND (404) for a chat or agent that is not the widget's, INVALID_INPUT (422) on `agent_id` for an agent
    who is no person or is banned, CHAT_IS_SPAM (409).
    """
    chat = _chat_to_give(widget_id, chat_id, agent_id)
    if chat.agent_id != agent_id:
        record_step(chat, StepKind.TRANSFERRED, agent_id=by_agent_id, to_agent_id=agent_id, comment=comment)
    _hand_over(chat, AttributionEvent.TRANSFERRED, agent_id, author_type=author_type)
    return chat


@transaction.atomic
def transfer_chat_to_department(
    *, widget_id: int, chat_id: int, department_id: int, by_agent_id: int | None = None, comment: str = ""
) -> Chat:
    """Routes a chat to a department, in any state: it has no owner until an operator takes it.

    `accepted_by` and `handled_by` stay as they are. No `chat.transferred` tells of it, which names operators; nor does
    it count as one in statistics. A chat of the department that has no owner stays as it is. Messages between
    colleagues in an internal department stay internal, even if the chat is routed elsewhere later.

    Raises NOT_FOUND (404) for a chat or department that is not the widget's, CHAT_IS_SPAM (409).
    """
    # The department before the chat, as who deletes it locks them.
    department = (
        Department.objects.for_widget(widget_id).select_for_update(no_key=True).filter(pk=department_id).first()
    )
    chat = locked_chat(widget_id, chat_id)
    if department is None:
        raise NOT_FOUND("There is no such department.")
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    if (chat.department_id, chat.agent_id) != (department.pk, None):
        internal = chat.internal or department.internal
        record_step(chat, StepKind.TRANSFERRED, agent_id=by_agent_id, department_id=department.pk, comment=comment)
        given = ChatSentToDepartment.of(chat, department_id=department.pk)
        record_change(chat, given, department_id=department.pk, internal=internal, agent_id=None, **AT_HAND)
    return chat


def _hand_over(chat: Chat, event: AttributionEvent, agent_id: int, *, author_type: AuthorType = "OPERATOR") -> None:
    """A person has the locked chat from now on, by whichever of these events.

    Passing from one operator to another is a transfer, whatever it is called; so is what is called one, of a free chat.
    """
    owner_id, from_agent_id = chat.agent_id, chat.agent_id or chat.handled_agent_id
    _apply(chat, event, agent_id)
    if is_aside(chat):
        record_change(chat, **AT_HAND)
    bus.publish(ChatTaken.of(chat, agent_id=agent_id))
    if from_agent_id == agent_id or (owner_id is None and event is not AttributionEvent.TRANSFERRED):
        return
    Transfer.objects.create(widget_id=chat.widget_id, chat=chat, from_agent_id=from_agent_id, to_agent_id=agent_id)
    bus.publish(ChatTransferred.of(chat, from_agent_id=from_agent_id, to_agent_id=agent_id, author_type=author_type))


def _chat_to_give(widget_id: int, chat_id: int, agent_id: int) -> Chat:
    chat = locked_chat(widget_id, chat_id)
    agent = Agent.objects.for_widget(widget_id).get_or_404("There is no such agent.", pk=agent_id)
    if refusal := person_refusal(agent.type, agent.status):
        raise INVALID_INPUT(errors={"agent_id": [refusal]})
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    return chat


def _apply(chat: Chat, event: AttributionEvent, agent_id: int | None, reason: str = "") -> bool:
    """Records what an event makes of a locked chat's attribution; nothing, and False, when it makes no difference."""
    before = _attribution_of(chat)
    attribution = after(before, event, agent_id=agent_id, now=timezone.now(), reason=reason)
    if attribution == before:
        return False
    record_change(chat, *accepted(chat, before, attribution), **attribution.columns())
    return True


def _attribution_of(chat: Chat) -> Attribution:
    return Attribution.from_columns([getattr(chat, name) for name in ATTRIBUTION_COLUMNS])
