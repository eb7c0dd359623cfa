"""The webhook of the OpenAPI document that custom channels are sent (specification, "Message", keyboards)."""

from apps.core import destinations
from apps.core.payloads import Schema, example_of, object_schema, webhook
from apps.core.plugins import DocumentAddition
from apps.messengers.payloads import Button, ChannelMessage, OutboundMessageData

# What a schema can't say.
GUIDE = "/api/docs/guides/custom-channels"
NAME, COMPONENT = "custom_channel.message", "ChannelMessage"


def document() -> Schema:
    """The app's part of the OpenAPI document; nothing unless an app that delivers is installed."""
    if not destinations.is_available():
        return {}
    request = webhook(
        NAME,
        summary="A message for a custom channel",
        description=_SAYS,
        schema=COMPONENT,
        example=example_body(),
    )
    return {
        "webhooks": {NAME: {"post": request}},
        "components": {"schemas": {COMPONENT: object_schema(ChannelMessage)}},
    }


def example_body() -> Schema:
    """A body as it could be sent: a text with a link button."""
    message = example_of(OutboundMessageData)
    of_a_text = {name: message[name] for name in ("id", "type", "text", "timestamp")}
    return {**example_of(ChannelMessage), "message": {**of_a_text, "buttons": [example_of(Button)]}}


_SAYS = f"""Posted to a custom channel's `outbound_url` when the operators' side writes in one of its chats;
notes never are. At least once; a repeated message may come after a later one.

It is the format in which the other platform tells channels of answers: one that came from there works on.

`X-Service-Event` is `message.created`; the body is this one, not that of the webhook `message.created`, which goes to
webhook subscriptions. How to verify, answer and dedupe: [the guide]({GUIDE})."""


ADDITION = DocumentAddition(document)
