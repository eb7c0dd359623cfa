"""The tables of operators and departments in an export of a widget."""

from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.accounts.models import User
from apps.agents.models import Agent, Department


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Invitations and presence stay; an operator signs in if the new account has a person with their address."""
    yield ExportTable(
        name="agents",
        rows=Agent.objects.for_widget(widget_id),
        without=("user_id", "online_since"),
        refers={"ai_assistant_id": "assistants"},
        later=("ai_assistant_id",),
        stored=("avatar",),
        besides={"user_email": "user__email"},
        made=_sign_in,
    )
    yield ExportTable(name="departments", rows=Department.objects.for_widget(widget_id), stored=("avatar",))
    members = Department.agents.through.objects.filter(department__widget_id=widget_id)
    yield ExportTable(name="department_agents", rows=members)


def _sign_in(made: list[tuple[Any, dict[str, Any]]], account_id: int) -> None:
    wanted = [row["user_email"] for _, row in made if row.get("user_email")]
    people = dict(User.objects.filter(account_id=account_id, email__in=wanted).values_list("email", "pk"))
    for agent, row in made:
        agent.user_id = people.get(row.get("user_email"))


EXPORT = WidgetExport(tables=exported_of_widget)
