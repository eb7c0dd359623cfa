"""The cabinet's pages of contacts, chats and ratings, to be read. Lists are not counted: they may be very long."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.text import format_lazy
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.paginator import InfinitePaginator

from apps.accounts.cabinet import OwnRowsAdmin
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact, ContactTag, Message, Rating
from apps.chats.rules.ratings import HIGHEST_RATING
from apps.chats.shapes.files import file_address

MESSAGES_SHOWN = 100


def rating_of(chat: Chat) -> Rating | None:
    """What the visitor thinks of the chat, if they have said."""
    return getattr(chat, "rating", None)


def attachment_of(message: Message) -> dict[str, Any] | None:
    """The name and the address of a message's file, if it has one."""
    file = (message.details or {}).get("file")
    return file and {"name": file["name"], "url": file_address(file["id"])}


class LongListAdmin(OwnRowsAdmin):
    account_path = "widget__account_id"
    paginator = InfinitePaginator
    show_full_result_count = False
    ordering = ("-created_at", "-id")


@admin.register(Contact)
class ContactAdmin(LongListAdmin):
    list_display = ("__str__", "email", "phone", "widget", "created_at")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name", "email", "phone", "=guid")
    readonly_fields = ("tags",)
    fields = ("widget", "guid", "name", "email", "phone", "attributes", "tags", "created_at", "updated_at")

    @admin.display(description=_("tags"))
    def tags(self, contact: Contact) -> str:
        names = ContactTag.objects.filter(contact=contact).order_by("tag__name").values_list("tag__name", flat=True)
        return ", ".join(names)


@admin.register(Chat)
class ChatAdmin(LongListAdmin):
    list_display = (
        "__str__",
        "contact",
        "channel",
        "status",
        "handling",
        "rated",
        "agent",
        "widget",
        "last_message_at",
    )
    list_filter = ("widget", "status", "handling")
    list_select_related = ("widget", "contact", "agent", "rating")
    search_fields = ("=id", "=contact__guid")
    readonly_fields = ("conversation", "rated", "rating_comment", "rating_of", "rated_at")
    fields = (
        "widget",
        "contact",
        "department",
        "channel",
        "status",
        "agent",
        "handling",
        "accepted_agent",
        "accepted_at",
        "handled_agent",
        "handled_at",
        "created_at",
        "last_message_at",
        "rating_requested_at",
        "rated",
        "rating_comment",
        "rating_of",
        "rated_at",
        "conversation",
    )

    @admin.display(description=_("rating"))
    def rated(self, chat: Chat) -> str:
        given = rating_of(chat)
        if given is None:
            return ""
        return gettext("%(rating)d of %(highest)d") % {"rating": given.value, "highest": HIGHEST_RATING}

    @admin.display(description=_("rating comment"))
    def rating_comment(self, chat: Chat) -> str:
        given = rating_of(chat)
        return given.comment if given else ""

    @admin.display(description=_("rating of"))
    def rating_of(self, chat: Chat) -> Agent | None:
        """Who handled the chat when it was rated."""
        given = rating_of(chat)
        return given.agent if given else None

    @admin.display(description=_("rated at"))
    def rated_at(self, chat: Chat) -> str:
        given = rating_of(chat)
        return date_format(localtime(given.rated_at), "DATETIME_FORMAT") if given else ""

    @admin.display(description=format_lazy(_("last {count} messages"), count=MESSAGES_SHOWN))
    def conversation(self, chat: Chat) -> str:
        latest = chat.messages.order_by("-id")[:MESSAGES_SHOWN]
        lines = [(message, attachment_of(message)) for message in reversed(latest)]
        return render_to_string("admin/chats/conversation.html", {"lines": lines})

    def get_search_results(self, request: HttpRequest, rows: QuerySet[Chat], term: str) -> tuple[QuerySet[Any], bool]:
        """By id, with or without the `#` that it is written with, or by the contact's id."""
        found: tuple[QuerySet[Any], bool] = super().get_search_results(request, rows, term.lstrip("#"))
        return found
