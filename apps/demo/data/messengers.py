"""The demo's custom channels, messengers, communities and ad cabinets.

The channels' hosts do not resolve (RFC 2606), so what operators write in their chats goes nowhere. All credentials of
providers are dead, and known to be, so that nothing calls out by itself.
"""

from typing import Any

from django.utils import timezone

from apps.accounts.models import Widget
from apps.accounts.questions import entitlements_of
from apps.accounts.rules import digest
from apps.demo.document import Demo
from apps.messengers.models import Channel, Connection
from apps.messengers.rules.providers import CabinetStatus, ProblemCode, WebhookStatus

CHANNELS = {"shop": "Our app", "rival": "Rival's app"}
# By widget: its connected providers, and its cabinets by status.
CONNECTED: dict[str, tuple[tuple[str, ...], tuple[CabinetStatus, ...]]] = {
    "shop": ((), tuple(CabinetStatus)),
    "blog": (("wa", "cian"), (CabinetStatus.DISABLED, CabinetStatus.SUSPENDED)),
    "rival": ((), (CabinetStatus.DISABLED,)),
}
_DEAD = {
    "webhook_status": WebhookStatus.REGISTERED,
    "webhook_attempted": True,
    "problem_code": ProblemCode.CREDENTIAL_REJECTED,
    "problem_detail": "The demo's credential opens nothing.",
}


def seed(demo: Demo) -> None:
    """Adds what is not there yet; the document has its ids, and the secrets of channels."""
    _seed_channels(demo)
    for name, (providers, statuses) in CONNECTED.items():
        widget = demo.row(Widget, name)
        for provider in providers:
            _connection(widget, name, provider, sid="100200300" if provider == "wa" else None)
        community = _connection(widget, name, "vk", "1", account_name="Tea shop", public_name="club1", is_primary=True)
        cabinets = {
            status.value: _connection(widget, name, "av", str(number), account_name=f"Cabinet {number}", status=status)
            for number, status in enumerate(statuses, 1)
        }
        plan, part = entitlements_of(widget.pk), demo.part(widget)
        part["plan"] = {"paid": plan.paid, "ad_slots": plan.ad_slots}
        part["messengers_connected"] = list(providers)
        part["vk_community_ids"] = [community.pk]
        part["ad_cabinet_ids"] = {status: cabinet.pk for status, cabinet in cabinets.items()}
        part["path_ids"] |= {"vk_community": community.pk, "ad_cabinet": cabinets["disabled"].pk}


def _connection(widget: Widget, name: str, provider: str, account: str = "", **fields: Any) -> Connection:
    key = f"{'demo-' + name + '-' + provider + '-' + account:x<43}"
    made, _ = Connection.objects.get_or_create(
        widget=widget,
        provider=provider,
        account=account,
        defaults={
            "token": "dead",
            "secret": "dead",
            "hook_key": key,
            "digest": digest(key),
            "verify_token": "dead",
            "account_id": account,
            "problem_at": timezone.now(),
            **_DEAD,
            **fields,
        },
    )
    return made


def _seed_channels(demo: Demo) -> None:
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
