"""The panel of self-learning: all that is to be known of an assistant's tuning, in one answer."""

from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from apps.ai.models import Assistant
from apps.ai.settings import settings_of
from apps.learning.actions.cycles import next_cycle_at
from apps.learning.actions.evidence import pairs_of
from apps.learning.actions.gates import gates_now
from apps.learning.actions.probation import running_of
from apps.learning.models import Cycle, Probation, Wish
from apps.learning.rules import guard_rails, probation
from apps.learning.rules.cycles import MIN_PAIRS, WINDOW_DAYS
from apps.learning.rules.gates import Gate
from apps.learning.rules.states import ACTIVE, WishStatus

_FIELDS = ("state", "kind", "version", "base_version", "started_at", "ends_at", "baseline", "current")


def switch_of(widget_id: int, assistant: Assistant | None) -> dict[str, Any]:
    """The kill switch of an assistant."""
    gates = gates_now(widget_id, assistant)
    return {"assistant_id": assistant.pk if assistant else None, **_gates(gates)}


def _gates(gates: tuple[Gate, ...]) -> dict[str, Any]:
    shown = [{"name": gate.name, "open": gate.open, "reason": gate.reason} for gate in gates]
    return {"may_run": all(gate.open for gate in gates), "gates": shown}


def panel_of(widget_id: int, assistant: Assistant | None) -> dict[str, Any]:
    """The panel of an assistant; `last_cycle` and `running_cycle` are rows."""
    now = timezone.now()
    switch = switch_of(widget_id, assistant)
    pairs = pairs_of(widget_id, now=now)
    return {
        **switch,
        "learning_target": {"kind": "assistant", "assistant_id": assistant.pk} if assistant else None,
        "autonomous_tuning_enabled": settings_of(widget_id).autonomous_tuning_enabled,
        "live_version": assistant.persona_version if assistant else None,
        **_of_assistant(widget_id, assistant),
        "next_cycle_at": next_cycle_at(widget_id, assistant, now) if assistant and switch["may_run"] else None,
        "evidence": {
            "window_days": WINDOW_DAYS,
            "pairs": len(pairs),
            "chats": len({pair.chat_id for pair in pairs}),
            "min_pairs": MIN_PAIRS,
        },
        "guard_rails": {
            "max_operations": guard_rails.MAX_CHANGES,
            "max_text": guard_rails.MAX_TEXT,
            "max_growth": guard_rails.MAX_GROWTH,
        },
        "probation_rules": {
            "hours": probation.HOURS,
            "min_chats": probation.MIN_CHATS,
            "min_ratings": probation.MIN_RATINGS,
            "max_escalation_rise": probation.MAX_ESCALATION_RISE,
            "max_rating_fall": probation.MAX_RATING_FALL,
        },
    }


def _of_assistant(widget_id: int, assistant: Assistant | None) -> dict[str, Any]:
    assistant_id = assistant.pk if assistant else 0
    cycles = Cycle.objects.for_widget(widget_id).filter(assistant_id=assistant_id).order_by("-queued_at", "-pk")
    running = running_of(widget_id, assistant_id)
    rolled_back = Probation.objects.for_widget(widget_id).filter(
        assistant_id=assistant_id, cycle__isnull=False, state="rolled_back"
    )
    counts = Wish.objects.for_widget(widget_id).filter(assistant_id=assistant_id)
    return {
        "probation": {name: getattr(running, name) for name in _FIELDS} if running else None,
        "last_cycle": cycles.exclude(state__in=ACTIVE).first(),
        "running_cycle": cycles.filter(state__in=ACTIVE).first(),
        "cycles_applied": cycles.applied().count(),
        "cycles_rolled_back": rolled_back.count(),
        "wishes": counts.aggregate(
            submitted=Count("pk", filter=Q(status=WishStatus.SUBMITTED)),
            on_probation=Count("pk", filter=Q(status=WishStatus.ON_PROBATION)),
        ),
    }
