"""The demo's custom channels: one on the first widget, one of the other account.

Their hosts do not resolve (RFC 2606), so what operators write in their chats goes nowhere.
"""

from apps.accounts.models import Widget
from apps.accounts.rules import digest
from apps.core.demo import Demo
from apps.messengers.models import Channel

CHANNELS = {"shop": "Our app", "rival": "Rival's app"}


def seed(demo: Demo) -> None:
    """Adds the channels that are not there yet; the document has their ids and secrets."""
    for name, title in CHANNELS.items():
        widget = demo.row(Widget, name)
        secret = f"cs_{'parley-demo-channel-of-the-' + name:x<43}"  # public on purpose
        channel, _ = Channel.objects.get_or_create(
            widget=widget,
            digest=digest(secret),
            defaults={
                "name": title,
                "outbound_url": f"https://channel.{name}.example/parley",
                "target": f"https://channel.{name}.example/parley",
                "secret": secret,
            },
        )
        demo.keep(f"{name} channel", channel)
        part = demo.part(widget)
        part["channels"] = [{"id": channel.pk, "code": channel.code, "name": title, "secret": secret}]
        part["path_ids"] |= {"channel": channel.pk}
