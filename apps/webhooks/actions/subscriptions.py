"""Making, changing and deleting subscriptions. Each change locks the subscription's row, so that none is lost."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from apps.accounts.audit.records import record_secret
from apps.core.database.changes import save_changed, set_changes
from apps.core.database.constraints import unique_or
from apps.core.errors import INVALID_INPUT
from apps.webhooks import rules
from apps.webhooks.errors import WEBHOOK_URL_TAKEN
from apps.webhooks.models import Subscription


@transaction.atomic
def create_subscription(
    *,
    widget_id: int,
    url: str,
    target: str,
    events: Sequence[str],
    secret: str | None = None,
    is_legacy_compat: bool = False,
) -> Subscription:
    """Subscribes a url, vetted before, to events; without a `secret` one is generated.

    `target` is the url's canonical spelling, unique in the widget. Raises WEBHOOK_URL_TAKEN (409), which must roll the
    transaction back.
    """
    with unique_or(WEBHOOK_URL_TAKEN, "webhooks_subscription_target"):
        return Subscription.objects.create(
            widget_id=widget_id,
            url=url,
            target=target,
            events=list(events),
            secret=secret or rules.new_secret(),
            is_legacy_compat=is_legacy_compat,
        )


@transaction.atomic
def change_subscription(*, widget_id: int, subscription_id: int, changes: Mapping[str, Any]) -> None:
    """Changes the named fields of a subscription: `url` with its `target` (vetted before), `events`, `is_active`,
    `is_legacy_compat`. Queued deliveries keep their envelope, and go to the subscription's address at the time of the
    post.

    The events must be of the subscription's new vocabulary: a change of the vocabulary must name the wanted events,
    since no name is of both, and not every native event has a legacy name.

    Raises NOT_FOUND (404); INVALID_INPUT (422) on `events`; WEBHOOK_URL_TAKEN (409), which must roll the transaction
    back.
    """
    subscription = _locked(widget_id, subscription_id)
    changed = set_changes(subscription, changes)
    if "events" in changes:
        refusals = rules.events_refusals(subscription.events, is_legacy_compat=subscription.is_legacy_compat)
        if refusals:
            raise INVALID_INPUT(errors={path: [text] for path, text in refusals.items()})
    elif "is_legacy_compat" in changed:
        refusal = rules.vocabulary_refusal(is_legacy_compat=subscription.is_legacy_compat)
        raise INVALID_INPUT(errors={"events": [refusal]})
    if changed:
        with unique_or(WEBHOOK_URL_TAKEN, "webhooks_subscription_target"):
            save_changed(subscription, changed)


@transaction.atomic
def rotate_secret(*, widget_id: int, subscription_id: int, secret: str | None = None) -> None:
    """Gives a subscription another secret, generated where none is given. The old one is overwritten.

    There is no overlap: whatever is sent from then on is signed with the new one, also what waits already
    (specification, "Signature rotation"). Raises NOT_FOUND (404).
    """
    subscription = _locked(widget_id, subscription_id)
    subscription.secret = secret or rules.new_secret()
    save_changed(subscription, ["secret"])
    record_secret(subscription, "secret", "replaced")


@transaction.atomic
def delete_subscription(*, widget_id: int, subscription_id: int) -> None:
    """Deletes a subscription; what is queued for it is dropped when it comes up. Raises NOT_FOUND (404)."""
    _locked(widget_id, subscription_id).delete()


def _locked(widget_id: int, subscription_id: int) -> Subscription:
    return Subscription.objects.for_widget(widget_id).get_for_update(pk=subscription_id)
