"""The rows of a widget that automations and macros may name."""

from apps.agents.models import Agent, Department
from apps.automations.questions import reply_texts
from apps.automations.rules.refusals import KnownIds


def known_ids(widget_id: int, *, without_department: int | None = None) -> KnownIds:
    """The operators who are people and not suspended, and the departments, but for one that goes."""
    people = Agent.objects.for_widget(widget_id).filter(type=Agent.Type.HUMAN).exclude(status=Agent.Status.BANNED)
    departments = Department.objects.for_widget(widget_id).exclude(pk=without_department or 0)
    return KnownIds(
        agents=frozenset(people.values_list("pk", flat=True)),
        departments=frozenset(departments.values_list("pk", flat=True)),
    )


def known_to_macro(widget_id: int, agent_id: int | None) -> KnownIds:
    """These, and the canned replies: the shared ones, and those of the operator whose own macro it is."""
    return known_ids(widget_id)._replace(replies=frozenset(reply_texts(widget_id, agent_id, None)))
