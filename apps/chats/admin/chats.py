"""The cabinet's pages of chats."""

from typing import Any

from django.contrib import admin
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.coded_values import display_value
from apps.agents.models import Agent
from apps.chats.cabinet import GUID_LENGTH, MAX_ID, LongListAdmin, conversation, person, preview, rating_of
from apps.chats.models import Chat
from apps.chats.querysets.cabinet_search import chats_with, contacts_with
from apps.chats.rules.ratings import HIGHEST_RATING
from apps.chats.serializers.chats import PREVIEW_LENGTH


class WaitsFilter(admin.SimpleListFilter):
    """Chats whose visitors wait for an answer, as the console counts them."""

    title = _("waits for an answer")
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", _("Unanswered"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Chat]) -> QuerySet[Chat]:
        if self.value() != "1":
            return queryset
        return queryset.filter(
            pk__in=Chat.objects.unscoped("narrows rows of the person's account").unanswered(timezone.now()).values("pk")
        )


@admin.register(Chat)
class ChatAdmin(LongListAdmin):
    titles = (_("chat"), _("chats"))
    labels = {
        "widget": _("widget"),
        "department": _("department"),
        "channel": _("channel"),
        "status": _("status"),
        "agent": _("operator"),
        "handling": _("handling"),
        "accepted_agent": _("accepted by"),
        "accepted_at": _("accepted at"),
        "handled_agent": _("handled by"),
        "handled_at": _("handled since"),
        "created_at": _("created"),
        "last_message_at": _("last message at"),
    }
    list_display = (
        "who",
        "said_last",
        "status_name",
        "channel",
        "agent",
        "rated",
        "widget",
        "last_message_at",
    )
    list_filter = ("widget", "status", "handling", WaitsFilter)
    list_select_related = ("widget", "contact", "agent", "rating")
    search_fields = ("=id",)  # see `get_search_results`
    search_help_text = _("Part of a contact's name, e-mail or phone, words of messages, or a chat's number.")
    readonly_fields = (
        "contact_link",
        "status_name",
        "handling_name",
        "rated",
        "rating_comment",
        "rating_of",
        "rated_at",
        "rating_asked",
    )
    change_form_outer_before_template = "admin/chats/conversation.html"
    fieldsets = (
        (_("Chat"), {"fields": ("contact_link", "status_name", "channel", "agent", "department", "widget")}),
        (_("Rating"), {"fields": ("rated", "rating_comment", "rating_of", "rated_at", "rating_asked")}),
        (
            _("Who answered, and when"),
            {
                "fields": (
                    "handling_name",
                    "accepted_agent",
                    "accepted_at",
                    "handled_agent",
                    "handled_at",
                    "created_at",
                    "last_message_at",
                )
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the beginning of the last message: bodies may be long."""
        rows: QuerySet[Any] = super().get_queryset(request)
        listed: QuerySet[Any] = rows.annotate(
            last_type=F("last_message__type"), last_body=Left("last_message__body", PREVIEW_LENGTH)
        )
        return listed

    @admin.display(description=_("contact"))
    def who(self, chat: Chat) -> str:
        return person(chat.contact)

    @admin.display(description=_("contact"))
    def contact_link(self, chat: Chat) -> str:
        return format_html(
            '<a class="underline" href="{}">{}</a>',
            reverse("admin:chats_contact_change", args=[chat.contact_id]),
            person(chat.contact),
        )

    @admin.display(description=_("last message"))
    def said_last(self, chat: Any) -> str:
        return preview(chat.last_type, chat.last_body)

    @admin.display(description=_("status"), ordering="status")
    def status_name(self, chat: Chat) -> str:
        return display_value(chat.status)

    @admin.display(description=_("handling"))
    def handling_name(self, chat: Chat) -> str:
        return display_value(chat.handling)

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
        """The operator who handled the chat when it was rated."""
        given = rating_of(chat)
        return given.agent if given else None

    @admin.display(description=_("rated at"))
    def rated_at(self, chat: Chat) -> str:
        given = rating_of(chat)
        return date_format(localtime(given.rated_at), "DATETIME_FORMAT") if given else ""

    @admin.display(description=_("rating asked for at"))
    def rating_asked(self, chat: Chat) -> str:
        asked = chat.rating_requested_at
        return date_format(localtime(asked), "DATETIME_FORMAT") if asked else ""

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """With the conversation, which stands before the fields: its newest messages, or (`?before`) older ones."""
        chat: Chat = context["original"]
        context |= {"title": person(chat.contact), **conversation(chat, request.GET.get("before", ""))}
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def get_search_results(self, request: HttpRequest, rows: QuerySet[Chat], term: str) -> tuple[QuerySet[Any], bool]:
        """By number (with or without its `#`), by who the contact is, or by what was said: as the API searches."""
        term = term.strip()
        if not term:
            return rows, False
        widgets = self.searched_widgets(request)
        found = Q(contact__in=contacts_with(term, widget_ids=widgets)) | Q(pk__in=chats_with(term, widget_ids=widgets))
        number = term.lstrip("#")
        if number.isascii() and number.isdecimal() and int(number) <= MAX_ID:
            found |= Q(pk=int(number))
        elif len(term) == GUID_LENGTH:
            found |= Q(contact__guid=term)
        return rows.filter(found), False
