"""Odnoklassniki: the bot API of groups, https://apiok.ru/dev/graph_api/bot_api and graph.user.* below
https://apiok.ru/dev/graph_api/methods. Its callbacks carry no proof but the key in their path.

Not confirmed by any public document: the numbers of its errors, the longest text (4,000 here), the names of the form's
parts at an upload, and what the payloads of a location, a contact and a sticker have.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from apps.messengers.adapters.adapter import Adapter, RegisteredHook, WebhookRequest
from apps.messengers.adapters.client import (
    Credentials,
    File,
    ProviderCallFailed,
    ProviderClient,
    ProviderResponse,
    uploading,
)
from apps.messengers.adapters.ok.about import ABOUT
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, FileKind, MessagePart
from apps.messengers.rules.inbound import (
    Attachment,
    InboundContent,
    InboundMessage,
    card,
    identifier,
    linked,
    member,
    moment,
    objects,
    plain,
    point,
    vcard_name,
    vcard_phones,
    with_lines,
)
from apps.messengers.rules.kinds import Kind, Outcome

_ENDINGS = {"IMAGE": ".jpg", "VIDEO": ".mp4", "AUDIO": ".mp3", "FILE": ""}
_KNOWN = frozenset({*_ENDINGS, "SHARE", "MUSIC", "CONTACT", "LOCATION", "STICKER", "INLINE_KEYBOARD"})
_CODES = {
    2: FailureCode.UNAVAILABLE,
    8: FailureCode.SLOW_DOWN,
    11: FailureCode.SLOW_DOWN,
    102: FailureCode.CREDENTIAL_REJECTED,
    103: FailureCode.CREDENTIAL_REJECTED,
    401: FailureCode.CREDENTIAL_REJECTED,
    9999: FailureCode.UNAVAILABLE,
}
_UTF8 = {"Content-Type": "application/json;charset=utf-8"}
_MAX_TEXT = 4000


class Odnoklassniki(Adapter):
    code, about, base = "ok", ABOUT, "https://api.ok.ru"
    keeps_addresses = True
    can = Abilities(
        longest=_MAX_TEXT,
        files=(
            FileKind("image", frozenset({"image/jpeg", "image/png"}), max_caption=_MAX_TEXT),
            FileKind("file", max_caption=_MAX_TEXT),
        ),
    )
    reads = {
        **dict.fromkeys(Kind, Outcome.NEVER),
        **dict.fromkeys((Kind.IMAGE, Kind.FILE, Kind.VOICE, Kind.VIDEO, Kind.ALBUM), Outcome.MESSAGE),
        **dict.fromkeys((Kind.LOCATION, Kind.STICKER), Outcome.MESSAGE),
        **dict.fromkeys((Kind.TEXT, Kind.LINK, Kind.CONTACT), Outcome.WORDS),
        **dict.fromkeys((Kind.REPLY, Kind.FORWARD, Kind.CALL, Kind.ORDER), Outcome.UNCONFIRMED),
        Kind.SERVICE: Outcome.NOTHING,
        Kind.UNKNOWN: Outcome.UNKNOWN,
    }
    forbidden = FailureCode.BLOCKED
    # A file is processed there for a moment before a message may have it ("a couple of seconds").
    processed_s: ClassVar[float] = 2.0

    async def call(
        self, client: ProviderClient, path: str, document: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """A call of the graph API: a POST of the document, a GET without one."""
        if document is None:
            return (await client.ask("GET", f"/graph/{path}", query={"access_token": client.credentials.token})).json
        query = {"access_token": client.credentials.token}
        return (await client.ask("POST", f"/graph/{path}", query=query, json=document, headers=_UTF8)).json

    async def register(self, client: ProviderClient, address: str, secret: str) -> RegisteredHook:
        if (await self.call(client, "me/subscribe", {"url": address})).get("success") is not True:
            raise ProviderCallFailed(Failure(FailureCode.REJECTED, "The messenger did not confirm the subscription."))
        return RegisteredHook()

    async def unregister(self, client: ProviderClient) -> None:
        await self.call(client, "me/unsubscribe", {"url": client.credentials.callback})

    async def health(self, client: ProviderClient, address: str) -> bool:
        listed = objects((await self.call(client, "me/subscriptions")).get("subscriptions"))
        return address in [one.get("url") for one in listed]

    def verify(self, request: WebhookRequest) -> bool:
        return True

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        chat = identifier(member(document, "recipient", "chat_id"))
        number = identifier(member(document, "message", "mid"))
        is_ours = identifier(member(document, "sender", "user_id")).startswith("group:")
        is_message = document.get("webhookType", "MESSAGE_CREATED") == "MESSAGE_CREATED"
        if not is_message or is_ours or not chat or not number:
            return ()
        return (InboundMessage(chat, number, document),)

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        message, sender = part.get("message") or {}, part.get("sender") or {}
        given = [*objects(member(message, "attachments")), *objects([member(message, "attachment")])]
        places = [place for one in given if (place := _place(one))]
        stickers = [one.get("payload") for one in given if one.get("type") == "STICKER"]
        kinds = [plain(one.get("type")) for one in given]
        return InboundContent(
            text=with_lines(plain(member(message, "text")), [line for one in given if (line := _line(one))]),
            unknown=next((kind for kind in kinds if kind and kind not in _KNOWN), ""),
            at=moment(part.get("timestamp"), per_second=1000),
            attachments=[_file(one) for one in given if plain(one.get("type")) in _ENDINGS],
            place=places[0] if places else None,
            sticker=_sticker(stickers[0]) if stickers else None,
            user_id=identifier(member(sender, "user_id")),
            name=plain(member(sender, "name")),
        )

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        message: dict[str, Any] = {"text": part.text} if part.text or file is None else {}
        if file is not None:
            kind = "IMAGE" if part.is_image else "FILE"
            message["attachment"] = {"type": kind, "payload": {"token": await self._uploaded(client, kind, file)}}
        answer = await self.call(client, f"me/messages/{to}", {"recipient": {"chat_id": to}, "message": message})
        return identifier(answer.get("message_id"))

    async def _uploaded(self, client: ProviderClient, kind: str, file: File) -> str:
        """Takes a file to OK (graph.user.fileUploadUrl); what a message names it by."""
        query = {"access_token": client.credentials.token, "type": kind}
        place = (await client.ask("GET", "/graph/me/fileUploadUrl", query=query)).json
        name = "pic1" if kind == "IMAGE" else "file"
        with uploading():
            taken = (await client.ask("POST", plain(place.get("url")), files={name: file})).json
        photos = taken.get("photos")
        photo: Any = next(iter(photos.values()), {}) if isinstance(photos, Mapping) else {}
        token = plain(member(photo, "token")) or ("" if kind == "IMAGE" else plain(place.get("token")))
        if not token:
            raise ProviderCallFailed(Failure(FailureCode.WRONG_KIND, plain(taken.get("error_msg"))))
        if kind == "FILE":
            await client.pause(self.processed_s)
        return token

    def failure(self, response: ProviderResponse) -> Failure | None:
        number = response.json.get("error_code")
        if number is None:
            return None
        code = _CODES.get(number, FailureCode.REJECTED) if isinstance(number, int) else FailureCode.REJECTED
        return Failure(code, self.words(response), number=number if isinstance(number, int) else None)


def _file(given: Mapping[str, Any]) -> Attachment:
    kind, payload = plain(given.get("type")), given.get("payload")
    name = plain(member(payload, "name")) or f"{kind.lower()}{_ENDINGS.get(kind, '')}"
    return Attachment(name, plain(member(payload, "url")), is_image=kind == "IMAGE")


def _place(given: Mapping[str, Any]) -> tuple[float, float] | None:
    if given.get("type") != "LOCATION":
        return None
    where = given if "latitude" in given else given.get("payload")
    return point(member(where, "latitude"), member(where, "longitude"))


def _sticker(payload: Any) -> Mapping[str, str]:
    number = identifier(member(payload, "code")) or identifier(member(payload, "id"))
    return {"id": number, "url": plain(member(payload, "url"))}


def _line(given: Mapping[str, Any]) -> str:
    """The line for a shared link or a contact; empty for anything else."""
    payload = given.get("payload")
    if given.get("type") in ("SHARE", "MUSIC"):
        return linked(plain(member(payload, "title")), plain(member(payload, "url")))
    if given.get("type") != "CONTACT":
        return ""
    vcard = plain(member(payload, "vcf_info")) or plain(member(payload, "vcfInfo"))
    names = (plain(member(payload, name)) for name in ("name", "first_name", "last_name"))
    phones = (plain(member(payload, name)) for name in ("phone", "phone_number", "tel"))
    return card(" ".join(filter(None, names)) or vcard_name(vcard), [*phones, *vcard_phones(vcard)])


ADAPTER = Odnoklassniki()
