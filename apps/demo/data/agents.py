"""The demo's operators and departments."""

from datetime import timedelta
from typing import Any, NamedTuple

from django.utils import timezone

from apps.accounts.models import User, Widget
from apps.agents import rules
from apps.agents.models import Agent, Department, Invitation
from apps.demo.data.accounts import PASSWORD, person
from apps.demo.document import Demo


class DemoAgent(NamedTuple):
    """`email` names the person behind a human operator; an AI operator has none."""

    name: str
    surname: str = ""
    email: str = ""
    status: Agent.Status = Agent.Status.ACTIVE


class DemoDepartment(NamedTuple):
    name: str
    channels: tuple[str, ...]
    agents: tuple[str, ...]
    internal: bool = False


# By widget; each also has its account's owner. Everybody who is not banned takes a seat.
AGENTS = {
    "shop": (
        DemoAgent("Alice", "Weber", "alice@shop.example"),
        DemoAgent("Борис", "Кузнецов", "boris@shop.example"),
        DemoAgent("Chiara", "Rossi", "chiara@shop.example", Agent.Status.RELAXATION),
        DemoAgent("Ada"),
    ),
    "blog": (DemoAgent("Дарья", "Орлова", "daria@shop.example"),),
    "rival": (
        DemoAgent("Wanda", "Novak", "wanda@rival.example"),
        DemoAgent("Xenia", "Banova", "xenia@rival.example", Agent.Status.BANNED),
        DemoAgent("Robo"),
    ),
}
OWNERS = {"shop": "shop owner", "blog": "shop owner", "rival": "rival owner"}
DEPARTMENTS = {
    "shop": (
        DemoDepartment("Sales", ("smb", "tg"), ("Olga", "Alice")),
        DemoDepartment("Поддержка", ("smb", "wa"), ("Борис", "Chiara")),
        DemoDepartment("Colleagues", (), ("Olga", "Alice", "Борис", "Chiara"), internal=True),
    ),
    "blog": (DemoDepartment("Readers", ("smb",), ("Olga", "Дарья")),),
    "rival": (DemoDepartment("Orders", ("smb",), ("Viktor", "Wanda")),),
}


def seed(demo: Demo) -> None:
    """Adds each widget's owner, agents and departments, and an invitation."""
    for widget_name, widget in demo.rows(Widget).items():
        part = demo.part(widget)
        part["agents"] = _seed_agents(demo, widget_name, widget)
        part["department_ids"] = _seed_departments(demo, widget_name, widget)
        part["path_ids"] |= {
            "agent": part["agents"][1]["id"],
            "department": part["department_ids"][0],
            "invitation": _seed_invitation(demo, widget),
        }


def _seed_agents(demo: Demo, widget_name: str, widget: Widget) -> list[dict[str, Any]]:
    owner = demo.row(User, OWNERS[widget_name])
    rows = [_agent(demo, widget, DemoAgent(owner.name, owner.surname, owner.email), owner, Agent.Role.OWNER)]
    for plan in AGENTS[widget_name]:
        user = person(plan.email, plan.name, plan.surname, account=widget.account) if plan.email else None
        rows.append(_agent(demo, widget, plan, user, Agent.Role.OPERATOR))
    for row in rows:
        demo.keep(f"{widget_name} {row.name}", row)
    return [
        {
            "id": row.pk,
            "name": row.full_name,
            "email": row.email or None,
            "password": PASSWORD if row.email else None,
            "type": row.type,
            "role": row.role,
            "status": row.status,
        }
        for row in rows
    ]


def _agent(demo: Demo, widget: Widget, plan: DemoAgent, user: User | None, role: Agent.Role) -> Agent:
    agent, _ = demo.find_or_create(
        f"{widget.guid} {plan.name}",
        Agent.objects.for_widget(widget.pk),
        {
            "surname": plan.surname,
            "user": user,
            "role": role,
            "status": plan.status,
            "type": Agent.Type.HUMAN if user else Agent.Type.AI,
        },
        widget=widget,
        name=plan.name,
        email=plan.email,
    )
    return agent


def _seed_departments(demo: Demo, widget_name: str, widget: Widget) -> list[int]:
    ids = []
    for plan in DEPARTMENTS[widget_name]:
        department, made = demo.find_or_create(
            f"{widget.guid} {plan.name}",
            Department.objects.for_widget(widget.pk),
            {"channels": list(plan.channels), "internal": plan.internal},
            widget=widget,
            name=plan.name,
        )
        if made:
            department.agents.set([demo.row(Agent, f"{widget_name} {name}") for name in plan.agents])
        demo.keep(f"{widget_name} {plan.name}", department)
        ids.append(department.pk)
    return ids


def _seed_invitation(demo: Demo, widget: Widget) -> int:
    """An invitation that expired unused: it takes no seat, and nothing of the budget of an hour."""
    expired_at = timezone.now() - timedelta(days=1)
    invitation, _ = demo.find_or_create(
        widget.guid,
        Invitation.objects.for_widget(widget.pk),
        {
            "digest": rules.secret_digest(rules.new_secret()),
            "created_at": expired_at - rules.INVITATION_LIVES,
            "expires_at": expired_at,
        },
        widget=widget,
        email="nobody@mail.example",
    )
    return invitation.pk
