"""The demo's webhook subscriptions: a native and a legacy one on the first widget, one on each other.

Their hosts do not resolve (RFC 2606), so whatever is queued for them goes nowhere.
"""

from apps.accounts.models import Widget
from apps.core.demo import Demo
from apps.webhooks.models import Subscription

SECRET = "whsec_parley-demo-secret"  # noqa: S105 - public on purpose

SUBSCRIPTIONS = {
    "shop": (
        ("https://hooks.shop.example/parley", ["message.created", "chat.closed"], False),
        ("https://hooks.shop.example/legacy", ["chat_finished", "client_updated"], True),
    ),
    "blog": (("https://hooks.blog.example/parley", ["message.created"], False),),
    "rival": (("https://hooks.rival.example/parley", ["message.created"], False),),
}


def seed(demo: Demo) -> None:
    """Adds the subscriptions that are not there yet."""
    for name, widget in demo.rows(Widget).items():
        ids = [_subscription(demo, name, widget, *plan) for plan in SUBSCRIPTIONS[name]]
        part = demo.part(widget)
        part["webhook_subscription_ids"] = ids
        part["path_ids"] |= {"webhook_subscription": ids[0]}


def _subscription(demo: Demo, name: str, widget: Widget, url: str, events: list[str], is_legacy: bool) -> int:
    subscription, _ = Subscription.objects.get_or_create(
        widget=widget,
        target=url,
        defaults={"url": url, "events": events, "secret": SECRET, "is_legacy_compat": is_legacy},
    )
    return demo.keep(f"{name} {url}", subscription).pk
