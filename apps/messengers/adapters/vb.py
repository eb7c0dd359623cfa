"""Viber: the REST bot API, https://developers.viber.com/docs/api/rest-bot-api/. A failure comes with status 200 and its
own `status`."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.adapter import Adapter, ProviderAccount, RegisteredHook, WebhookRequest
from apps.messengers.adapters.client import Credentials, File, ProviderCallFailed, ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, MessagePart
from apps.messengers.rules.inbound import Attachment, InboundContent, InboundMessage, Receipt, identifier, member, plain

LONGEST_NAME = 28
_CODES = {
    2: FailureCode.CREDENTIAL_REJECTED,
    5: FailureCode.NO_RECIPIENT,
    6: FailureCode.BLOCKED,
    12: FailureCode.SLOW_DOWN,
}
_NAMES = {"picture": "photo.jpg", "video": "video.mp4", "file": "file"}
_PASSING = frozenset({8, 10})


class Viber(Adapter):
    code, name, base = "vb", "Viber", "https://chatapi.viber.com/pa"
    can = Abilities(longest=7000, longest_caption=120, addresses=frozenset({"image", "file"}), has_places=True)

    def call(self, wire: ProviderClient, method: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """A method of the API."""
        return wire.ask("POST", f"/{method}", json=document, headers={"X-Viber-Auth-Token": wire.line.token}).json

    def register(self, wire: ProviderClient, address: str, secret: str) -> RegisteredHook:
        wanted = {"url": address, "event_types": ["delivered", "seen", "failed"], "send_name": True}
        self.call(wire, "set_webhook", wanted)
        try:
            about = self.call(wire, "get_account_info", {})
        except ProviderCallFailed:
            return RegisteredHook()
        return RegisteredHook(
            ProviderAccount(identifier(about.get("id")), plain(about.get("name")), plain(about.get("uri")))
        )

    def health(self, wire: ProviderClient, address: str) -> bool:
        return plain(self.call(wire, "get_account_info", {}).get("webhook")) == address

    def proves(self, hook: WebhookRequest) -> bool:
        return hook.is_signed(hook.headers.get("x-viber-content-signature", ""), hook.line.token)

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        writer, number = identifier(member(document, "sender", "id")), identifier(document.get("message_token"))
        if document.get("event") != "message" or not writer or not number:
            return ()
        return (InboundMessage(writer, number, document),)

    def receipts(self, document: Mapping[str, Any]) -> Sequence[Receipt]:
        states = {"delivered": "delivered", "seen": "read", "failed": "failed"}
        state, number = states.get(plain(document.get("event"))), identifier(document.get("message_token"))
        if state is None or not number:
            return ()
        if state == "failed":
            return (Receipt(state, (number,), code=FailureCode.REJECTED, detail=plain(document.get("desc"))),)
        return (Receipt(state, (number,)),)

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        message, sender = part.get("message") or {}, part.get("sender") or {}
        kind, text = plain(member(message, "type")), plain(member(message, "text"))
        lat, lng = member(message, "location", "lat"), member(message, "location", "lon")
        is_place = isinstance(lat, int | float) and isinstance(lng, int | float)
        if kind == "contact":
            text = f"{plain(member(message, 'contact', 'name'))}: {plain(member(message, 'contact', 'phone_number'))}"
        files = []
        if kind in ("picture", "video", "file"):
            name = plain(member(message, "file_name")) or _NAMES[kind]
            files.append(Attachment(name, plain(member(message, "media")), is_image=kind == "picture"))
        return InboundContent(
            text=text,
            attachments=files,
            place=(float(lat), float(lng)) if is_place else None,
            sticker={"id": identifier(member(message, "sticker_id"))} if kind == "sticker" else None,
            user_id=identifier(member(sender, "id")),
            name=plain(member(sender, "name")),
        )

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        name = (wire.line.account_name or "Operator")[:LONGEST_NAME]
        message: dict[str, Any] = {"receiver": to, "min_api_version": 1, "sender": {"name": name}}
        if part.place:
            message |= {"type": "location", "location": {"lat": part.place[0], "lon": part.place[1]}}
        elif part.file and part.is_image:
            message |= {"type": "picture", "text": part.text, "media": part.file["address"]}
        elif part.file:
            about = {"media": part.file["address"], "size": part.file["size"], "file_name": part.file["name"]}
            message |= {"type": "file", **about}
        else:
            message |= {"type": "text", "text": part.text}
        return identifier(self.call(wire, "send_message", message).get("message_token"))

    def failure(self, reply: ProviderResponse) -> Failure | None:
        status = reply.json.get("status")
        if status in (0, None):
            return None
        code = FailureCode.UNAVAILABLE if status in _PASSING else _CODES.get(status, FailureCode.REJECTED)
        return Failure(code, plain(reply.json.get("status_message")))
