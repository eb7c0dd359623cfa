"""The operator's websocket, `/ws/operator` (docs/guides/operator-side.md)."""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.apps import apps as django_apps
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.urls import path
from django.utils import timezone

from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.models import Message
from apps.chats.querysets.edits import changed_messages
from apps.chats.realtime import database, reads
from apps.chats.realtime.database import DatabaseAway
from apps.chats.realtime.reads import ChatState
from apps.chats.realtime.sockets import AGAIN_LATER, BAD_TOKEN, Socket, frame_of
from apps.chats.rules.translations import own_words
from apps.chats.rules.typing import Typing
from apps.console import querysets
from apps.console.actions.sending import send_message
from apps.console.actions.sign_in import LetIn, redeem_ticket
from apps.console.actions.translations import translation_opened
from apps.console.broadcasts import OperatorUsed
from apps.console.errors import INVALID_TICKET, TOO_MANY_CHATS
from apps.console.querysets import SignIn
from apps.console.querysets.translations import TranslationReader, translation_reader
from apps.console.realtime.inbox import Inbox
from apps.console.realtime.sockets import open_sockets
from apps.console.realtime.watches import OperatorWatch
from apps.console.serializers.requests import (
    MAX_CHATS,
    LeaveBody,
    OpenBody,
    OperatorAuthBody,
    OperatorMessageBody,
    OperatorSeenBody,
    OperatorTypingBody,
    OperatorUsedBody,
)
from apps.core import questions
from apps.core.endpoints.authentication import moving
from apps.core.endpoints.serializers import validated_body
from apps.core.errors import NOT_FOUND, RATE_LIMITED, TRY_AGAIN, UNKNOWN_HOST
from apps.core.problems import Problem
from apps.core.redis import broadcasts, rate_limits

_AUTH, _OPEN, _LEAVE = OperatorAuthBody(), OpenBody(), LeaveBody()
_USED = OperatorUsedBody()
_MESSAGE, _TYPING, _SEEN = OperatorMessageBody(), OperatorTypingBody(), OperatorSeenBody()

# How long an operator counts as typing who does not say that they have stopped.
TYPING_LASTS_S = 8.0
# A client that comes back is told of what was edited and deleted meanwhile, for so long.
CHANGES_TOLD_FOR = timedelta(hours=24)


