"""The serializers of custom channels, providers, communities and ad cabinets."""

import time
from datetime import datetime
from typing import Any

from apps.chats.events import PostedContent
from apps.chats.serializers.files import file_address
from apps.core.endpoints.row_serializers import MethodField, RowSerializer, Secret, TextList, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.messengers import rules
from apps.messengers.adapters import PROVIDERS
from apps.messengers.adapters.vk.adapter import Vk
from apps.messengers.payloads import MessageContent
from apps.messengers.rules.providers import (
    CabinetStatus,
    ProblemCode,
    WebhookStatus,
    cabinet_channel,
)


class CustomChannelSerializer(RowSerializer):
    """A custom channel. Its address and secret are not shown once it is made."""

    id = Integer()
    name = Text()
    code = Text(help_text="The channel's name in chats and events: `ch` and its id.")
    is_active = Boolean(help_text="False: it is disabled, and takes no messages.")
    has_secret = Boolean()


class RegisteredChannelSerializer(CustomChannelSerializer):
    """A new custom channel, with its secret."""

    secret = Secret(help_text="Signs what is sent to the channel, and is its address's secret. Shown once.")


class ChannelStatusSerializer(RowSerializer):
    """Whether an operator is online."""

    online = Integer(min_value=0, max_value=1, help_text="1 while a person has the console open and is not on a break.")


def message_content(widget_id: int, message_id: int, content: PostedContent) -> MessageContent:
    """The content of a new message in the other platform's format."""
    details = content.details or {}
    file = details.get("file")
    return rules.message_content(
        message_id=message_id,
        body=content.body,
        markdown=content.markdown,
        details=details,
        file_url=file_address(widget_id, file["id"]) if file else None,
        sent_at=int(time.time()),
    )


class MessengerAccountSerializer(RowSerializer):
    """The account of a credential, as the provider says."""

    id = Text()
    name = Text()


class MessengerWebhookSerializer(RowSerializer):
    """The outcome of registering the callback address."""

    attempted = Boolean(help_text="Whether this write, or on a read the last one, made a registration call.")
    status = Choice(
        choices=[one.value for one in WebhookStatus],
        help_text="`registered` and `long_poll`: confirmed. `failed`: the credential is saved, nothing comes in; "
        "verify tries again. `unconfirmed_provider_api`: the provider never says. `manual`: you paste the address. "
        "`pending`: not tried yet.",
    )
    detail = Text(allow_null=True, help_text="A sentence, never an address or a secret.")
    at = Time(allow_null=True)


class MessengerProblemSerializer(RowSerializer):
    """The problem of a connection until it is repaired."""

    code = Choice(choices=[one.value for one in ProblemCode])
    detail = Text()
    at = Time()


class ProviderSerializer(RowSerializer):
    """A provider as the widget has it. Tokens, ids that are secrets, and a connection's own callback address are never
    shown.
    """

    provider = Choice(choices=list(PROVIDERS))
    name = Text()
    connected = Boolean()
    writable = Boolean(help_text="False: not connected by PUT.")
    fields = TextList(  # type: ignore[assignment]
        help_text="The members that PUT takes, all of them required; `wa` and `fb` may lack `url`."
    )
    has_token = Boolean()
    has_sid = Boolean(required=False, help_text="Only for `wa` and `apple`.")
    has_app_secret = Boolean(required=False, help_text="Only for `wa` and `fb`: whether your own app's is kept.")
    unproved_at = Time(
        required=False,
        allow_null=True,
        help_text="Only for `wa` and `fb`: when an update came last that no secret proved, if none came since that one "
        "did. It is of another app: give its secret.",
    )
    has_url = Boolean()
    link = Text(allow_null=True, help_text="The link for visitors.")
    callback_url = Text(
        allow_null=True,
        help_text="`wa` and `fb`: the one address at which the installation's app at Meta delivers for all numbers or "
        "pages, each call signed by Meta. Null for others.",
    )
    account = MessengerAccountSerializer(allow_null=True)
    webhook = MessengerWebhookSerializer(allow_null=True)
    problem = MessengerProblemSerializer(allow_null=True)
    last_inbound_at = Time(allow_null=True)
    last_outbound_at = Time(allow_null=True)
    failed_24h = Integer(help_text="Messages that did not go out in the last 24 hours.")
    connected_at = Time(allow_null=True)
    updated_at = Time(allow_null=True)


WEBHOOK_COLUMNS = ("webhook_attempted", "webhook_status", "webhook_detail", "webhook_at")
PROBLEM_COLUMNS = ("problem_code", "problem_detail", "problem_at")


def webhook(attempted: bool, status: str, detail: str, at: datetime | None) -> dict[str, Any]:
    """The registration as it is shown."""
    return {"attempted": attempted, "status": status, "detail": detail or None, "at": at}


def problem(code: str, detail: str, at: datetime | None) -> dict[str, Any] | None:
    """The problem as it is shown; null while there is none."""
    return {"code": code, "detail": detail, "at": at} if code else None


class CommunitySerializer(RowSerializer):
    """A community of VK."""

    id = Integer()
    community_id = MethodField(Integer(), columns=("account",), from_=int)
    name = Text(source="account_name")
    screen_name = Text(source="public_name")
    link = MethodField(Text(), columns=("public_name", "account"), from_=lambda name, id_: Vk().link("", name, id_))
    is_primary = Boolean(help_text="Visitors are sent to it.")
    has_token = MethodField(Boolean(), columns=("id",), from_=lambda _: True)
    webhook = MethodField(MessengerWebhookSerializer(), columns=WEBHOOK_COLUMNS, from_=webhook)
    problem = MethodField(MessengerProblemSerializer(allow_null=True), columns=PROBLEM_COLUMNS, from_=problem)
    last_inbound_at = Time(allow_null=True)
    created_at = Time()


class CabinetSerializer(RowSerializer):
    """A cabinet of an ad marketplace."""

    id = Integer()
    provider = Text(help_text="`av`: Avito.")
    channel = MethodField(Text(), columns=("id",), from_=cabinet_channel)
    account_id = Text(source="account")
    name = Text(source="account_name")
    status = Choice(choices=[one.value for one in CabinetStatus])
    webhook = MethodField(MessengerWebhookSerializer(), columns=WEBHOOK_COLUMNS, from_=webhook)
    problem = MethodField(MessengerProblemSerializer(allow_null=True), columns=PROBLEM_COLUMNS, from_=problem)
    last_inbound_at = Time(allow_null=True)
    last_outbound_at = Time(allow_null=True)
    created_at = Time()
    updated_at = Time()
