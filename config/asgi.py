"""The realtime process: `uvicorn config.asgi:application`. Websockets and probes; the rest is the web process's."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.asgi import get_asgi_application

from config.open_files import allow_all

allow_all()
django_application = get_asgi_application()

from importlib import import_module  # noqa: E402
from typing import Any  # noqa: E402

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402

from apps.cabinet.probes import PROBES  # noqa: E402
from apps.core import plugins  # noqa: E402
from apps.core.database.base import limit_statements  # noqa: E402
from config.loop import Living  # noqa: E402

limit_statements(settings.WEB_STATEMENT_SECONDS)  # somebody waits


async def answer_probes(scope: Any, receive: Any, send: Any) -> None:
    """Health and metrics of this process; any other address is not here."""
    if scope["path"] in PROBES:
        await django_application(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": 404, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b"Websockets only.\n"})


async def refuse(scope: Any, receive: Any, send: Any) -> None:
    """A websocket at an address that is not there: the handshake is answered 403."""
    await receive()
    await send({"type": "websocket.close"})


routes = ProtocolTypeRouter(
    {
        "http": answer_probes,
        "websocket": URLRouter(
            [
                *(
                    pattern
                    for module in plugins.url_modules("consumers.py")
                    for pattern in import_module(module).websocket_urlpatterns
                ),
                re_path("", refuse),  # type: ignore[arg-type]
            ]
        ),
    }
)
application = Living(routes, "realtime", settings.PULSE_DIR)
