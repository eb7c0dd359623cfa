"""Named reads of assists; each starts from the widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from apps.assists.rules.kinds import IN_FLIGHT, AssistOutcome
from apps.chats.models import Message
from apps.chats.rules import SenderKind
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.assists.models import Assist


class AssistQuerySet(TenantQuerySet["Assist"]):
    def for_api(self) -> AssistQuerySet:
        """With `has_newer`: whether somebody has written visibly since what the assist is based on.

        Index: chats_message_in_chat.
        """
        newer = (
            Message.objects.unscoped("each chat's own rows")
            .filter(chat=OuterRef("chat_id"), is_internal=False, id__gt=OuterRef("based_on"))
            .exclude(sender_kind=SenderKind.SYSTEM)
        )
        return self.annotate(has_newer=Exists(newer))

    def seen_by(self, agent_id: int) -> AssistQuerySet:
        """An operator's own, and summaries, which are everybody's."""
        return self.filter(Q(agent_id=agent_id) | Q(kind="summary"))

    def in_flight(self) -> AssistQuerySet:
        """The assists that wait for a model, or are with one."""
        return self.filter(state__in=IN_FLIGHT)


def thumbs_by_tool(rows: QuerySet[Assist]) -> list[dict[str, Any]]:
    """How often each tool was taken, changed and judged, in these rows; the most used first."""
    counted: Any = (
        rows.order_by()
        .values("kind", "tool")
        .annotate(
            count=Count("id"),
            used=Count("id", filter=Q(outcome="used")),
            edited=Count("id", filter=Q(outcome="edited")),
            up=Count("id", filter=Q(helpful=True)),
            down=Count("id", filter=Q(helpful=False)),
        )
    )
    return list(counted.order_by("-count", "kind", "tool"))


def is_edited_draft(widget_id: int, chat_id: int, message_id: int) -> bool:
    """Whether a message of a chat was a draft that its operator edited (the hook `is_edited_draft`)."""
    from apps.assists.models import Assist

    of_chat = Assist.objects.for_widget(widget_id).filter(chat_id=chat_id)
    return of_chat.filter(sent_message_id=message_id, outcome=AssistOutcome.EDITED).exists()