class OperatorSocket(Socket):
    """A tab of an operator's console. While any is open, the operator is online.

    It is shown every change of its widget's chats as a row of the inbox, and all of the chats that it has open. A
    client that does not read is sent away; it comes back to a fresh inbox, and to its chats where it left them.
    """

    operator: Agent
    sign_in: SignIn
    inbox: Inbox

    def __init__(self) -> None:
        super().__init__()
        self._is_let_in = False
        self._early: list[str] = []  # frames of what happened while `ready` was read
        self._counts: dict[str, Any] | None = None
        self._watches: dict[int, OperatorWatch] = {}

    @property
    def frames_a_minute(self) -> int:
        return settings.API_RATE_LIMIT

    async def admit(self) -> None:
        """Raises UNKNOWN_HOST for a page that is not served by this installation."""
        origin = self.headers.get("origin")
        if origin is not None and not validate_host(_host_of(origin), settings.ALLOWED_HOSTS):
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
        self.operator, self.sign_in = let_in.agent, let_in.sign_in
        self._is_let_in = True
        self.inbox = await open_sockets().open(self)
        await self._show_ready()
        if self.is_ready:
            for chat_id, after_id in given.get("chats", {}).items():
                await self._try_to_open(chat_id, after_id)

    async def _show_ready(self) -> None:
        agent, widget = self.operator, self.operator.widget
        page = await database.run(partial(querysets.inbox_first_page, widget_id=widget.pk, agent_id=agent.pk))
        staff = self.inbox.staff
        if agent.pk not in staff.agents:  # they were suspended just now
            self.end()
            return
        self._counts = self.inbox.counts_for(agent.pk)
        ready = {
            "agent": {name: staff.agents[agent.pk][name] for name in _ABOUT_ME},
            "widget": {"id": widget.pk, "guid": widget.guid, "name": widget.name},
            "agents": list(staff.agents.values()),
            "departments": staff.departments,
            "online": [id_ for id_, each in staff.agents.items() if each["online"]],
            "inbox": {"chats": page.data, "next_cursor": page.next_cursor, "counts": self._counts},
        }
        self.is_ready = True
        for frame in [frame_of("ready", ready), *self._early]:
            self.show(frame)
        self._early.clear()

    def end(self) -> None:
        """Drops the socket: its operator has lost the right to it."""
        self.drop(BAD_TOKEN)

    async def leave(self) -> None:
        for watch in list(self._watches.values()):
            self._leave_chat(watch)
        if self._is_let_in:
            await open_sockets().close(self)

    # Frames out.

    def show(self, frame: str) -> None:
        """Shows a frame, or sends a client away that has too many unread."""
        if not self.is_ready:
            self._early.append(frame)
        elif self.is_open and not self.push_if_read(frame):
            self.drop(AGAIN_LATER)

    def show_counts(self, counts: dict[str, Any]) -> None:
        """Shows how many open chats there are, if that is not what the client was shown last."""
        if self._counts is not None and counts != self._counts:
            self._counts = counts
            self.show(frame_of("inbox.counts", counts))

    def has_read(self) -> None:
        for watch in self._watches.values():
            watch.look()

    # Frames in.

    async def on_chat_open(self, data: dict[str, Any]) -> None:
        given = validated_body(_OPEN, data)
        await self._try_to_open(given["chat_id"], given.get("after_id"))

    async def _try_to_open(self, chat_id: int, after_id: int | None) -> None:
        try:
            await self._open_chat(chat_id, after_id)
        except Problem as problem:
            self.refuse(problem, chat_id=chat_id)
        except DatabaseAway:
            self.refuse(TRY_AGAIN(), chat_id=chat_id)

    async def _open_chat(self, chat_id: int, after_id: int | None) -> None:
        """Shows a chat as it is, then what comes. Raises NOT_FOUND, TOO_MANY_CHATS."""
        if chat_id in self._watches:
            self._leave_chat(self._watches[chat_id])
        if len(self._watches) >= MAX_CHATS:
            raise TOO_MANY_CHATS()
        watch = OperatorWatch(self, chat_id, position=after_id or 0, state=ChatState())
        self._watches[chat_id] = watch
        self.inbox.watch(watch)
        try:
            read = partial(_read_chat, self.operator, chat_id)
            row, card, watch.state, last_message_id, deliveries, watch.reader = await database.run(read)
        except Exception:
            self._forget(watch)
            raise
        if after_id is None:
            watch.position = last_message_id
        if watch.open(row, card, open_sockets().colleagues_of(watch), deliveries):
            self.inbox.look([chat_id])
        if after_id:
            since = timezone.now() - CHANGES_TOLD_FOR
            read_changed = partial(changed_messages, chat_id=chat_id, for_visitor=False, since=since, up_to_id=after_id)
            watch.show_updates(await database.run(read_changed))
        watch.join(open_sockets().hub, chat_id)
        open_sockets().tell_looks(watch)
        await database.run(partial(_help_in, self.operator, chat_id))
        if watch.reader is not None:
            await database.run(partial(translation_opened, self.operator, chat_id, watch.reader, card))

    async def on_chat_leave(self, data: dict[str, Any]) -> None:
        watch = self._watches.get(validated_body(_LEAVE, data)["chat_id"])
        if watch is not None:
            self._leave_chat(watch)

    def _leave_chat(self, watch: OperatorWatch) -> None:
        self._forget(watch)
        watch.leave(open_sockets().hub)
        open_sockets().tell_looks(watch)

    def _forget(self, watch: OperatorWatch) -> None:
        self._watches.pop(watch.looks_at, None)
        self.inbox.unwatch(watch)

    async def on_message_send(self, data: dict[str, Any]) -> None:
        given = validated_body(_MESSAGE, data)
        watch = self._watches.get(given["chat_id"])

        async def post() -> Mapping[str, Any]:
            return await database.run(partial(_post, self.operator, given))

        if watch is not None:
            await watch.send_message(str(given["client_id"]), post)
        else:
            message = await post()
            self.show(frame_of("ack", {"client_id": str(given["client_id"]), "message": message}))

    async def on_typing(self, data: dict[str, Any]) -> None:
        given = validated_body(_TYPING, data)
        chat_id, state = given["chat_id"], Typing(given["state"])
        watch = self._watches.get(chat_id)
        if watch is not None:
            watch.type(TYPING_LASTS_S if state is Typing.START else 0.0)
            open_sockets().tell_looks(watch)
        if not given["is_note"]:
            me, widget_id = self.operator.pk, self.operator.widget_id
            tell = partial(chats.tell_visitor_of_typing, widget_id=widget_id, chat_id=chat_id, agent_id=me)
            await database.run(partial(tell, state=state))

    async def on_seen(self, data: dict[str, Any]) -> None:
        given = validated_body(_SEEN, data)
        see = partial(chats.mark_seen, widget_id=self.operator.widget_id, seen_by="OPERATOR")
        await database.run(partial(see, chat_id=given["chat_id"], message_id=given["message_id"]))

    async def on_used(self, data: dict[str, Any]) -> None:
        """Their other devices keep quiet for a while."""
        device = validated_body(_USED, data)["device"]
        broadcasts.send(OperatorUsed(agent_id=self.operator.pk, device=device))

    async def on_ping(self, data: dict[str, Any]) -> None:
        self.push_if_read(frame_of("pong"))

    handlers: ClassVar = {
        "chat.open": on_chat_open,
        "chat.leave": on_chat_leave,
        "message.send": on_message_send,
        "typing": on_typing,
        "seen": on_seen,
        "used": on_used,
        "ping": on_ping,
    }


