"""Viber: the REST bot API, https://creators.viber.com/docs/bots-api/ and
https://developers.viber.com/docs/api/rest-bot-api/. A failure comes with status 200 and its own `status`.
Not confirmed: voice messages.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from apps.messengers.adapters.adapter import Adapter, ProviderAccount, RegisteredHook, WebhookRequest
from apps.messengers.adapters.client import (
    Credentials,
    File,
    ProviderCallFailed,
    ProviderClient,
    ProviderResponse,
    uploading,
)
from apps.messengers.adapters.greetings import hello
from apps.messengers.adapters.vb.about import ABOUT
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, FileKind, MessagePart
from apps.messengers.rules.inbound import (
    Attachment,
    InboundContent,
    InboundEvent,
    InboundMessage,
    Receipt,
    card,
    identifier,
    member,
    moment,
    plain,
)
from apps.messengers.rules.kinds import Kind, Outcome

LONGEST_NAME, LONGEST_START = 28, 255
# What else comes, it sends to everybody.
WANTED = ["delivered", "seen", "failed", "conversation_started"]
PERSON_S = 900.0
# https://creators.viber.com/docs/bots-api/errors
_CODES = {
    **dict.fromkeys((2, 7, 8, 9, 15), Failure(FailureCode.CREDENTIAL_REJECTED)),
    **dict.fromkeys((5, 11), Failure(FailureCode.NO_RECIPIENT)),
    6: Failure(FailureCode.BLOCKED),
    10: Failure(FailureCode.UNAVAILABLE, hook_lost=True),
    # A hundred messages in an hour to somebody who does not answer: others are written to.
    12: Failure(FailureCode.SLOW_DOWN, retry_after_s=PERSON_S, one_person=True),
}
_NAMES = {"picture": "photo.jpg", "video": "video.mp4", "file": "file"}
_WORDS = frozenset({"text", "url", "contact", "location", "sticker", *_NAMES})
_MB = 1024 * 1024
# https://developers.viber.com/docs/api/rest-bot-api/#forbidden-file-formats
# fmt: off
_FORBIDDEN = frozenset(
    {
        "action", "apk", "app", "bat", "bin", "cmd", "com", "command", "cpl", "csh", "exe", "gadget", "inf1", "ins",
        "inx", "ipa", "isu", "job", "jse", "ksh", "lnk", "msc", "msi", "msp", "mst", "osx", "out", "paf", "pif",
        "prg", "ps1", "reg", "rgs", "run", "sct", "shb", "shs", "u3p", "vb", "vbe", "vbs", "vbscript", "workflow",
        "ws", "wsf",
    }
)
# fmt: on
_ENDINGS = {"image/jpeg": "photo.jpeg", "image/png": "photo.png"}


class Viber(Adapter):
    code, about, base = "vb", ABOUT, "https://chatapi.viber.com/pa"
    schemes = ("https", "viber")
    # https://creators.viber.com/docs/bots-api/data-models/message: a picture of 1 MB goes to iPhones too, of 3 MB to
    # Android alone; a GIF that moves is none. Only a picture has words beside it.
    can = Abilities(
        longest=7000,
        files=(
            FileKind("image", frozenset(_ENDINGS), max_bytes=_MB, max_caption=768, by_address=True),
            FileKind("video", frozenset({"video/mp4"}), max_bytes=26 * _MB, by_address=True),
            FileKind("file", max_bytes=50 * _MB, by_address=True, refused_endings=_FORBIDDEN),
        ),
        has_places=True,
    )
    reads = {
        **dict.fromkeys(Kind, Outcome.MESSAGE),
        **dict.fromkeys((Kind.TEXT, Kind.CONTACT, Kind.LINK, Kind.BUTTON), Outcome.WORDS),
        Kind.SERVICE: Outcome.NOTHING,
        Kind.UNKNOWN: Outcome.UNKNOWN,
        **dict.fromkeys((Kind.ALBUM, Kind.REPLY, Kind.FORWARD, Kind.REACTION, Kind.LIST, Kind.ORDER), Outcome.NEVER),
        **dict.fromkeys((Kind.POLL, Kind.CALL, Kind.EDIT, Kind.DELETION), Outcome.NEVER),
        Kind.VOICE: Outcome.UNCONFIRMED,
    }

    async def call(self, client: ProviderClient, method: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """A method of the API."""
        headers = {"X-Viber-Auth-Token": client.credentials.token}
        return (await client.ask("POST", f"/{method}", json=document, headers=headers)).json

    async def register(self, client: ProviderClient, address: str, secret: str) -> RegisteredHook:
        await self.call(client, "set_webhook", {"url": address, "event_types": WANTED, "send_name": True})
        try:
            about = await self.call(client, "get_account_info", {})
        except ProviderCallFailed:
            return RegisteredHook()
        return RegisteredHook(
            ProviderAccount(identifier(about.get("id")), plain(about.get("name")), plain(about.get("uri")))
        )

    async def unregister(self, client: ProviderClient) -> None:
        await self.call(client, "set_webhook", {"url": ""})

    async def health(self, client: ProviderClient, address: str) -> bool:
        about = await self.call(client, "get_account_info", {})
        events = about.get("event_types")
        return plain(about.get("webhook")) == address and (not isinstance(events, list) or set(WANTED) <= set(events))

    def verify(self, request: WebhookRequest) -> bool:
        return request.is_signed(request.headers.get("x-viber-content-signature", ""), request.credentials.token)

    def answer(self, request: WebhookRequest) -> Mapping[str, Any] | None:
        """The greeting of who opens the conversation: it may be written to before it is subscribed in this way alone,
        https://creators.viber.com/docs/bots-api/resources/messaging/welcome-message.
        """
        if request.document.get("event") != "conversation_started":
            return None
        words = hello(plain(member(request.document, "user", "language")))
        return {"type": "text", "text": words, "min_api_version": 1, "sender": _sender(request.credentials)}

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        event, number = document.get("event"), identifier(document.get("message_token"))
        if event == "conversation_started" and (person := identifier(member(document, "user", "id"))) and number:
            return (InboundMessage(person, number, document, event=InboundEvent.STARTED),)
        writer = identifier(member(document, "sender", "id"))
        if event != "message" or not writer or not number:
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

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        message, sender = part.get("message") or {}, part.get("sender") or part.get("user") or {}
        kind, media = plain(member(message, "type")), plain(member(message, "media"))
        lat, lng = member(message, "location", "lat"), member(message, "location", "lon")
        is_place = isinstance(lat, int | float) and isinstance(lng, int | float)
        files = []
        if kind in _NAMES:
            name = plain(member(message, "file_name")) or _NAMES[kind]
            files.append(Attachment(name, media, is_image=kind == "picture"))
        sticker = {"id": identifier(member(message, "sticker_id")), "url": media}
        context = plain(part.get("context"))[:LONGEST_START]
        return InboundContent(
            text=_words(message, kind),
            unknown="" if kind in _WORDS or not message else kind,
            at=moment(part.get("timestamp"), per_second=1000),
            attachments=files,
            place=(float(lat), float(lng)) if is_place else None,
            sticker=sticker if kind == "sticker" else None,
            user_id=identifier(member(sender, "id")),
            name=plain(member(sender, "name")),
            language=plain(member(sender, "language")),
            attributes={"vb_start": context} if context else {},
        )

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        message: dict[str, Any] = {"receiver": to, "min_api_version": 1, "sender": _sender(client.credentials)}
        about, kind = part.file or {}, part.kind.name if part.kind else ""
        if part.place:
            message |= {"type": "location", "location": {"lat": part.place[0], "lon": part.place[1]}}
        elif kind == "image":
            ending = _ENDINGS.get(about["content_type"], "photo.jpeg")
            message |= {"type": "picture", "text": part.text, "media": f"{about['address']}/{ending}"}
        elif kind == "video":
            message |= {"type": "video", "media": f"{about['address']}/video.mp4", "size": about["size"]}
        elif kind:
            message |= {"type": "file", "media": about["address"], "size": about["size"], "file_name": about["name"]}
        else:
            message |= {"type": "text", "text": part.text}
        with uploading() if kind else nullcontext():
            return identifier((await self.call(client, "send_message", message)).get("message_token"))

    def failure(self, response: ProviderResponse) -> Failure | None:
        status = response.json.get("status")
        if status in (0, None):
            return None
        found = _CODES.get(status) if isinstance(status, int) else None
        found, words = found or Failure(FailureCode.REJECTED), plain(response.json.get("status_message"))
        return Failure(found.code, words, found.retry_after_s, None, found.one_person, found.hook_lost)


def _sender(credentials: Credentials) -> Mapping[str, str]:
    return {"name": (credentials.account_name or "Operator")[:LONGEST_NAME]}


def _words(message: Any, kind: str) -> str:
    """The text of a message, the address that was shared, or the card. Words beside a file are its caption."""
    lines = [plain(member(message, "text"))]
    if kind == "url":
        lines.append(plain(member(message, "media")))
    if kind == "contact":
        about = member(message, "contact")
        lines.append(card(plain(member(about, "name")), [plain(member(about, "phone_number"))]))
    return "\n".join(dict.fromkeys(filter(None, lines)))


ADAPTER = Viber()
