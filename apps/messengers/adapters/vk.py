"""VK: the Callback API and messages.send, https://dev.vk.com/ru/api/callback/getting-started and
https://dev.vk.com/ru/method/messages.send. A failure comes with status 200 and `error`: https://dev.vk.com/ru/reference/errors."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.adapter import Adapter, ProviderAccount, RegisteredHook, WebhookRequest, same
from apps.messengers.adapters.client import Credentials, File, ProviderCallFailed, ProviderClient, ProviderResponse
from apps.messengers.rules.delivery import Abilities, Failure, FailureCode, MessagePart
from apps.messengers.rules.inbound import Attachment, InboundContent, InboundMessage, identifier, member, objects, plain

VERSION = "5.199"
REJECTING = frozenset({5, 15, 27, 203})
NO_COMMUNITY = frozenset({100, 125})
TITLE = "Parley"
_CODES = {
    5: FailureCode.CREDENTIAL_REJECTED,
    27: FailureCode.CREDENTIAL_REJECTED,
    901: FailureCode.BLOCKED,
    902: FailureCode.BLOCKED,
}
_PASSING = frozenset({1, 6, 9, 10, 29})


class Vk(Adapter):
    code, name, base, fields = "vk", "VK", "https://api.vk.com", ()
    has_secret = proof_in_body = True
    can = Abilities(longest_caption=4096, uploads=frozenset({"image", "file"}), has_places=True)

    def call(self, wire: ProviderClient, method: str, **form: Any) -> Any:
        """A method of the API; its response."""
        form |= {"v": VERSION, "access_token": wire.line.token}
        return wire.ask("POST", f"/method/{method}", form=form).json.get("response")

    def community(self, wire: ProviderClient, named: str) -> ProviderAccount | None:
        """The community that an id or screen name names; None where VK finds none. Raises Failed."""
        response = self.call(wire, "groups.getById", group_id=named)
        groups = objects(response) or objects(member(response, "groups"))
        if not groups or not identifier(groups[0].get("id")).isdigit():
            return None
        group = groups[0]
        return ProviderAccount(identifier(group["id"]), plain(group.get("name")), plain(group.get("screen_name")))

    def confirmation(self, wire: ProviderClient, community: str) -> str:
        """The text that VK reads at a new callback address. Raises Failed."""
        response = self.call(wire, "groups.getCallbackConfirmationCode", group_id=community)
        return plain(member(response, "code"))

    def register(self, wire: ProviderClient, address: str, secret: str) -> RegisteredHook:
        group = {"group_id": wire.line.account}
        server_id = self._server(wire, address)
        if server_id is None:
            named = {"url": address, "title": TITLE, "secret_key": secret}
            response = self.call(wire, "groups.addCallbackServer", **group, **named)
            server_id = member(response, "server_id")
        else:
            named = {"server_id": str(server_id), "url": address, "title": TITLE, "secret_key": secret}
            self.call(wire, "groups.editCallbackServer", **group, **named)
        if not isinstance(server_id, int):
            raise ProviderCallFailed(Failure(FailureCode.UNAVAILABLE, "VK named no callback server."))
        wanted = {"server_id": server_id, "api_version": VERSION, "message_new": 1}
        self.call(wire, "groups.setCallbackSettings", **group, **wanted)
        return RegisteredHook(server_id=server_id)

    def _server(self, wire: ProviderClient, address: str) -> int | None:
        servers = objects(member(self.call(wire, "groups.getCallbackServers", group_id=wire.line.account), "items"))
        found = [one.get("id") for one in servers if one.get("url") == address]
        return found[0] if found and isinstance(found[0], int) else None

    def health(self, wire: ProviderClient, address: str) -> bool:
        return self._server(wire, address) is not None

    def is_removed(self, wire: ProviderClient) -> bool:
        """Has VK remove the callback server; whether it is gone."""
        where = {"group_id": wire.line.account}
        try:
            if self.call(wire, "groups.deleteCallbackServer", **where, server_id=wire.line.server_id) == 1:
                return True
        except ProviderCallFailed:
            pass
        try:
            response = self.call(wire, "groups.getCallbackServers", **where)
        except ProviderCallFailed:
            return False
        listed = member(response, "items")
        return isinstance(listed, list) and wire.line.server_id not in [one.get("id") for one in objects(listed)]

    def proves(self, hook: WebhookRequest) -> bool:
        if identifier(hook.document.get("group_id")) != hook.line.account:
            return False
        is_asked = hook.document.get("type") == "confirmation"
        return is_asked or same(plain(hook.document.get("secret")), hook.line.secret)

    def answer(self, hook: WebhookRequest) -> str:
        return hook.line.confirmation if hook.document.get("type") == "confirmation" else "ok"

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        if document.get("type") != "message_new":
            return ()
        message = member(document, "object", "message")
        peer, writer = identifier(member(message, "peer_id")), identifier(member(message, "from_id"))
        number = identifier(member(message, "conversation_message_id")) or identifier(member(message, "id"))
        if not peer or not number or peer != writer or not peer.isdigit():  # groups talk, and so do we
            return ()
        return (InboundMessage(peer, number, message),)

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        given = objects(part.get("attachments"))
        stickers = [one.get("sticker") for one in given if one.get("type") == "sticker"]
        files = [found for one in given if (found := _attachment(one))]
        lat, lng = (member(part, "geo", "coordinates", name) for name in ("latitude", "longitude"))
        is_place = isinstance(lat, int | float) and isinstance(lng, int | float)
        return InboundContent(
            text=plain(part.get("text")),
            attachments=files,
            place=(float(lat), float(lng)) if is_place else None,
            sticker={"id": identifier(member(stickers[0], "sticker_id"))} if stickers else None,
            user_id=identifier(part.get("from_id")),
        )

    def profile(self, wire: ProviderClient, said: InboundContent) -> str:
        people = objects(self.call(wire, "users.get", user_ids=said.user_id))
        names = (plain(people[0].get("first_name")), plain(people[0].get("last_name"))) if people else ()
        return " ".join(filter(None, names))

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        form: dict[str, Any] = {"peer_id": to, "random_id": key, "message": part.text}
        if part.place:
            form |= {"lat": part.place[0], "long": part.place[1]}
        if file is not None:
            form["attachment"] = self._uploaded(wire, to, part, file)
        return identifier(self.call(wire, "messages.send", **form))

    def _uploaded(self, wire: ProviderClient, to: str, part: MessagePart, file: File) -> str:
        """Takes a file to VK, as https://dev.vk.com/ru/api/upload/overview has it; what a message names it by."""
        kind = "photo" if part.is_image else "doc"
        folder = "photos.getMessagesUploadServer" if part.is_image else "docs.getMessagesUploadServer"
        server = plain(member(self.call(wire, folder, peer_id=to), "upload_url"))
        answer = wire.ask("POST", server, files={"photo" if part.is_image else "file": file}).json
        if part.is_image:
            names = ("photo", "server", "hash")
            saved: Any = self.call(wire, "photos.saveMessagesPhoto", **{name: answer.get(name, "") for name in names})
            saved = objects(saved)[0] if objects(saved) else {}
        else:
            saved = member(self.call(wire, "docs.save", file=answer.get("file", ""), title=file[0]), "doc")
        return f"{kind}{identifier(member(saved, 'owner_id'))}_{identifier(member(saved, 'id'))}"

    def failure(self, reply: ProviderResponse) -> Failure | None:
        error = reply.json.get("error")
        if not isinstance(error, Mapping):
            return None
        number, words = error.get("error_code"), plain(error.get("error_msg"))
        if number in _PASSING:
            code = FailureCode.SLOW_DOWN if number in (6, 9, 29) else FailureCode.UNAVAILABLE
        else:
            code = _CODES.get(number, FailureCode.REJECTED) if isinstance(number, int) else FailureCode.UNAVAILABLE
        return Failure(code, words, number=number if isinstance(number, int) else None)


def _attachment(given: Mapping[str, Any]) -> Attachment | None:
    kind = plain(given.get("type"))
    about = given.get(kind)
    if not isinstance(about, Mapping) or kind == "sticker":
        return None
    if kind == "photo":
        sizes = sorted(objects(about.get("sizes")), key=_area)
        address = plain(sizes[-1].get("url")) if sizes else plain(member(about, "orig_photo", "url"))
        return Attachment("photo.jpg", address, is_image=True)
    address = plain(about.get("link_ogg") or about.get("url"))
    return Attachment(plain(about.get("title")) or kind, address, size=_number(about.get("size")) or None)


def _area(size: Mapping[str, Any]) -> int:
    return _number(size.get("width")) * _number(size.get("height"))


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
