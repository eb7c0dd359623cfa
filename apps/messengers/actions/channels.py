"""Making, switching and deleting custom channels."""

from django.db import transaction

from apps.accounts.audit.records import record_secret
from apps.accounts.rules import digest
from apps.messengers import rules
from apps.messengers.models import Channel


@transaction.atomic
def register_channel(*, widget_id: int, name: str, url: str, target: str, is_active: bool = True) -> Channel:
    """Makes a custom channel whose outbound messages go to a url, vetted before; `target` is its canonical spelling.

    Its secret is generated, and can be read from the answer alone.
    """
    secret = rules.new_secret()
    return Channel.objects.create(
        widget_id=widget_id,
        name=name,
        outbound_url=url,
        target=target,
        secret=secret,
        digest=digest(secret),
        is_active=is_active,
    )


@transaction.atomic
def set_channel_active(*, channel: Channel, is_active: bool) -> None:
    """Enables or disables a channel. While it is disabled it takes nothing, and what is queued for it is dropped."""
    channel.is_active = is_active
    channel.save(update_fields=["is_active"])


@transaction.atomic
def replace_secret(*, channel: Channel) -> str:
    """Gives a channel another secret, in force at once, also for what is queued; returns it in plain text."""
    secret = rules.new_secret()
    channel.secret, channel.digest = secret, digest(secret)
    channel.save(update_fields=["secret", "digest"])
    record_secret(channel, "secret", "replaced")
    return secret


@transaction.atomic
def delete_channel(*, channel: Channel) -> None:
    """Deletes a channel. Its chats and contacts stay; what is queued for it is dropped when it comes up."""
    channel.delete()
