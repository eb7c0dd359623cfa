"""The cabinet's page "Cards from your system": where a widget's cards come from, and which there are."""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import WIDGET, MenuPlace
from apps.cabinet.shown_once import show_once
from apps.cabinet.tenant_admin import AccessLevel
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.cards.actions.settings import remove_cards, set_cards, settings_of, vetted
from apps.cards.forms import LABELS, CardsForm
from apps.cards.models import WidgetCards


@admin.register(WidgetCards)
class WidgetCardsAdmin(WidgetPageAdmin):
    """The settings of `manage.py set_cards`, and the same refusals."""

    menu = MenuPlace(WIDGET, 30, _("Cards from your system"))
    purpose = _("What your own system knows of a visitor, shown to operators beside the chat.")
    account_path = "account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("cards from your system"), _("cards from your system"))
    lines_from = ("cards.cardsettings",)
    form = CardsForm
    list_display = ("name", "chosen")
    ordering = ("name",)
    readonly_fields = ("name", "chosen")

    def settings_shown(self) -> Any:
        return LABELS.values()

    def get_fieldsets(self, request: HttpRequest, obj: WidgetCards | None = None) -> Any:
        may_change = self.has_change_permission(request, obj)
        return ((None, {"fields": ("url", "cards", "rotate") if may_change else ("name", "chosen")}),)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The host is looked up before the page's transaction begins."""
        url = request.POST.get("url", "").strip() if request.method == "POST" else ""
        request.vetted = vetted(url) if url else ("", None)  # type: ignore[attr-defined]
        response: HttpResponse = super().changeform_view(request, object_id, form_url, extra_context)
        return response

    def get_form(
        self, request: HttpRequest, obj: WidgetCards | None = None, change: bool = False, **options: Any
    ) -> Any:
        """The settings are fields of the form, and no fields of the model."""
        options["fields"] = []
        form = super().get_form(request, obj, change, **options)
        return type("AskedCardsForm", (form,), {"vetted": getattr(request, "vetted", ("", None))})

    @admin.display(description=_("settings"))
    def chosen(self, widget: WidgetCards) -> str:
        """The settings in effect, for people who only read."""
        settings = settings_of(widget.pk)
        return ", ".join(card["title"] for card in settings.cards) if settings else gettext("There are none.")

    def write(self, request: HttpRequest, obj: WidgetCards, form: "ModelForm[Any]", change: bool) -> None:
        given = form.cleaned_data
        if not given["url"]:
            remove_cards(widget_id=obj.pk)
            return
        target: str = request.vetted[0]  # type: ignore[attr-defined]
        secret = set_cards(
            widget_id=obj.pk, url=given["url"], target=target, cards=given["read"], rotates=given["rotate"]
        )
        request.new_secret = secret  # type: ignore[attr-defined]

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Leads to the page that shows a new secret once."""
        secret = getattr(request, "new_secret", None)
        if secret is None:
            return super().response_post_save_change(request, obj)
        page = reverse("admin:cards_widgetcards_change", args=[obj.pk])
        title = gettext("The secret that signs the calls of your program")
        return show_once(request, title=title, owner=str(obj), page=page, plain_text=secret)
