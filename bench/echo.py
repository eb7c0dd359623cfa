"""The bare reference for operators' sockets, `bench.echo:application`: a client's text is sent to all.

No Django, no database, no authentication: the cost of any server on the same uvicorn.
"""

from typing import Any

_clients: set[Any] = set()


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    await receive()
    await send({"type": "websocket.accept"})
    _clients.add(send)
    try:
        while (message := await receive())["type"] == "websocket.receive":
            for each in list(_clients):
                await each({"type": "websocket.send", "text": message["text"]})
    finally:
        _clients.discard(send)
