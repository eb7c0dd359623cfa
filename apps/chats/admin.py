"""The cabinet's pages of contacts and chats, to be read. Lists are not counted: they may be very long."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from unfold.paginator import InfinitePaginator

from apps.accounts.cabinet import OwnRowsAdmin
from apps.chats.models import Chat, Contact, ContactTag

MESSAGES_SHOWN = 100


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

    @admin.display()
    def tags(self, contact: Contact) -> str:
        names = ContactTag.objects.filter(contact=contact).order_by("tag__name").values_list("tag__name", flat=True)
        return ", ".join(names)


@admin.register(Chat)
class ChatAdmin(LongListAdmin):
    list_display = ("__str__", "contact", "channel", "status", "handling", "agent", "widget", "last_message_at")
    list_filter = ("widget", "status", "handling")
    list_select_related = ("widget", "contact", "agent")
    search_fields = ("=id", "=contact__guid")
    readonly_fields = ("conversation",)
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
        "conversation",
    )

    @admin.display(description=f"last {MESSAGES_SHOWN} messages")
    def conversation(self, chat: Chat) -> str:
        latest = chat.messages.order_by("-id")[:MESSAGES_SHOWN]
        return render_to_string("admin/chats/conversation.html", {"messages": reversed(latest)})

    def get_search_results(self, request: HttpRequest, rows: QuerySet[Chat], term: str) -> tuple[QuerySet[Any], bool]:
        """By id, with or without the `#` that it is written with, or by the contact's id."""
        found: tuple[QuerySet[Any], bool] = super().get_search_results(request, rows, term.lstrip("#"))
        return found
