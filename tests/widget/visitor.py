"""A visitor's browser over HTTP, for tests."""

import json
import uuid
from typing import Any

from apps.accounts.models import Widget
from tests.client import client


class VisitorClient:
    """Calls `/widget/{guid}/…` as a page of `origin` would, with `token` once it has one; `chat_id` is a test's."""

    chat_id = 0

    def __init__(self, widget: Widget | str, token: str | None = None, **headers: str) -> None:
        self.guid = widget if isinstance(widget, str) else widget.guid
        self.token = token
        self.headers = headers
        self._client = client(enforce_csrf_checks=True)

    def get(self, path: str, **headers: str) -> Any:
        return self._client.get(f"/widget/{self.guid}/{path}", headers=self._headers(headers))

    def post(self, path: str, body: Any = None, *, content_type: str = "application/json", **headers: str) -> Any:
        data = body if isinstance(body, bytes) else json.dumps({} if body is None else body)
        address = f"/widget/{self.guid}/{path}"
        return self._client.post(address, data, content_type=content_type, headers=self._headers(headers))

    def put(self, path: str, body: Any) -> Any:
        address = f"/widget/{self.guid}/{path}"
        return self._client.put(address, json.dumps(body), content_type="application/json", headers=self._headers({}))

    def delete(self, path: str) -> Any:
        return self._client.delete(f"/widget/{self.guid}/{path}", headers=self._headers({}))

    def preflight(self, path: str, origin: str) -> Any:
        headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        return self._client.options(f"/widget/{self.guid}/{path}", headers=headers)

    def come(self, **about: Any) -> dict[str, Any]:
        """Opens a session and keeps its token; the answer's data."""
        response = self.post("sessions", about)
        assert response.status_code in (200, 201), response.content
        data: dict[str, Any] = response.json()["data"]
        self.token = data["visitor_token"]
        return data

    def say(self, body: str, *, client_id: str | None = None) -> dict[str, Any]:
        """Posts a text; the stored message."""
        document = {"client_id": client_id or str(uuid.uuid4()), "type": "text", "body": body}
        response = self.post("messages", document)
        assert response.status_code in (200, 201), response.content
        message: dict[str, Any] = response.json()["data"]
        return message

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        given = {"Authorization": f"Visitor {self.token}"} if self.token else {}
        return {**given, **self.headers, **{name.replace("_", "-"): value for name, value in more.items()}}
