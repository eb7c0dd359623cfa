"""Push messages: an operator whose console is closed is told that visitors wait (docs/guides/operator-side.md).

RFC 8030 (the way), 8291 (encryption), 8292 (who sends: a key pair of this installation). A message holds nothing of a
visitor or their words. Best effort: what is told is read from who waits, so nothing is lost with a message.
"""

import base64
import hashlib
import json
import logging
import time
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import translation
from django.utils.translation import ngettext
from py_vapid import Vapid02
from pywebpush import WebPusher

from apps import egress
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.console import querysets
from apps.console.models import PushKey, PushSubscription
from apps.console.querysets import SignIn, Waiting
from apps.console.rules.push_keys import MAX_BROWSERS
from apps.leases import Lease, wake_workers

logger = logging.getLogger(__name__)

TIMEOUT_S, MAX_ANSWER = 10.0, 64 * 1024
# How long a push service keeps a message for a browser that is switched off.
KEPT_S = 3600
GONE = (404, 410)
# It is subscribed for another key than this installation's, and would never be told; the person allows it anew.
FOREIGN = (401, 403)


def public_key() -> str:
    """The key that a browser subscribes with: an uncompressed point, base64url without padding (RFC 8292, 3.2)."""
    point = _vapid().public_key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


@transaction.atomic
def add_browser(*, agent: Agent, session_key: str, endpoint: str, p256dh: str, auth: str) -> None:
    """Has the operator told in that browser from now on, of what comes from now on; the oldest give way to a 21st."""
    mine = PushSubscription.objects.for_widget(agent.widget_id).filter(agent=agent)
    PushSubscription.objects.bulk_create(
        [
            PushSubscription(
                agent=agent,
                session_key=session_key,
                digest=_digest(endpoint),
                endpoint=endpoint,
                p256dh=p256dh,
                auth=auth,
                told_up_to=querysets.waiting_for(agent).newest,
                due_at=None,
            )
        ],
        update_conflicts=True,
        unique_fields=["agent", "digest"],
        update_fields=["session_key", "endpoint", "p256dh", "auth", "told_up_to"],
    )
    kept = mine.order_by("-id").values_list("pk", flat=True)[:MAX_BROWSERS]
    mine.exclude(pk__in=list(kept)).delete()


def remove_browser(*, agent: Agent, endpoint: str) -> None:
    """Ends push messages to that endpoint. An unknown endpoint is no error."""
    PushSubscription.objects.for_widget(agent.widget_id).filter(agent=agent, digest=_digest(endpoint)).delete()


def queue_pushes() -> int:
    """Queues a push for each browser of an operator with visitors newer than its last push; returns how many."""
    browsers = list(PushSubscription.objects.unscoped("every widget's rows").idle())
    newest = {agent: querysets.waiting_for(agent).newest for agent in {browser.agent for browser in browsers}}
    due = [browser.pk for browser in browsers if newest[browser.agent] > browser.told_up_to]
    if due:
        PushSubscription.objects.unscoped("every widget's rows").filter(pk__in=due, due_at=None).update(due_at=Now())
        wake_workers()
    return len(due)


def work(lease: Lease[PushSubscription]) -> None:
    browser = lease.row
    agent = (
        Agent.objects.unscoped("of a claimed browser")
        .people()
        .select_related("user", "widget")
        .filter(pk=browser.agent_id)
        .first()
    )
    if agent is None or querysets.ended_among([SignIn(agent.pk, agent.user_id or 0, browser.session_key)]):
        _forget(lease)
        return
    waiting = querysets.waiting_for(agent)
    is_news = agent.online_since is None and waiting.newest > browser.told_up_to
    status = _sent(browser, agent, waiting) if is_news else None
    if status is not None and 400 <= status < 500 and status not in (*GONE, 429):
        logger.warning("the push service %s refuses a message: %s", urlsplit(browser.endpoint).hostname, status)
    if status in (*GONE, *FOREIGN):
        _forget(lease)
    elif status is not None and (status == 429 or status >= 500):
        lease.failed()
    else:
        with transaction.atomic():
            PushSubscription.objects.for_widget(agent.widget_id).filter(pk=browser.pk).update(
                told_up_to=max(waiting.newest, browser.told_up_to)
            )
            lease.done()


def _forget(lease: Lease[PushSubscription]) -> None:
    with transaction.atomic():
        lease.done()
        lease.row.delete()


def _sent(browser: PushSubscription, agent: Agent, waiting: Waiting) -> int:
    """The push service's answer; 503 where there is none."""
    user: Any = agent.user
    body = WebPusher({"endpoint": browser.endpoint, "keys": {"p256dh": browser.p256dh, "auth": browser.auth}}).encode(
        json.dumps(_message(agent, user, waiting)).encode(), content_encoding="aes128gcm"
    )["body"]
    parts = urlsplit(browser.endpoint)
    claims = {
        "sub": f"mailto:{settings.DEFAULT_FROM_EMAIL.rpartition('<')[2].rstrip('>')}",
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + 12 * 3600,
    }
    headers = {
        **_vapid().sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_S),
        "Urgency": "high",
        "Topic": "waiting",
    }
    try:
        answer = egress.fetch(
            "POST", browser.endpoint, headers=headers, body=body, timeout=TIMEOUT_S, max_bytes=MAX_ANSWER
        )
    except egress.InvalidUrl:
        return GONE[0]
    except egress.EgressRefused as refused:
        return GONE[0] if refused.is_permanent else 503
    return answer.status


def _message(agent: Agent, user: User, waiting: Waiting) -> dict[str, str]:
    with translation.override(user.mail_language):
        words = ngettext(
            "%(count)s visitor waits for an answer", "%(count)s visitors wait for an answer", waiting.count
        )
    return {
        "title": agent.widget.name,
        "body": words % {"count": waiting.count},
        "url": f"{reverse('console')}?widget={agent.widget.guid}",
        "tag": f"parley-{agent.widget.guid}",
    }


def _digest(endpoint: str) -> bytes:
    return hashlib.sha256(endpoint.encode()).digest()


def _vapid() -> Vapid02:
    row = PushKey.objects.filter(pk=1).first()
    if row is None:
        made = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32, "big")
        text = base64.urlsafe_b64encode(made).rstrip(b"=").decode()
        PushKey.objects.bulk_create(
            [PushKey(pk=1, private=text)], ignore_conflicts=True
        )  # another process may be first
        row = PushKey.objects.get(pk=1)
    return Vapid02.from_raw(row.private.encode())
