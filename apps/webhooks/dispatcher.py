"""The deliverer: webhooks, sent on one loop of each worker process by the engine of `apps.leases.sender`, through one
vetted HTTP session."""

import logging
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext_noop

from apps.core import destinations
from apps.core.database import encryption
from apps.core.destinations import Destination
from apps.egress import EgressRefused
from apps.egress.batch import TOTAL_SECONDS, GuardedSession
from apps.leases.sender import Sender
from apps.leases.turns import MAX_ALLOWANCE
from apps.webhooks import rules
from apps.webhooks.actions import deliveries
from apps.webhooks.actions.deliveries import FIRST_PLACE, Claimed, Ended, Place
from apps.webhooks.rules import AttemptVerdict

logger = logging.getLogger(__name__)

# A post is begun only while its claim outlasts it.
START_AFTER_CLAIM_S = deliveries.LEASE_S - TOTAL_SECONDS

_NO_ANSWER = {
    "timeout": gettext_noop("No answer within 15 seconds."),
    "tls_failed": gettext_noop("The TLS handshake failed."),
}
_OURS = gettext_noop("The delivery failed on our side.")


class HeldDelivery(NamedTuple):
    """A delivery that this process holds, and where it goes."""

    claimed: Claimed
    to: Destination

    @property
    def id(self) -> int:
        return self.claimed.id

    @property
    def place(self) -> Place:
        return self.claimed.place


class Deliveries:
    """Webhooks, as they are sent on a loop (`apps.leases.Sends`)."""

    name, most, ahead = "webhook-deliverer", MAX_ALLOWANCE, 2

    def __init__(self) -> None:
        self._position = FIRST_PLACE

    @property
    def begins_within_s(self) -> float:
        return START_AFTER_CLAIM_S

    def session(self) -> AbstractAsyncContextManager[GuardedSession]:
        return GuardedSession()

    def exchange(
        self, ended: Sequence[Ended], wanted: int, room: Mapping[Any, int], first_room: int
    ) -> tuple[list[HeldDelivery], list[Ended]]:
        deliveries.finish(ended)
        held, others = [], []
        for claimed, to in deliveries.addressed(self._claim(wanted, room, first_room)) if wanted else ():
            if isinstance(to, AttemptVerdict):
                others.append(Ended(claimed, to))
            else:
                held.append(HeldDelivery(claimed, to))
        return held, others

    def _claim(self, wanted: int, room: Mapping[Any, int], default_room: int) -> list[Claimed]:
        """The destinations are served in turn: the next claim goes on where this one ended."""
        claimed = deliveries.claim(wanted=wanted, after=self._position, room=room, default_room=default_room)
        last_served = max((one.place for one in claimed), default=FIRST_PLACE)
        if len(claimed) < wanted and self._position != FIRST_PLACE:
            others = deliveries.claim(
                wanted=wanted - len(claimed), until=self._position, room=room, default_room=default_room
            )
            last_served = max((one.place for one in others), default=FIRST_PLACE)
            claimed += others
        self._position = last_served if len(claimed) == wanted else FIRST_PLACE
        return claimed

    async def send(self, session: GuardedSession, delivery: HeldDelivery) -> tuple[Ended, bool]:
        began, started_at = time.monotonic(), datetime.now(UTC)
        verdict, answer = await _call(session, *delivery)
        milliseconds = round(1000 * (time.monotonic() - began))
        ended = Ended(delivery.claimed, verdict, started_at, milliseconds, answer)
        return ended, verdict.response_status is not None

    def given_back(self, delivery: HeldDelivery) -> Ended:
        return Ended(delivery.claimed, rules.GIVEN_BACK)


class Deliverer(Sender):
    """The sender of webhooks."""

    def __init__(self) -> None:
        super().__init__(Deliveries())


async def _call(session: GuardedSession, claimed: Claimed, to: Destination) -> tuple[AttemptVerdict, str]:
    """Makes the call; what came of it, and the start of the answer."""
    before, of = claimed.attempts_before, destinations.kinds()[claimed.kind].attempts
    try:
        body, headers = _request(claimed, to)
        answer = await session.post(to.url, body, headers)
        return rules.after_answer(answer.status, attempts_before=before, of=of), answer.excerpt
    except EgressRefused as error:
        reason = rules.call_failure(error.reason)
        if error.is_permanent:
            return rules.failed_for_good(str(error), reason), ""
        text = _NO_ANSWER.get(reason, str(error))
    except Exception:
        logger.exception("webhook delivery %s failed on our side", claimed.guid)
        text, reason = _OURS, "internal"
    return rules.after_no_answer(text, reason, attempts_before=before, of=of), ""


def _request(claimed: Claimed, to: Destination) -> tuple[bytes, dict[str, str]]:
    """The request of a delivery; the same bytes at every attempt."""
    text = claimed.body or ""
    if claimed.is_sealed:
        text = encryption.decrypt(text)
    body = (to.rewrite(text) if to.rewrite else text).encode()
    headers = {
        **to.headers,
        "Content-Type": "application/json",
        "X-Service-Event": to.event_name or claimed.event_type,
        "X-Service-Signature": rules.signature(to.secrets[0].encode(), body),
        "X-Service-Idempotency-Key": claimed.event_id,
        "X-Service-Delivery": claimed.guid,
        "X-Service-Timestamp": str(int(time.time())),
    }
    if len(to.secrets) > 1:
        headers["X-Service-Signature-Next"] = rules.signature(to.secrets[1].encode(), body)
    if to.bearer:
        headers["Authorization"] = f"Bearer {to.bearer}"
    return body, headers


deliverer = Deliverer()


def _start_afresh_after_fork() -> None:
    global deliverer
    deliverer = Deliverer()


os.register_at_fork(after_in_child=_start_afresh_after_fork)
