"""All processes are restarted in order while they are used: no request fails, nothing is lost, nothing comes twice."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from apps.accounts.models import Widget
from apps.chats.models import Message
from apps.webhooks.models import Delivery
from tests.factories.webhooks import SubscriptionFactory
from tests.faults.callers import Crowd, Proxy, Visitor, busy, proxy_to
from tests.faults.conftest import Figures
from tests.faults.parts import Part, Parts, end, launch, surroundings
from tests.faults.scale import SCALE
from tests.faults.test_realtime_survives import ResumingTab
from tests.realtime.tab import Tab
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import HookReceiver, wait_until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(3600 if SCALE.is_long else 300),
]

VISITORS, PER_S = 6, 20.0
SERVICE_RESTART = 1012


@pytest.fixture
def parts(hook: HookReceiver) -> Iterator[Parts]:
    with surroundings(EGRESS_ALLOW=f"127.0.0.1:{hook.port}") as environ, ExitStack() as stack:
        parts = Parts(environ)
        for part in parts.all:
            stack.callback(part.close)
        launch(parts.all)
        yield parts
        end(parts.all)


@contextmanager
def resuming_tabs(parts: Parts, shop: Widget, visitors: list[Visitor]) -> Iterator[list[ResumingTab]]:
    """A tab of each visitor, which comes back as the widget does."""
    url = f"ws://127.0.0.1:{parts.realtime.port}"
    tabs = [ResumingTab(url, shop.guid, visitor.token) for visitor in visitors]
    try:
        for tab in tabs:
            tab.start()
        wait_until(lambda: all(tab.openings for tab in tabs), AT_MOST_S)
        yield tabs
    finally:
        for tab in tabs:
            tab.end()


def replace_workers(web: Part, crowd: Crowd) -> None:
    """SIGHUP; returns when others serve than before. At no moment there are fewer than two."""
    before, done = web.workers(), crowd.done
    assert len(before) == 2
    web.reload()
    fewest, until = 2, time.monotonic() + 120
    while (now := web.workers()) & before:
        fewest = min(fewest, len(now))
        assert time.monotonic() < until, web.output
        time.sleep(0.02)
    wait_until(lambda: len(web.workers()) == 2)
    assert fewest == 2
    assert crowd.done > done, "nothing was asked meanwhile"


def restart(parts: Parts, proxy: Proxy, shop: Widget, token: str) -> None:
    """All of them, one `web` after the other; the tab that is open says why it is closed."""
    first, second = parts.webs
    others = [parts.realtime, parts.worker, parts.beat]
    with Tab(f"ws://127.0.0.1:{parts.realtime.port}", shop.guid) as tab:
        tab.auth(token)
        end([first, *others])
        assert tab.close_code() == SERVICE_RESTART
    launch([first, *others])
    wait_until(lambda: proxy.takes(first.port), 60)
    second.stop()
    second.start()
    wait_until(lambda: proxy.takes(second.port), 60)


@pytest.mark.slow
def test_nobody_notices_that_everything_is_restarted(
    parts: Parts, shop: Widget, hook: HookReceiver, figures: Figures
) -> None:
    """R21. The processes of a `web` are replaced in place, then everything is stopped and started."""
    SubscriptionFactory.create(widget=shop, url=hook.url)
    with ExitStack() as stack:
        proxy = stack.enter_context(proxy_to(*(web.port for web in parts.webs)))
        visitors = [Visitor(proxy, shop.guid) for _ in range(VISITORS)]
        for visitor in visitors:
            stack.callback(visitor.close)
        tabs = stack.enter_context(resuming_tabs(parts, shop, visitors[:2]))
        with busy(PER_S, *(visitor.say for visitor in visitors)) as crowd:
            for _ in range(SCALE.rolls):
                replace_workers(parts.webs[0], crowd)
                restart(parts, proxy, shop, visitors[-1].token)
        assert crowd.failures == []
        wait_until(lambda: all(tab.shown[-1:] == one.sent[-1:] for tab, one in zip(tabs, visitors, strict=False)), 30)
        wait_until(lambda: not Delivery.objects.filter(status="pending").exists(), 60)
        shown = [tab.shown for tab in tabs]
    parts.webs[0].reload()
    parts.webs[0].stop()  # amidst it
    sent = Counter(id_ for visitor in visitors for id_ in visitor.sent)
    assert Counter(Message.objects.filter(client_id__isnull=False).values_list("pk", flat=True)) == sent
    assert Counter(one.json["data"]["message_id"] for one in hook.heard) == sent
    assert shown == [visitor.sent for visitor in visitors[: len(tabs)]]
    assert [part.name for part in parts.all if "Traceback" in part.output] == []
    figures.add("R21", f"{SCALE.rolls} rolls, {crowd.done:,} calls, 0 failed, 0 lost, 0 twice")
