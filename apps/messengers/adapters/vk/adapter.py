"""VK: the Callback API and messages.send, https://dev.vk.com/ru/api/callback/getting-started and
https://dev.vk.com/ru/method/messages.send, messages.edit and messages.delete (a result for each message), as
https://github.com/VKCOM/vk-api-schema has them. A failure comes with status 200 and `error`: https://dev.vk.com/ru/reference/errors."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from apps.messengers.adapters.vk.about import ABOUT
from apps.messengers.adapters.vk.content import attachments_of, place_of, sticker_of, unknown_kind, words_of
from apps.messengers.adapters.vk.style import VkStyle
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, FileKind, MessagePart
from apps.messengers.rules.inbound import (
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

VERSION = "5.199"
REJECTING = frozenset({5, 15, 27, 203, 1117})
NO_COMMUNITY = frozenset({100, 125})
TITLE = "Parley"
WANTED = ("message_new", "message_edit")
# https://dev.vk.com/ru/reference/errors; 1117 and 900 as VK's own SDK for PHP names them.
_CODES = {
    5: FailureCode.CREDENTIAL_REJECTED,
    27: FailureCode.CREDENTIAL_REJECTED,
    1117: FailureCode.CREDENTIAL_REJECTED,
    18: FailureCode.NO_RECIPIENT,
    900: FailureCode.BLOCKED,
    901: FailureCode.BLOCKED,
    902: FailureCode.BLOCKED,
    936: FailureCode.NO_RECIPIENT,
}
_PASSING = frozenset({1, 6, 9, 10, 29})
# https://dev.vk.com/ru/api/localization: `lang_id` of `client_info`.
_LANGUAGES = {0: "ru", 1: "uk", 2: "be", 3: "en", 4: "es", 6: "de"}
# https://dev.vk.com/ru/api/upload/photo-in-message
_PHOTOS = frozenset({"image/jpeg", "image/png", "image/gif"})


class Vk(Adapter):
    code, about, base, fields = "vk", ABOUT, "https://api.vk.com", ()
    has_secret = proof_in_body = True
    style = VkStyle()
    can = Abilities(
        files=(
            FileKind("image", _PHOTOS, max_caption=4096, max_sides=14_000, max_ratio=20),
            FileKind("file", max_caption=4096),
        ),
        has_places=True,
        takes_changes=True,
    )
    reads = {
        **dict.fromkeys(Kind, Outcome.WORDS),
        **dict.fromkeys((Kind.IMAGE, Kind.FILE, Kind.VOICE, Kind.ALBUM, Kind.LOCATION, Kind.STICKER), Outcome.MESSAGE),
        **dict.fromkeys((Kind.CONTACT, Kind.LIST, Kind.DELETION), Outcome.NEVER),
        **dict.fromkeys((Kind.REACTION, Kind.SERVICE), Outcome.NOTHING),
        Kind.EDIT: Outcome.CHANGE,
        Kind.UNKNOWN: Outcome.UNKNOWN,
    }

    async def call(self, client: ProviderClient, method: str, **form: Any) -> Any:
        """A method of the API; its response."""
        form |= {"v": VERSION, "access_token": client.credentials.token}
        return (await client.ask("POST", f"/method/{method}", form=form)).json.get("response")

    def link(self, url: str, public_name: str, account: str) -> str | None:
        return f"https://vk.me/{public_name or f'club{account}'}"

    async def community(self, client: ProviderClient, named: str) -> ProviderAccount | None:
        """The community that an id or screen name names; None where VK finds none. Raises ProviderCallFailed."""
        response = await self.call(client, "groups.getById", group_id=named)
        groups = objects(response) or objects(member(response, "groups"))
        if not groups or not identifier(groups[0].get("id")).isdigit():
            return None
        group = groups[0]
        return ProviderAccount(identifier(group["id"]), plain(group.get("name")), plain(group.get("screen_name")))

    async def confirmation(self, client: ProviderClient, community: str) -> str:
        """The text that VK reads at a new callback address. Raises ProviderCallFailed."""
        response = await self.call(client, "groups.getCallbackConfirmationCode", group_id=community)
        return plain(member(response, "code"))

    async def register(self, client: ProviderClient, address: str, secret: str) -> RegisteredHook:
        group = {"group_id": client.credentials.account}
        server_id, status = await self._server(client, address)
        if server_id is not None and status in ("failed", "unconfigured"):
            # VK calls such a server no more: a new one is confirmed anew.
            await self.call(client, "groups.deleteCallbackServer", **group, server_id=server_id)
            server_id = None
        named = {"url": address, "title": TITLE, "secret_key": secret}
        if server_id is None:
            server_id = member(await self.call(client, "groups.addCallbackServer", **group, **named), "server_id")
        else:
            await self.call(client, "groups.editCallbackServer", **group, server_id=str(server_id), **named)
        if not isinstance(server_id, int):
            raise ProviderCallFailed(Failure(FailureCode.UNAVAILABLE, "VK named no callback server."))
        wanted = {"server_id": server_id, "api_version": VERSION, **dict.fromkeys(WANTED, 1)}
        await self.call(client, "groups.setCallbackSettings", **group, **wanted)
        return RegisteredHook(server_id=server_id)

    async def _server(self, client: ProviderClient, address: str) -> tuple[int | None, str]:
        """The callback server of that address, and its status; None without one."""
        servers = objects(
            member(await self.call(client, "groups.getCallbackServers", group_id=client.credentials.account), "items")
        )
        found = next((one for one in servers if one.get("url") == address), {})
        number = found.get("id")
        return (number if isinstance(number, int) else None), plain(found.get("status"))

    async def health(self, client: ProviderClient, address: str) -> bool:
        server_id, status = await self._server(client, address)
        if server_id is None or status in ("failed", "unconfigured"):
            return False
        where = {"group_id": client.credentials.account, "server_id": server_id}
        events = member(await self.call(client, "groups.getCallbackSettings", **where), "events")
        return not isinstance(events, Mapping) or all(events.get(name) for name in WANTED)

    async def unregister(self, client: ProviderClient) -> None:
        if (server_id := client.credentials.server_id) is not None:
            where = {"group_id": client.credentials.account, "server_id": server_id}
            await self.call(client, "groups.deleteCallbackServer", **where)

    async def is_removed(self, client: ProviderClient) -> bool:
        """Has VK remove the callback server; whether it is gone."""
        where = {"group_id": client.credentials.account}
        try:
            there = {**where, "server_id": client.credentials.server_id}
            if await self.call(client, "groups.deleteCallbackServer", **there) == 1:
                return True
        except ProviderCallFailed:
            pass
        try:
            response = await self.call(client, "groups.getCallbackServers", **where)
        except ProviderCallFailed:
            return False
        listed = member(response, "items")
        return isinstance(listed, list) and client.credentials.server_id not in [
            one.get("id") for one in objects(listed)
        ]

    def verify(self, request: WebhookRequest) -> bool:
        if identifier(request.document.get("group_id")) != request.credentials.account:
            return False
        is_asked = request.document.get("type") == "confirmation"
        return is_asked or same(plain(request.document.get("secret")), request.credentials.secret)

    def answer(self, request: WebhookRequest) -> str:
        return request.credentials.confirmation if request.document.get("type") == "confirmation" else "ok"

    def messages(self, document: Mapping[str, Any], credentials: Credentials) -> Sequence[InboundMessage]:
        about = document.get("object")
        edited = document.get("type") == "message_edit"
        message = about if edited else member(about, "message")
        if document.get("type") not in WANTED or not isinstance(message, Mapping):
            return ()
        peer, writer = identifier(message.get("peer_id")), identifier(message.get("from_id"))
        number = identifier(message.get("conversation_message_id")) or identifier(message.get("id"))
        if not peer or not number or peer != writer or not peer.isdigit():  # groups talk, and so do we
            return ()
        if edited:
            name = edit_name(number, identifier(message.get("update_time")), message)
            return (InboundMessage(peer, name, message, event=InboundEvent.EDITED, changes=number),)
        part = {**message, "lang_id": member(about, "client_info", "lang_id")}
        return (InboundMessage(peer, number, part, event=InboundEvent.STARTED if _is_start(message) else None),)

    def content(self, part: Mapping[str, Any]) -> InboundContent:
        ref, language = plain(part.get("ref")), part.get("lang_id")
        return InboundContent(
            text=words_of(part),
            unknown=unknown_kind(part),
            at=moment(part.get("update_time") or part.get("date")),
            attachments=attachments_of(part),
            place=place_of(part),
            sticker=sticker_of(part),
            user_id=identifier(part.get("from_id")),
            language=_LANGUAGES.get(language, "") if isinstance(language, int) else "",
            attributes={"vk_ref": ref} if ref else {},
        )

    async def greet(self, client: ProviderClient, to: str, event: InboundEvent, content: InboundContent) -> None:
        await self.call(client, "messages.send", peer_id=to, random_id=0, message=hello(content.language))

    async def profile(self, client: ProviderClient, content: InboundContent) -> InboundContent:
        people = objects(await self.call(client, "users.get", user_ids=content.user_id))
        names = (plain(people[0].get("first_name")), plain(people[0].get("last_name"))) if people else ()
        return replace(content, name=" ".join(filter(None, names)))

    async def send(self, client: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        form: dict[str, Any] = {"peer_id": to, "random_id": key, "message": part.text}
        if part.place:
            form |= {"lat": part.place[0], "long": part.place[1]}
        if file is not None:
            form["attachment"] = await self._uploaded(client, to, part, file)
        return identifier(await self.call(client, "messages.send", **form, **part.marks))

    async def edit(self, client: ProviderClient, to: str, external_id: str, part: MessagePart) -> None:
        await self.call(client, "messages.edit", peer_id=to, message_id=external_id, message=part.text, **part.marks)

    async def delete(self, client: ProviderClient, to: str, external_id: str) -> None:
        with done_where("can not be found"):
            results = objects(
                await self.call(client, "messages.delete", message_ids=external_id, peer_id=to, delete_for_all=1)
            )
            if error := next((one["error"] for one in results if one.get("error")), None):
                words = plain(member(error, "description"))
                raise ProviderCallFailed(Failure(FailureCode.REJECTED, words, number=member(error, "code")))

    async def _uploaded(self, client: ProviderClient, to: str, part: MessagePart, file: File) -> str:
        """Takes a file to VK, as https://dev.vk.com/ru/api/upload/overview has it; what a message names it by."""
        kind = "photo" if part.is_image else "doc"
        folder = "photos.getMessagesUploadServer" if part.is_image else "docs.getMessagesUploadServer"
        server = plain(member(await self.call(client, folder, peer_id=to), "upload_url"))
        with uploading():
            answer = (await client.ask("POST", server, files={"photo" if part.is_image else "file": file})).json
        if not (taken := plain(answer.get("photo" if part.is_image else "file"))) or taken == "[]":
            raise ProviderCallFailed(Failure(FailureCode.WRONG_KIND, plain(answer.get("error"))))
        if part.is_image:
            names = ("photo", "server", "hash")
            saved: Any = await self.call(
                client, "photos.saveMessagesPhoto", **{name: answer.get(name, "") for name in names}
            )
            saved = objects(saved)[0] if objects(saved) else {}
        else:
            saved = member(await self.call(client, "docs.save", file=taken, title=file[0]), "doc")
        return f"{kind}{identifier(member(saved, 'owner_id'))}_{identifier(member(saved, 'id'))}"

    def failure(self, response: ProviderResponse) -> Failure | None:
        error = response.json.get("error")
        if not isinstance(error, Mapping):
            return None
        number, words = error.get("error_code"), plain(error.get("error_msg"))
        if number in _PASSING:
            code = FailureCode.SLOW_DOWN if number in (6, 9, 29) else FailureCode.UNAVAILABLE
        else:
            code = _CODES.get(number, FailureCode.REJECTED) if isinstance(number, int) else FailureCode.UNAVAILABLE
        return Failure(code, words, number=number if isinstance(number, int) else None)


def _is_start(message: Mapping[str, Any]) -> bool:
    """Whether somebody pressed the button with which a conversation begins: it has VK's own payload."""
    try:
        return bool(member(json.loads(plain(message.get("payload")) or "null"), "command") == "start")
    except ValueError:
        return False


ADAPTER = Vk()
