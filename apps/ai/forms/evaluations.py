"""The cabinet's form of a case of the test set."""

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from apps.ai.forms.assistants import PhraseLinesField
from apps.ai.models import EvaluationCase
from apps.ai.rules.evaluations import MAX_QUESTION, MAX_TEXT, MAX_TEXTS, CaseOutcome


class EvaluationCaseForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A question, the outcome that is expected, and the texts that the answer must and must not have."""

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
        help_text=_("One a line. A bar between texts means that one of them is enough: 90 | ninety."),
    )
    must_not = PhraseLinesField(
        most=MAX_TEXTS, longest=MAX_TEXT, label=capfirst(_("must not be in the answer")), help_text=_("One a line.")
    )

    class Meta:
        model = EvaluationCase
        fields = ["widget", "assistant", "question", "expects", "must", "must_not"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        widget = cleaned.get("widget") or getattr(self.instance, "widget", None)
        assistant = cleaned.get("assistant")
        if assistant and widget and assistant.widget_id != widget.pk:
            self.add_error("assistant", _("It is another widget's."))
        return cleaned
