"""The settings of a widget's support desk: read and changed in one place, by the cabinet and by the command."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import ApiToken
from apps.agents.models import Agent
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT
from apps.support.models import SupportSettings
from apps.support.rules import settings as rules
from apps.support.rules.settings import Ready


def settings_of(widget_id: int) -> SupportSettings:
    """The widget's settings, or the defaults without a row."""
    return SupportSettings.objects.for_widget(widget_id).first() or SupportSettings(widget_id=widget_id)


@transaction.atomic
def change_settings(*, widget_id: int, changes: Mapping[str, Any]) -> SupportSettings:
    """Changes the named settings, all or none. Raises INVALID_INPUT (422), by name."""
    SupportSettings.objects.bulk_create([SupportSettings(widget_id=widget_id)], ignore_conflicts=True)
    settings = SupportSettings.objects.for_widget(widget_id).get_for_update()
    if refused := refusals_of(settings, changes):
        raise INVALID_INPUT(errors={name: [text] for name, text in refused.items()})
    save_changed(settings, set_changes(settings, changes))
    return settings


def refusals_of(settings: SupportSettings, changes: Mapping[str, Any]) -> dict[str, str]:
    """The refusals of a change of settings, by name; the row stays as it is."""
    refused = rules.refusals(changes) or _foreign(settings.widget_id, changes)
    if refused or not changes.get("enabled"):
        return refused
    changed = copy(settings)
    set_changes(changed, changes)
    return rules.enabling_refusals(ready(changed))


def ready(settings: SupportSettings) -> Ready:
    """The conditions of enabling that are met."""
    return Ready(
        has_operator=has_operator(settings),
        has_token=valid_tokens(settings.widget_id).filter(pk__in=settings.token_ids).exists(),
        has_address=any(map(rules.is_network, settings.ip_allowlist)),
    )


def has_operator(settings: SupportSettings) -> bool:
    """Whether the configured operator is an active person of the widget."""
    if settings.operator_id is None:
        return False
    agents = Agent.objects.for_widget(settings.widget_id).filter(pk=settings.operator_id, type=Agent.Type.HUMAN)
    return agents.not_banned().exists()


def valid_tokens(widget_id: int) -> Any:
    """The widget's tokens that are neither revoked nor past their expiry."""
    live = Q(expires_at__isnull=True) | Q(expires_at__gt=Now())
    return ApiToken.objects.for_widget(widget_id).filter(live, revoked_at__isnull=True)


def shown(settings: SupportSettings) -> dict[str, Any]:
    """All settings by name, as the command prints them."""
    return {name: getattr(settings, name) for name in rules.KINDS}


def _foreign(widget_id: int, changes: Mapping[str, Any]) -> dict[str, str]:
    """Ids that are not the widget's."""
    found: dict[str, str] = {}
    operator_id, token_ids = changes.get("operator_id"), changes.get("token_ids", [])
    people = Agent.objects.for_widget(widget_id).filter(type=Agent.Type.HUMAN)
    if operator_id is not None and not people.filter(pk=operator_id).exists():
        found["operator_id"] = "The widget has no human operator with this id."
    if ApiToken.objects.for_widget(widget_id).filter(pk__in=token_ids).count() < len(token_ids):
        found |= {"token_ids": "The widget has no such token."}
    return found
