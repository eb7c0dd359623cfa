"""The events of automations."""

from dataclasses import dataclass

from apps.chats.events import ChatEvent
from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationsChanged(DomainEvent):
    """The automations or the macros of a widget are others now."""

    widget_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationFired(ChatEvent):
    """An act `webhook` tells integrators of a run, under a name of its own. A macro is no automation."""

    contact_guid: str
    automation_id: int | None
    version: int | None
    name: str
    run_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeGiven(DomainEvent):
    """Operators of a chat's widget are told something in the console."""

    widget_id: int
    chat_id: int
    automation_id: int | None
    agent_ids: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeMailWanted(DomainEvent):
    """Operators of a chat's widget are to be told something by mail; `name` is the automation's."""

    widget_id: int
    chat_id: int
    agent_ids: tuple[int, ...]
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WantsAi(DomainEvent):
    """A chat is to be the AI side's again."""

    widget_id: int
    chat_id: int
