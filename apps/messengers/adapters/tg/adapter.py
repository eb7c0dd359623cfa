"""Telegram: the Bot API, https://core.telegram.org/bots/api (setWebhook, getUpdates, Message, sendMessage,
editMessageText, deleteMessage: of what is not older than 48 hours), with the words of https://github.com/tdlib/telegram-bot-api.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.messengers.adapters.adapter import CONFLICT, Adapter, ProviderAccount, RegisteredHook, WebhookRequest, same
from apps.messengers.adapters.client import Credentials, File, ProviderClient, ProviderResponse, done_where
from apps.messengers.adapters.greetings import hello, nearest
from apps.messengers.adapters.tg.about import ABOUT
from apps.messengers.adapters.tg.content import (
    attachments_of,
    is_service,
    place_of,
    sticker_file_of,
    unknown_kind,
    words_of,
)
from apps.messengers.adapters.tg.style import TelegramStyle
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
    shallow,
)
from apps.messengers.rules.kinds import Kind, Outcome
from apps.messengers.rules.markup import utf16_length

WANTED = ["message", "edited_message", "my_chat_member"]
LONGEST_START = 64  # characters of a deep link's parameter
_PHOTOS = frozenset({"image/jpeg", "image/png", "image/webp"})
_VIDEOS, _SOUNDS = frozenset({"video/mp4"}), frozenset({"audio/mpeg", "audio/mp4"})
_TOKEN = re.compile(r"[0-9]{3,20}:[A-Za-z0-9_-]{20,128}")
_NO_TOKEN = gettext_noop("Must be a bot token: the bot's id, a colon and its secret.")
_MB = 1024 * 1024
# Telegram's words for a file that it takes in another way only.
_NOT_SO = ("PHOTO_", "IMAGE_PROCESS_FAILED", "VIDEO_", "wrong file identifier", "file is too big", "wrong type")
_NOT_THERE = ("chat not found", "PEER_ID_INVALID", "USER_ID_INVALID", "user is deactivated", "can't initiate")
_METHODS = {"image": "photo", "video": "video", "audio": "audio", "file": "document"}


class Telegram(Adapter):
    code, about, base = "tg", ABOUT, "https://api.telegram.org"
    has_secret = is_pollable = True
    vendor_fields = ("updates",)
    style = TelegramStyle()
    can = Abilities(
        length=utf16_length,
        files=(
            FileKind("image", _PHOTOS, max_bytes=10 * _MB, max_caption=1024, max_sides=10_000, max_ratio=20),
            FileKind("video", _VIDEOS, max_bytes=50 * _MB, max_caption=1024),
            FileKind("audio", _SOUNDS, max_bytes=50 * _MB, max_caption=1024),
            FileKind("file", max_bytes=50 * _MB, max_caption=1024),
        ),
        has_places=True,
        has_buttons=True,
        takes_changes=True,
    )
    reads = {
        **dict.fromkeys(Kind, Outcome.MESSAGE),
        **dict.fromkeys((Kind.TEXT, Kind.CONTACT, Kind.REPLY, Kind.FORWARD, Kind.LINK, Kind.POLL), Outcome.WORDS),
        **dict.fromkeys((Kind.BUTTON, Kind.ORDER), Outcome.WORDS),
        **dict.fromkeys((Kind.EDIT,), Outcome.CHANGE),
        **dict.fromkeys((Kind.REACTION, Kind.LIST, Kind.CALL, Kind.DELETION), Outcome.NEVER),
        Kind.SERVICE: Outcome.NOTHING,
        Kind.UNKNOWN: Outcome.UNKNOWN,
    }
    forbidden = FailureCode.BLOCKED

    async def call(self, client: ProviderClient, method: str, **more: Any) -> Any:
        """A method of the Bot API; its result."""
        return (await client.ask("POST", f"/bot{client.credentials.token}/{method}", **more)).json.get("result")

    def token_refusal(self, token: str) -> str | None:
        is_token = super().token_refusal(token) or _TOKEN.fullmatch(token)
        return super().token_refusal(token) if is_token else _NO_TOKEN

    def owner_of(self, token: str) -> str:
        return token.partition(":")[0]

    def rejects(self, failure: Failure) -> bool:
        """Telegram's answer to getMe is 401 or 404."""
        return failure.code in (FailureCode.CREDENTIAL_REJECTED, FailureCode.NO_RECIPIENT)

    def link(self, url: str, public_name: str, account: str) -> str | None:
        return url or (f"https://t.me/{public_name}" if public_name else None)

    async def probe(self, client: ProviderClient) -> ProviderAccount:
        me = await self.call(client, "getMe")
        username = plain(member(me, "username"))
        return ProviderAccount(identifier(member(me, "id")), plain(member(me, "first_name")) or username, username)

    async def register(self, client: ProviderClient, address: str, secret: str) -> RegisteredHook:
        wanted = {"url": address, "secret_token": secret, "allowed_updates": WANTED}
        await self.call(client, "setWebhook", json=wanted)
        return RegisteredHook()

    async def unregister(self, client: ProviderClient) -> None:
        await self.call(client, "deleteWebhook", json={"drop_pending_updates": False})

    async def health(self, client: ProviderClient, address: str) -> bool:
        await self.probe(client)
        request = await self.call(client, "getWebhookInfo") if address else {}
        wanted = member(request, "allowed_updates")
        return not address or (member(request, "url") == address and set(wanted or ()) == set(WANTED))

    async def updates(self, client: ProviderClient, offset: int, timeout_s: int) -> list[Mapping[str, Any]]:
        wanted = {"offset": offset, "timeout": timeout_s, "limit": 100, "allowed_updates": WANTED}
        return objects(shallow(await self.call(client, "getUpdates", json=wanted)))

    def verify(self, request: WebhookRequest) -> bool:
        return same(request.headers.get("x-telegram-bot-api-secret-token", ""), request.credentials.secret)

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        edited = document.get("edited_message")
        is_edit = isinstance(edited, Mapping)
        message: Any = edited if is_edit else document.get("message")
        if (added := document.get("my_chat_member")) is not None:
            return _added(added, credentials)
        chat, number = identifier(member(message, "chat", "id")), identifier(member(message, "message_id"))
        is_private = member(message, "chat", "type") in (None, "private")
        if not (isinstance(message, Mapping) and chat and number and is_private) or member(message, "from", "is_bot"):
            return ()
        if is_service(message):
            return ()
        bot = credentials.token.partition(":")[0]
        name = f"{bot}:{number}"
        if is_edit:
            when = identifier(message.get("edit_date"))
            return (
                InboundMessage(chat, edit_name(name, when, message), message, event=InboundEvent.EDITED, changes=name),
            )
        if plain(message.get("text")).partition(" ")[0] == "/start":
            return (InboundMessage(chat, name, message, event=InboundEvent.STARTED),)
        return (InboundMessage(chat, name, message, album=identifier(message.get("media_group_id"))),)

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        writer = member(part, "from") or member(part, "chat") or {}
        contact, sticker, text = part.get("contact"), part.get("sticker"), plain(part.get("text"))
        names = (plain(member(writer, "first_name")), plain(member(writer, "last_name")))
        is_own = member(contact, "user_id") is not None and member(contact, "user_id") == member(writer, "id")
        start = text.partition(" ")[2].strip() if text.partition(" ")[0] == "/start" else ""
        return InboundContent(
            text=words_of(part),
            unknown=unknown_kind(part),
            at=moment(part.get("edit_date") or part.get("date")),
            attachments=attachments_of(part),
            place=place_of(part),
            sticker={"id": identifier(member(sticker, "file_unique_id"))} if isinstance(sticker, Mapping) else None,
            sticker_file=sticker_file_of(part),
            user_id=identifier(member(writer, "id")),
            username=plain(member(writer, "username")),
            name=" ".join(filter(None, names)),
            language=plain(member(writer, "language_code")),
            own_phone=plain(member(contact, "phone_number")) if is_own else "",
            attributes={"tg_start": start[:LONGEST_START]} if start else {},
        )

    async def greet(self, client: ProviderClient, to: str, event: InboundEvent, content: InboundContent) -> None:
        words = hello(content.language)
        if event is InboundEvent.ADDED:
            with translation.override(nearest(content.language)):
                words = _("This bot answers in private chats only: write to it there.")
        await self.call(client, "sendMessage", json={"chat_id": to, "text": words})
        if event is InboundEvent.ADDED:
            await self.call(client, "leaveChat", json={"chat_id": to})

    def start_link(self, public_name: str, token: str) -> str | None:
        return f"https://t.me/{public_name}?start={token}" if public_name else None

    async def welcome(self, client: ProviderClient, to: str, content: InboundContent) -> None:
        with translation.override(nearest(content.language)):
            words = _("Hello! We go on with our conversation here: just write.")
        await self.call(client, "sendMessage", json={"chat_id": to, "text": words})

    async def file_address(self, client: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        path = plain(member(await self.call(client, "getFile", json={"file_id": attachment.reference}), "file_path"))
        return f"{client.credentials.base}/file/bot{client.credentials.token}/{path}", {}

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        if part.place:
            where = {"chat_id": to, "latitude": part.place[0], "longitude": part.place[1]}
            return _id(await self.call(client, "sendLocation", json=where))
        if file is not None:
            method = _METHODS[part.kind.name if part.kind else "file"]
            form = {"chat_id": to, **({"caption": part.text} if part.text else {})}
            if part.marks:
                form["caption_entities"] = orjson.dumps(part.marks["entities"]).decode()
            return _id(await self.call(client, f"send{method.title()}", form=form, files={method: file}))
        message: dict[str, Any] = {"chat_id": to, "text": part.text, **part.marks}
        if part.buttons:
            rows = [[{"text": button["label"], "url": button["url"]}] for button in part.buttons]
            message["reply_markup"] = {"inline_keyboard": rows}
        return _id(await self.call(client, "sendMessage", json=message))

    async def edit(self, client: ProviderClient, to: str, external_id: str, part: MessagePart) -> None:
        edited = {"chat_id": to, "message_id": external_id, "text": part.text, **part.marks}
        with done_where("message is not modified"):
            await self.call(client, "editMessageText", json=edited)

    async def delete(self, client: ProviderClient, to: str, external_id: str) -> None:
        with done_where("message to delete not found"):
            await self.call(client, "deleteMessage", json={"chat_id": to, "message_id": external_id})

    def failure(self, response: ProviderResponse) -> Failure | None:
        description = self.words(response)
        if response.status == 429:
            after = member(response.json, "parameters", "retry_after")
            return Failure(FailureCode.SLOW_DOWN, description, float(after) if isinstance(after, int) else None)
        if response.status == CONFLICT:
            return Failure(FailureCode.REJECTED, description, number=response.status)
        if response.status in (400, 403) and any(words in description for words in _NOT_THERE):
            return Failure(FailureCode.NO_RECIPIENT, description)
        if response.status == 413 or (response.status == 400 and any(words in description for words in _NOT_SO)):
            return Failure(FailureCode.WRONG_KIND, description)
        if response.status == 200 and response.json.get("ok") is not True:
            return Failure(FailureCode.UNAVAILABLE, description or "The provider's answer could not be read.")
        return None


def _id(message: Any) -> str:
    return identifier(member(message, "message_id"))


def _added(update: Any, credentials: Credentials) -> Sequence[InboundMessage]:
    """The bot was added to a group or a channel; what else becomes of it there is nothing."""
    chat, is_there = member(update, "chat", "id"), member(update, "new_chat_member", "status")
    if member(update, "chat", "type") in (None, "private") or is_there not in ("member", "administrator"):
        return ()
    name = f"{credentials.token.partition(':')[0]}:added:{identifier(member(update, 'date'))}"
    return (InboundMessage(identifier(chat), name, update, event=InboundEvent.ADDED),)


ADAPTER = Telegram()
