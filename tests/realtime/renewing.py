"""The project's ASGI application, with a process that renews its presences at each poll."""

from config.asgi import application

# isort: split
# By now Django is set up.
from apps.console.realtime import sockets

__all__ = ["application"]

sockets.RENEW_EVERY_S = 0.0
