"""Cian: its chats with who asks about an advertisement, https://public-api.cian.ru/.

Cian prints no page of it without an account. The calls and the callback are those of four public programs that are in
use with it: cp_conversations for CS-Cart, cassoft's cian_messager for Bitrix24, a bridge in TypeScript and a client in
Python. Not confirmed: the longest text, and what else than text a message may have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from apps.messengers.adapters.adapter import Adapter, RegisteredHook, WebhookRequest
from apps.messengers.adapters.cian.about import ABOUT
from apps.messengers.adapters.client import Credentials, File, ProviderCallFailed, ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Failure, FailureCode, MessagePart
from apps.messengers.rules.inbound import (
    InboundContent,
    InboundMessage,
    advertised,
    forwarded,
    identifier,
    member,
    objects,
    plain,
)
from apps.messengers.rules.kinds import Kind, Outcome

WANTED = (
    *("offersMessagesIncoming", "newbuildingMessagesIncoming"),
    *("agentMessagesIncoming", "inquiryOffersMessagesIncoming"),
)
BOT = "68084393"  # Cian's own: it writes in a buyer's chat, and is nobody's customer


class Cian(Adapter):
    code, about, base = "cian", ABOUT, "https://public-api.cian.ru"
    keeps_addresses = True
    reads = {
        **dict.fromkeys(Kind, Outcome.UNCONFIRMED),
        **dict.fromkeys((Kind.TEXT, Kind.SERVICE), Outcome.WORDS),
        Kind.UNKNOWN: Outcome.UNKNOWN,
    }

    async def call(self, client: ProviderClient, method: str, path: str, **more: Any) -> dict[str, Any]:
        """A call of the API."""
        headers = {"Authorization": f"Bearer {client.credentials.token}"}
        return (await client.ask(method, path, headers=headers, **more)).json

    async def register(self, client: ProviderClient, address: str, secret: str) -> RegisteredHook:
        wanted = {"url": address, "webhookTypes": WANTED}
        if not (await self.call(client, "POST", "/v3/subscribe-webhooks", json=wanted)).get("operationId"):
            raise ProviderCallFailed(Failure(FailureCode.REJECTED, "The messenger did not confirm the subscription."))
        return RegisteredHook()

    async def unregister(self, client: ProviderClient) -> None:
        gone = {"url": client.credentials.callback, "webhookTypes": WANTED}
        await self.call(client, "POST", "/v2/unsubscribe-webhooks", json=gone)

    async def health(self, client: ProviderClient, address: str) -> bool:
        result = (await self.call(client, "GET", "/v1/get-webhooks-subscriptions")).get("result")
        listed = objects(result) or objects(member(result, "webhooks")) or objects(member(result, "subscriptions"))
        ours = [one for one in listed if one.get("url") == address and one.get("active") is not False]
        types = [one.get("webhookTypes") for one in ours]
        told = {str(kind) for each in types if isinstance(each, list) for kind in each}
        return bool(ours) and (not told or set(WANTED) <= told)

    def verify(self, request: WebhookRequest) -> bool:
        return True

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        users, offers = objects(document.get("users")), objects(document.get("offers"))
        found = []
        for chat in objects(document.get("chats")):
            about = {"chatId": chat.get("chatId"), "offer": _offer(chat, offers)}
            for message in objects(chat.get("messages")):
                to, number = identifier(chat.get("chatId")), identifier(message.get("messageId"))
                if message.get("direction") == "in" and to and number:
                    names = (one for one in users if identifier(one.get("userId")) == identifier(message.get("userId")))
                    writer = next(names, {})
                    found.append(InboundMessage(to, number, {**about, "message": message, "user": writer}))
        return found

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        message, offer = part.get("message"), part.get("offer")
        text, user_id = plain(member(message, "content", "text")), identifier(member(message, "userId"))
        content = member(message, "content")
        others = sorted(content.keys() - {"text"}) if isinstance(content, Mapping) and not text else []
        about = {"chat": identifier(part.get("chatId"))}
        facts = {name: plain(member(offer, name)) for name in ("title", "address", "url")}
        if user_id == BOT:
            text, user_id = forwarded(text, "Циан") if text else "", ""
        return InboundContent(
            text=text,
            unknown=plain(others[0]) if others else "",
            user_id=user_id,
            name=plain(member(part, "user", "name")) if user_id else "",
            extra=about,
            attributes=advertised(**facts),
        )

    async def profile(self, client: ProviderClient, content: InboundContent) -> InboundContent:
        if content.name and content.user_id:
            return content
        chat = await self.call(client, "GET", "/v1/get-chat", query={"chatId": content.extra.get("chat", "")})
        people = objects(member(chat, "result", "chat", "users"))
        buyer = next((one for one in people if one.get("role") == "initiator"), {})
        user_id = content.user_id or identifier(buyer.get("userId"))
        return replace(content, user_id=user_id, name=content.name or plain(buyer.get("name")))

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        document = {"chatId": int(to) if to.isdecimal() else to, "content": {"text": part.text}}
        answer = await self.call(client, "POST", "/v1/send-message", json=document)
        return identifier(member(answer, "result", "messageId"))

    def failure(self, response: ProviderResponse) -> Failure | None:
        has_errors = bool(objects(member(response.json, "result", "errors")))
        return Failure(FailureCode.REJECTED, self.words(response)) if has_errors and response.status == 200 else None

    def words(self, response: ProviderResponse) -> str:
        errors = objects(member(response.json, "result", "errors"))
        told = [plain(one.get("message")) or plain(one.get("code")) for one in errors]
        return (
            "; ".join(filter(None, told))
            or super().words(response)
            or plain(member(response.json, "result", "message"))
        )


def _offer(chat: Mapping[str, Any], offers: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The advertisement that a chat is about."""
    number = identifier(chat.get("offerId"))
    named = [one for one in offers if number in [identifier(one.get(name)) for name in ("offerId", "id", "externalId")]]
    return named[0] if named and number else offers[0] if len(offers) == 1 else {}


ADAPTER = Cian()
