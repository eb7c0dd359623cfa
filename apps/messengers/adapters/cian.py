"""Cian: its chats with who asks about an advertisement. The contract is assumed: no page of Cian's prints it. It was
made like the API of its leads, https://public-api.cian.ru/, so the first who connects an account should try it."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.adapter import Adapter, Hook, Registered
from apps.messengers.adapters.client import File, Line, Wire
from apps.messengers.rules.delivery import Part
from apps.messengers.rules.inbound import Arrival, Said, identifier, member, plain


class Cian(Adapter):
    code, name, base = "cian", "Cian", "https://public-api.cian.ru"

    def call(self, wire: Wire, method: str, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """A call of the API."""
        bearer = {"Authorization": f"Bearer {wire.line.token}"}
        return wire.ask(method, f"/v1/chats{path}", json=document, headers=bearer).json

    def register(self, wire: Wire, address: str, secret: str) -> Registered:
        self.call(wire, "POST", "/webhook", {"url": address})
        return Registered()

    def unregister(self, wire: Wire) -> None:
        self.call(wire, "DELETE", "/webhook", {})

    def proves(self, hook: Hook) -> bool:
        return True

    def arrivals(self, document: Mapping[str, Any], line: Line) -> Sequence[Arrival]:
        chat, number = identifier(document.get("chatId")), identifier(document.get("messageId"))
        return (Arrival(chat, number, document),) if chat and number and document.get("direction") == "in" else ()

    def said(self, part: Mapping[str, Any]) -> Said:
        text, user_id = plain(member(part, "content", "text")), identifier(part.get("userId"))
        return Said(text=text, user_id=user_id, name=plain(part.get("userName")))

    def send(self, wire: Wire, to: str, part: Part, key: int, file: File | None) -> str:
        answer = self.call(wire, "POST", f"/{to}/messages", {"content": {"text": part.text}})
        return identifier(answer.get("messageId"))
