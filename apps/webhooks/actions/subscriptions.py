"""Making and deleting subscriptions."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction

from apps.core.errors import NOT_FOUND
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
    try:
        return Subscription.objects.create(
            widget_id=widget_id,
            url=url,
            target=target,
            events=list(events),
            secret=secret or rules.new_secret(),
            is_legacy_compat=is_legacy_compat,
        )
    except IntegrityError as error:
        if "webhooks_subscription_target" not in str(error):
            raise
        raise WEBHOOK_URL_TAKEN() from None


@transaction.atomic
def delete_subscription(subscription: Subscription) -> None:
    """Deletes a subscription; what is queued for it is dropped when it comes up.

    Raises NOT_FOUND (404) when somebody else has deleted it meanwhile.
    """
    deleted, _ = subscription.delete()
    if not deleted:
        raise NOT_FOUND()
