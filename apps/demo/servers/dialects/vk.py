"""VK: https://dev.vk.com/ru/method; the answers' members as in VK's API schema (vkbottle-types 5.199)."""

from io import BytesIO
from typing import Any

from PIL import Image

from apps.demo.servers.vendors import Answer, PlayedCall, PlayedMessengers

MAX_TEXT, MAX_SECRET, MAX_TITLE = 9000, 50, 14
# https://dev.vk.com/ru/api/upload/document-in-message: any but audio and programs.
_NO_DOCUMENTS = (".mp3", ".exe", ".bat", ".apk")


class PlayedVk(PlayedMessengers):
    """The vendor's side."""

    def _vk(self, call: PlayedCall) -> Answer:
        if call.path.startswith("/upload/"):
            return 200, _uploaded(call)
        method, form = call.path.removeprefix("/method/"), call.body
        token, group = str(form.get("access_token", "")), str(form.get("group_id", ""))
        if "v" not in form:
            return _vk_refuses(8, "Invalid request: v (version) is required")
        if not token or token in self.rejected:
            return _vk_refuses(5, "User authorization failed: invalid access_token.")
        if method.startswith("groups."):
            return self._vk_groups(method, group, form)
        if method == "messages.send":
            return self._vk_send(form)
        if method in ("messages.edit", "messages.delete"):
            return self._vk_change(method, form)
        if method == "users.get":
            number = int(form.get("user_ids", "0"))
            return 200, {"response": [{"id": number, "first_name": "Анна", "last_name": "Иванова"}]}
        if method.endswith("getMessagesUploadServer"):
            kind = method.partition(".")[0]
            return 200, {"response": {"upload_url": f"{self.base('vk')}/upload/{kind}"}}
        if method == "photos.saveMessagesPhoto":
            if form.get("photo") in (None, "", "[]"):
                return _vk_refuses(100, "One of the parameters specified was missing or invalid: photos not uploaded")
            return 200, {"response": [{"id": 7, "owner_id": -1}]}
        if method == "docs.save":
            if not form.get("file"):
                return _vk_refuses(100, "One of the parameters specified was missing or invalid: file is undefined")
            return 200, {"response": {"type": "doc", "doc": {"id": 8, "owner_id": -1}}}
        return _vk_refuses(3, "Unknown method passed")

    def _vk_groups(self, method: str, group: str, form: dict[str, Any]) -> Answer:
        key = ("vk", group)
        server = self.hooks.get(key)
        if method == "groups.getById":
            number = int(group) if group.isdigit() else sum(group.encode()) + 1
            if number == 404:
                return _vk_refuses(100, "One of the parameters specified was missing or invalid: group_id")
            named = {"id": number, "name": f"Group {number}", "screen_name": f"club{number}"}
            return 200, {"response": {"groups": [named]}}
        if method == "groups.getCallbackConfirmationCode":
            return 200, {"response": {"code": f"code{group}"}}
        if method == "groups.getCallbackServers":
            items = [{"id": server["server_id"], "status": "ok", **server}] if server else []
            return 200, {"response": {"count": len(items), "items": items}}
        if method in ("groups.addCallbackServer", "groups.editCallbackServer"):
            if len(form.get("title", "")) > MAX_TITLE or len(form.get("secret_key", "")) > MAX_SECRET:
                return _vk_refuses(100, "One of the parameters specified was missing or invalid")
            number = int(form.get("server_id") or self.next_id())
            self.hooks[key] = {**(server or {}), **form, "server_id": number, "status": "ok"}
            self._call_back(form["url"], {"type": "confirmation", "group_id": int(group)})
            return 200, {"response": {"server_id": number} if method.endswith("addCallbackServer") else 1}
        if method == "groups.setCallbackSettings" and server is not None:
            server["events"] = {name: int(value) for name, value in form.items() if name.startswith("message_")}
        if method == "groups.getCallbackSettings":
            return 200, {"response": {"api_version": "5.199", "events": (server or {}).get("events", {})}}
        if method == "groups.deleteCallbackServer":
            self.hooks.pop(key, None)
        return 200, {"response": 1}

    def _vk_send(self, form: dict[str, Any]) -> Answer:
        if "random_id" not in form or not form.get("peer_id"):
            return _vk_refuses(100, "One of the parameters specified was missing or invalid: random_id is required")
        if not form.get("message") and not form.get("attachment") and "lat" not in form:
            return _vk_refuses(100, "One of the parameters specified was missing or invalid: message is empty")
        if len(str(form.get("message", ""))) > MAX_TEXT:
            return _vk_refuses(914, "Message is too long")
        with self._lock:  # the same random_id is the same message
            once = (str(form.get("peer_id")), str(form.get("random_id")))
            number = self._said.setdefault(once, self.next_id())
        self.keep("vk", number, form.get("message"))
        return 200, {"response": number}

    def _vk_change(self, method: str, form: dict[str, Any]) -> Answer:
        """messages.edit and messages.delete, by https://github.com/VKCOM/vk-api-schema: errors 909 and 924 for what is
        too old; a deletion has a result for each message.
        """
        number = str(form.get("message_id") or form.get("message_ids") or "")
        kept = self.kept.get(("vk", number))
        if not form.get("peer_id") or not number:
            return _vk_refuses(100, "One of the parameters specified was missing or invalid: message_id is undefined")
        if kept is None:
            return _vk_refuses(15, "Access denied: message can not be found")
        if method == "messages.edit":
            if kept.is_old:
                return _vk_refuses(909, "Can't edit this message, because it's too old")
            if not form.get("message"):
                return _vk_refuses(100, "One of the parameters specified was missing or invalid: message is empty")
            kept.text = str(form["message"])
            return 200, {"response": 1}
        about: dict[str, Any] = {"peer_id": int(form["peer_id"]), "message_id": int(number)}
        if kept.is_old and form.get("delete_for_all") == "1":
            error = {"code": 924, "description": "Can't delete this message for everybody"}
            return 200, {"response": [{**about, "response": 0, "error": error}]}
        if form.get("delete_for_all") == "1":
            self.forget("vk", number)
        return 200, {"response": [{**about, "response": 1}]}


def _uploaded(call: PlayedCall) -> dict[str, Any]:
    """https://dev.vk.com/ru/api/upload/photo-in-message: JPG, PNG, GIF; sides of 14,000 together, 20 to 1 at most."""
    if call.path.endswith("/photos"):
        try:
            with Image.open(BytesIO(call.file("photo") or b"")) as picture:
                sides, kind = picture.size, picture.format
        except OSError:
            return {"error": "ERR_UPLOAD_BAD_IMAGE"}
        is_taken = kind in ("JPEG", "PNG", "GIF") and sum(sides) <= 14_000 and max(sides) <= 20 * min(sides)
        return {"server": 1, "photo": '[{"markers_restarted":true}]' if is_taken else "[]", "hash": "h"}
    name = call.file_name("file").lower()
    return {"error": "no_file"} if not name or name.endswith(_NO_DOCUMENTS) else {"file": "f"}


def _vk_refuses(code: int, words: str) -> Answer:
    return 200, {"error": {"error_code": code, "error_msg": words, "request_params": []}}
