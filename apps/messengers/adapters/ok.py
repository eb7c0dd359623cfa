"""Odnoklassniki: the bot API of groups, https://apiok.ru/dev/graph_api/bot_api. Its callbacks carry no proof but the
key in their path."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.adapter import Adapter, RegisteredHook, WebhookRequest
from apps.messengers.adapters.client import Credentials, File, ProviderCallFailed, ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, MessagePart
from apps.messengers.rules.inbound import Attachment, InboundContent, InboundMessage, identifier, member, objects, plain

_ENDINGS = {"image": ".jpg", "video": ".mp4"}
_REJECTING = frozenset({102, 103, 401})


class Odnoklassniki(Adapter):
    code, name, base = "ok", "Odnoklassniki", "https://api.ok.ru"
    can = Abilities(longest=4000, longest_caption=4000, addresses=frozenset({"image", "file"}))
    forbidden = FailureCode.BLOCKED

    def call(self, wire: ProviderClient, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """A call of the graph API."""
        return wire.ask("POST", f"/graph/{path}", query={"access_token": wire.line.token}, json=document).json

    def register(self, wire: ProviderClient, address: str, secret: str) -> RegisteredHook:
        if self.call(wire, "me/subscribe", {"url": address, "types": ["MESSAGE_CREATED"]}).get("success") is not True:
            raise ProviderCallFailed(Failure(FailureCode.REJECTED, "OK did not confirm the subscription."))
        return RegisteredHook()

    def proves(self, hook: WebhookRequest) -> bool:
        return True

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        chat, number = (
            identifier(member(document, "recipient", "chat_id")),
            identifier(member(document, "message", "mid")),
        )
        if document.get("webhookType", "MESSAGE_CREATED") != "MESSAGE_CREATED" or not chat or not number:
            return ()
        return (InboundMessage(chat, number, document),)

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        message, sender = part.get("message") or {}, part.get("sender") or {}
        files = []
        for given in objects(member(message, "attachments")):
            kind, address = plain(given.get("type")).lower(), plain(member(given, "payload", "url"))
            if kind in ("image", "video", "audio", "file"):
                name = plain(member(given, "payload", "name")) or f"{kind}{_ENDINGS.get(kind, '')}"
                files.append(Attachment(name, address, is_image=kind == "image"))
        user_id = identifier(member(sender, "user_id"))
        text = plain(member(message, "text"))
        return InboundContent(text=text, attachments=files, user_id=user_id, name=plain(member(sender, "name")))

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        message: dict[str, Any] = {"text": part.text} if part.text or not part.file else {}
        if part.file:
            kind = "IMAGE" if part.is_image else "FILE"
            message["attachment"] = {"type": kind, "payload": {"url": part.file["address"]}}
        answer = self.call(wire, f"me/messages/{to}", {"recipient": {"chat_id": to}, "message": message})
        return identifier(answer.get("message_id"))

    def failure(self, reply: ProviderResponse) -> Failure | None:
        number = reply.json.get("error_code")
        if number is None:
            return None
        return Failure(
            FailureCode.CREDENTIAL_REJECTED if number in _REJECTING else FailureCode.REJECTED, self.words(reply)
        )
