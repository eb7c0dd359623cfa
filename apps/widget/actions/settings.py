"""Changing a widget's settings: under the lock of its row, so that simultaneous changes all stay."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from apps.accounts.questions import entitlements_of
from apps.chats.models import Contact
from apps.chats.rules.aliases import alias_language_of
from apps.core.errors import INVALID_INPUT
from apps.core.quotas import Quota
from apps.widget.actions.translations import ask_for_missing
from apps.widget.errors import PURGED_TOO_OFTEN
from apps.widget.models import Icon, WidgetSettings
from apps.widget.rules import icons, identity, skins
from apps.widget.rules.fields import DEFAULT, FALLBACK, POLICY, SKIN
from apps.widget.rules.settings import changed, changed_names, effective, icons_of, language_of, language_refusals

PURGES = Quota("widget.purges", 6, timedelta(minutes=1), PURGED_TOO_OFTEN)


@transaction.atomic
def change_settings(*, widget_id: int, changes: Mapping[str, Any]) -> None:
    """Changes what is named of a widget's settings (specification, "Widget settings"); null clears, profiles merge.

    A value that is in effect already is not written, and never refused. A change of the language policy raises its
    revision; visitors who have an alias by then keep it.

    Raises INVALID_INPUT (422), naming languages that are not supported, icons that the widget has not, and a skin that
    its plan has not; then nothing is stored.
    """
    row = locked_settings(widget_id)
    stored = changed(row.stored, changes, legacy=row.legacy)
    before = effective(row.stored, legacy=row.legacy)
    differing = changed_names(before, effective(stored, legacy=row.legacy))
    if not differing:
        return
    if refusals := refusals_of(row, changes):
        raise INVALID_INPUT(errors={path: [text] for path, text in refusals.items()})
    row.stored, row.updated_at = stored, timezone.now()
    if differing & POLICY:
        row.policy_revision += 1
    if not row.alias_language and differing & {DEFAULT, FALLBACK}:
        row.alias_language = _alias_language_until(row, before)
    row.save(update_fields=["stored", "policy_revision", "alias_language", "updated_at"])
    ask_for_missing(widget_id)


def refusals_of(row: WidgetSettings, changes: Mapping[str, Any]) -> dict[str, str]:
    """The refusals of a change of a widget's row, by path. Call it in a transaction."""
    before = effective(row.stored, legacy=row.legacy)
    after = effective(changed(row.stored, changes, legacy=row.legacy), legacy=row.legacy)
    differing = changed_names(before, after)
    refusals = language_refusals(after, frozenset(changes), differing)
    refusals |= _icon_refusals(row.widget_id, before, after)
    if SKIN in differing and skins.BY_ID[after[SKIN]].premium and not entitlements_of(row.widget_id).paid:
        refusals[SKIN] = gettext_noop("The plan has no premium skins.")
    return refusals


@transaction.atomic
def set_asks_proof(*, widget_id: int, on: bool) -> None:
    """Whether new visitors prove work, however few they are; off at first."""
    row = locked_settings(widget_id)
    row.asks_proof = on
    row.save(update_fields=["asks_proof"])


@transaction.atomic
def purge(*, widget_id: int) -> WidgetSettings:
    """Makes every browser read the served config again. Raises PURGED_TOO_OFTEN (429) beyond 6 in a minute."""
    row = locked_settings(widget_id)
    PURGES.spend(widget_id)
    row.purged_at = timezone.now()
    row.save(update_fields=["purged_at"])
    return row


@transaction.atomic
def renew_identity_secret(*, widget_id: int) -> str:
    """Gives the widget a new identity secret, which is told once; the one before counts for 24 hours more."""
    row, secret = locked_settings(widget_id), identity.new_secret()
    until = timezone.now() + identity.PREVIOUS_COUNTS_FOR if row.identity_secret else None
    row.identity_secret, row.previous_identity_secret, row.previous_until = secret, row.identity_secret, until
    row.save(update_fields=["identity_secret", "previous_identity_secret", "previous_until"])
    return secret


@transaction.atomic
def end_previous_identity_secret(*, widget_id: int) -> None:
    """From now on the secret before the widget's last one proves nothing."""
    row = locked_settings(widget_id)
    row.previous_identity_secret = row.previous_until = None
    row.save(update_fields=["previous_identity_secret", "previous_until"])


@transaction.atomic
def note_found(*, widget_id: int, page: str) -> None:
    """Notes the page of the website on which a check has found the widget's lines."""
    row = locked_settings(widget_id)
    row.found_on = page
    row.save(update_fields=["found_on"])


def locked_settings(widget_id: int) -> WidgetSettings:
    """The widget's row, made if there is none, until the transaction ends."""
    WidgetSettings.objects.bulk_create([WidgetSettings(widget_id=widget_id)], ignore_conflicts=True)
    return WidgetSettings.objects.for_widget(widget_id).get_for_update()


def _alias_language_until(row: WidgetSettings, before: Mapping[str, Any]) -> str:
    """The language of the aliases that colleagues have seen before a change; none where there were no visitors."""
    called = Contact.objects.for_widget(row.widget_id).exists()
    return alias_language_of(language_of(before)) if called else ""


def _icon_refusals(widget_id: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, str]:
    kept = icons_of(before)
    named = {path: icons.custom_id(icon) for path, icon in icons_of(after).items() if kept.get(path) != icon}
    wanted = {id_ for id_ in named.values() if id_ is not None}
    if not wanted:
        return {}
    # Held against their deletion until the choice is stored.
    rows = Icon.objects.for_widget(widget_id).filter(pk__in=wanted).select_for_update(no_key=True)
    found = set(rows.values_list("pk", flat=True))
    return {path: "The widget has no such icon." for path, id_ in named.items() if id_ is not None and id_ not in found}
