"""The acts that change the chat itself."""

from datetime import timedelta

from django.utils import timezone

from apps.accounts.rules import ANSWER_FIRST
from apps.agents.models import Agent, Department
from apps.automations.actions.acts.acting import DONE, GONE, Acting, Done, changing, skipped
from apps.automations.events import WantsAi
from apps.automations.rules.runs import ActResult
from apps.chats import actions as chats
from apps.chats.models import Chat, ChatActivity
from apps.chats.rules import Status
from apps.chats.rules.activities import StepKind
from apps.chats.rules.priorities import Priority
from apps.chats.rules.ratings import RequestCause
from apps.core import bus


def assign(acting: Acting) -> Done:
    """The chat is that person's."""
    agent_id = acting.act["agent_id"]
    if not Agent.objects.for_widget(acting.chat.widget_id).people().filter(pk=agent_id).exists():
        return skipped(GONE)
    if acting.chat.agent_id == agent_id:
        return DONE
    return changing(acting, lambda: chats.assign_chat(**acting.ids, agent_id=agent_id, by_agent_id=acting.by_agent_id))


def unassign(acting: Acting) -> Done:
    """The chat is nobody's."""
    return changing(acting, lambda: chats.return_chat(**acting.ids, by_agent_id=acting.by_agent_id))


def send_to(acting: Acting) -> Done:
    """The chat is that department's."""
    department_id, by_agent_id = acting.act["department_id"], acting.by_agent_id
    if not Department.objects.for_widget(acting.chat.widget_id).filter(pk=department_id).exists():
        return skipped(GONE)
    return changing(
        acting,
        lambda: chats.transfer_chat_to_department(**acting.ids, department_id=department_id, by_agent_id=by_agent_id),
    )


def priority(acting: Acting) -> Done:
    """The chat has that priority."""
    value = Priority(acting.act["value"])
    return changing(acting, lambda: chats.set_priority(**acting.ids, priority=value, by_agent_id=acting.by_agent_id))


def snooze(acting: Acting) -> Done:
    """The chat is put aside for those minutes; until its visitor writes without them."""
    minutes = acting.act["minutes"]
    until = max(acting.as_of, timezone.now()) + timedelta(minutes=minutes) if minutes is not None else None
    if until is None and acting.chat.snoozed_at is not None and acting.chat.snoozed_until is None:
        return DONE
    return changing(acting, lambda: chats.snooze_chat(**acting.ids, agent_id=acting.by_agent_id, until=until))


def close(acting: Acting) -> Done:
    """The chat is closed; undone, its step goes, too."""
    if acting.chat.status == Status.EXPIRED:
        return DONE
    done = changing(
        acting,
        lambda: chats.close_chat(**acting.ids, reason=acting.act.get("reason"), by_agent_id=acting.by_agent_id),
    )
    steps = ChatActivity.objects.for_widget(acting.chat.widget_id).filter(chat=acting.chat, kind=StepKind.CLOSED)
    step_id = steps.order_by("-pk").values_list("pk", flat=True).first()
    return done._replace(before={**(done.before or {}), "step_id": step_id})


def to_ai(acting: Acting) -> Done:
    """The machine that answers the widget's visitors has the word again."""
    if set(ANSWER_FIRST).isdisjoint(acting.chat.answerers):
        return skipped("no_ai")
    done = changing(acting, lambda: _give_to_machines(acting))
    bus.publish(WantsAi(**acting.ids))
    return done


def _give_to_machines(acting: Acting) -> Chat:
    chats.return_chat(**acting.ids, by_agent_id=acting.by_agent_id)
    return chats.end_handover(**acting.ids)


def to_person(acting: Acting) -> Done:
    """The chat waits for a person, unless one handles it."""
    if acting.chat.status == Status.SPAM:
        return skipped("spam")
    return changing(acting, lambda: chats.escalate(**acting.ids, reason=acting.act["reason"]))


def ask_rating(acting: Acting) -> Done:
    """The visitor is asked for a rating; not while they are asked already."""
    if acting.chat.rating_requested_at is None:
        cause = RequestCause.MACRO if acting.agent else RequestCause.AUTOMATION
        chats.request_rating(**acting.ids, cause=cause, agent_id=acting.by_agent_id)
    return Done(ActResult.DONE)
