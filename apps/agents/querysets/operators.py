"""Named reads of operators and departments; each starts from the widget."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, Case, F, OuterRef, Q, Value, When
from django.db.models.functions import Concat, JSONObject, Now, Trim

from apps.agents.rules import EVENT_CODES, UNKNOWN_EVENT
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.agents.models import (  # noqa: F401 - named in the bases below
        Agent,
        AgentEvent,
        AgentPresence,
        Department,
        Holiday,
        Invitation,
    )


# `AgentQuerySet.available`, for statements by hand.
AVAILABLE_SQL = "online_since IS NOT NULL AND type = 'human' AND status = 'active'"


class AgentQuerySet(TenantQuerySet["Agent"]):
    def for_api(self) -> AgentQuerySet:
        """With the full name and the departments. Presence is not included: `with_presence`."""
        from apps.agents.models import Department

        departments = Department.objects.unscoped("each agent's own rows").filter(agents=OuterRef("pk"))
        return self.annotate(
            display_name=Trim(Concat("name", Value(" "), "surname")),
            department_list=ArraySubquery(
                departments.order_by("id").values(json=JSONObject(id="id", name="name")),
            ),
        )

    def with_presence(self, online_ids: Collection[int]) -> AgentQuerySet:
        """With `is_online`: whether they are among these and people, since only people have a presence."""
        online = When(Q(type="human", id__in=list(online_ids)), then=Value(True))
        return self.annotate(is_online=Case(online, default=Value(False), output_field=BooleanField()))

    def people(self) -> AgentQuerySet:
        """The agents who can write and be given chats as persons (`rules.person_refusal` refuses none of them)."""
        return self.filter(type="human").not_banned()

    def not_banned(self) -> AgentQuerySet:
        return self.exclude(status="banned")

    def seated(self) -> AgentQuerySet:
        """The agents who take a seat: human agents who are not banned."""
        return self.people()

    def online(self) -> AgentQuerySet:
        """The agents with a socket of the console."""
        return self.filter(online_since__isnull=False)

    def available(self) -> AgentQuerySet:
        """The agents who count as online for visitors: persons online who are not on a break."""
        return self.online().filter(type="human", status="active")

    def in_header(self) -> AgentQuerySet:
        """The agents shown in the widget's header, whether online or not."""
        return self.not_banned().filter(show_in_header=True)

    def of_person(self, email: str) -> AgentQuerySet:
        """Persons with that e-mail address, their own or that which they sign in with, banned ones too."""
        return self.filter(Q(email__iexact=email) | Q(user__email__iexact=email), type="human")

    def owner(self) -> Agent:
        """The widget's default human agent."""
        return self.get(role="owner")


class DepartmentQuerySet(TenantQuerySet["Department"]):
    def for_api(self) -> DepartmentQuerySet:
        """With the ids of their agents (`agent_ids`), in order."""
        ids = ArrayAgg("agents", filter=Q(agents__isnull=False), order_by="agents", default=Value([]))
        return self.annotate(agent_ids=ids)

    def taking(self, channel: str) -> DepartmentQuerySet:
        """The departments that take a channel's chats, colleagues' own left out, oldest first."""
        return self.filter(channels__contains=[channel], internal=False).order_by("pk")


class InvitationQuerySet(TenantQuerySet["Invitation"]):
    def for_api(self) -> InvitationQuerySet:
        """With `status_now`: what the status is, the time considered."""
        is_over = Q(status="pending", expires_at__lte=Now())
        status_now = Case(When(is_over, then=Value("expired")), default=F("status"))
        return self.annotate(status_now=status_now)  # type: ignore[no-redef] # the model says its type

    def with_digest(self, digest: bytes) -> Invitation | None:
        """The invitation of that secret with its widget, whatever has become of it; None if there is none."""
        return self.for_api().select_related("widget").filter(digest=digest).first()

    def to(self, email: str) -> InvitationQuerySet:
        """The invitations to an address, in any case of its letters."""
        return self.filter(email__iexact=email)

    def outstanding(self, now: datetime) -> InvitationQuerySet:
        """The invitations that may still be accepted."""
        return self.filter(status="pending", expires_at__gt=now)


class AgentEventQuerySet(TenantQuerySet["AgentEvent"]):
    """Lines of the operators' event logs."""

    def of_type(self, type_: str) -> AgentEventQuerySet:
        """The events of that slug; `unknown` are all whose code has none. `unknown` are those whose code has none."""
        if type_ == UNKNOWN_EVENT:
            return self.exclude(type_code__in=EVENT_CODES.values())
        return self.filter(type_code=EVENT_CODES[type_])


class AgentPresenceQuerySet(TenantQuerySet["AgentPresence"]):
    widget_path = "agent__widget_id"

    def of_process(self, process: UUID) -> AgentPresenceQuerySet:
        """The presences that one process keeps."""
        return self.filter(process=process)

    def run_out(self) -> AgentPresenceQuerySet:
        """The presences that were not renewed in time, by the database's clock: their process is gone."""
        return self.filter(until__lte=Now())
