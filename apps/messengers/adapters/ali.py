"""AliExpress: its chats with buyers. The contract is assumed: no public page prints it, and a subscription is confirmed
by nothing (`unconfirmed_provider_api`), so the first who connects an account should try it first."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from apps.messengers.adapters.adapter import Adapter, Hook, Registered, Registration
from apps.messengers.adapters.client import File, Line, Wire
from apps.messengers.rules.delivery import Part
from apps.messengers.rules.inbound import Arrival, Said, identifier, member, plain


class AliExpress(Adapter):
    code, name, base = "ali", "AliExpress", "https://openapi.aliexpress.ru"
    registration: ClassVar[Registration] = "unconfirmed"

    def call(self, wire: Wire, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """A call of the API."""
        return wire.ask("POST", f"/api/v1/chat{path}", json=document, headers={"X-Auth-Token": wire.line.token}).json

    def register(self, wire: Wire, address: str, secret: str) -> Registered:
        self.call(wire, "/webhook", {"url": address})
        return Registered()

    def proves(self, hook: Hook) -> bool:
        return True

    def arrivals(self, document: Mapping[str, Any], line: Line) -> Sequence[Arrival]:
        chat, number = identifier(document.get("chat_id")), identifier(document.get("message_id"))
        return (Arrival(chat, number, document),) if chat and number and member(document, "sender", "id") else ()

    def said(self, part: Mapping[str, Any]) -> Said:
        user_id, name = identifier(member(part, "sender", "id")), plain(member(part, "sender", "name"))
        return Said(text=plain(part.get("text")), user_id=user_id, name=name)

    def send(self, wire: Wire, to: str, part: Part, key: int, file: File | None) -> str:
        return identifier(self.call(wire, "/messages", {"chat_id": to, "text": part.text}).get("message_id"))
