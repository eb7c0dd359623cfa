"""The cards of the AI on the cabinet's front page: open alerts, and the tokens of this period's answers."""

from django.db.models import Count, Sum
from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.first_steps import FirstStep, FirstSteps
from apps.ai.actions.settings import settings_of
from apps.ai.models import Alert, Usage
from apps.core.cabinet import Board, Card, Dashboard


def cards(board: Board) -> list[Card]:
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
            f"{row['assistant__name'] or '—'} · {row['model'] or '—'}",
            gettext("%(tokens)d tokens, %(operations)d calls") % row,
        )
        for row in spent.order_by("-tokens")[:5]
    ]
    return [
        Card(
            title=gettext("AI alerts"),
            figure=str(count),
            note=gettext("What nobody has acknowledged yet."),
            address=f"{reverse('admin:ai_alert_changelist')}?acknowledged_at__isempty=1",
            is_alarming=bool(count),
        ),
        Card(
            title=gettext("AI usage"), rows=tuple(rows), note="" if rows else gettext("Nothing was asked of a model.")
        ),
    ]


DASHBOARD = Dashboard(cards=cards)


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


FIRST_STEPS = FirstSteps(steps=first_steps)
