"""Three ways to deliver the same webhooks, each a process under measurement (goal P5).

`product` is the deliverer as a worker process runs it; `poster` posts the same signed bodies from a list in its memory,
32 at a time over one aiohttp session, and keeps nothing: the limit; `plain` is what one would write first, a Celery
task with `requests` for each delivery. `python -m bench.senders WAY COUNT` prints "ready", works when it is sent a
line, and ends with its input; `data URL COUNT` fills the outbox and prints nothing.
"""

import asyncio
import hmac
import json
import os
import sys
from collections.abc import Callable

import aiohttp
import requests
import uvloop
from celery import Celery

IN_FLIGHT = 32
SECRET = "whsec_of-the-benchmark-only"
# One to ten receivers, as a tenant has them.
RECEIVERS = 10

app = Celery("plain", broker=os.environ.get("REDIS_URL"))
app.conf.update(
    task_default_queue="plain",
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
)


def signed_headers(body: bytes) -> dict[str, str]:
    signature = "sha256=v1:" + hmac.digest(SECRET.encode(), body, "sha256").hex()
    return {"Content-Type": "application/json", "X-Service-Signature": signature}


@app.task(name="post")
def post(url: str, body: str) -> None:
    """The plain way's task."""
    requests.post(url, body.encode(), headers=signed_headers(body.encode()), timeout=15).raise_for_status()


def set_up_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def fill(url: str, deliveries: int) -> None:
    """So many deliveries that are due, to ten subscriptions at one receiver. Earlier rows are removed."""
    set_up_django()
    from django.db import connection

    from apps.accounts.models import Account, Widget
    from apps.webhooks.actions.outbox import OutboxEvent, outbox_cte
    from apps.webhooks.models import Subscription

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE webhooks_event, webhooks_delivery, webhooks_subscription CASCADE")
    account, _ = Account.objects.get_or_create(email="deliveries@parley.example")
    widget, _ = Widget.objects.get_or_create(account=account, name="deliveries")
    for n in range(RECEIVERS):
        target = f"{url}/{n}"
        Subscription.objects.create(widget=widget, url=target, target=target, events=["message.created"], secret=SECRET)
    data = {"chat_id": 1, "message_id": 2, "client_id": "0" * 32, "author_type": "USER", "source": "widget"}
    event = OutboxEvent("message.created", widget.pk, widget.guid, data)
    left = deliveries // RECEIVERS
    while left:
        batch = min(left, 500)
        cte = outbox_cte([event] * batch)
        assert cte is not None
        assert cte.run() == batch * RECEIVERS
        left -= batch
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE, PARALLEL 0)")


def posts(count: int) -> list[tuple[str, str]]:
    """The address and the body of so many of the deliveries, whether they were made by now or not."""
    set_up_django()
    from apps.webhooks.models import Event, Subscription

    targets = list(Subscription.objects.values_list("target", flat=True))
    bodies = Event.objects.order_by("id").values_list("body", flat=True)
    return [(target, body) for body in bodies[: count // RECEIVERS] for target in targets]


def product(_: int) -> Callable[[], None]:
    set_up_django()
    from apps.webhooks.dispatcher import deliverer
    from config.celery import keep_what_is_loaded

    keep_what_is_loaded()
    return deliverer.wake


def poster(count: int) -> Callable[[], None]:
    waiting = iter(posts(count))

    async def one_after_the_other(session: aiohttp.ClientSession) -> None:
        for url, text in waiting:
            body = text.encode()
            async with session.post(url, data=body, headers=signed_headers(body)) as answer:
                await answer.read()

    async def all_posts() -> None:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=IN_FLIGHT)) as session:
            await asyncio.gather(*(one_after_the_other(session) for _ in range(IN_FLIGHT)))

    return lambda: uvloop.run(all_posts())


def plain(count: int) -> Callable[[], None]:
    """Only hands the tasks over: a worker of its own does them."""
    waiting = posts(count)

    def hand_over() -> None:
        with app.connection_for_write() as connection, app.amqp.Producer(connection) as producer:
            for url, body in waiting:
                post.apply_async((url, body), producer=producer)

    return hand_over


def main(arguments: list[str]) -> None:
    if arguments[0] == "data":
        fill(arguments[1], int(arguments[2]))
        return
    work = {"product": product, "poster": poster, "plain": plain}[arguments[0]](int(arguments[1]))
    print("ready", flush=True)
    sys.stdin.readline()
    work()
    print(json.dumps("started"), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
