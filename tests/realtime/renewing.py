"""The project's ASGI application, with a process that renews its presences at each poll."""

from config.asgi import application

# isort: split
# By now Django is set up.
from apps.console import realtime

__all__ = ["application"]

realtime.RENEW_EVERY_S = 0.0
