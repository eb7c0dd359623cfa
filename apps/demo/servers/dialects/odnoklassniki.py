"""Odnoklassniki: https://apiok.ru/dev/graph_api/bot_api and graph.user.* (subscribe, subscriptions, unsubscribe,
fileUploadUrl, messages)."""

from typing import Any

from apps.demo.servers.vendors import Answer, PlayedCall, PlayedMessengers

_TYPES = ("FILE", "VIDEO", "AUDIO", "IMAGE")


class PlayedOdnoklassniki(PlayedMessengers):
    """The vendor's side."""

    def _ok(self, call: PlayedCall) -> Answer:
        token = call.query.get("access_token", "")
        if call.path.startswith("/files/"):
            return 200, self.files.get(call.path.rpartition("/")[2], b"")
        if call.path.startswith("/upload/"):
            return self._ok_upload(call)
        if not token or token in self.rejected:
            return 401, {"error_code": 103, "error_msg": "PARAM_SESSION_KEY : No session key"}
        if call.method == "POST" and call.headers.get("content-type") != "application/json;charset=utf-8":
            return _refuses(100, "PARAM : Content-Type must be application/json;charset=utf-8")
        hooks = self.hooks.setdefault(("ok", token), {"urls": []})
        if call.path == "/graph/me/subscribe":
            hooks["urls"] = [*(url for url in hooks["urls"] if url != call.body["url"]), call.body["url"]]
            return 200, {"success": True}
        if call.path == "/graph/me/unsubscribe":
            hooks["urls"] = [url for url in hooks["urls"] if url != call.body["url"]]
            return 200, {"success": True}
        if call.path == "/graph/me/subscriptions":
            return 200, {"subscriptions": [{"time": 1498577751487, "url": url} for url in hooks["urls"]]}
        if call.path == "/graph/me/fileUploadUrl":
            return self._ok_place(call)
        return self._ok_message(call)

    def _ok_place(self, call: PlayedCall) -> Answer:
        kind = call.query.get("type", "FILE")
        if kind not in _TYPES:
            return _refuses(100, "PARAM : type")
        number = self.next_id()
        place: dict[str, Any] = {"url": f"{self.base('ok')}/upload/{kind}/{number}"}
        return 200, {**place, **({"file_id": f"f{number}"} if kind == "IMAGE" else {"token": f"FILE-{number}"})}

    def _ok_upload(self, call: PlayedCall) -> Answer:
        kind, number = call.path.split("/")[2:4]
        if not call.headers.get("content-type", "").startswith("multipart/"):
            return _refuses(21, "NOT_MULTIPART")
        if kind != "IMAGE":
            self.files[f"FILE-{number}"] = call.raw
            return 200, {}
        if call.file("pic1") is None:
            return _refuses(505, "PHOTO_NO_IMAGE")
        self.files[f"IMAGE-{number}"] = call.raw
        return 200, {"photos": {f"f{number}": {"token": f"IMAGE-{number}"}}}

    def _ok_message(self, call: PlayedCall) -> Answer:
        if not call.path.startswith("/graph/me/messages"):
            return _refuses(3, "METHOD : unknown")
        message = call.body.get("message", {})
        given = message.get("attachment", {})
        if not call.body.get("recipient") or not (message.get("text") or given):
            return _refuses(100, "PARAM : empty message")
        payload = given.get("payload", {})
        if "url" in payload and given.get("type") != "IMAGE":
            return _refuses(100, "PARAM : only an IMAGE is taken by its address")
        if "token" in payload and f"{given.get('type')}-" not in payload["token"][:6]:
            return _refuses(100, "PARAM : token")
        if "token" in payload and payload["token"] not in self.files:
            return _refuses(100, "PARAM : attachment is not ready")
        return 200, {"success": True, "recipient_id": "user:1", "message_id": f"mid:{self.next_id()}"}


def _refuses(code: int, words: str) -> Answer:
    return 200, {"error_code": code, "error_msg": words}
