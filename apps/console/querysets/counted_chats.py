"""Chats as they are counted, and the staff of widgets: what a realtime process knows of each."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.agents.models import Agent, Department
from apps.agents.rules.absence import shown_break
from apps.agents.serializers.responses import avatar_address
from apps.chats.models import Chat, Message
from apps.chats.querysets.conditions import annotations
from apps.chats.querysets.ringing import rings_for
from apps.chats.querysets.waiting import may_wait
from apps.chats.rules import Status
from apps.console.querysets.routing import is_due
from apps.console.rules.counts import IN_QUEUE, CountedChat


@dataclass(frozen=True, slots=True)
class Staff:
    """The people and the departments of a widget as operators' sockets are shown them; the people by their ids."""

    agents: dict[int, dict[str, Any]]
    departments: list[dict[str, Any]]

    @property
    def online(self) -> set[int]:
        """The ids of the people who are online."""
        return {agent_id for agent_id, agent in self.agents.items() if agent["online"]}


def counted_chats(widget_ids: Collection[int]) -> dict[int, dict[int, CountedChat]]:
    """The counted state of these widgets' chats, the open ones, those closed unanswered and those put aside, by widget
    and chat.

    Indexes: chats_chat_inbox, chats_chat_left, chats_chat_aside.
    """
    found: dict[int, dict[int, CountedChat]] = {widget_id: {} for widget_id in widget_ids}
    now = timezone.now()
    chats = (
        Chat.objects.unscoped("of this process's sockets")
        .filter(_counted(now), widget_id__in=widget_ids)
        .annotate(**annotations(now))
        .annotate(rings=rings_for(), is_due=is_due())
    )
    columns = ("widget_id", "id", "version", "status", "channel", "agent_id", "department_id")
    for widget_id, chat_id, *about, since, is_aside, last, rings, due in chats.values_list(
        *columns, "waits_since", "is_aside", "last_message_id", "rings", "is_due"
    ).iterator():
        version, status, channel, agent_id, department_id = about
        found[widget_id][chat_id] = CountedChat(
            version,
            Status(status),
            channel,
            agent_id,
            department_id,
            since is not None,
            is_aside,
            last is None,
            rings in IN_QUEUE,
            since is not None and due,
        )
    return found


def _counted(now: datetime) -> Q:
    """The chats that may count: open, waiting, or put aside."""
    return may_wait(now) | Q(snoozed_at__isnull=False)


def counted_versions(widget_ids: Collection[int]) -> dict[int, dict[int, int]]:
    """How far those chats have come, by widget and chat; at a fraction of what `counted_chats` takes.

    Indexes: chats_chat_inbox, chats_chat_left.
    """
    found: dict[int, dict[int, int]] = {widget_id: {} for widget_id in widget_ids}
    chats = Chat.objects.unscoped("of this process's sockets").filter(
        _counted(timezone.now()), widget_id__in=widget_ids
    )
    for widget_id, chat_id, version in chats.values_list("widget_id", "id", "version").iterator():
        found[widget_id][chat_id] = version
    return found


def staff_of(widget_ids: Collection[int]) -> dict[int, Staff]:
    """The people who are not banned and the departments of these widgets. Two statements, however many there are."""
    found: dict[int, Staff] = {widget_id: Staff({}, []) for widget_id in widget_ids}
    for agent in (
        Agent.objects.unscoped("of this process's sockets")
        .people()
        .filter(widget_id__in=widget_ids)
        .for_api()
        .order_by("id")
    ):
        found[agent.widget_id].agents[agent.pk] = {
            "id": agent.pk,
            "name": agent.full_name,
            "avatar_url": avatar_address(agent.pk, agent.avatar),
            "status": agent.status,
            "online": agent.online_since is not None,
            "break": shown_break(agent),
            "department_ids": [department["id"] for department in agent.department_list],  # type: ignore[attr-defined]
        }
    departments = (
        Department.objects.unscoped("of this process's sockets").filter(widget_id__in=widget_ids).order_by("id")
    )
    for widget_id, department_id, name in departments.values_list("widget_id", "id", "name"):
        found[widget_id].departments.append({"id": department_id, "name": name})
    return found


def last_message_id(chat_id: int) -> int:
    """The id of a chat's last message, notes too; 0 without any. Index: chats_message_in_chat."""
    found = (
        Message.objects.unscoped("read with its widget before")
        .filter(chat_id=chat_id)
        .order_by("-id")
        .values_list("id", flat=True)
        .first()
    )
    return found or 0
