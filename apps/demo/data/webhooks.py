"""The demo's webhook subscriptions: a native and a legacy one on the first widget, one on each other.

With DEMO_RECEIVER_PORT, which `make run` sets, they name a receiver on loopback that shows what it gets; the document
says so. Else their hosts do not resolve (RFC 2606), and whatever is queued for them goes nowhere.
"""

from django.conf import settings

from apps.accounts.models import Widget
from apps.demo.document import Demo
from apps.webhooks.models import Subscription

SECRET = "whsec_parley-demo-secret"  # noqa: S105 - public on purpose

# Of each widget: the end of the address, the events, and whether they are legacy ones.
SUBSCRIPTIONS = {
    "shop": (
        ("parley", ["message.created", "chat.closed"], False),
        ("legacy", ["chat_finished", "client_updated"], True),
    ),
    "blog": (("parley", ["message.created"], False),),
    "rival": (("parley", ["message.created"], False),),
}


def seed(demo: Demo) -> None:
    """Adds the subscriptions that are not there yet, and has those that are name the receiver."""
    if settings.DEMO_RECEIVER_PORT:
        demo.document["webhook_receiver"] = {"port": settings.DEMO_RECEIVER_PORT, "secret": SECRET}
    for name, widget in demo.rows(Widget).items():
        ids = [_subscription(demo, name, widget, *plan) for plan in SUBSCRIPTIONS[name]]
        part = demo.part(widget)
        part["webhook_subscription_ids"] = ids
        part["path_ids"] |= {"webhook_subscription": ids[0]}


def _subscription(demo: Demo, name: str, widget: Widget, path: str, events: list[str], is_legacy: bool) -> int:
    nowhere = f"https://hooks.{name}.example/{path}"
    receiver = f"http://127.0.0.1:{settings.DEMO_RECEIVER_PORT}/{name}/{path}" if settings.DEMO_RECEIVER_PORT else None
    # The receiver's port may have been another one in an earlier run.
    earlier = rf"^(https://hooks\.{name}\.example|http://127\.0\.0\.1:[0-9]+/{name})/{path}$"
    known = {
        row.target: row
        for row in Subscription.objects.for_widget(widget.pk).filter(target__regex=earlier).order_by("pk")
    }
    subscription = known.get(receiver or nowhere) or next(iter(known.values()), None)
    if subscription is None:
        url = receiver or nowhere
        subscription = Subscription.objects.create(
            widget=widget, url=url, target=url, events=events, secret=SECRET, is_legacy_compat=is_legacy
        )
    elif receiver and subscription.target != receiver:
        subscription.url, subscription.target, subscription.updated_at = receiver, receiver, demo.now
        subscription.save(update_fields=["url", "target", "updated_at"])
    return demo.keep(f"{name} {path}", subscription).pk
