"""The operator's websocket, `/ws/operator`."""

from collections.abc import Collection
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host
from django.urls import path

from apps.agents.models import Agent
from apps.chats.realtime import database
from apps.chats.realtime.sockets import AGAIN_LATER, BAD_TOKEN, Socket, frame_of
from apps.console import actions, querysets
from apps.console.actions import LetIn
from apps.console.errors import INVALID_TICKET
from apps.console.inputs import AuthBody
from apps.console.querysets import Seat
from apps.console.realtime import open_sockets
from apps.core.endpoints.serializers import validated_body
from apps.core.errors import RATE_LIMITED, UNKNOWN_HOST
from apps.core.problems import Problem
from apps.core.redis import rate_limits

_AUTH = AuthBody()


class OperatorSocket(Socket):
    """A tab of an operator's console. While any is open, the operator is online."""

    operator: Agent
    seat: Seat

    def __init__(self) -> None:
        super().__init__()
        self._is_let_in = False
        self._online: set[int] = set()

    async def admit(self) -> None:
        """Raises UNKNOWN_HOST for a page that is not served by this installation."""
        origin = self.headers.get("origin")
        if origin is not None and not validate_host(urlsplit(origin).hostname or "", settings.ALLOWED_HOSTS):
            raise UNKNOWN_HOST()

    async def authenticate(self, frame: dict[str, Any]) -> None:
        given = validated_body(_AUTH, {name: value for name, value in frame.items() if name != "type"})
        try:
            let_in = await database.run(partial(_redeem, given["ticket"], self.address))
        except Problem as problem:
            if problem.type not in (INVALID_TICKET, RATE_LIMITED):
                raise
            self.drop(BAD_TOKEN if problem.type is INVALID_TICKET else AGAIN_LATER)
            return
        self.operator, self.seat = let_in.agent, let_in.seat
        self._is_let_in = True
        await open_sockets().open(self)
        widget = self.operator.widget
        self._online = (await database.run(partial(querysets.online_in, [widget.pk])))[widget.pk]
        self.is_ready = True
        ready = {
            "agent": {"id": self.operator.pk, "name": self.operator.full_name, "status": self.operator.status},
            "widget": {"id": widget.pk, "guid": widget.guid, "name": widget.name},
            "online": sorted(self._online),
        }
        self.push(frame_of("ready", ready))

    def end(self) -> None:
        """Whoever opened the socket has lost the right to it."""
        self.drop(BAD_TOKEN)

    async def leave(self) -> None:
        if self._is_let_in:
            await open_sockets().close(self)

    # Frames out.

    def show_online(self, online: Collection[int]) -> None:
        """Shows who came and who went since the client was shown it last."""
        for agent_id in sorted(self._online.symmetric_difference(online)):
            frame = frame_of("agent.presence", {"agent_id": agent_id, "online": agent_id in online})
            if self.push_if_read(frame):
                self._online ^= {agent_id}

    # Frames in.

    async def on_ping(self, data: dict[str, Any]) -> None:
        self.push_if_read(frame_of("pong"))

    handlers: ClassVar = {"ping": on_ping}


def _redeem(ticket: str, address: str) -> LetIn:
    if not rate_limits.spend(f"console:address:{address}", settings.VISITOR_RATE_LIMIT).allowed:
        raise RATE_LIMITED()
    return actions.redeem_ticket(ticket=ticket)


websocket_urlpatterns = [path("ws/operator", OperatorSocket.as_asgi())]
