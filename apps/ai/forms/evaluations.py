"""The cabinet's form of a case of the test set."""

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from apps.ai.forms.assistants import PhraseLinesField
from apps.ai.models import EvaluationCase
from apps.ai.rules.evaluations import (
    MAX_JUDGE,
    MAX_QUESTION,
    MAX_SOURCE,
    MAX_SOURCES,
    MAX_TEXT,
    MAX_TEXTS,
    CaseOrigin,
    CaseOutcome,
)
from apps.ai.rules.languages import LANGUAGES


class EvaluationCaseForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A question, the outcome that is expected, and the checks of the answer.

    `made_of` and `of_message` say where a button led from.
    """

    question = forms.CharField(
        label=_("A visitor's question"), max_length=MAX_QUESTION, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3})
    )
    expects = forms.ChoiceField(
        label=capfirst(_("expected")),
        choices=[
            (CaseOutcome.ANSWER.value, _("an answer")),
            (CaseOutcome.REFUSAL.value, _("“I don't know”, or a person")),
            (CaseOutcome.PERSON.value, _("a person is called")),
        ],
        widget=UnfoldAdminSelectWidget,
    )
    must = PhraseLinesField(
        most=MAX_TEXTS,
        longest=MAX_TEXT,
        label=capfirst(_("must be in the answer")),
        help_text=_("One a line. Either of two texts: 90 | ninety."),
    )
    must_not = PhraseLinesField(
        most=MAX_TEXTS, longest=MAX_TEXT, label=capfirst(_("must not be in the answer")), help_text=_("One a line.")
    )
    language = forms.ChoiceField(
        label=capfirst(_("language of the answer")),
        required=False,
        choices=[("", _("any")), *((code, code) for code in LANGUAGES)],
        widget=UnfoldAdminSelectWidget,
    )
    sources = PhraseLinesField(
        most=MAX_SOURCES,
        longest=MAX_SOURCE,
        label=capfirst(_("sources that the answer must rest on")),
        help_text=_("One title or address a line."),
    )
    judge = forms.CharField(
        label=capfirst(_("criterion that a model judges")),
        required=False,
        max_length=MAX_JUDGE,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=_("Asked last, if all else holds. Optional where words can be checked."),
    )
    made_of = forms.ChoiceField(
        label=capfirst(_("made of")),
        choices=[(one.value, one.value) for one in (CaseOrigin.HAND, CaseOrigin.THUMB, CaseOrigin.DEMAND)],
        required=False,
        widget=forms.HiddenInput,
    )
    of_message = forms.IntegerField(
        label=capfirst(_("message")), required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput
    )

    class Meta:
        model = EvaluationCase
        fields = [
            *("widget", "assistant", "question", "expects", "must", "must_not"),
            *("language", "sources", "judge", "is_active"),
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        widget = cleaned.get("widget") or getattr(self.instance, "widget", None)
        assistant = cleaned.get("assistant")
        if assistant and widget and assistant.widget_id != widget.pk:
            self.add_error("assistant", _("It is another widget's."))
        return cleaned
