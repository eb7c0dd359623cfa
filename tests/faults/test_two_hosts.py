"""Two machines of each kind of process on one PostgreSQL and one Valkey: one is lost at a time, and nothing with it."""

import itertools
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import parse_qs, urlsplit

import pytest

from apps.accounts.models import Widget
from apps.chats.models import Message
from apps.webhooks.models import Delivery
from tests.e2e.http import Refused, call
from tests.factories.webhooks import SubscriptionFactory
from tests.faults.callers import busy
from tests.faults.conftest import Figures
from tests.faults.hosts import FIRST, Forwarder, Host, can_make_hosts, hosts, network
from tests.faults.odd_valkey import odd_valkey
from tests.faults.scale import SCALE
from tests.realtime.process import database_url
from tests.webhooks.receivers import HookReceiver, wait_until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not SCALE.is_long, reason="it takes minutes; `make faults` runs it"),
    pytest.mark.skipif(not can_make_hosts(), reason="network namespaces are for root, on Linux with iproute2"),
]

VISITORS, PER_S, LOSSES = 8, 10.0, 4


class Visitor:
    """Somebody whose browser tries the other machine where one does not answer; `sent` is what was answered for."""

    def __init__(self, machines: list[Host], guid: str) -> None:
        self._bases = itertools.cycle(f"{machine.url}/widget/{guid}" for machine in machines)
        self._base = next(self._bases)
        session = call("POST", f"{self._base}/sessions", body={})["data"]
        self._authorization = f"Visitor {session['visitor_token']}"
        self.sent: list[int] = []
        self.longest_s = 0.0

    def say(self) -> None:
        begun, message = time.monotonic(), {"client_id": str(uuid.uuid4()), "type": "text", "body": "Open on Sunday?"}
        while True:
            try:
                self.sent.append(call("POST", f"{self._base}/messages", self._authorization, message)["data"]["id"])
            except Refused as refused:
                if refused.status != 503:
                    raise
            except (OSError, ValueError):  # nobody is there at the moment
                pass
            else:
                self.longest_s = max(self.longest_s, time.monotonic() - begun)
                return
            assert time.monotonic() - begun < 120, "no machine stored the message"
            self._base = next(self._bases)
            threading.Event().wait(0.05)


@pytest.fixture
def machines(shop: Widget, hook: HookReceiver) -> Iterator[list[Host]]:
    with ExitStack() as stack:
        stack.enter_context(network())
        valkey = stack.enter_context(odd_valkey())
        redis = urlsplit(valkey.url)
        database = urlsplit(database_url())
        socket_path = f"{parse_qs(database.query)['host'][0]}/.s.PGSQL.5432"
        servers = (socket_path, ("127.0.0.1", redis.port or 6379), ("127.0.0.1", hook.port))
        postgres, cache, world = ways = [Forwarder(server) for server in servers]
        for way in ways:
            stack.callback(way.end)
        environ = {
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            "DATABASE_URL": f"postgresql://parley@{FIRST}:{postgres.port}{database.path}",
            "REDIS_URL": f"redis://:{redis.password}@{FIRST}:{cache.port}/0",
            "EGRESS_ALLOW": f"{FIRST}:{world.port}",
            "ALLOWED_HOSTS": "*",
            "VISITOR_RATE_LIMIT": "1000000",
            "WEB_WORKERS": "1",
            "WORKER_CONCURRENCY": "2",
        }
        found = stack.enter_context(hosts(2, environ))
        SubscriptionFactory.create(widget=shop, url=f"http://{FIRST}:{world.port}/")
        yield found


def test_a_machine_is_lost_again_and_again_and_nothing_with_it(
    machines: list[Host], shop: Widget, hook: HookReceiver, figures: Figures
) -> None:
    visitors = [Visitor(machines, shop.guid) for _ in range(VISITORS)]
    with busy(PER_S, *(visitor.say for visitor in visitors)) as crowd:
        for lost in itertools.islice(itertools.cycle(machines), LOSSES):
            done = crowd.done
            wait_until(lambda done=done: crowd.done > done + 50, 120)
            lost.lose()
            done = crowd.done
            wait_until(lambda done=done: crowd.done > done + 50, 120)
            lost.come_back()
    assert crowd.failures == []
    wait_until(lambda: not Delivery.objects.filter(status="pending").exists(), 180)
    sent = Counter(id_ for visitor in visitors for id_ in visitor.sent)
    assert Counter(Message.objects.filter(client_id__isnull=False).values_list("pk", flat=True)) == sent
    heard = Counter(one.json["data"]["message_id"] for one in hook.heard)
    assert set(heard) == set(sent)
    twice = sum(count - 1 for count in heard.values())
    longest = max(visitor.longest_s for visitor in visitors)
    figures.add(
        "two hosts", f"{LOSSES} lost, {len(sent):,} messages, 0 lost, {twice} deliveries twice, {longest:.1f} s"
    )
