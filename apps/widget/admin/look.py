"""The cabinet's pages of a widget's settings: form and preview, translations, icons, the script tag, identity."""

import dataclasses
from typing import TYPE_CHECKING, Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html_join
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from unfold.decorators import action as unfold_action

from apps.accounts.audit.records import record_secret
from apps.cabinet.menu import WIDGET, MenuPlace
from apps.cabinet.refusals import words_of
from apps.cabinet.shown_once import show_once
from apps.cabinet.tenant_admin import AccessLevel
from apps.cabinet.widget_pages import WidgetPageAdmin, number_in
from apps.chats.rules import languages
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.problems import Problem
from apps.widget.actions.icons import ICON_FORM, delete_icon, store_icon
from apps.widget.actions.installed import Installed, look_for_widget
from apps.widget.actions.settings import (
    change_settings,
    end_previous_identity_secret,
    purge,
    renew_identity_secret,
    set_asks_proof,
)
from apps.widget.actions.translations import RESERVATIONS, regenerate
from apps.widget.forms import (
    ASKS_PROOF,
    ENABLED,
    OVERRIDES,
    SHOWN,
    IconForm,
    TranslationsForm,
    WidgetLookForm,
    called,
)
from apps.widget.labels import DEVICE_NAMES, FOUND, LABELS, PLATFORMS, SECTIONS
from apps.widget.models import Icon, VisitorSession, WidgetLook, WidgetSettings
from apps.widget.querysets.public_config import embed_of, served_config
from apps.widget.querysets.settings import found_on, icon_answer, settings_of, store_of, translation_status
from apps.widget.rules import translations
from apps.widget.rules.fields import BY_NAME, SUPPORTED, TEXTS
from apps.widget.rules.settings import changed

if TYPE_CHECKING:
    from django.forms import ModelForm


