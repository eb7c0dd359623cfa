"""Having the router decide on a widget's queue, and look again at the chats of its departments."""

from collections.abc import Collection

from django.db import connection

from apps import leases
from apps.chats.models import Chat
from apps.chats.rules import OPEN
from apps.routing.actions.misses import forget_misses
from apps.routing.models import RouterRow, RoutingSettings
from apps.routing.querysets.queue import queued
from apps.routing.rules.settings import RoutingMode

_PUT = f"""
INSERT INTO routing_queuerow AS t (chat_id, widget_id, due_at, waiting_since)
SELECT id, widget_id, statement_timestamp(), statement_timestamp()
FROM chats_chat WHERE widget_id = %(widget_id)s AND id = ANY(%(chat_ids)s) ORDER BY id
{leases.on_conflict(unique=["chat_id"], longest="0").strip()}"""  # noqa: S608 - of constants


def ask_router(widget_id: int) -> None:
    """Asks the router for a decision. Inside a transaction."""
    leases.enqueue(RouterRow, unique={"widget_id": widget_id})
    leases.wake_workers()


def put_rows(widget_id: int, chat_ids: Collection[int]) -> None:
    """Has these chats looked at. Inside a transaction."""
    if not chat_ids:
        return
    with connection.cursor() as cursor:
        cursor.execute(_PUT, {"widget_id": widget_id, "chat_ids": sorted(chat_ids)})
    leases.wake_workers()


def follow_operator(*, widget_id: int, agent_id: int, counts_anew: bool = False) -> None:
    """Puts the rows of the chats that an operator owns or is offered, and asks the router. Inside a transaction.

    Offers missed before are forgotten, if it `counts_anew`. Rows of chats, places and the router's are locked in this
    order, here as everywhere.
    """
    if not is_routed(widget_id):
        return
    chats = Chat.objects.for_widget(widget_id)
    offered, owned = chats.filter(offered_to=agent_id), chats.filter(agent=agent_id, status__in=OPEN)
    put_rows(widget_id, {*offered.values_list("pk", flat=True), *owned.values_list("pk", flat=True)})
    if counts_anew:
        forget_misses(widget_id=widget_id, agent_id=agent_id)
    ask_router(widget_id)


def follow_settings(widget_id: int) -> None:
    """Asks the router, and puts the row of every chat that waits. Inside a transaction."""
    if is_routed(widget_id) or RouterRow.objects.for_widget(widget_id).exists():
        put_rows(widget_id, set(queued(widget_id).values_list("pk", flat=True)))
        RouterRow.objects.for_widget(widget_id).update(departments={})
        ask_router(widget_id)


def is_routed(widget_id: int) -> bool:
    """Whether a widget, or one of its departments, is routed."""
    return RoutingSettings.objects.for_widget(widget_id).filter(mode=RoutingMode.ROUTED).exists()
