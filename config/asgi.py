"""The realtime process: `uvicorn config.asgi:application`. Websockets only; everything else is the web process's."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.asgi import get_asgi_application

http_application = get_asgi_application()

from importlib import import_module  # noqa: E402

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from apps.core import plugins  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": http_application,
        "websocket": URLRouter(
            [
                pattern
                for module in plugins.url_modules("websocket_urls")
                for pattern in import_module(module).websocket_urlpatterns
            ]
        ),
    }
)
