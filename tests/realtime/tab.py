"""A tab of a visitor's or an operator's browser, as far as its websocket goes."""

import json
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.waits import AT_MOST_S

# A tab with frames that nobody read cannot take the end of its socket in; it is cut off then.
CLOSE_SECONDS = 1.0
MISSING: Any = object()


class AnyTab:
    """One websocket; use it as a context manager. Every wait is bounded, in seconds."""

    def __init__(self, address: str, *, origin: str | None = None, headers: Mapping[str, str] | None = None) -> None:
        with ExitStack() as opening:
            socket = connect(
                address,
                origin=origin,  # type: ignore[arg-type]
                additional_headers=headers,
                open_timeout=AT_MOST_S,
                close_timeout=CLOSE_SECONDS,
                proxy=None,
            )
            self._socket = opening.enter_context(socket)
            self._closing = opening.pop_all()
        self.frames: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._closing.close()

    def begin(self, **members: Any) -> dict[str, Any]:
        """Sends the first frame and returns the data of `ready`."""
        self.send({"type": "auth", **members})
        frame = self.next()
        assert frame["type"] == "ready", frame
        data: dict[str, Any] = frame["data"]
        return data

    def send(self, frame: Mapping[str, Any] | str | bytes) -> None:
        self._socket.send(json.dumps(frame) if isinstance(frame, Mapping) else frame)

    def next(self, seconds: float = AT_MOST_S) -> dict[str, Any]:
        """The next frame."""
        frame: dict[str, Any] = json.loads(self._socket.recv(timeout=seconds))
        self.frames.append(frame)
        return frame

    def until(self, condition: Callable[[dict[str, Any]], bool], seconds: float = AT_MOST_S) -> dict[str, Any]:
        """The first frame that the condition holds for; those before it are kept in `frames`."""
        deadline = time.monotonic() + seconds
        while True:
            frame = self.next(max(0.01, deadline - time.monotonic()))
            if condition(frame):
                return frame

    def of_type(self, kind: str, seconds: float = AT_MOST_S) -> dict[str, Any]:
        """The data of the next frame of that type."""
        data: dict[str, Any] = self.until(lambda frame: frame["type"] == kind, seconds)["data"]
        return data

    def settle(self) -> list[dict[str, Any]]:
        """What came before the answer to a ping, which the server sends after all it had to send."""
        seen = len(self.frames)
        self.send({"type": "ping"})
        self.until(lambda frame: frame["type"] == "pong")
        return self.frames[seen:-1]

    def close_code(self, seconds: float = AT_MOST_S) -> int:
        """The code that the server closes the socket with; what comes before is kept in `frames`."""
        with pytest.raises(ConnectionClosed) as closed:
            self.until(lambda frame: False, seconds)
        assert closed.value.rcvd is not None, closed.value
        return closed.value.rcvd.code


class Tab(AnyTab):
    """A visitor's."""

    def __init__(self, url: str, guid: str, **options: Any) -> None:
        super().__init__(f"{url}/ws/visitor/{guid}", **options)

    def auth(self, token: str, after_id: Any = MISSING) -> dict[str, Any]:
        """Sends the first frame and returns the data of `ready`."""
        position = {} if after_id is MISSING else {"after_id": after_id}
        return self.begin(token=token, **position)

    def say(self, body: str, client_id: str | None = None) -> str:
        """Sends a message; its client_id."""
        client_id = client_id or str(uuid.uuid4())
        self.send({"type": "message.send", "data": {"client_id": client_id, "type": "text", "body": body}})
        return client_id

    def messages(self) -> list[dict[str, Any]]:
        """Every message that this tab was shown, in the order of arrival, its own among them."""
        shown = {"message.created": lambda data: data, "ack": lambda data: data["message"]}
        return [shown[frame["type"]](frame["data"]) for frame in self.frames if frame["type"] in shown]


class OperatorTab(AnyTab):
    """An operator's; `ready` is the data of that frame."""

    def __init__(self, url: str, **options: Any) -> None:
        super().__init__(f"{url}/ws/operator", **options)
        self.ready: dict[str, Any] = {}

    def auth(self, ticket: str, **members: Any) -> dict[str, Any]:
        """Sends the first frame and returns the data of `ready`."""
        self.ready = self.begin(ticket=ticket, **members)
        return self.ready
