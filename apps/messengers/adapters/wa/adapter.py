"""WhatsApp: the Cloud API, https://developers.facebook.com/documentation/business-messaging/whatsapp/reference, and
https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext_noop

from apps.accounts.rules import phone_refusal
from apps.messengers.adapters.adapter import ProviderAccount
from apps.messengers.adapters.client import Credentials, File, ProviderClient
from apps.messengers.adapters.graph import Codes, Graph, meaning_of
from apps.messengers.adapters.greetings import hello
from apps.messengers.adapters.wa.about import ABOUT
from apps.messengers.adapters.wa.content import (
    RENAMES,
    SERVICE,
    attachments_of,
    came_from,
    is_user_id,
    place_of,
    unknown_kind,
    words_of,
)
from apps.messengers.adapters.wa.style import WhatsAppStyle
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, FileKind, MessagePart
from apps.messengers.rules.inbound import (
    Attachment,
    InboundContent,
    InboundEvent,
    InboundMessage,
    Receipt,
    identifier,
    member,
    moment,
    objects,
    plain,
)
from apps.messengers.rules.kinds import Kind, Outcome

_STATES = {"delivered": "delivered", "read": "read", "failed": "failed"}
_SID, _NO_SID = re.compile(r"[0-9]{5,20}"), gettext_noop("Must be 5 to 20 digits.")
_MB = 1024 * 1024
_OFFICE = "application/vnd.openxmlformats-officedocument"
# https://developers.facebook.com/documentation/business-messaging/whatsapp/business-phone-numbers/media
_IMAGES, _VIDEOS = frozenset({"image/jpeg", "image/png"}), frozenset({"video/mp4", "video/3gpp"})
_SOUNDS = frozenset({"audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"})
_DOCUMENTS = frozenset(
    {
        *("text/plain", "application/pdf", "application/msword", "application/vnd.ms-excel"),
        *("application/vnd.ms-powerpoint", f"{_OFFICE}.wordprocessingml.document"),
        *(f"{_OFFICE}.spreadsheetml.sheet", f"{_OFFICE}.presentationml.presentation"),
    }
)
_TYPES = {"image": "image", "video": "video", "audio": "audio", "file": "document"}


class WhatsApp(Graph):
    code, about = "wa", ABOUT
    fields = ("url", "token", "sid")
    style = WhatsAppStyle()
    has_global_ids = True
    can = Abilities(
        files=(
            FileKind("image", _IMAGES, max_bytes=5 * _MB, max_caption=1024),
            FileKind("video", _VIDEOS, max_bytes=16 * _MB, max_caption=1024),
            FileKind("audio", _SOUNDS, max_bytes=16 * _MB),
            FileKind("file", _DOCUMENTS, max_bytes=100 * _MB, max_caption=1024),
        ),
        has_places=True,
    )
    reads = {
        **dict.fromkeys(Kind, Outcome.MESSAGE),
        **dict.fromkeys((Kind.TEXT, Kind.CONTACT, Kind.REPLY, Kind.FORWARD, Kind.LINK), Outcome.WORDS),
        **dict.fromkeys((Kind.BUTTON, Kind.LIST, Kind.ORDER), Outcome.WORDS),
        **dict.fromkeys((Kind.EDIT, Kind.DELETION), Outcome.CHANGE),
        **dict.fromkeys((Kind.REACTION, Kind.SERVICE), Outcome.NOTHING),
        **dict.fromkeys((Kind.ALBUM, Kind.CALL), Outcome.NEVER),
        **dict.fromkeys((Kind.POLL, Kind.UNKNOWN), Outcome.UNKNOWN),
    }
    # A permission that the token lacks, and a number that it cannot see.
    means: ClassVar[Codes] = {
        code: Failure(FailureCode.CREDENTIAL_REJECTED) for code in (0, 10, (100, 33), *range(200, 300))
    }

    def sid_refusal(self, sid: str) -> str | None:
        return None if _SID.fullmatch(sid) else _NO_SID

    # --- The number, and the business account that it is of -------------------------------------------------------

    async def probe(self, client: ProviderClient) -> ProviderAccount | None:
        number = await self.call(
            client, "GET", f"/{client.credentials.sid}", query={"fields": "id,display_phone_number,verified_name"}
        )
        if identifier(number.get("id")) != client.credentials.sid:
            return None
        shown = plain(number.get("display_phone_number"))
        return ProviderAccount(shown, plain(number.get("verified_name")) or shown, route=client.credentials.sid)

    async def subscribe(self, client: ProviderClient) -> bool:
        if account := await self._business_account(client):
            await self.call(client, "POST", f"/{account}/subscribed_apps")
        return bool(account)

    async def health(self, client: ProviderClient, address: str) -> bool:
        account = await self._business_account(client)
        return not account or bool(objects((await self.call(client, "GET", f"/{account}/subscribed_apps")).get("data")))

    async def _business_account(self, client: ProviderClient) -> str:
        """The id of the number's business account, which has to be subscribed to the app; empty if it is not told."""
        number = await self.call(client, "GET", f"/{client.credentials.sid}", query={"fields": "id,health_status"})
        entities = objects(member(number, "health_status", "entities"))
        return next((identifier(one.get("id")) for one in entities if one.get("entity_type") == "WABA"), "")

    # --- What comes in --------------------------------------------------------------------------------------------

    def accounts(self, document: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        found: dict[str, list[Any]] = {}
        for value in _values(document):
            number = identifier(member(value, "metadata", "phone_number_id"))
            found.setdefault(number, []).append({"field": "messages", "value": value})
        return {number: {"entry": [{"changes": changes}]} for number, changes in found.items() if number}

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        found: list[InboundMessage] = []
        for value in _values(document):
            if identifier(member(value, "metadata", "phone_number_id")) in ("", credentials.sid):
                found += _of_value(value)
        return found

    def receipts(self, document: Mapping[str, Any]) -> Sequence[Receipt]:
        found = []
        for value in _values(document):
            for status in objects(value.get("statuses")):
                ids, state = (identifier(status.get("id")),), _STATES.get(plain(status.get("status")))
                if state == "failed":
                    error = next(iter(objects(status.get("errors"))), {})
                    failure = meaning_of(error, self.means)
                    words = plain(member(error, "error_data", "details")) or plain(error.get("message"))
                    code = failure.code if failure and failure.code in _SHOWN else FailureCode.REJECTED
                    found.append(Receipt(state, ids, code=code, detail=words or plain(error.get("title"))))
                elif state is not None:
                    found.append(Receipt(state, ids))
        return found

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        writer, number, contact = plain(part.get("_writer")), identifier(part.get("from")), part.get("_contact")
        phone = f"+{number}" if number.isdecimal() else ""
        given = part.get("_aliases")
        aliases = [name for name in given if isinstance(name, str)] if isinstance(given, list) else []
        is_content = plain(part.get("type")) not in SERVICE
        return InboundContent(
            text=words_of(part),
            unknown=unknown_kind(part) if is_content else "",
            at=moment(part.get("timestamp")),
            attachments=attachments_of(part),
            place=place_of(part),
            user_id=writer or number,
            username=plain(member(contact, "profile", "username")),
            name=plain(member(contact, "profile", "name")),
            phone=phone,
            own_phone=phone if phone_refusal(phone) is None else "",
            attributes=came_from(part),
            aliases=aliases,
        )

    async def greet(self, client: ProviderClient, to: str, event: InboundEvent, content: InboundContent) -> None:
        await self.send(client, to, MessagePart(0, hello(content.language)), 0, None)

    async def file_address(self, client: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        address = plain((await self.call(client, "GET", f"/{attachment.reference}")).get("url"))
        return address, {"Authorization": f"Bearer {client.credentials.token}"}

    # --- What goes out --------------------------------------------------------------------------------------------

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        addressed = {"recipient": to} if is_user_id(to) else {"to": to}
        message: dict[str, Any] = {"messaging_product": "whatsapp", "recipient_type": "individual", **addressed}
        if part.place:
            message |= {"type": "location", "location": {"latitude": part.place[0], "longitude": part.place[1]}}
        elif file is not None:
            form = {"messaging_product": "whatsapp", "type": file[2]}
            uploaded = await self.call(
                client, "POST", f"/{client.credentials.sid}/media", form=form, files={"file": file}
            )
            kind = _TYPES[part.kind.name if part.kind else "file"]
            about = {"id": identifier(uploaded.get("id"))} | ({"caption": part.text} if part.text else {})
            message |= {"type": kind, kind: {**about, "filename": file[0]} if kind == "document" else about}
        else:
            message |= {"type": "text", "text": {"body": part.text, "preview_url": False}}
        answer = await self.call(client, "POST", f"/{client.credentials.sid}/messages", json=message)
        sent = objects(answer.get("messages"))
        return identifier(sent[0].get("id")) if sent else ""


# What a message that was taken, and failed later, may be shown to have failed by.
_SHOWN = frozenset(
    {FailureCode.NO_RECIPIENT, FailureCode.WINDOW_CLOSED, FailureCode.CREDENTIAL_REJECTED, FailureCode.UNAVAILABLE}
)


def _values(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    changes = [change for entry in objects(document.get("entry")) for change in objects(entry.get("changes"))]
    return [value for change in changes if isinstance(value := change.get("value"), Mapping)]


def _of_value(value: Mapping[str, Any]) -> list[InboundMessage]:
    found, contacts = [], objects(value.get("contacts"))
    for message in objects(value.get("messages")):
        user, number = identifier(message.get("from_user_id")), identifier(message.get("from"))
        ids = {user, number} - {""}
        contact = next((one for one in contacts if ids & {_id(one, "user_id"), _id(one, "wa_id")}), None)
        if contact is None and len(contacts) == 1 and not ids:
            contact = contacts[0]
        user, number = user or _id(contact, "user_id"), number or _id(contact, "wa_id")
        writer = user or number
        about = {"_writer": writer, "_aliases": [number] if user and number else [], "_contact": contact}
        about["from"] = number
        if arrival := _arrival({**message, **about}, writer):
            found.append(arrival)
    return [*found, *_learnt(value)]


def _id(contact: Any, name: str) -> str:
    return identifier(member(contact, name))


def _arrival(message: Mapping[str, Any], writer: str) -> InboundMessage | None:
    """One message as it is kept; None where there is nothing to keep of it."""
    number, kind = identifier(message.get("id")), plain(message.get("type"))
    if kind == "system" and plain(member(message, "system", "type")) in RENAMES:
        return _renamed(message, number)
    if not writer or not number or kind in SERVICE:
        return None
    if kind in ("edit", "revoke"):
        of = identifier(member(message, kind, "original_message_id"))
        event = InboundEvent.EDITED if kind == "edit" else InboundEvent.DELETED
        now = member(message, kind, "message") if kind == "edit" else {}
        about = {name: message.get(name) for name in ("from", "timestamp", "_writer", "_aliases", "_contact")}
        part = {**(now if isinstance(now, Mapping) else {}), **about}
        return InboundMessage(writer, number, part, event=event, changes=of) if of else None
    event_ = InboundEvent.STARTED if kind == "request_welcome" else None
    return InboundMessage(writer, number, message, event=event_)


def _renamed(message: Mapping[str, Any], number: str) -> InboundMessage | None:
    """A change of a person's number or user id: webhooks/reference/messages/system of Meta's documents. Its text is for
    people, and holds numbers: it is left out.
    """
    about = message.get("system")
    user = _id(about, "user_id")
    phone = _id(about, "wa_id") or _id(about, "new_wa_id")
    before = (_id(about, "previous_user_id"), _id(message, "from"), _id(about, "customer"), _id(message, "_writer"))
    now = user or phone
    aliases = [name for name in dict.fromkeys((*before, phone)) if name and name != now]
    if not now or not aliases:
        return None
    part = {"type": "system", "_writer": now, "_aliases": aliases, "from": phone, "timestamp": message.get("timestamp")}
    return InboundMessage(now, number or f"renamed:{now}", part, event=InboundEvent.RENAMED)


def _learnt(value: Mapping[str, Any]) -> list[InboundMessage]:
    """Receipts name the user id beside the number to which a message was sent: so it is known before they write."""
    found = {}
    for status in objects(value.get("statuses")):
        phone, user = _id(status, "recipient_id"), _id(status, "recipient_user_id")
        if status.get("status") == "delivered" and phone.isdecimal() and user:
            part = {"type": "system", "_writer": user, "_aliases": [phone], "from": phone}
            found[user] = InboundMessage(user, f"learnt:{phone}", part, event=InboundEvent.RENAMED)
    return list(found.values())


ADAPTER = WhatsApp()
