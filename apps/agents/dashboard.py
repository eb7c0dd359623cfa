"""The figures of a widget's operators, on the cabinet's front page and on the widget's."""

from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.agents import presence
from apps.agents.models import Agent, Department, Invitation, WidgetWeek, open_all_week
from apps.cabinet.first_steps import FirstStep, FirstSteps
from apps.core.cabinet import Board, Dashboard, Fact, Figure


def figures(board: Board) -> list[Figure]:
    if board.widget_id is None:
        return []
    seats, taken = _seats(board.widget_id)
    return [
        Figure(
            title=gettext("Seats taken"),
            value=gettext("%(taken)d of %(seats)d") % {"taken": taken, "seats": seats},
            note=gettext("Operators online: %(count)d") % {"count": len(presence.online_agents(board.widget_id))},
            address=f"{reverse('admin:agents_agent_changelist')}?widget__id__exact={board.widget_id}",
        )
    ]


def facts(widget_id: int) -> list[Fact]:
    seats, taken = _seats(widget_id)
    return [
        Fact(
            label=gettext("Seats taken"),
            value=gettext("%(taken)d of %(seats)d") % {"taken": taken, "seats": seats},
            note=gettext("Free: %(count)d. Each human operator who is not suspended takes one.")
            % {"count": max(0, seats - taken)},
        )
    ]


def _seats(widget_id: int) -> tuple[int, int]:
    """How many seats the widget has, and how many are taken."""
    seats = Widget.objects.values_list("seats", flat=True).get(pk=widget_id)
    return seats, Agent.objects.for_widget(widget_id).seated().count()


DASHBOARD = Dashboard(figures=figures, facts=facts)


def first_steps(widget_id: int) -> list[FirstStep]:
    """A second person is there or invited; a department, or the widget, has hours of its own."""
    people = Agent.objects.for_widget(widget_id).filter(type=Agent.Type.HUMAN).count()
    departments = Department.objects.for_widget(widget_id)
    own_weeks = WidgetWeek.objects.for_widget(widget_id).values("pk")
    own_hours = departments.exclude(schedule=open_all_week()).values("pk").union(own_weeks).exists()
    department = departments.order_by("pk").values_list("pk", flat=True).first()
    return [
        FirstStep(
            title=gettext("Invite a colleague"),
            note=gettext("Operators answer visitors in the console. An invitation goes out by mail."),
            button=gettext("Invite"),
            address=reverse("admin:agents_invitation_invite"),
            is_done=people > 1 or Invitation.objects.for_widget(widget_id).exists(),
        ),
        FirstStep(
            title=gettext("Set the hours"),
            note=gettext("Outside of them visitors leave a message, or the AI answers. Now it is around the clock."),
            button=gettext("Set the hours"),
            address=reverse("admin:agents_widgetweek_change", args=[widget_id])
            if department is None
            else reverse("admin:agents_department_change", args=[department]),
            is_done=own_hours,
        ),
    ]


FIRST_STEPS = FirstSteps(order=20, steps=first_steps)
