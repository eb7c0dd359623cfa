"""The settings of a widget's letters: read with their defaults, and changed, all that are named or none."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from apps.core.errors import INVALID_INPUT
from apps.letters.models import LetterSettings
from apps.letters.models.outgoing import Answers

NAMES = ("answers", "unseen_min", "of_ai", "site", "shop_address", "waiting_min", "waiting_words")
_MAY_BE_NULL = ("site", "shop_address")


def settings_of(widget_id: int) -> LetterSettings:
    """The settings of a widget; of one that chose nothing, the defaults."""
    return LetterSettings.objects.for_widget(widget_id).first() or LetterSettings(widget_id=widget_id)


def shown(settings: LetterSettings) -> dict[str, Any]:
    """The settings by name, as the command prints them."""
    return {
        name: (getattr(settings, name) or None if name in _MAY_BE_NULL else getattr(settings, name)) for name in NAMES
    }


@transaction.atomic
def change_settings(*, widget_id: int, changes: Mapping[str, Any]) -> LetterSettings:
    """Changes the settings that are named. Raises INVALID_INPUT (422), naming each that is wrong."""
    refused = {name: text for name, value in changes.items() if (text := refusal_of(name, value))}
    if refused:
        raise INVALID_INPUT(errors={name: [text] for name, text in refused.items()})
    row = LetterSettings.objects.for_widget(widget_id).select_for_update().first()
    is_new = row is None
    row = row or LetterSettings(widget_id=widget_id)
    was_off = row.answers == Answers.OFF
    for name, value in changes.items():
        setattr(row, name, (value or "") if name in _MAY_BE_NULL else value)
    row.updated_at = timezone.now()
    if "answers" in changes:
        row.is_offered = False
        if (was_off and row.answers != Answers.OFF) or is_new:
            row.since = row.updated_at if was_off else widget_since(widget_id)
    row.save(force_insert=is_new)
    return row


def widget_since(widget_id: int) -> Any:
    """Since when a widget that chose nothing has letters: since it is there."""
    from apps.accounts.models import Widget

    return Widget.objects.values_list("created_at", flat=True).get(pk=widget_id)


def refusal_of(name: str, value: Any) -> str | None:
    """Why a setting may not have that value; None if it may."""
    rule = _RULES.get(name)
    return "There is no such setting." if rule is None else rule(value)


def _answers(value: Any) -> str | None:
    return None if value in Answers.values else "Must be off, ask or on."


def _within(low: int, high: int, *, zero: bool = False) -> Callable[[Any], str | None]:
    def check(value: Any) -> str | None:
        fits = (
            isinstance(value, int) and not isinstance(value, bool) and (low <= value <= high or (zero and value == 0))
        )
        return None if fits else f"Must be a number from {low} to {high}{', or 0 for never' * zero}."

    return check


def _boolean(value: Any) -> str | None:
    return None if isinstance(value, bool) else "Must be true or false."


def _site(value: Any) -> str | None:
    if value in (None, ""):
        return None
    refusal = "Must be an address that begins with https:// and has no #."
    if not isinstance(value, str) or len(value) > 2000 or not value.isprintable() or set(value) & set(' \\#"<>'):
        return refusal
    try:
        parts = urlsplit(value)
        fits = parts.scheme == "https" and bool(parts.hostname) and not parts.username and (parts.port or 1) > 0
    except ValueError:
        fits = False
    return None if fits else refusal


def _address(value: Any) -> str | None:
    if value in (None, ""):
        return None
    try:
        validate_email(value)
    except (ValidationError, TypeError):
        return "Must be an e-mail address."
    return None if len(value) <= 254 else "Must be an e-mail address."


_RULES: dict[str, Callable[[Any], str | None]] = {
    "answers": _answers,
    "unseen_min": _within(1, 120),
    "of_ai": _boolean,
    "site": _site,
    "shop_address": _address,
    "waiting_min": _within(3, 240, zero=True),
    "waiting_words": _boolean,
}
