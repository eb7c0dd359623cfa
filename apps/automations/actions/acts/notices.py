"""The acts that tell others: operators, in the console and by mail; integrators, by webhook."""

from collections.abc import Collection
from typing import Any

from apps.accounts.rules import MANAGER, OWNER
from apps.agents.models import Agent
from apps.automations.actions.acts.acting import GONE, Acting, Done, skipped
from apps.automations.events import AutomationFired, NoticeGiven, NoticeMailWanted
from apps.automations.rules.runs import ActResult
from apps.core import bus


def notify(acting: Acting) -> Done:
    """Operators are told: in the console now, by mail outside their quiet hours."""
    whom, by = acting.act["whom"], acting.act["by"]
    agent_ids = tuple(_told(acting, whom))
    if not agent_ids:
        return skipped("nobody" if isinstance(whom, str) else GONE)
    text = acting.act["text"]
    if "console" in by:
        automation_id = acting.automation.pk if acting.automation else None
        bus.publish(NoticeGiven(**acting.ids, automation_id=automation_id, agent_ids=agent_ids, text=text))
    if "mail" in by:
        bus.publish(NoticeMailWanted(**acting.ids, agent_ids=agent_ids, name=acting.run.name, text=text))
    return Done(ActResult.DONE)


def _told(acting: Acting, whom: Any) -> Collection[int]:
    chat = acting.chat
    people = Agent.objects.for_widget(chat.widget_id).people()
    if not isinstance(whom, str):
        people = people.filter(pk__in=whom["agent_ids"])
    elif whom == "owner":
        people = people.filter(pk=chat.agent_id or 0)
    elif whom == "department":
        people = people.filter(departments=chat.department_id) if chat.department_id else people
    else:
        account_id = chat.widget.account_id
        people = people.filter(
            user__is_staff=True, user__is_active=True, user__account_id=account_id, user__role__in=(OWNER, MANAGER)
        )
    return list(people.order_by("pk").values_list("pk", flat=True).distinct())


def webhook(acting: Acting) -> Done:
    """The widget's webhooks are sent `automation.fired`, under that name."""
    automation = acting.automation
    bus.publish(
        AutomationFired.of(
            acting.chat,
            automation_id=automation.pk if automation else None,
            version=acting.run.version,
            name=acting.act["name"],
            run_id=acting.run.pk,
        )
    )
    return Done(ActResult.DONE)
