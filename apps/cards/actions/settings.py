"""The settings of a widget's cards: where they come from, which there are, and what signs."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.audit.records import record_secret
from apps.cards.models import CardSettings, ChatCards
from apps.cards.rules.settings import cards_refusal
from apps.core.errors import INVALID_INPUT
from apps.egress import EgressRefused, vet
from apps.webhooks.rules import new_secret


def settings_of(widget_id: int) -> CardSettings | None:
    """The settings of a widget's cards; None where it has none."""
    return CardSettings.objects.for_widget(widget_id).first()


def vetted(url: str) -> tuple[str, str | None]:
    """The address to call for a URL, or why there is none. It looks the host up: call it outside of transactions."""
    try:
        return vet(url).url, None
    except EgressRefused as error:
        return "", str(error)


@transaction.atomic
def set_cards(
    *, widget_id: int, url: str, target: str, cards: Sequence[dict[str, Any]], rotates: bool = False
) -> str | None:
    """Sets where the cards come from (`target` is what `vetted` made of `url`) and which there are.

    Returns the secret in plain text where it is a new one, at first or because it `rotates`: the old one signs nothing
    from then on. All kept answers are forgotten. Raises INVALID_INPUT (422).
    """
    if refusal := cards_refusal(cards):
        raise INVALID_INPUT(errors={"cards": [refusal]})
    row = CardSettings.objects.for_widget(widget_id).select_for_update().first()
    is_new = row is None
    row = row or CardSettings(widget_id=widget_id)
    row.url, row.target, row.cards, row.updated_at = url, target, list(cards), timezone.now()
    secret = new_secret() if is_new or rotates else None
    if secret is not None:
        row.secret = secret
    row.save(force_insert=is_new)
    if secret is not None:
        record_secret(row, "secret", "made" if is_new else "replaced")
    ChatCards.objects.for_widget(widget_id).delete()
    return secret


@transaction.atomic
def remove_cards(*, widget_id: int) -> None:
    """The widget has no cards any more, and nothing of them is kept. Without any it is no error."""
    for row in CardSettings.objects.for_widget(widget_id).select_for_update():
        row.delete()
    ChatCards.objects.for_widget(widget_id).delete()
