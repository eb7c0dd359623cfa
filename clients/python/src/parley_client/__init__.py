"""A client of Parley's API.

from parley_client import Parley, every

with Parley("https://chat.example.com", token="pt_…") as parley:
    for chat in every(parley.chats.chat_list, limit=100):
        print(chat["id"], chat["status"])
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

import httpx

from parley_client import types
from parley_client.calling import Page, ParleyError, every
from parley_client.operations import Operations
from parley_client.webhooks import Event, InvalidSignature, is_genuine, receive

__all__ = ["Event", "InvalidSignature", "Page", "Parley", "ParleyError", "every", "is_genuine", "receive", "types"]


class Parley(Operations):
    """All calls, by tag: `parley.chats.chat_list()`. Answers are dictionaries (`parley_client.types`)."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        retries: int = 4,
        timeout: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        """`retries`: how often a call that may be repeated is. `timeout`: seconds for a connection and an answer."""
        super().__init__()
        self._http = http or httpx.Client(timeout=timeout)
        self._http.base_url = httpx.URL(base_url)
        self._http.headers["Authorization"] = f"Bearer {token}"
        self._retries = retries

    def upload(
        self, file: str | Path | bytes, *, name: str | None = None, idempotency_key: str | None = None
    ) -> types.File:
        """Uploads a file, by its path or content; its `id` can be sent in messages."""
        content = file if isinstance(file, bytes) else Path(file).read_bytes()
        called = name or ("file" if isinstance(file, bytes) else Path(file).name)
        key = idempotency_key or str(uuid4())
        answer = self.request("POST", "/api/v1/files", key=key, files={"file": (called, content)})
        uploaded: Any = answer.json()["data"]
        return uploaded  # type: ignore[no-any-return]

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Parley:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