@admin.register(WidgetLook)
class WidgetLookAdmin(WidgetPageAdmin):
    """How a widget looks and speaks: the settings of the API, and the same refusals."""

    menu = MenuPlace(WIDGET, 10, _("Look and texts"))
    account_path = "account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("widget settings"), _("widget settings"))
    lines_from = ("widget.widgetsettings",)
    form = WidgetLookForm
    list_display = ("name",)
    ordering = ("name",)
    readonly_fields = ("name", "chosen")
    actions_detail = ("translations", "icons", "embed", "identity")  # each looks at who may itself: viewers read
    change_form_outer_before_template = "admin/widget/preview.html"

    def settings_shown(self) -> Any:
        return LABELS.values()

    def get_fieldsets(self, request: HttpRequest, obj: WidgetLook | None = None) -> Any:
        if not self.has_change_permission(request, obj):
            return ((None, {"fields": ("name", "chosen")}),)
        devices = [
            (title, {"classes": ["tab"], "fields": [name for name in OVERRIDES if OVERRIDES[name][0] == device]})
            for device, title in DEVICE_NAMES.items()
        ]
        devices[0][1]["fields"].insert(0, ENABLED)
        guarded = (_("Protection"), {"classes": ["tab"], "fields": (ASKS_PROOF,)})
        sections = ((title, {"classes": ["tab"], "fields": names}) for title, names in SECTIONS)
        return (*sections, guarded, *devices)

    def get_form(
        self, request: HttpRequest, obj: WidgetLook | None = None, change: bool = False, **options: Any
    ) -> Any:
        """The settings are fields of the form, and no fields of the model."""
        options["fields"] = []
        return super().get_form(request, obj, change, **options)

    @admin.display(description=_("settings"))
    def chosen(self, widget: WidgetLook) -> Any:
        """The settings in effect, for people who only read."""
        settings = settings_of(widget.pk)
        rows = ((LABELS[name], called(BY_NAME[name], settings.values[name], settings)) for name in SHOWN)
        return format_html_join("", "<p>{}: <strong>{}</strong></p>", rows)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """With what the preview beside the form offers."""
        widget: WidgetLook = context["original"]
        context["preview_of"] = settings_of(widget.pk)
        context["preview_languages"] = [
            (code, languages.NAMES[code]) for code in context["preview_of"].values[SUPPORTED]
        ]
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    @method_decorator(csp_replace({"frame-src": [SELF]}))
    def change_view(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """The page, which has the preview in a frame."""
        response: HttpResponse = super().change_view(*args, **kwargs)
        return response

    def write(self, request: HttpRequest, obj: WidgetLook, form: "ModelForm[Any]", change: bool) -> None:
        change_settings(widget_id=obj.pk, changes=form.changes)  # type: ignore[attr-defined]
        if ASKS_PROOF in form.changed_data:
            set_asks_proof(widget_id=obj.pk, on=form.cleaned_data[ASKS_PROOF])

    # The preview: the real modules in a frame of the same origin, with the config of the form as it stands.

    def get_urls(self) -> list[Any]:
        framed = csp_replace({"frame-ancestors": [SELF]})(self.admin_site.admin_view(self.preview_frame))
        return [
            path("<path:object_id>/preview/", xframe_options_sameorigin(framed), name="widget-preview"),
            path("<path:object_id>/previewed/", self.admin_site.admin_view(self.previewed), name="widget-previewed"),
            *super().get_urls(),
        ]

    def preview_frame(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The page in the frame: an empty website."""
        self._readable(request, object_id)
        context = {"launcher": static("widget/launcher.js")}
        return TemplateResponse(request, "admin/widget/preview_frame.html", context)

    def previewed(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The config that visitors would be served if the form were saved; at a GET, the one they are served.

        A value that would be refused is told, and is as it is stored; the others are shown.
        """
        widget = self._readable(request, object_id)
        settings = settings_of(widget.pk)
        refusals: dict[str, str] = {}
        if request.method == "POST" and self.has_change_permission(request, widget):
            form = WidgetLookForm(request.POST, instance=widget)
            if not form.is_valid():
                refusals = {str(LABELS.get(name, name)): str(texts[0]) for name, texts in form.errors.items()}
                form = _without_refused(form, request, widget)
            if form.is_valid():
                stored = changed(settings.stored, form.changes, legacy=settings.legacy)
                settings = dataclasses.replace(settings, stored=stored)
        wished = request.GET.get("lang", "")
        language = settings.language_for(wished, get_language() or "")
        return JsonResponse({"data": served_config(settings, language), "errors": refusals})

    def _readable(self, request: HttpRequest, object_id: str) -> WidgetLook:
        widget: WidgetLook = self.get_object(request, object_id)
        if not self.has_view_permission(request, widget):
            raise PermissionDenied
        return widget

    def _changeable(self, request: HttpRequest, widget: WidgetLook) -> None:
        if not self.has_change_permission(request, widget):
            raise PermissionDenied

    def _page(self, request: HttpRequest, widget: WidgetLook, name: str, title: str, **more: Any) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": f"{widget.name}: {title}",
            "widget": widget,
            "may_change": self.has_change_permission(request, widget),
            "back": reverse("admin:widget_widgetlook_change", args=[widget.pk]),
            **more,
        }
        return TemplateResponse(request, f"admin/widget/{name}.html", context)

    @unfold_action(description=_("Translations"), url_path="translations", permissions=())  # type: ignore[untyped-decorator]
    def translations(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The tenant's texts in every supported language: who wrote what is shown, and own ones to edit."""
        widget = self._readable(request, object_id)
        settings, store = settings_of(widget.pk), store_of(widget.pk)
        form = TranslationsForm(request.POST or None, settings=settings)
        if request.method == "POST":
            self._changeable(request, widget)
            if "regenerate" in request.POST:
                field, _dot, locale = request.POST["regenerate"].partition(".")
                if field not in TEXTS:
                    raise Http404
                self._try(request, lambda: regenerate(widget_id=widget.pk, fields=[field], locales=[locale]))
                return HttpResponseRedirect(request.path)
            if form.is_valid() and self._try(
                request, lambda: change_settings(widget_id=widget.pk, changes=form.changes())
            ):
                return HttpResponseRedirect(request.path)
        rows = [
            (LABELS[name], [_cell(form, settings, store or {}, name, code) for code in settings.values[SUPPORTED]])
            for name in TEXTS
        ]
        remaining = RESERVATIONS.remaining(widget.pk)
        more = {"rows": rows, "form": form, "status": translation_status(settings, store), "remaining": remaining}
        return self._page(request, widget, "translations", gettext("Translations"), limit=RESERVATIONS.limit, **more)

    @unfold_action(description=_("Icons"), url_path="icons", permissions=())  # type: ignore[untyped-decorator]
    def icons(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The launcher's own icons: added, looked at, deleted."""
        widget = self._readable(request, object_id)
        form = IconForm(request.POST or None, request.FILES or None)
        if request.method == "POST":
            self._changeable(request, widget)
            if "delete" in request.POST:
                icon_id = number_in(request.POST["delete"])
                self._try(request, lambda: delete_icon(widget_id=widget.pk, icon_id=icon_id))
                return HttpResponseRedirect(request.path)
            if form.is_valid() and self._try(request, lambda: _store(widget, form.cleaned_data["file"])):
                return HttpResponseRedirect(request.path)
        own = [{**icon_answer(icon), "pk": icon.pk} for icon in Icon.objects.for_widget(widget.pk).order_by("pk")]
        return self._page(request, widget, "icons", gettext("Icons"), icons=own, form=form)

    @unfold_action(description=_("Put it on a website"), url_path="embed", permissions=())  # type: ignore[untyped-decorator]
    def embed(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The script tag, what a strict policy has to allow, and the purge."""
        widget = self._readable(request, object_id)
        if request.method == "POST":
            self._changeable(request, widget)
            if "look" in request.POST:
                self._look(request, widget, request.POST.get("url", "")[:2000])
            elif self._try(request, lambda: purge(widget_id=widget.pk)):
                messages.success(request, gettext("Browsers read the widget anew."))
            return HttpResponseRedirect(request.path)
        said = embed_of(widget.guid)
        policy: Any = said["csp"]
        policy = {**policy, "script-src": [*policy["script-src"], said["snippet_hash"]]}
        lines = ";\n".join(f"{directive} {' '.join(origins)}" for directive, origins in policy.items())
        visited = VisitorSession.objects.for_widget(widget.pk).on_websites().order_by("-pk").first()
        more = {
            "tag": said["snippet"],
            "csp": lines,
            "platforms": PLATFORMS,
            "visited": visited,
            "found_on": "" if visited else found_on(widget.pk),
            "site": next((origin for origin in widget.allowed_origins if "*" not in origin), ""),
        }
        return self._page(request, widget, "embed", gettext("Put it on a website"), **more)

    def _look(self, request: HttpRequest, widget: WidgetLook, url: str) -> None:
        """Tells whether the page has the widget."""
        found = look_for_widget(guid=str(widget.guid), url=url, outbound=ExternalCall(widget.pk))
        tell = messages.success if found is Installed.THERE else messages.warning
        tell(request, str(FOUND[found]))

    @unfold_action(description=_("Identity"), url_path="identity", permissions=())  # type: ignore[untyped-decorator]
    def identity(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The secret by which the website proves its visitors: made and shown once, renewed, the one before ended."""
        widget = self._readable(request, object_id)
        if request.method == "POST":
            self._changeable(request, widget)
            if "end" in request.POST:
                end_previous_identity_secret(widget_id=widget.pk)
                return HttpResponseRedirect(request.path)
            plain_text = renew_identity_secret(widget_id=widget.pk)
            record_secret(WidgetSettings.objects.for_widget(widget.pk).get(), "identity_secret", "replaced")
            title = gettext("The secret is replaced")
            return show_once(request, title=title, owner=str(widget), page=request.path, plain_text=plain_text)
        row = WidgetSettings.objects.for_widget(widget.pk).first()
        counts = row is not None and row.previous_until is not None and row.previous_until > timezone.now()
        more = {"row": row, "previous_counts": counts}
        return self._page(request, widget, "identity", gettext("Identity"), **more)

    def _try(self, request: HttpRequest, act: Any) -> bool:
        """Whether it was done; what was refused is told."""
        try:
            act()
        except Problem as refused:
            messages.error(request, words_of(refused))
            return False
        return True


def _cell(form: TranslationsForm, settings: Any, store: translations.Store, name: str, code: str) -> dict[str, Any]:
    origin, text = translations.shown(settings.values, name, code, store, name=settings.name)
    state = translations.state_of(settings.values, (name, code), store)
    asks = (name, code) in translations.cells(settings.values)
    return {
        "language": languages.NAMES[code],
        "code": code,
        "direction": languages.direction_of(code),
        "field": form[f"{name}.{code}"],
        "origin": ORIGINS[origin],
        "state": STATES.get(state, ""),
        "text": text or "",
        "asks": asks and f"{name}.{code}",
    }


ORIGINS = {
    translations.Shown.MANUAL: _("your translation"),
    translations.Shown.AI: _("translated by AI"),
    translations.Shown.SOURCE: _("your text"),
    translations.Shown.CATALOGUE: _("a text of ours"),
}
STATES = {
    translations.State.PENDING: _("is being translated"),
    translations.State.FAILED: _("could not be translated"),
    translations.State.STALE: _("of an older text"),
}


def _store(widget: WidgetLook, file: Any) -> Icon:
    if file.size > ICON_FORM.max_bytes:
        raise ICON_FORM.too_large
    upload = ReceivedFile(name=file.name)
    for chunk in file.chunks():
        upload.write(chunk)
    return store_icon(upload=upload, outbound=ExternalCall(widget.pk))


def _without_refused(form: WidgetLookForm, request: HttpRequest, widget: WidgetLook) -> WidgetLookForm:
    """The form with what was refused as it is stored."""
    data = request.POST.copy()
    for name in form.errors:
        if name in form.fields:
            initial = form[name].initial
            data.setlist(name, initial if isinstance(initial, list) else [str(initial or "")])
    return WidgetLookForm(data, instance=widget)
