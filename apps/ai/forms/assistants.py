"""Forms of assistants, their operators and a test question."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from apps.ai.forms.credentials import PROVIDERS
from apps.ai.models import AiOperator, Assistant
from apps.ai.rules import configuration as rules
from apps.ai.rules.disclosures import DISCLOSURES, is_wording
from apps.ai.rules.languages import LANGUAGES
from apps.ai.rules.phrases import cleaned
from apps.ai.settings import SETTINGS
from apps.cabinet.refusals import in_readers_words
from apps.cabinet.settings_pages import SettingsForm


class PhraseLinesField(forms.CharField):
    """A list of texts, one a line."""

    def __init__(self, *, most: int, longest: int, **options: Any) -> None:
        self.most, self.longest = most, longest
        super().__init__(required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 5}), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        lines = [line.strip() for line in (value or "").splitlines() if line.strip()]
        if len(lines) > self.most or len(set(lines)) < len(lines) or any(len(line) > self.longest for line in lines):
            raise ValidationError(
                _("At most %(most)d lines of %(longest)d characters, none of them twice."),
                params={"most": self.most, "longest": self.longest},
            )
        return lines


class AiSettingsForm(SettingsForm):
    """The settings of a widget's AI, and its first sentence in each language (`LANGUAGE_OF`)."""

    LANGUAGE_OF: ClassVar = {f"ai_disclosure_{language}": language for language in LANGUAGES}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, language in self.LANGUAGE_OF.items():
            self.fields[name] = forms.CharField(
                label=format_lazy("{} ({})", capfirst(_("first sentence of the AI")), language),
                required=False,
                initial=self.row.ai_disclosure_i18n.get(language, ""),
                widget=UnfoldAdminTextInputWidget(attrs={"placeholder": DISCLOSURES[language], "dir": "auto"}),
            )

    def clean_minutes_per_reply(self) -> int:
        """Left empty, they stay."""
        minutes: int | None = self.cleaned_data["minutes_per_reply"]
        return self.row.minutes_per_reply if minutes is None else minutes

    def clean(self) -> dict[str, Any]:
        shown = super().clean()
        changed = {code: shown[name] or None for name, code in self.LANGUAGE_OF.items() if name in self.changed_data}
        for language, text in changed.items():
            if text and not is_wording(cleaned(text)):
                self.add_error(f"ai_disclosure_{language}", in_readers_words(SETTINGS.by_name["ai_disclosure"].refusal))
        if changed:
            self.changes["ai_disclosure_i18n"] = changed
        return shown


class AssistantForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The form of an assistant: its persona, its instructions, and its handovers."""

    escalation_triggers = PhraseLinesField(
        most=rules.MAX_TRIGGERS,
        longest=rules.MAX_TRIGGER,
        label=capfirst(_("words that hand over")),
        help_text=_("One a line. A trailing * matches a beginning: refund*."),
    )
    quick_phrases = PhraseLinesField(
        most=rules.MAX_QUICK_PHRASES,
        longest=rules.MAX_QUICK_PHRASE,
        label=capfirst(_("quick phrases")),
        help_text=_("One a line: what a visitor may ask by a click."),
    )
    provider = forms.ChoiceField(
        choices=PROVIDERS,
        required=False,
        label=capfirst(_("provider")),
        widget=UnfoldAdminSelectWidget(choices=PROVIDERS),
    )

    class Meta:
        model = Assistant
        fields = [
            *("widget", "name", "enabled", "is_default", "persona", "system_prompt", "temperature", "rag_enabled"),
            *("escalation_triggers", "greeting", "quick_phrases", "provider", "model"),
        ]

    def clean_persona(self) -> str:
        return self._bounded("persona", rules.MAX_PERSONA)

    def clean_system_prompt(self) -> str:
        return self._bounded("system_prompt", rules.MAX_SYSTEM_PROMPT)

    def clean_greeting(self) -> str:
        return self._bounded("greeting", rules.MAX_GREETING)

    def clean_temperature(self) -> float | None:
        temperature: float | None = self.cleaned_data["temperature"]
        if temperature is not None and not 0 <= temperature <= rules.MAX_TEMPERATURE:
            raise ValidationError(_("From 0 to 2."))
        return temperature

    def clean_is_default(self) -> bool:
        wanted: bool = self.cleaned_data["is_default"]
        if self.instance.pk and self.instance.is_default and not wanted:
            raise ValidationError(_("One assistant is the default: mark another one instead."))
        return wanted

    def _bounded(self, name: str, longest: int) -> str:
        text: str = self.cleaned_data[name].replace("\r\n", "\n")
        if len(text) > longest:
            raise ValidationError(_("At most %(longest)d characters."), params={"longest": longest})
        return text


class OperatorForm(forms.ModelForm):  # type: ignore[type-arg]
    """The operator to whom an assistant's replies are attributed."""

    assistant = forms.ModelChoiceField(queryset=Assistant.objects.none(), label=capfirst(_("assistant")))
    status = forms.ChoiceField(
        choices=[("active", _("answers")), ("relaxation", _("on a break"))],
        label=capfirst(_("status")),
        widget=UnfoldAdminSelectWidget,
    )

    class Meta:
        model = AiOperator
        fields = ["widget", "name", "status", "show_in_header"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk:
            choices = Assistant.objects.for_widget(self.instance.widget_id)
            self.fields["assistant"].queryset = choices  # type: ignore[attr-defined]
            self.fields["assistant"].initial = self.instance.ai_assistant_id

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        widget = cleaned.get("widget") or getattr(self.instance, "widget", None)
        assistant = cleaned.get("assistant")
        if assistant and widget and assistant.widget_id != widget.pk:
            self.add_error("assistant", _("It is another widget's."))
        return cleaned


class QuestionForm(forms.Form):
    """A question to an assistant, and who would be there."""

    question = forms.CharField(
        label=_("A visitor's question"), max_length=4_000, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3})
    )
    locale = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("the question's")), *((code, code) for code in LANGUAGES)],
        widget=UnfoldAdminSelectWidget,
    )
    operators = forms.ChoiceField(
        label=_("Operators"),
        required=False,
        choices=[
            ("", _("as they are now")),
            ("online", _("somebody is there")),
            ("offline", _("nobody is there")),
            ("unknown", _("not known")),
        ],
        widget=UnfoldAdminSelectWidget,
    )
