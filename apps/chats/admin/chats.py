"""The cabinet's pages of chats."""

from typing import Any

from django.contrib import admin
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.agents.models import Agent
from apps.cabinet.chosen_widget import widgets_offered
from apps.cabinet.coded_values import display_value
from apps.cabinet.list_columns import chip
from apps.cabinet.menu import MenuPlace
from apps.chats.cabinet.conversations import (
    CONVERSATIONS,
    GUID_LENGTH,
    MAX_ID,
    ChatStatusFilter,
    LongListAdmin,
    conversation,
    person,
    preview,
    rating_of,
    status_name,
)
from apps.chats.models import Chat
from apps.chats.querysets.cabinet_search import chats_with, contacts_with
from apps.chats.querysets.conditions import ANNOTATIONS, CONDITIONS
from apps.chats.querysets.ratings import newest_rating
from apps.chats.querysets.waiting import waits_since
from apps.chats.questions import channel_names
from apps.chats.rules.ratings import HIGHEST_RATING
from apps.chats.rules.states import OPEN
from apps.chats.serializers.chats import PREVIEW_LENGTH


class WaitsFilter(admin.SimpleListFilter):
    """Chats whose visitors wait for an answer, as the console counts them; or those that have missed their time."""

    title = CONDITIONS["waits"].title
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", _("Unanswered")), ("missed", _("Answer time missed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Chat]) -> QuerySet[Chat]:
        if self.value() == "missed":
            return queryset.filter(answer_missed_at__isnull=False)
        if self.value() != "1":
            return queryset
        return queryset.filter(
            pk__in=Chat.objects.unscoped("narrows rows of the person's account").unanswered(timezone.now()).values("pk")
        )


@admin.register(Chat)
class ChatAdmin(LongListAdmin):
    menu = MenuPlace(CONVERSATIONS, 10, _("Chats"))
    purpose = _("Conversations with visitors, from the website and from messengers.")
    titles = (_("chat"), _("chats"))
    labels = {
        "widget": _("widget"),
        "department": _("department"),
        "channel": CONDITIONS["channel"].title,
        "status": CONDITIONS["status"].title,
        "agent": _("operator"),
        "handling": CONDITIONS["handling"].title,
        "accepted_agent": _("accepted by"),
        "accepted_at": _("accepted at"),
        "handled_agent": _("handled by"),
        "handled_at": _("handled since"),
        "created_at": _("created"),
        "last_message_at": _("when"),
    }
    list_display = (
        "who",
        "said_last",
        "status_name",
        "channel_name",
        "agent",
        "rated",
        "widget",
        "last_message_at",
    )
    list_filter = ("widget", ("status", ChatStatusFilter), "handling", WaitsFilter)
    list_select_related = ("widget", "contact", "agent")
    search_fields = ("=id",)  # see `get_search_results`
    search_help_text = _("Part of a contact's name, e-mail or phone, words of messages, or a chat's number.")
    readonly_fields = (
        "contact_link",
        "status_name",
        "channel_name",
        "handling_name",
        "rated",
        "rating_comment",
        "rating_of",
        "rated_at",
        "rating_asked",
    )
    change_form_outer_before_template = "admin/chats/conversation.html"
    fieldsets = (
        (_("Chat"), {"fields": ("contact_link", "status_name", "channel_name", "agent", "department", "widget")}),
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
        named = channel_names([widget.pk for widget in widgets_offered(request)])
        names = [When(channel=code, then=Value(name)) for code, name in named.items()]
        listed: QuerySet[Any] = rows.annotate(
            waits_at=waits_since(timezone.now()),
            is_aside=ANNOTATIONS["is_aside"](timezone.now()),
            named_channel=Case(*names, default=F("channel")) if names else F("channel"),
            rated_value=newest_rating("value"),
            last_type=F("last_message__type"),
            last_body=Left("last_message__body", PREVIEW_LENGTH),
        )
        return listed

    @admin.display(description=CONDITIONS["channel"].title, ordering="channel")
    def channel_name(self, chat: Chat) -> str:
        """The channel; a mailbox is called e-mail, with its own name where the widget has several."""
        return str(capfirst(chat.named_channel))  # type: ignore[attr-defined]

    @admin.display(description=_("contact"))
    def who(self, chat: Chat) -> str:
        return person(chat.contact, chat)

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
        """The state as the console calls it: an open chat waits for us, or for its visitor."""
        if chat.status not in OPEN:
            return chip(status_name(chat.status))
        if chat.is_aside:  # type: ignore[attr-defined]
            return chip(gettext("Snoozed"))
        if chat.waits_at is not None:  # type: ignore[attr-defined]
            return chip(gettext("Unanswered"), "warning")
        return chip(gettext("Answered"), "success")

    @admin.display(description=_("handling"))
    def handling_name(self, chat: Chat) -> str:
        return display_value(chat.handling)

    @admin.display(description=_("rating"))
    def rated(self, chat: Chat) -> str:
        value = chat.rated_value  # type: ignore[attr-defined]
        if value is None:
            return ""
        return gettext("%(rating)d of %(highest)d") % {"rating": value, "highest": HIGHEST_RATING}

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
        if number.isascii() and number.isdecimal() and len(number) < 20 and int(number) <= MAX_ID:
            found |= Q(pk=int(number))
        elif len(term) == GUID_LENGTH:
            found |= Q(contact__guid=term)
        return rows.filter(found), False
