"""The answerers of a widget's visitors now, and the name in which an invitation speaks."""

from functools import cached_property
from typing import Any, NamedTuple

from django.utils import timezone

from apps.agents.models import Agent
from apps.agents.querysets.hours import hours_of_widget
from apps.agents.rules.departments import department_channel
from apps.agents.serializers.responses import avatar_address
from apps.chats.rules import SenderKind
from apps.widget.models import ChatInvitation
from apps.widget.querysets.chats import CHANNEL, HIDDEN
from apps.widget.querysets.presence import presence_of
from apps.widget.querysets.public_config import members_of_apps
from apps.widget.querysets.settings import Settings, shown_name
from apps.widget.rules.invitations import InvitationSpeaker


class AnsweringNow:
    """The answerers at this moment; each is read once, when it is asked for."""

    def __init__(self, widget_id: int, settings: Settings, language: str, *, people_are_known: bool) -> None:
        self._widget_id, self._settings, self._language = widget_id, settings, language
        self._people_are_known = people_are_known

    @cached_property
    def people(self) -> bool:
        """Whether an operator is at work, with the console open, while the widget is."""
        return self._people_are_known and presence_of(self._widget_id).online

    @cached_property
    def ai(self) -> dict[str, Any] | None:
        """The AI operator who greets: id, name and avatar; None while AI answers nobody."""
        found = members_of_apps(self._widget_id, self._language).get("ai")
        operator: dict[str, Any] | None = found and found["operator"]
        return operator

    @cached_property
    def is_open(self) -> bool:
        """Whether the widget is open."""
        return hours_of_widget(self._widget_id, channel=department_channel(CHANNEL)).hours.is_open(timezone.now())

    def holds(self, condition: str, wanted: str) -> bool:
        """Whether a condition of the server's holds now."""
        if condition == "hours":
            return self.is_open == (wanted == "open")
        if wanted == "people":
            return self.people
        if wanted == "ai":
            return self.ai is not None
        is_anyone = self.people or self.ai is not None
        return is_anyone == (wanted == "anyone")


class ShownSpeaker(NamedTuple):
    """In whose name an invitation is shown; the widget's own has no number."""

    kind: SenderKind
    agent_id: int | None
    name: str
    avatar_url: str | None = None

    def shown(self) -> dict[str, Any]:
        """As browsers are told."""
        return {"name": self.name, "avatar_url": self.avatar_url, "ai": self.kind is SenderKind.AI}

    def kept(self) -> dict[str, Any]:
        """As it is stored with the offer."""
        return {"kind": self.kind.value, "agent_id": self.agent_id, "name": self.name}


def speaker_now(invitation: ChatInvitation, settings: Settings, language: str, answering: AnsweringNow) -> ShownSpeaker:
    """In whose name an invitation speaks now: who is not here is not shown, and the widget speaks in their place."""
    mode = settings.values["operators_display_mode"]
    if mode != HIDDEN and invitation.speaker == InvitationSpeaker.AI and answering.ai is not None:
        avatar = answering.ai["avatar_url"] if mode != "names" else None
        return ShownSpeaker(SenderKind.AI, answering.ai["id"], answering.ai["name"], avatar)
    if mode != HIDDEN and invitation.agent_id is not None and answering.people:
        here = Agent.objects.for_widget(invitation.widget_id).available().filter(pk=invitation.agent_id).first()
        if here is not None:
            avatar = avatar_address(here.pk, here.avatar) if mode != "names" else None
            return ShownSpeaker(SenderKind.AGENT, here.pk, here.full_name, avatar)
    return ShownSpeaker(SenderKind.SYSTEM, None, shown_name(invitation.widget_id, language))
