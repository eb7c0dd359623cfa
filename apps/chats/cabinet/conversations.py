"""The parts that the cabinet's pages of contacts and chats share."""

from typing import Any

from django import forms
from django.db.models import Case, QuerySet, Value, When
from django.http import HttpRequest
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.paginator import InfinitePaginator
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from apps.accounts.models import Widget
from apps.cabinet.chosen_widget import widgets_offered
from apps.cabinet.coded_values import display_value
from apps.cabinet.filters import NamedValuesFilter
from apps.cabinet.menu import MenuGroup
from apps.cabinet.tenant_admin import TenantAdmin
from apps.chats.models import Chat, Contact, Message, Rating
from apps.chats.questions import alias_languages
from apps.chats.rules import MessageType, Status
from apps.chats.rules.aliases import alias_of
from apps.chats.rules.blocks import MAX_REASON
from apps.chats.serializers.files import file_address
from apps.core.parsing.file_types import INLINE_IMAGES

CONVERSATIONS = MenuGroup(10, _("Chats and contacts"), "chat")

MESSAGES_SHOWN = 100
MAX_ID = 2**63 - 1


class BlockForm(forms.Form):
    """Why a visitor is blocked, and for how long."""

    reason = forms.CharField(
        label=_("Reason"), max_length=MAX_REASON, widget=UnfoldAdminTextInputWidget, help_text=_("For your colleagues.")
    )
    hours = forms.TypedChoiceField(
        label=_("How long"),
        coerce=int,
        widget=UnfoldAdminSelectWidget,
        choices=[(24, _("a day")), (168, _("a week")), (720, _("30 days")), (0, _("until it is lifted"))],
    )


def person(contact: Contact, row: Any = None) -> str:
    """A contact's name as the console has it: the name, else the alias. `row` is of a list (`NamedContactsAdmin`)."""
    if contact.name:
        return contact.name
    known = getattr(row, "named_in", "") or alias_languages([contact.widget_id]).get(contact.widget_id, "en")
    return alias_of(contact.guid, known)


def conversation(chat: Chat, before: str) -> dict[str, Any]:
    """The context of `admin/chats/conversation.html`: the newest messages, or those older than the number of
    `before`.
    """
    messages = chat.messages.order_by("-id")
    if before.isascii() and before.isdecimal():
        messages = messages.filter(id__lt=min(int(before), MAX_ID))
    newest = list(messages[: MESSAGES_SHOWN + 1])
    shown = newest[:MESSAGES_SHOWN][::-1]
    return {
        "lines": [(message, attachment_of(message), display_value(message.sender_kind)) for message in shown],
        "earlier_than": shown[0].pk if len(newest) > MESSAGES_SHOWN else None,
        "is_earlier": bool(before),
    }


def attachment_of(message: Message) -> dict[str, Any] | None:
    """A message's file, if it has one, with its address; images that a browser can show are marked."""
    file = (message.details or {}).get("file")
    if not file:
        return None
    address = file_address(message.widget_id, file["id"])
    return {**file, "url": address, "is_shown": file.get("content_type") in INLINE_IMAGES}


LISTED_LENGTH = 60  # characters of a last message in a list


# A state in people's words; the API and the rows have those of the specification.
STATUS_NAMES = {
    Status.ACTIVE: pgettext_lazy("a chat", "Unanswered"),
    Status.READY: pgettext_lazy("a chat", "Answered"),
    Status.EXPIRED: pgettext_lazy("a chat", "Closed"),
    Status.SPAM: pgettext_lazy("a chat", "Spam"),
}
# The names of stored values: who answered, types of messages, who wrote them.
VALUES = (
    *(pgettext_lazy("value", "missed"), pgettext_lazy("value", "human")),
    *(pgettext_lazy("value", "human_to_ai"), pgettext_lazy("value", "ai_to_human")),
    *(pgettext_lazy("value", "text"), pgettext_lazy("value", "image"), pgettext_lazy("value", "file")),
    *(pgettext_lazy("value", "location"), pgettext_lazy("value", "sticker"), pgettext_lazy("value", "keyboard")),
    *(pgettext_lazy("value", "client"), pgettext_lazy("value", "agent"), pgettext_lazy("value", "ai")),
    *(pgettext_lazy("value", "external_operator"), pgettext_lazy("value", "system")),
)


# The product's search is of one widget; the cabinet asks so many of them, the newest.
WIDGETS_SEARCHED = 20


GUID_LENGTH = 32


def rating_of(chat: Chat) -> Rating | None:
    """The visitor's newest rating of the chat, or None. It is read once for an object."""
    known: dict[str, Any] = vars(chat)
    if "newest_rating" not in known:
        ratings = Rating.objects.for_widget(chat.widget_id).filter(chat=chat)
        known["newest_rating"] = ratings.select_related("agent").newest_first().first()
    found: Rating | None = known["newest_rating"]
    return found


def status_name(value: Any) -> str:
    """The name of a chat's state; of anything else its own text."""
    return str(STATUS_NAMES.get(value, value))


class ChatStatusFilter(NamedValuesFilter):
    """The filter of a list by the state of chats."""

    name_of = staticmethod(status_name)


def preview(type_: str | None, body: str | None) -> str:
    """The beginning of a last message, and what it is where it is no text."""
    kind = "" if type_ in (None, MessageType.TEXT) else str(capfirst(display_value(type_)))
    return Truncator(": ".join(filter(None, (kind, body)))).chars(LISTED_LENGTH)


class NamedContactsAdmin(TenantAdmin):
    """Lists rows of contacts under the names that the console has (`person`)."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the language of the aliases of each row's widget."""
        rows: QuerySet[Any] = super().get_queryset(request)
        known = alias_languages([widget.pk for widget in widgets_offered(request)])
        languages = [When(widget_id=pk, then=Value(language)) for pk, language in known.items()]
        named: QuerySet[Any] = rows.annotate(named_in=Case(*languages, default=Value("")) if languages else Value(""))
        return named


class LongListAdmin(NamedContactsAdmin):
    account_path = "widget__account_id"
    paginator = InfinitePaginator
    show_full_result_count = False
    ordering = ("-created_at", "-id")

    def searched_widgets(self, request: HttpRequest) -> list[int]:
        """The ids of the widgets that a search looks in: the one of the filter, or the newest that the user may see."""
        own = self.own_choices(Widget, request)
        chosen = request.GET.get("widget__id__exact", "")
        if chosen.isascii() and chosen.isdecimal():
            own = own.filter(pk=chosen)
        return list(own.order_by("-id").values_list("pk", flat=True)[:WIDGETS_SEARCHED])
