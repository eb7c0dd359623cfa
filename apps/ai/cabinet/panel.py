"""The panel above the switches of the AI settings: the parts, today's tokens, the days, open alerts."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext

from apps.ai.actions.advice import told
from apps.ai.actions.cures import cure_of
from apps.ai.actions.money import MoneySpent, money_spent
from apps.ai.actions.usage import BudgetToday, budget_today, tokens_by_day
from apps.ai.cabinet.start import SetUp, set_up_of
from apps.ai.models import Alert, EvaluationRun
from apps.core.cabinet import Bar, Figure

DAYS, ALERTS = 14, 3


class Part(NamedTuple):
    """A part of the AI: what it is, what there is, and its page."""

    title: str
    value: str
    address: str
    is_there: bool


def panel_of(widget_id: int) -> dict[str, Any]:
    found = set_up_of(widget_id)
    today = budget_today(found.settings)
    alerts = Alert.objects.for_widget(widget_id).open().order_by("-pk")[:ALERTS]
    money = money_spent(widget_id, days=DAYS)
    return {
        "parts": _parts(found),
        "usage": _usage(widget_id, today, money),
        "unpriced": [
            (f"{key} · {key.model}" if key.model else str(key), _page("credential", key)) for key in money.unpriced
        ],
        "alerts": [(told(alert), cure_of(alert)) for alert in alerts],
        "is_set_up": found.may_begin,
        "start": reverse("admin:ai_aisettings_start", args=[widget_id]),
    }


def _parts(set_up: SetUp) -> list[Part]:
    key, assistant, operator = set_up.credential, set_up.assistant, set_up.operator
    run = EvaluationRun.objects.for_widget(set_up.widget_id).counted().order_by("-pk").first()
    none = gettext("none yet")
    return [
        Part(gettext("Key"), set_up.model or none, _page("credential", key), key is not None),
        Part(
            gettext("Assistant"), assistant.name if assistant else none, _page("assistant", assistant), bool(assistant)
        ),
        Part(gettext("Operator"), operator.name if operator else none, _page("aioperator", operator), bool(operator)),
        Part(
            gettext("Knowledge"),
            _count(set_up.knowledge) if set_up.knowledge else none,
            reverse("admin:kb_knowledgebase_changelist") if set_up.has_knowledge else "",
            bool(set_up.knowledge),
        ),
        Part(
            gettext("Evaluation"),
            f"{run.right} / {run.cases}" if run else none,  # type: ignore[attr-defined] # of `counted`
            reverse("admin:ai_evaluationrun_changelist"),
            run is not None,
        ),
    ]


def _count(number: int) -> str:
    return number_format(number, force_grouping=True)


def _page(name: str, row: Any) -> str:
    return reverse(f"admin:ai_{name}_change", args=[row.pk]) if row else reverse(f"admin:ai_{name}_changelist")


def _usage(widget_id: int, today: BudgetToday, money: MoneySpent) -> Figure:
    days = tokens_by_day(widget_id, days=DAYS)
    if today.limit is None:
        note = gettext("There is no limit a day.")
    else:
        note = gettext("of %(limit)s that a day may cost") % {"limit": _count(today.limit)}
    if money.total:
        said = gettext("Money of %(days)d days, by the prices of each day: %(money)s")
        note += ". " + said % {"days": DAYS, "money": _money(money.total)}
    return Figure(
        title=gettext("Tokens today"),
        value=_count(today.spent),
        note=note,
        address=f"{reverse('admin:ai_usage_changelist')}?widget__id__exact={widget_id}",
        is_alarming=today.limit is not None and today.spent >= today.limit,
        bars=tuple(
            Bar(date_format(day, "SHORT_DATE_FORMAT"), tokens, _money(money.by_day.get(day, {})))
            for day, tokens in days
        ),
        beside=gettext("Money") if money.total else "",
    )


def _money(spent: Mapping[str, Decimal]) -> str:
    """As a person reads it, to the hundredth; less than that is said so."""
    said = []
    for currency, money in sorted(spent.items()):
        is_small = 0 < money < Decimal("0.01")
        amount = Decimal("0.01") if is_small else money
        said.append(f"{'< ' if is_small else ''}{number_format(amount, 2, force_grouping=True)}\u00a0{currency}")
    return ", ".join(said)
