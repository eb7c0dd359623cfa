"""Apple Messages for Business through a messaging service provider's gateway,
https://register.apple.com/resources/messages/msp-rest-api/. Both sides prove themselves by a JWT (HS256).

Two ids: the provider's (`sid`, the JWT's `iss` and `aud`), and the business's, which a customer writes to. One provider
may serve several businesses, so a conversation is one of a business and a customer.

Not confirmed: the place of a choice in the answer to a list or to quick replies; one that is not found is shown as of
an unknown kind.
"""

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID, uuid5

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from django.utils import timezone
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from apps.messengers.adapters.adapter import Adapter, Registration, WebhookRequest
from apps.messengers.adapters.apple.about import ABOUT
from apps.messengers.adapters.client import Credentials, File, ProviderClient
from apps.messengers.rules.delivery import MessagePart
from apps.messengers.rules.inbound import (
    Attachment,
    InboundContent,
    InboundMessage,
    identifier,
    member,
    objects,
    plain,
)
from apps.messengers.rules.kinds import Kind, Outcome

_IDS = UUID("6c1f0a8e-4a55-4b62-8a1e-0a4b8a1d8f11")
_BETWEEN = "|"  # of a business's id and a customer's
_SAID = frozenset({"text", "interactive", "richLink"})
# What Messages itself notes: nobody's words.
_SERVICE = frozenset({"typing_start", "typing_end", "close"})
_KEY_BYTES, _MIN_SECRET = 32, 16
_SID = re.compile(r"[A-Za-z0-9._:-]{1,128}")


class AppleMessages(Adapter):
    code, about = "apple", ABOUT
    fields = ("url", "token", "sid")
    registration: ClassVar[Registration] = "manual"
    has_global_ids = has_own_address = adds_path = True
    reads = {
        **dict.fromkeys((Kind.TEXT, Kind.LINK, Kind.BUTTON, Kind.LIST), Outcome.WORDS),
        **dict.fromkeys((Kind.IMAGE, Kind.FILE, Kind.VOICE, Kind.VIDEO, Kind.ALBUM), Outcome.MESSAGE),
        **dict.fromkeys((Kind.LOCATION, Kind.CONTACT, Kind.STICKER, Kind.REPLY, Kind.REACTION), Outcome.UNCONFIRMED),
        **dict.fromkeys((Kind.EDIT, Kind.DELETION, Kind.ORDER), Outcome.UNCONFIRMED),
        **dict.fromkeys((Kind.FORWARD, Kind.POLL, Kind.CALL), Outcome.NEVER),
        Kind.SERVICE: Outcome.NOTHING,
        Kind.UNKNOWN: Outcome.UNKNOWN,
    }

    def token_refusal(self, token: str) -> str | None:
        is_short = len(apple_secret(token)) < _MIN_SECRET
        return super().token_refusal(token) or (
            f"Must be base64 of at least {_MIN_SECRET} bytes." if is_short else None
        )

    def sid_refusal(self, sid: str) -> str | None:
        return None if _SID.fullmatch(sid) else "Must be 1 to 128 letters, digits or `._:-`."

    def link(self, url: str, public_name: str, account: str) -> str | None:
        return None

    def verify(self, request: WebhookRequest) -> bool:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not request.credentials.sid:
            return False
        try:
            key = OctKey.import_key(apple_secret(request.credentials.token))
            claims = jwt.decode(token, key, algorithms=["HS256"]).claims
            jwt.JWTClaimsRegistry(aud={"essential": True, "value": request.credentials.sid}).validate(claims)
        except (JoseError, ValueError):
            return False
        return True

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        writer, number = identifier(document.get("sourceId")), identifier(document.get("id"))
        kind, business = plain(document.get("type")), identifier(document.get("destinationId"))
        if not writer or not number or not kind or kind in _SERVICE:
            return ()
        conversation = f"{business}{_BETWEEN}{writer}" if business else writer
        return (InboundMessage(conversation[:255], number, document),)

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        writer, kind, text = identifier(part.get("sourceId")), plain(part.get("type")), _words(part)
        files = [_attachment(one, identifier(part.get("destinationId"))) for one in objects(part.get("attachments"))]
        return InboundContent(
            text=text,
            unknown="" if kind in _SAID and (text or kind != "interactive") else kind,
            attachments=files,
            user_id=writer,
            language=plain(part.get("locale")),
            aliases=[writer] if writer else [],
        )

    async def file_address(self, client: ProviderClient, attachment: Attachment) -> tuple[str, Mapping[str, str]]:
        keys = attachment.keys
        about = {"source-id": keys.get("business", ""), "url": attachment.reference, "owner": keys.get("owner", "")}
        headers = {
            "Authorization": f"Bearer {_token(client.credentials)}",
            **about,
            "signature": keys.get("signature", ""),
        }
        return plain((await client.ask("GET", "/preDownload", headers=headers)).json.get("download-url")), {}

    def decoder(self, attachment: Attachment) -> Callable[[bytes], bytes] | None:
        """AES-256 in counter mode, from zero, with the file's own key; its hexadecimal digits begin with `00`."""
        try:
            key = bytes.fromhex(attachment.keys.get("key", "")[2:])
        except ValueError:
            return None
        return Cipher(AES(key), CTR(bytes(16))).decryptor().update if len(key) == _KEY_BYTES else None

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        line, number = client.credentials, str(uuid5(_IDS, f"{to}:{key}"))
        business, _, person = to.rpartition(_BETWEEN)
        business = business or line.sid  # known by no message so far
        ids = {"Source-Id": business, "Destination-Id": person}
        headers = {"Authorization": f"Bearer {_token(line)}", "id": number, **ids}
        about = {"id": number, "sourceId": business, "destinationId": person, "type": "text", "body": part.text, "v": 1}
        await client.ask("POST", "/message", json=about, headers=headers)
        return number


