"""The figures of the AI on the cabinet's front page: open alerts, and the tokens of this period's answers."""

from django.db.models import Count, Sum
from django.urls import reverse
from django.utils.translation import gettext

from apps.ai.models import Alert, Usage
from apps.ai.settings import settings_of
from apps.cabinet.first_steps import FirstStep, FirstSteps
from apps.core.cabinet import Board, Dashboard, Figure


def figures(board: Board) -> list[Figure]:
    alerts = Alert.objects.unscoped("narrowed to the account below").open()
    used = Usage.objects.unscoped("narrowed to the account below").filter(at__gte=board.window.start)
    if board.widget_id is not None:
        alerts, used = alerts.for_widget(board.widget_id), used.for_widget(board.widget_id)
    count = alerts.count()
    spent = used.values("assistant__name", "model").annotate(
        tokens=Sum("prompt_tokens") + Sum("completion_tokens"), operations=Count("pk")
    )
    rows = [
        (
            " · ".join(filter(None, (row["assistant__name"], row["model"]))) or gettext("a model that is gone"),
            gettext("%(tokens)d tokens, %(operations)d calls") % row,
        )
        for row in spent.filter(tokens__gt=0).order_by("-tokens")[:5]
    ]
    return [
        Figure(
            title=gettext("AI alerts"),
            value=str(count),
            note=gettext("What nobody has acknowledged yet."),
            address=f"{reverse('admin:ai_alert_changelist')}?acknowledged_at__isempty=1",
            is_alarming=bool(count),
            place="needs_you",
        ),
        Figure(title=gettext("AI usage"), rows=tuple(rows), note="" if rows else gettext("No model has used tokens.")),
    ]


DASHBOARD = Dashboard(figures=figures)


def first_steps(widget_id: int) -> list[FirstStep]:
    return [
        FirstStep(
            title=gettext("Switch AI on"),
            note=gettext("A key, a model, your website as its knowledge, a trial: five minutes."),
            button=gettext("Begin"),
            address=reverse("admin:ai_aisettings_start", args=[widget_id]),
            is_done=settings_of(widget_id).enabled,
        )
    ]


FIRST_STEPS = FirstSteps(order=40, steps=first_steps)
