"""Pages of texts by language: one language at a time, the others a click away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf.locale import LANG_INFO
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.ai.forms.assistants import PhraseLinesField
from apps.ai.models import Assistant
from apps.ai.rules import configuration as rules
from apps.ai.rules.languages import LANGUAGES
from apps.ai.rules.phrases import MAX_PHRASE, PHRASE_KEYS, PHRASES, stripped

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PHRASE_LABELS: Mapping[str, StrOrPromise] = {
    "handoff_to_human": _("when a chat is handed to people"),
    "handover_notice": _("when an operator was called, and is there"),
    "handover_offline": _("when an operator was called, and nobody is there"),
    "handover_unknown": _("when an operator was called, and nobody knows who is there"),
    "social_reply": _("after thanks and the like"),
    "handoff_to_ai": _("when the AI takes over"),
    "pii_restore_fallback": _("when an answer can't be shown whole"),
}


def language_of(request: HttpRequest) -> str:
    """The language that the address names, else the reader's, else English."""
    for wanted in (request.GET.get("language", ""), get_language() or ""):
        if wanted in LANGUAGES:
            return wanted
    return "en"


class PhrasesForm(forms.Form):
    """The AI's fixed phrases in one language; an empty one is said as shown in grey."""

    def __init__(self, data: Any, *, language: str, worded: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__(data)
        for key in PHRASE_KEYS:
            hint = {"rows": 2, "dir": "auto", "placeholder": PHRASES[key][language]}
            self.fields[key] = forms.CharField(
                label=PHRASE_LABELS[key],
                required=False,
                max_length=MAX_PHRASE,
                initial=worded.get(key, {}).get(language, ""),
                widget=UnfoldAdminTextareaWidget(attrs=hint),
            )

    def changes(self, language: str) -> dict[str, dict[str, str | None]]:
        """By key, what is changed in the language; None takes the owner's words back."""
        return {key: {language: stripped(self.cleaned_data[key]) or None} for key in self.changed_data}


class TranslationForm(forms.Form):
    """An assistant's greeting and quick phrases in one language; what is left empty is said as in the first one."""

    def __init__(self, data: Any, *, assistant: Assistant, language: str) -> None:
        super().__init__(data)
        self.fields["greeting"] = forms.CharField(
            label=capfirst(_("greeting")),
            required=False,
            max_length=rules.MAX_GREETING,
            initial=assistant.greeting_i18n.get(language, ""),
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "dir": "auto", "placeholder": assistant.greeting}),
        )
        self.fields["quick_phrases"] = PhraseLinesField(
            most=rules.MAX_QUICK_PHRASES,
            longest=rules.MAX_QUICK_PHRASE,
            label=capfirst(_("quick phrases")),
            help_text=_("One a line: what a visitor may ask by a click."),
            initial=assistant.quick_phrases_i18n.get(language, []),
        )

    def changes(self, language: str) -> dict[str, Any]:
        """The members of a PATCH."""
        return {f"{name}_i18n": {language: self.cleaned_data[name] or None} for name in self.changed_data}


def language_page(
    request: HttpRequest, context: dict[str, Any], form: Any, language: str, store: Callable[[Any], Any]
) -> HttpResponse:
    """The form in a language; a POST stores what it changes."""
    if request.method == "POST" and form.is_valid():
        if form.changed_data:
            store(form.changes(language))
        messages.success(request, gettext("Saved."))
        return HttpResponseRedirect(f"{request.path}?language={language}")
    # Django names Chinese by its scripts alone.
    named = [(code, LANG_INFO["zh-hans" if code == "zh" else code]["name_local"]) for code in LANGUAGES]
    return TemplateResponse(
        request, "admin/ai/languages.html", context | {"form": form, "language": language, "languages": named}
    )
