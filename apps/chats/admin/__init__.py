"""The cabinet's pages of contacts, chats and ratings, to be read. Lists are not counted: they may be very long."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.timezone import localtime
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant
from unfold.paginator import InfinitePaginator

from apps.accounts.cabinet import TenantAdmin, display_value, user_of
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import copy_of_contact, erase_contact
from apps.chats.admin import blocks, retention  # noqa: F401 - registers their pages
from apps.chats.cabinet import MAX_ID, conversation, person
from apps.chats.models import Chat, Contact, ContactTag, Rating
from apps.chats.querysets.cabinet_search import chats_with, contacts_with
from apps.chats.rules import MessageType
from apps.chats.rules.ratings import HIGHEST_RATING
from apps.chats.serializers.chats import PREVIEW_LENGTH

LISTED_LENGTH = 60  # characters of a last message in a list
# What the stored values are called: statuses, who answered, types of messages, who wrote them.
VALUES = (
    *(pgettext_lazy("value", "active"), pgettext_lazy("value", "ready")),
    *(pgettext_lazy("value", "expired"), pgettext_lazy("value", "spam")),
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
    """The visitor's rating of the chat, or None."""
    return getattr(chat, "rating", None)


def preview(type_: str | None, body: str | None) -> str:
    """The beginning of a last message, and what it is where it is no text."""
    kind = "" if type_ in (None, MessageType.TEXT) else f"[{display_value(type_)}]"
    return Truncator(f"{kind} {body or ''}".strip()).chars(LISTED_LENGTH)


class LongListAdmin(TenantAdmin):
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


@admin.register(Contact)
class ContactAdmin(LongListAdmin):
    titles = (_("contact"), _("contacts"))
    labels = {
        "widget": _("widget"),
        "name": _("name"),
        "email": _("e-mail"),
        "phone": _("phone"),
        "attributes": _("attributes"),
        "created_at": _("created"),
        "updated_at": _("changed"),
    }
    list_display = ("who", "email", "phone", "said_last", "widget", "created_at")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name",)  # see `get_search_results`
    search_help_text = _("Part of a name, an e-mail address or a phone; or a guid.")
    readonly_fields = ("tags",)
    fields = ("widget", "guid", "name", "email", "phone", "attributes", "tags", "created_at", "updated_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the newest of the last messages of each contact's chats."""
        newest = (
            Chat.objects.unscoped("each contact's own rows")
            .filter(contact=OuterRef("pk"), last_message__isnull=False)
            .order_by("-last_message_at")
        )
        rows: QuerySet[Any] = super().get_queryset(request)
        listed: QuerySet[Any] = rows.annotate(
            last_type=Subquery(newest.values("last_message__type")[:1]),
            last_body=Subquery(newest.values(said=Left("last_message__body", PREVIEW_LENGTH))[:1]),
        )
        return listed

    actions_detail = ("copy", "erase")

    @unfold_action(description=_("Copy of their data"), url_path="copy")  # type: ignore[untyped-decorator]
    def copy(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Everything that is held of the contact, as a zip."""
        contact: Contact = self.get_object(request, object_id)
        pieces = copy_of_contact(widget_id=contact.widget_id, guid=contact.guid, by=user_of(request))
        headers = {
            "Content-Disposition": f'attachment; filename="contact-{contact.guid}.zip"',
            "Cache-Control": "no-store",
        }
        return StreamingHttpResponse(pieces, content_type="application/zip", headers=headers)

    @unfold_action(description=_("Erase…"), variant=ActionVariant.DANGER, url_path="erase")  # type: ignore[untyped-decorator]
    def erase(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Asks at a GET; at a POST, the contact is gone with all that is held of them."""
        contact: Contact = self.get_object(request, object_id)
        if request.method != "POST":
            context = {
                **self.admin_site.each_context(request),
                "title": gettext("Erase the contact?"),
                "who": person(contact),
                "page": reverse("admin:chats_contact_change", args=[contact.pk]),
            }
            return TemplateResponse(request, "admin/chats/erase.html", context)
        erase_contact(widget_id=contact.widget_id, guid=contact.guid, by=user_of(request))
        self.message_user(request, gettext("The contact is erased."), messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:chats_contact_changelist"))

    @admin.display(description=_("contact"))
    def who(self, contact: Contact) -> str:
        return person(contact)

    @admin.display(description=_("last message"))
    def said_last(self, contact: Any) -> str:
        return preview(contact.last_type, contact.last_body)

    @admin.display(description=_("tags"))
    def tags(self, contact: Contact) -> str:
        names = (
            ContactTag.objects.unscoped("narrowed by the cabinet")
            .filter(contact=contact)
            .order_by("tag__name")
            .values_list("tag__name", flat=True)
        )
        return ", ".join(names)

    def get_search_results(
        self, request: HttpRequest, rows: QuerySet[Contact], term: str
    ) -> tuple[QuerySet[Any], bool]:
        """By part of a name, e-mail or phone, as the API searches, or by the whole guid."""
        term = term.strip()
        if not term:
            return rows, False
        if len(term) == GUID_LENGTH and (named := rows.filter(guid=term)).exists():
            return named, False
        return rows.filter(pk__in=contacts_with(term, widget_ids=self.searched_widgets(request))), False


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
