"""The project's ASGI application with a hub that does not poll: its sockets learn of nothing but by broadcasts."""

from config.asgi import application

# isort: split
# By now Django is set up.
from apps.chats.realtime import hub

__all__ = ["application"]

hub.POLL_S = (3600.0, 3600.0)
