"""Cian: its chats with who asks about an advertisement. The contract is assumed: no page of Cian's prints it. It was
made like the API of its leads, https://public-api.cian.ru/, so the first who connects an account should try it."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.adapter import Adapter, RegisteredHook, WebhookRequest
from apps.messengers.adapters.client import Credentials, File, ProviderClient
from apps.messengers.rules.delivery import MessagePart
from apps.messengers.rules.inbound import InboundContent, InboundMessage, identifier, member, plain


class Cian(Adapter):
    code, name, base = "cian", "Cian", "https://public-api.cian.ru"

    def call(self, wire: ProviderClient, method: str, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """A call of the API."""
        bearer = {"Authorization": f"Bearer {wire.line.token}"}
        return wire.ask(method, f"/v1/chats{path}", json=document, headers=bearer).json

    def register(self, wire: ProviderClient, address: str, secret: str) -> RegisteredHook:
        self.call(wire, "POST", "/webhook", {"url": address})
        return RegisteredHook()

    def unregister(self, wire: ProviderClient) -> None:
        self.call(wire, "DELETE", "/webhook", {})

    def proves(self, hook: WebhookRequest) -> bool:
        return True

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        chat, number = identifier(document.get("chatId")), identifier(document.get("messageId"))
        return (
            (InboundMessage(chat, number, document),) if chat and number and document.get("direction") == "in" else ()
        )

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        text, user_id = plain(member(part, "content", "text")), identifier(part.get("userId"))
        return InboundContent(text=text, user_id=user_id, name=plain(part.get("userName")))

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        answer = self.call(wire, "POST", f"/{to}/messages", {"content": {"text": part.text}})
        return identifier(answer.get("messageId"))
