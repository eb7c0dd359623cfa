"""The cabinet's pages of contacts."""

import json
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant

from apps.cabinet.menu import MenuPlace
from apps.cabinet.tenant_admin import user_of
from apps.chats.actions import block_contact, copy_of_contact, erase_contact
from apps.chats.cabinet.conversations import CONVERSATIONS, GUID_LENGTH, BlockForm, LongListAdmin, person, preview
from apps.chats.models import Chat, Contact, ContactTag
from apps.chats.querysets.cabinet_search import contacts_with
from apps.chats.serializers.chats import PREVIEW_LENGTH


def _told(value: Any) -> str:
    """The value of an attribute as people read it."""
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(_told(each) for each in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else "" if value is None else str(value)


@admin.register(Contact)
class ContactAdmin(LongListAdmin):
    menu = MenuPlace(CONVERSATIONS, 20, _("Contacts"))
    purpose = _("Everybody who has written, with their chats.")
    found_at = 60
    titles = (_("contact"), _("contacts"))
    labels = {
        "widget": _("widget"),
        "name": _("name"),
        "email": _("e-mail"),
        "phone": _("phone"),
        "created_at": _("created"),
        "updated_at": _("changed"),
    }
    list_display = ("who", "email", "phone", "said_last", "widget", "created_at")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name",)  # see `get_search_results`
    search_help_text = _("Part of a name, an e-mail address or a phone; or a GUID.")
    readonly_fields = ("told_attributes", "tags")
    fields = ("widget", "guid", "name", "email", "phone", "told_attributes", "tags", "created_at", "updated_at")

    def lines_of(self, row: Any) -> list[str]:
        """The trail tells of a contact's exports and erasures under its widget, by number."""
        return [f"accounts.widget:{row.widget_id}:contact=#{row.pk}"]

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

    @admin.display(description=_("attributes"), empty_value="—")
    def told_attributes(self, contact: Contact) -> str | None:
        """One a line, as the shop's page or the operators name them."""
        lines = ((name, _told(value)) for name, value in sorted(contact.attributes.items()))
        return format_html_join("", "<div><bdi>{}</bdi>: <bdi>{}</bdi></div>", lines) or None

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """Under the name that the console has."""
        if contact := context.get("original"):
            context |= {"subtitle": person(contact)}
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    actions_detail = ("copy", "block", "erase")

    @unfold_action(description=_("Copy of their data"), url_path="copy")  # type: ignore[untyped-decorator]
    def copy(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Asks at a GET; at a POST, everything that is held of the contact, as a zip."""
        contact: Contact = self.get_object(request, object_id)
        if request.method != "POST":
            context = {
                **self.admin_site.each_context(request),
                "title": person(contact),
                "note": gettext("Everything that is held of this person, in one file. It is noted who took it."),
                "form": forms.Form(),
                "button": gettext("Copy of their data"),
                "back": reverse("admin:chats_contact_change", args=[contact.pk]),
            }
            return TemplateResponse(request, "admin/simple_form.html", context)
        pieces = copy_of_contact(widget_id=contact.widget_id, guid=contact.guid, by=user_of(request))
        headers = {
            "Content-Disposition": f'attachment; filename="contact-{contact.guid}.zip"',
            "Cache-Control": "no-store",
        }
        return StreamingHttpResponse(pieces, content_type="application/zip", headers=headers)

    @unfold_action(description=_("Block…"), variant=ActionVariant.DANGER, url_path="block")  # type: ignore[untyped-decorator]
    def block(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Asks why and for how long; at a POST the contact may not write any more."""
        contact: Contact = self.get_object(request, object_id)
        form = BlockForm(request.POST or None)
        page = reverse("admin:chats_contact_change", args=[contact.pk])
        if request.method == "POST" and form.is_valid():
            wanted = form.cleaned_data
            block_contact(
                widget_id=contact.widget_id, contact=contact, reason=wanted["reason"], hours=wanted["hours"] or None
            )
            self.message_user(request, gettext("The visitor is blocked."), messages.SUCCESS)
            return HttpResponseRedirect(page)
        context = {
            **self.admin_site.each_context(request),
            "title": person(contact),
            "note": gettext("The visitor can't write, and is not told why. The block can be lifted any time."),
            "form": form,
            "button": gettext("Block"),
            "back": page,
        }
        return TemplateResponse(request, "admin/simple_form.html", context)

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
        return person(contact, contact)

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
