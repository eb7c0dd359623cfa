"""Ad cabinets: which of them are enabled, as the plan allows (specification, "Other state sets")."""

from contextlib import suppress

from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.questions import entitlements_of
from apps.core import database
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.messengers.actions.connections import GOING_S, admitted, remove, require_plan
from apps.messengers.actions.oauth import renewed
from apps.messengers.actions.provider_calls import adapter_of, wire_of
from apps.messengers.adapters.client import ProviderCallFailed, answered
from apps.messengers.errors import AD_SLOTS_EXHAUSTED
from apps.messengers.models import AdCabinet, Connection
from apps.messengers.rules.providers import AVITO, CabinetStatus, to_resume, to_suspend


@transaction.atomic
def set_cabinet_status(*, widget_id: int, cabinet_id: int, status: CabinetStatus) -> None:
    """Enables or disables a cabinet; what it is already has no effect. No provider is called.

    Raises NOT_FOUND (404), PAID_PLAN_REQUIRED, AD_SLOTS_EXHAUSTED (409).
    """
    _lock(widget_id)
    cabinet = AdCabinet.objects.for_widget(widget_id).get_for_update(pk=cabinet_id)
    if cabinet.status == status:
        return
    if status == CabinetStatus.ENABLED:
        require_plan(widget_id)
        if not has_free_slot(widget_id):
            raise AD_SLOTS_EXHAUSTED()
    cabinet.status = status
    AdCabinet.objects.for_widget(widget_id).filter(pk=cabinet.pk).update(status=status, updated_at=Now())


def has_free_slot(widget_id: int) -> bool:
    """Whether one more cabinet may be enabled. Under the widget's lock it stays so."""
    slots = entitlements_of(widget_id).ad_slots
    return slots is None or AdCabinet.objects.for_widget(widget_id).enabled().count() < slots


@transaction.atomic
def follow_plan(*, widget_id: int, may_resume: bool = True) -> None:
    """Suspends, newest first, what the plan no longer covers; enables again, oldest first, what it covers again."""
    _lock(widget_id)
    plan = entitlements_of(widget_id)
    cabinets = AdCabinet.objects.for_widget(widget_id)
    enabled = list(cabinets.enabled().values_list("pk", "created_at"))
    slots = 0 if not plan.paid else len(enabled) if plan.ad_slots is None else plan.ad_slots
    gone = to_suspend(enabled, slots)
    if gone:
        cabinets.filter(pk__in=gone).update(status=CabinetStatus.SUSPENDED, updated_at=Now())
    if not may_resume or not plan.paid or gone:
        return
    suspended = list(cabinets.filter(status=CabinetStatus.SUSPENDED).values_list("pk", "created_at"))
    free = len(suspended) if plan.ad_slots is None else plan.ad_slots - len(enabled)
    if back := to_resume(suspended, free):
        cabinets.filter(pk__in=back).update(status=CabinetStatus.ENABLED, updated_at=Now())


def suspend_uncovered() -> None:
    """Has every widget's cabinets follow its plan, in case that ended unnoticed. It only suspends."""
    widgets = (
        AdCabinet.objects.unscoped("every widget's rows")
        .filter(provider=AVITO, status=CabinetStatus.ENABLED)
        .values_list("widget_id", flat=True)
    )
    for widget_id in widgets.distinct():
        follow_plan(widget_id=widget_id, may_resume=False)


def remove_cabinet(*, cabinet: Connection, outbound: ExternalCall) -> None:
    """Removes a cabinet for good; Avito is told, and never keeps it from going.

    Raises PROVIDER_CALLS_BUSY, MESSENGER_RATE_LIMITED (429).
    """
    with admitted(outbound):
        with suppress(ProviderCallFailed):
            told = answered(renewed(cabinet))
            answered(adapter_of(told).unregister(wire_of(told, all_s=GOING_S)))
        with outbound.write():
            remove(cabinet)


def _lock(widget_id: int) -> None:
    database.lock(f"messengers:{widget_id}")
