"""Subscriptions as a kind of destination: the first, and the only one with a legacy envelope."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from apps.core.database import encryption, fetch_all
from apps.core.destinations import Destination, DestinationType, PendingDelivery, register
from apps.webhooks import rules

# The subscriptions of a claim that are active, with each event type of it that is switched on.
# By hand: every claim asks it, and compiling a queryset costs more than running it.
_ADDRESSES = """
SELECT s.id, t.name, s.target, s.secret FROM webhooks_subscription s CROSS JOIN webhooks_eventswitch t
WHERE s.id = ANY (%(ids)s::bigint[]) AND s.is_active AND t.name = ANY (%(types)s::text[]) AND t.enabled
/* unscoped: of claimed deliveries */"""


def read_subscriptions(due: Sequence[PendingDelivery]) -> Mapping[int, Destination]:
    """The destinations of deliveries to subscriptions; none for a deleted or inactive one, nor for a type switched off.

    The secret is the subscription's of now: a rotation is an immediate cutover, for what waits too (specification,
    "Signature rotation").
    """
    ids, types = {one.destination_id for one in due}, {one.event_type for one in due}
    rows = fetch_all(_ADDRESSES, {"ids": list(ids), "types": list(types)})
    native = {(id_, name): Destination(target, _secrets(sealed)) for id_, name, target, sealed in rows}
    found = {}
    for one in due:
        if to := native.get((one.destination_id, one.event_type)):
            found[one.id] = _in_legacy_envelope(to, one.event_type) if one.is_legacy else to
    return found


def _in_legacy_envelope(to: Destination, event_type: str) -> Destination:
    return replace(to, event_name=rules.wire_name(event_type, is_legacy=True), rewrite=rules.legacy_body)


@lru_cache(maxsize=1024)
def _secrets(sealed: str) -> tuple[str, ...]:
    """The secrets of a stored ciphertext: read again with each claim, decrypted once."""
    return (encryption.decrypt(sealed),) if sealed else ()


SUBSCRIPTIONS = register(DestinationType(name=rules.SUBSCRIPTIONS, read=read_subscriptions))