def _token(credentials: Credentials) -> str:
    claims = {"iss": credentials.sid, "iat": int(timezone.now().timestamp())}
    return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(apple_secret(credentials.token)))


def _attachment(given: Mapping[str, Any], business: str) -> Attachment:
    """A file. Its signature is hexadecimal, and asked with in base64 (https://developer.apple.com/forums/thread/109410)."""
    signature = plain(given.get("signature-base64"))
    if not signature:
        try:
            signature = base64.b64encode(bytes.fromhex(plain(given.get("signature")))).decode()
        except (ValueError, binascii.Error):
            signature = ""
    size = identifier(given.get("size"))
    return Attachment(
        plain(given.get("name")) or "file",
        plain(given.get("url")),
        is_image=plain(given.get("mimeType")).startswith("image/"),
        size=int(size) if size.isdecimal() and len(size) < 19 else None,
        keys={
            "business": business,
            "owner": plain(given.get("owner")),
            "key": plain(given.get("key")),
            "signature": signature,
        },
    )


def _words(part: Mapping[str, Any]) -> str:
    """The text of a message; of a form or list the customer's choice, as its answer says it; of a link its title."""
    kind = part.get("type")
    if kind == "text":
        return plain(part.get("body")).replace("\ufffc", "").strip()
    if kind == "richLink":
        about = part.get("richLinkData")
        return "\n".join(filter(None, (plain(member(about, "title")), plain(member(about, "url")))))
    data = member(part, "interactiveData", "data")
    lines = [plain(member(data, "replyMessage", "title")), plain(member(data, "replyMessage", "subtitle"))]
    quick, chosen = member(data, "quick-reply"), identifier(member(data, "quick-reply", "selectedIdentifier"))
    lines += [plain(one.get("title")) for one in objects(member(quick, "items")) if one.get("identifier") == chosen]
    for section in objects(member(data, "listPicker", "sections")):
        lines += [plain(one.get("title")) for one in objects(section.get("items"))]
    lines.append(plain(member(part, "interactiveDataRef", "title")))
    return "\n".join(dict.fromkeys(filter(None, lines)))


def apple_secret(token: str) -> bytes:
    """The bytes of Apple's secret; none for what is no base64."""
    try:
        return base64.b64decode(token, validate=True)
    except (binascii.Error, ValueError):
        return b""


ADAPTER = AppleMessages()
