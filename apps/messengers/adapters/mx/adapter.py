"""MAX: the bot API, https://dev.max.ru/docs-api, as its schema has it
(https://github.com/max-messenger/max-bot-api-client-go, schema.yaml). A bot edits its own messages of the last 7 days
(https://dev.max.ru/docs-api/methods/PUT/messages), and deletes any of them. MAX's certificates are of a root that the
file named by SSL_CERT_FILE must hold, besides all others.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.adapter import Adapter, ProviderAccount, RegisteredHook, WebhookRequest, same
from apps.messengers.adapters.client import (
    Credentials,
    File,
    ProviderCallFailed,
    ProviderClient,
    ProviderResponse,
    done_where,
    uploading,
)
from apps.messengers.adapters.greetings import hello
from apps.messengers.adapters.mx.about import ABOUT
from apps.messengers.adapters.mx.content import (
    VIDEO,
    attachments_of,
    contact_of,
    place_of,
    sticker_of,
    unknown_kind,
    words_of,
)
from apps.messengers.adapters.mx.style import MaxStyle
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, FileKind, MessagePart
from apps.messengers.rules.inbound import (
    Attachment,
    InboundContent,
    InboundEvent,
    InboundMessage,
    edit_name,
    identifier,
    member,
    moment,
    objects,
    plain,
)
from apps.messengers.rules.kinds import Kind, Outcome

WANTED = ["message_created", "message_edited", "message_removed", "bot_started"]
_NOT_READY = "attachment.not.ready"
# The best first that is likely to fit into what is kept of a customer's file.
_VIDEOS = ("mp4_720", "mp4_480", "mp4_360", "mp4_1080", "mp4_240", "mp4_144")
_PHOTOS = frozenset({"image/jpeg", "image/png", "image/gif"})


class Max(Adapter):
    code, about, base = "mx", ABOUT, "https://platform-api2.max.ru"
    has_secret = keeps_addresses = True
    style = MaxStyle()
    can = Abilities(
        longest=4000,
        files=(FileKind("image", _PHOTOS, max_caption=4000), FileKind("file", max_caption=4000)),
        has_places=True,
        takes_changes=True,
    )
    reads = {
        **dict.fromkeys(Kind, Outcome.NEVER),
        **dict.fromkeys((Kind.IMAGE, Kind.FILE, Kind.VOICE, Kind.VIDEO, Kind.ALBUM), Outcome.MESSAGE),
        **dict.fromkeys((Kind.LOCATION, Kind.STICKER), Outcome.MESSAGE),
        **dict.fromkeys((Kind.TEXT, Kind.LINK, Kind.CONTACT, Kind.REPLY, Kind.FORWARD), Outcome.WORDS),
        **dict.fromkeys((Kind.EDIT, Kind.DELETION), Outcome.CHANGE),
        Kind.BUTTON: Outcome.WORDS,
        Kind.SERVICE: Outcome.NOTHING,
        Kind.UNKNOWN: Outcome.UNKNOWN,
    }
    forbidden = FailureCode.BLOCKED

    async def call(self, client: ProviderClient, method: str, path: str, **more: Any) -> dict[str, Any]:
        """A call of the API."""
        return (await client.ask(method, path, headers={"Authorization": client.credentials.token}, **more)).json

    async def register(self, client: ProviderClient, address: str, secret: str) -> RegisteredHook:
        wanted = {"url": address, "update_types": WANTED, "secret": secret}
        if (await self.call(client, "POST", "/subscriptions", json=wanted)).get("success") is not True:
            raise ProviderCallFailed(Failure(FailureCode.REJECTED, "The messenger did not confirm the subscription."))
        try:
            me = await self.call(client, "GET", "/me")
        except ProviderCallFailed:
            return RegisteredHook()
        name = plain(me.get("name") or me.get("first_name"))
        return RegisteredHook(ProviderAccount(identifier(me.get("user_id")), name, plain(me.get("username"))))

    async def unregister(self, client: ProviderClient) -> None:
        await self.call(client, "DELETE", "/subscriptions", query={"url": client.credentials.callback})

    async def health(self, client: ProviderClient, address: str) -> bool:
        listed = objects((await self.call(client, "GET", "/subscriptions")).get("subscriptions"))
        ours = [one.get("update_types") for one in listed if one.get("url") == address]
        # Without a list of types MAX sends all.
        return any(not isinstance(types, list) or set(WANTED) <= set(map(str, types)) for types in ours)

    def verify(self, request: WebhookRequest) -> bool:
        return same(request.headers.get("x-max-bot-api-secret", ""), request.credentials.secret)

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        kind, when = document.get("update_type"), identifier(document.get("timestamp"))
        if kind in ("bot_started", "message_removed"):
            chat = identifier(document.get("chat_id"))
            number = identifier(document.get("message_id"))
            if kind == "bot_started":
                started = InboundMessage(chat, f"started:{when}", document, event=InboundEvent.STARTED)
                return (started,) if chat else ()
            removed = InboundMessage(chat, f"{number}~removed", document, event=InboundEvent.DELETED, changes=number)
            return (removed,) if chat and number else ()
        message = document.get("message")
        chat = identifier(member(message, "recipient", "chat_id"))
        number = identifier(member(message, "body", "mid")) or _passed_on(message)
        is_dialog = member(message, "recipient", "chat_type") in (None, "dialog")
        if not isinstance(message, Mapping) or not chat or not number or not is_dialog:
            return ()
        if kind not in ("message_created", "message_edited") or member(message, "sender", "is_bot"):
            return ()
        part = {**message, "user_locale": document.get("user_locale")}
        if kind == "message_edited":
            edited = {**part, "timestamp": document.get("timestamp")}
            return (
                InboundMessage(
                    chat, edit_name(number, when, edited), edited, event=InboundEvent.EDITED, changes=number
                ),
            )
        return (InboundMessage(chat, number, part),)

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        writer = part.get("sender") or part.get("user") or {}
        names = (plain(member(writer, "first_name")), plain(member(writer, "last_name")))
        payload = plain(part.get("payload"))
        return InboundContent(
            text=words_of(part),
            unknown=unknown_kind(part),
            at=moment(part.get("timestamp"), per_second=1000),
            attachments=attachments_of(part),
            place=place_of(part),
            sticker=sticker_of(part),
            user_id=identifier(member(writer, "user_id")),
            username=plain(member(writer, "username")),
            name=plain(member(writer, "name")) or " ".join(filter(None, names)),
            language=plain(part.get("user_locale")),
            own_phone=contact_of(part, member(writer, "user_id")),
            attributes={"mx_start": payload} if payload else {},
        )

    async def greet(self, client: ProviderClient, to: str, event: InboundEvent, content: InboundContent) -> None:
        await self.call(client, "POST", "/messages", query={"chat_id": to}, json={"text": hello(content.language)})

    async def file_address(self, client: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        if not attachment.reference.startswith(VIDEO):
            return attachment.reference, {}
        urls = (await self.call(client, "GET", f"/videos/{attachment.reference.removeprefix(VIDEO)}")).get("urls")
        found = next(filter(None, (plain(member(urls, name)) for name in _VIDEOS)), "")
        if not found:
            raise ProviderCallFailed(Failure(FailureCode.NO_FILE, "The video is not available."))
        return found, {}

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        message: dict[str, Any] = {"text": part.text, **part.marks} if part.text else {}
        if part.place:
            where = {"type": "location", "latitude": part.place[0], "longitude": part.place[1]}
            message["attachments"] = [where]
        elif file is not None:
            kind = "image" if part.is_image else "file"
            message["attachments"] = [{"type": kind, "payload": {"token": await self._uploaded(client, kind, file)}}]
        answer = await self.call(client, "POST", "/messages", query={"chat_id": to}, json=message)
        return identifier(member(answer, "message", "body", "mid"))

    async def edit(self, client: ProviderClient, to: str, external_id: str, part: MessagePart) -> None:
        # Without attachments those that are there stay.
        edited = {"text": part.text, "attachments": None, "link": None, **part.marks}
        await self._change(client, "PUT", query={"message_id": external_id}, json=edited)

    async def delete(self, client: ProviderClient, to: str, external_id: str) -> None:
        with done_where("not found"):
            await self._change(client, "DELETE", query={"message_id": external_id})

    async def _change(self, client: ProviderClient, method: str, **more: Any) -> None:
        answer = await self.call(client, method, "/messages", **more)
        if answer.get("success") is not True:
            raise ProviderCallFailed(Failure(FailureCode.REJECTED, plain(answer.get("message"))))

    async def _uploaded(self, client: ProviderClient, kind: str, file: File) -> str:
        server = plain((await self.call(client, "POST", "/uploads", query={"type": kind})).get("url"))
        with uploading():
            answer = (await client.ask("POST", server, files={"data": file})).json
        photos = answer.get("photos")
        first = next(iter(photos.values()), {}) if isinstance(photos, dict) else answer
        if not (token := plain(member(first, "token"))):
            raise ProviderCallFailed(Failure(FailureCode.WRONG_KIND, plain(answer.get("message"))))
        return token

    def failure(self, response: ProviderResponse) -> Failure | None:
        if response.json.get("code") == _NOT_READY:
            return Failure(FailureCode.UNAVAILABLE, self.words(response))
        return None


def _passed_on(message: Any) -> str:
    """The name of a message that only passes another one on, and has none of its own."""
    number = identifier(member(message, "link", "message", "mid"))
    return f"{number}~{identifier(member(message, 'timestamp'))}" if number else ""


ADAPTER = Max()
