"""Messenger: the Send API, https://developers.facebook.com/documentation/business-messaging/messenger-platform/reference;
webhooks: https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks/webhook-events.

An app has one callback address: what is for which page is said by `entry[].id` and `recipient.id`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import orjson

from apps.messengers.adapters.adapter import ProviderAccount
from apps.messengers.adapters.client import Credentials, File, ProviderClient, ProviderResponse
from apps.messengers.adapters.fb.about import ABOUT
from apps.messengers.adapters.fb.content import (
    attachments_of,
    came_from,
    place_of,
    sticker_of,
    unknown_kind,
    words_of,
)
from apps.messengers.adapters.graph import Codes, Graph
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, FileKind, MessagePart
from apps.messengers.rules.inbound import (
    InboundContent,
    InboundEvent,
    InboundMessage,
    Receipt,
    edit_name,
    identifier,
    member,
    moment,
    objects,
    plain,
)
from apps.messengers.rules.kinds import Kind, Outcome

WANTED = ("messages", "messaging_postbacks", "message_edits", "message_deliveries", "message_reads")
_MB = 1024 * 1024
_IMAGES, _VIDEOS = frozenset({"image/jpeg", "image/png", "image/gif"}), frozenset({"video/mp4"})
_SOUNDS = frozenset({"audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg", "audio/x-wav"})


class Messenger(Graph):
    code, about = "fb", ABOUT
    # https://developers.facebook.com/documentation/business-messaging/messenger-platform/send-messages/saving-assets
    can = Abilities(
        longest=2000,
        files=(
            FileKind("image", _IMAGES, max_bytes=25 * _MB),
            FileKind("video", _VIDEOS, max_bytes=25 * _MB),
            FileKind("audio", _SOUNDS, max_bytes=25 * _MB),
            FileKind("file", max_bytes=25 * _MB),
        ),
    )
    reads = {
        **dict.fromkeys(Kind, Outcome.MESSAGE),
        **dict.fromkeys((Kind.TEXT, Kind.REPLY, Kind.LINK, Kind.BUTTON, Kind.ORDER), Outcome.WORDS),
        **dict.fromkeys((Kind.EDIT,), Outcome.CHANGE),
        **dict.fromkeys((Kind.REACTION, Kind.SERVICE), Outcome.NOTHING),
        **dict.fromkeys((Kind.CONTACT, Kind.FORWARD, Kind.LIST, Kind.POLL, Kind.CALL, Kind.DELETION), Outcome.NEVER),
        Kind.UNKNOWN: Outcome.UNKNOWN,
    }
    means: ClassVar[Codes] = {10: Failure(FailureCode.WINDOW_CLOSED)}

    def failure(self, response: ProviderResponse) -> Failure | None:
        """(#10) is said of the time for answers, and of an app or a key without a permission: its words tell which."""
        found, words = super().failure(response), self.words(response)
        is_general = member(response.json, "error", "code") == 10 and not member(
            response.json, "error", "error_subcode"
        )
        if found and is_general and "permission" in words.lower() and "window" not in words.lower():
            return replace(found, code=FailureCode.CREDENTIAL_REJECTED)
        return found

    # --- The page --------------------------------------------------------------------------------------------------

    async def probe(self, client: ProviderClient) -> ProviderAccount | None:
        page = await self.call(client, "GET", "/me", query={"fields": "id,name"})
        number = identifier(page.get("id"))
        return ProviderAccount(number, plain(page.get("name")), route=number) if number else None

    async def subscribe(self, client: ProviderClient) -> bool:
        await self.call(client, "POST", "/me/subscribed_apps", query={"subscribed_fields": ",".join(WANTED)})
        return True

    async def health(self, client: ProviderClient, address: str) -> bool:
        apps = objects((await self.call(client, "GET", "/me/subscribed_apps")).get("data"))
        return any("messages" in (one.get("subscribed_fields") or ()) for one in apps)

    # --- What comes in --------------------------------------------------------------------------------------------

    def accounts(self, document: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        found: dict[str, list[Any]] = {}
        for entry in objects(document.get("entry")):
            if page := identifier(entry.get("id")):
                found.setdefault(page, []).append(entry)
        return {page: {"object": "page", "entry": entries} for page, entries in found.items()}

    def is_for(self, part: Mapping[str, Any], credentials: Credentials) -> bool:
        named = {identifier(member(part, "recipient", "id")), identifier(part.get("_page"))} - {""}
        return not credentials.account_id or named <= {credentials.account_id}

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        found = []
        for event in _events(document):
            writer = identifier(member(event, "sender", "id"))
            if not writer or not self.is_for(event, credentials) or member(event, "message", "is_echo"):
                continue
            if edited := identifier(member(event, "message_edit", "mid")):
                count = identifier(member(event, "message_edit", "num_edit"))
                name = edit_name(edited, count or identifier(event.get("timestamp")), event)
                found.append(InboundMessage(writer, name, event, event=InboundEvent.EDITED, changes=edited))
            elif number := identifier(member(event, "message", "mid")) or _pressed(event):
                found.append(InboundMessage(writer, number, event))
        return found

    def receipts(self, document: Mapping[str, Any]) -> Sequence[Receipt]:
        found = []
        for event in _events(document):
            writer = identifier(member(event, "sender", "id"))
            mids = member(event, "delivery", "mids")
            if isinstance(mids, list):
                found.append(Receipt("delivered", tuple(identifier(mid) for mid in mids[:100])))
            for name, state in (("delivery", "delivered"), ("read", "read")):
                until = member(event, name, "watermark")
                if isinstance(until, int) and writer and not (name == "delivery" and mids):
                    found.append(Receipt(state, conversation=writer, until_ms=until))
        return found

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        return InboundContent(
            text=words_of(part),
            unknown=unknown_kind(part),
            at=moment(part.get("timestamp"), per_second=1000),
            attachments=attachments_of(part),
            place=place_of(part),
            sticker=sticker_of(part),
            user_id=identifier(member(part, "sender", "id")),
            attributes=came_from(part),
        )

    async def profile(self, client: ProviderClient, content: InboundContent) -> InboundContent:
        person = await self.call(client, "GET", f"/{content.user_id}", query={"fields": "first_name,last_name"})
        names = (plain(person.get("first_name")), plain(person.get("last_name")))
        return replace(content, name=" ".join(filter(None, names)))

    # --- What goes out --------------------------------------------------------------------------------------------

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        message: dict[str, Any] = {"recipient": {"id": to}, "messaging_type": "RESPONSE"}
        if file is None:
            answer = await self.call(client, "POST", "/me/messages", json={**message, "message": {"text": part.text}})
        else:
            kind = part.kind.name if part.kind else "file"
            about = {"attachment": {"type": kind, "payload": {"is_reusable": False}}}
            form = {
                "recipient": orjson.dumps(message["recipient"]).decode(),
                "messaging_type": "RESPONSE",
                "message": orjson.dumps(about).decode(),
            }
            answer = await self.call(client, "POST", "/me/messages", form=form, files={"filedata": file})
        return identifier(answer.get("message_id"))


def _pressed(event: Mapping[str, Any]) -> str:
    """The id of a button that was pressed; older ones have none of their own, and are known by their time."""
    if not isinstance(event.get("postback"), Mapping):
        return ""
    return identifier(member(event, "postback", "mid")) or f"postback:{identifier(event.get('timestamp'))}"


def _events(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The events of an update, each with the page that it is for."""
    return [
        {**event, "_page": identifier(entry.get("id"))}
        for entry in objects(document.get("entry"))
        for event in objects(entry.get("messaging"))
    ]


ADAPTER = Messenger()
