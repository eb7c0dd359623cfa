"""Messenger: the Send API, https://developers.facebook.com/docs/messenger-platform/reference/send-api; webhooks:
https://developers.facebook.com/docs/messenger-platform/reference/webhook-events."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from apps.messengers.adapters.client import Credentials, File, ProviderClient
from apps.messengers.adapters.graph import Graph
from apps.messengers.rules.delivery import Abilities, MessagePart
from apps.messengers.rules.inbound import (
    Attachment,
    InboundContent,
    InboundMessage,
    Receipt,
    identifier,
    member,
    objects,
    plain,
)


class Messenger(Graph):
    code, name = "fb", "Facebook Messenger"
    can = Abilities(longest=2000, uploads=frozenset({"image", "file"}))

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        found = []
        for event in _events(document):
            message = event.get("message")
            writer, number = identifier(member(event, "sender", "id")), identifier(member(message, "mid"))
            if writer and number and not member(message, "is_echo"):
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

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        message = part.get("message") or {}
        files, place, sticker = [], None, None
        for given in objects(member(message, "attachments")):
            kind, address = plain(given.get("type")), plain(member(given, "payload", "url"))
            lat, lng = member(given, "payload", "coordinates", "lat"), member(given, "payload", "coordinates", "long")
            if member(given, "payload", "sticker_id"):
                sticker = {"id": identifier(member(given, "payload", "sticker_id")), "url": address}
            elif kind == "location" and isinstance(lat, int | float) and isinstance(lng, int | float):
                place = (float(lat), float(lng))
            elif kind in ("image", "video", "audio", "file"):
                name = address.partition("?")[0].rpartition("/")[2][:100] or kind
                files.append(Attachment(name, address, is_image=kind == "image"))
        user_id = identifier(member(part, "sender", "id"))
        return InboundContent(
            text=plain(member(message, "text")), attachments=files, place=place, sticker=sticker, user_id=user_id
        )

    def profile(self, wire: ProviderClient, said: InboundContent) -> str:
        person = self.call(wire, "GET", f"/{said.user_id}", query={"fields": "first_name,last_name"})
        return " ".join(filter(None, (plain(person.get("first_name")), plain(person.get("last_name")))))

    def health(self, wire: ProviderClient, address: str) -> bool:
        self.call(wire, "GET", "/me")
        return True

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        message: dict[str, Any] = {"recipient": {"id": to}, "messaging_type": "RESPONSE"}
        if file is None:
            answer = self.call(wire, "POST", "/me/messages", json={**message, "message": {"text": part.text}})
        else:
            about = {"attachment": {"type": "image" if part.is_image else "file", "payload": {"is_reusable": False}}}
            form = {
                "recipient": orjson.dumps(message["recipient"]).decode(),
                "messaging_type": "RESPONSE",
                "message": orjson.dumps(about).decode(),
            }
            answer = self.call(wire, "POST", "/me/messages", form=form, files={"filedata": file})
        return identifier(answer.get("message_id"))


def _events(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [event for entry in objects(document.get("entry")) for event in objects(entry.get("messaging"))]
