"""The tables of operators and departments in an export of a widget.

An import checks them by the rules of the API, and opens no widget with more people than it has seats.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models.functions import Lower
from django.utils.dateparse import parse_date

from apps.accounts.actions.import_fields import refusal_by
from apps.accounts.actions.widget_export import ExportTable, LookUp, WidgetExport
from apps.accounts.models import User, Widget
from apps.agents.models import Agent, Department, Holiday, OperatorChoices, WidgetWeek
from apps.agents.rules.choices import reads_refusal
from apps.agents.rules.departments import channel_refusals, names_cabinet, schedule_refusals
from apps.agents.rules.holidays import MAX_DAYS
from apps.agents.rules.weeks import periods_refusals, time_zone_refusal
from apps.agents.serializers.requests import DepartmentName, messenger_codes
from apps.core.parsing.names import control_refusal, name_refusal


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
        checks={"name": name_refusal, "surname": control_refusal, "break_note": control_refusal},
    )
    yield ExportTable(
        name="departments",
        rows=Department.objects.for_widget(widget_id),
        stored=("avatar",),
        renumbers=_without_cabinets,
        checks={
            "name": refusal_by(DepartmentName()),
            "channels": _channels_refusal,
            "schedule": _schedule_refusal,
            "time_zone": time_zone_refusal,
        },
    )
    yield ExportTable(
        name="holidays",
        rows=Holiday.objects.for_widget(widget_id),
        checks={"text": control_refusal, "periods": _periods_refusal},
        row_refusals=_holiday_refusals,
    )
    yield ExportTable(
        name="widget_week", rows=WidgetWeek.objects.for_widget(widget_id), checks={"schedule": _schedule_refusal}
    )
    members = Department.agents.through.objects.filter(department__widget_id=widget_id)
    yield ExportTable(name="department_agents", rows=members)
    yield ExportTable(
        name="operator_choices",
        rows=OperatorChoices.objects.for_widget(widget_id),
        checks={"reads": lambda codes: reads_refusal(codes) if codes else None},
    )


def _sign_in(made: list[tuple[Any, dict[str, Any]]], account_id: int) -> None:
    """An address is one in every case, as where people sign in."""
    wanted = {str(row["user_email"]).lower() for _, row in made if row.get("user_email")}
    people = User.objects.filter(account_id=account_id).annotate(folded=Lower("email")).filter(folded__in=wanted)
    by_address = dict(people.values_list("folded", "pk"))
    for agent, row in made:
        agent.user_id = by_address.get(str(row.get("user_email") or "").lower())


def _without_cabinets(row: dict[str, Any], _: LookUp) -> None:
    """An ad cabinet is connected anew, under another number."""
    if "channels" in row:
        row["channels"] = [each for each in row["channels"] if not names_cabinet([each])]


def _channels_refusal(channels: list[str]) -> str | None:
    own = [each for each in channels if not names_cabinet([each])]
    return next(iter(channel_refusals(own, messenger_codes()).values()), None)


def _holiday_refusals(row: dict[str, Any]) -> dict[str, str]:
    first, last = parse_date(row.get("day") or ""), parse_date(row.get("until") or "")
    if first is None or last is None or 0 <= (last - first).days < MAX_DAYS:
        return {}
    return {"until": f"The last day is not before the first, and a holiday has {MAX_DAYS} days at most."}


def _periods_refusal(periods: Any) -> str | None:
    return next((f"{path} {refusal}".strip() for path, refusal in periods_refusals(periods).items()), None)


def _schedule_refusal(week: Any) -> str | None:
    if not isinstance(week, dict):
        return "Hours by the day's name are expected."
    return next((f"{day}: {refusal}" for day, refusal in schedule_refusals(week).items()), None)


def refusal_of_widget(widget_id: int) -> str | None:
    """Only the installation gives seats: an export with more people comes in with --with-seats."""
    seats = Widget.objects.values_list("seats", flat=True).get(pk=widget_id)
    taken = Agent.objects.for_widget(widget_id).seated().count()
    if taken <= seats:
        return None
    return f"{taken} people are active in the export, and the widget has {seats} seats; --with-seats gives it the rest"


EXPORT = WidgetExport(tables=exported_of_widget, refusal=refusal_of_widget)
