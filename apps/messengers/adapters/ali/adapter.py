"""AliExpress: its chats with buyers. Not confirmed: no public document or program names a call of its chats. Host and
header are those of its other APIs; all else is assumed, and a subscription is confirmed by nothing
(`unconfirmed_provider_api`), so the first who connects an account should try it first."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from apps.messengers.adapters.adapter import Adapter, RegisteredHook, Registration, WebhookRequest
from apps.messengers.adapters.ali.about import ABOUT
from apps.messengers.adapters.client import Credentials, File, ProviderClient
from apps.messengers.rules.delivery import MessagePart
from apps.messengers.rules.inbound import InboundContent, InboundMessage, identifier, member, plain
from apps.messengers.rules.kinds import Kind, Outcome


class AliExpress(Adapter):
    code, about, base = "ali", ABOUT, "https://openapi.aliexpress.ru"
    registration: ClassVar[Registration] = "unconfirmed"
    reads = dict.fromkeys(Kind, Outcome.UNCONFIRMED)

    async def call(self, client: ProviderClient, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """A call of the API."""
        headers = {"X-Auth-Token": client.credentials.token}
        return (await client.ask("POST", f"/api/v1/chat{path}", json=document, headers=headers)).json

    async def register(self, client: ProviderClient, address: str, secret: str) -> RegisteredHook:
        await self.call(client, "/webhook", {"url": address})
        return RegisteredHook()

    def verify(self, request: WebhookRequest) -> bool:
        return True

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        chat, number = identifier(document.get("chat_id")), identifier(document.get("message_id"))
        return (InboundMessage(chat, number, document),) if chat and number and member(document, "sender", "id") else ()

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        user_id, name = identifier(member(part, "sender", "id")), plain(member(part, "sender", "name"))
        return InboundContent(text=plain(part.get("text")), user_id=user_id, name=name)

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        return identifier((await self.call(client, "/messages", {"chat_id": to, "text": part.text})).get("message_id"))


ADAPTER = AliExpress()
