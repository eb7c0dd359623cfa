"""The demo's cards: the receiver of `make run` plays the first widget's shop. Without it there are none."""

from django.conf import settings

from apps.accounts.models import Widget
from apps.cards.models import CardSettings
from apps.demo.data.webhooks import SECRET
from apps.demo.document import Demo


def seed(demo: Demo) -> None:
    """Sets the cards of the tea shop, at the address that the receiver has now."""
    if not settings.DEMO_RECEIVER_PORT:
        return
    widget = demo.rows(Widget)["shop"]
    url = f"http://127.0.0.1:{settings.DEMO_RECEIVER_PORT}/shop/cards"
    row = CardSettings.objects.for_widget(widget.pk).first() or CardSettings(widget=widget, secret=SECRET)
    row.url, row.target, row.cards = url, url, [{"key": "order", "title": "Last order", "ttl_seconds": 60}]
    row.save()
