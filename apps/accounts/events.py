"""The events of accounts and widgets."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountDeleted(DomainEvent):
    """An account goes, with all that belongs to it.

    Published while its rows are still there, so that nothing is added to them.
    """

    account_id: int
    widget_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetAdded(DomainEvent):
    """An account got a widget. `owner_id` is the user who owns it: its first operator."""

    widget_id: int
    widget_guid: str
    owner_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetChanged(DomainEvent):
    """A widget's own fields changed: its name, allowed origins, seats or API switch; or its account's name."""

    widget_id: int
    widget_guid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChanged(DomainEvent):
    """A plan of the widget was bought, or ended. `accounts.questions` says what it allows."""

    widget_id: int
    widget_guid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSuspended(DomainEvent):
    """An account suspends one of its people.

    Published before anything of them is stored: a person with another account leaves this one instead.
    """

    account_id: int
    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UserChanged(DomainEvent):
    """A person who signs in was added or changed: whether they may, their password, their name."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetPutIn(DomainEvent):
    """All of a widget's export is here, and the widget open."""

    widget_id: int
