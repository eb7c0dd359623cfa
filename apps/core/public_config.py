"""The slots by which apps describe a widget to the pages that embed it, and to each other."""

from typing import Any, Literal, Protocol

from apps.core import plugins


class WidgetLanguage(Protocol):
    """In which language a widget, or one of its visitors, is spoken to."""

    def effective(self, widget_id: int) -> str:
        """The widget's fixed language; where it follows its visitors, the one that it falls back on."""

    def of_contact(self, contact_id: int) -> str | None:
        """The language of a contact's newest session, if the widget supports it."""


def widget_language(widget_id: int) -> str:
    """The language that a widget speaks by itself: `en` where no app knows."""
    for language in _languages():
        return language.effective(widget_id)
    return "en"


def contact_language(contact_id: int) -> str | None:
    """The language in which a contact is served; None where it is not known."""
    for language in _languages():
        return language.of_contact(contact_id)
    return None


def contact_address(widget_id: int, contact_id: int) -> str | None:
    """The network address of a contact's newest session, as rate limits count it; None where no app knows one."""
    for ask in plugins.plugged_in("contact_address"):
        found: str | None = ask(widget_id, contact_id)
        return found
    return None


def _languages() -> list[WidgetLanguage]:
    return plugins.plugged_in("widget_language")  # type: ignore[return-value]


def served_members(widget_id: int, language: str) -> dict[str, Any]:
    """The members that apps add to the served config (`Plugin.served_config`), in that language."""
    members: dict[str, Any] = {}
    for provider in plugins.plugged_in("served_config"):
        members |= provider(widget_id, language)
    return members


class VisitorDesk(Protocol):
    """The support desk for visitors: to prove a mailbox by a code, or to choose the assistant rather than a person."""

    def ask_for_mailbox(
        self, widget_id: int, chat_id: int | None
    ) -> Literal["asked", "off", "no_chat", "agent_handles_chat"]:
        """Waits for a mailbox in the visitor's chat, or says why not; the first that applies."""

    def choose_assistant(self, widget_id: int, chat_id: int | None) -> Literal["chosen", "no_chat"]:
        """A person's word holds the chat no longer."""


def visitor_desk() -> VisitorDesk | None:
    """The desk that an app plugs in; None where none does."""
    found: list[VisitorDesk] = plugins.plugged_in("visitor_desk")  # type: ignore[assignment]
    return found[0] if found else None