_ABOUT_ME = ("id", "name", "avatar_url", "status", "break", "department_ids")


def _host_of(origin: str) -> str:
    """The host as ALLOWED_HOSTS names it, an IPv6 address in brackets; blank for what is no origin."""
    try:
        return split_domain_port(urlsplit(origin).netloc)[0]
    except ValueError:
        return ""


def _redeem(ticket: str, address: str) -> LetIn:
    if not rate_limits.spend(f"console:address:{address}", settings.VISITOR_RATE_LIMIT).allowed:
        raise RATE_LIMITED()
    return redeem_ticket(ticket=ticket)


def _read_chat(
    operator: Agent, chat_id: int
) -> tuple[dict[str, Any], dict[str, Any], ChatState, int, list[dict[str, Any]], TranslationReader]:
    """A chat's row, card and state, the id of its last message, notes too, what became of its newest messages, and the
    operator as who reads it.
    """
    widget_id = operator.widget_id
    rows = querysets.inbox_rows(widget_id, [chat_id])
    found = querysets.contact_panels(widget_id, [chat_id])
    if not rows or chat_id not in found:
        raise NOT_FOUND()
    state = reads.states([chat_id])[chat_id]
    last_message_id = querysets.last_message_id(chat_id)
    deliveries = querysets.deliveries(widget_id, rows)
    return rows[0], found[chat_id], state, last_message_id, deliveries, translation_reader(operator)


def _post(operator: Agent, given: Mapping[str, Any]) -> Mapping[str, Any]:
    if questions.is_moving(operator.widget_id):
        raise moving()
    content = {name: given[name] for name in ("type", "body", "markdown", "file_id") if name in given}
    content["details"] = {"keyboard": given["keyboard"]} if "keyboard" in given else None
    source = None if given["is_note"] else given.get("source")
    posted = send_message(
        operator=operator,
        chat_id=given["chat_id"],
        client_id=given["client_id"],
        content=content,
        is_note=given["is_note"],
        and_close=given["and_close"],
        source=source,
        made_from={name: given[name] for name in ("assist_id", "from_message_id") if name in given},
    )
    # Known in a messenger's chat alone; visitors' frames never have it.
    delivery = (
        Message.objects.for_widget(operator.widget_id)
        .filter(pk=posted.message["id"])
        .values_list("delivery", flat=True)
    )
    return {
        **posted.message,
        "delivery": delivery.get(),
        "is_note": given["is_note"],
        "letter": None,
        "translations": [own_words(source["text"], source["lang"])] if source else [],
        "deleted_by": None,
    }


def _help_in(operator: Agent, chat_id: int) -> None:
    """Has a model help with a chat that was opened, where the widget's settings say so."""
    if django_apps.is_installed("apps.assists"):
        from apps.assists.actions.automatic import chat_opened

        chat_opened(agent=operator, chat_id=chat_id)


websocket_urlpatterns = [path("ws/operator", OperatorSocket.as_asgi())]
