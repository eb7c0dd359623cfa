"""The form of a scorecard: its criteria in rows, the samples, the flags, and a model's part."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.reviews.labels import FLAGS, SCORECARD_WORDS
from apps.reviews.models import Scorecard
from apps.reviews.rules.scorecards import (
    MAX_ABOUT,
    MAX_CRITERIA,
    MAX_KEY,
    MAX_SAMPLE,
    MAX_TITLE,
    MAX_WEIGHT,
    Applies,
    CriterionScale,
    Prefill,
    is_key,
)

SCALES = {CriterionScale.YES_NO.value: _("yes or no"), CriterionScale.FIVE.value: _("1 to 5")}
APPLIES = {Applies.BOTH.value: _("people and AI"), Applies.PERSON.value: _("people"), Applies.AI.value: _("AI")}
PREFILLS = {
    Prefill.OFF.value: _("only when a reviewer asks"),
    Prefill.REVIEWS.value: _("for each review that waits"),
    Prefill.ALL_AI.value: _("for each review, and for every chat that AI answered in"),
}


def _text(label: Any, longest: int, *, required: bool = True, **attrs: Any) -> forms.CharField:
    widget = UnfoldAdminTextInputWidget(attrs={"dir": "auto", **attrs})
    return forms.CharField(label=label, max_length=longest, required=required, widget=widget)


class CriterionForm(forms.Form):
    """A criterion. A row without a key and a title is none."""

    key = _text(_("Key"), MAX_KEY, dir="ltr", placeholder="friendly")
    title = _text(_("Criterion"), MAX_TITLE)
    about = forms.CharField(
        label=_("About it"),
        max_length=MAX_ABOUT,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2, "dir": "auto"}),
    )
    scale = forms.ChoiceField(
        label=_("Scale"), choices=[*SCALES.items()], initial=CriterionScale.YES_NO.value, widget=UnfoldAdminSelectWidget
    )
    weight = forms.IntegerField(
        label=_("Weight"), min_value=1, max_value=MAX_WEIGHT, initial=1, widget=UnfoldAdminIntegerFieldWidget
    )
    is_critical = forms.BooleanField(
        label=_("Critical: at its lowest the whole score is 0"), required=False, widget=UnfoldBooleanSwitchWidget
    )
    applies = forms.ChoiceField(
        label=_("About the work of"),
        choices=[*APPLIES.items()],
        initial=Applies.BOTH.value,
        widget=UnfoldAdminSelectWidget,
    )

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if not is_key(key):
            raise forms.ValidationError(_("Small letters, digits and _ alone."))
        return key


class CriterionFormSet(forms.BaseFormSet):  # type: ignore[type-arg] # takes none when it runs
    """The criteria in their order, each key once."""

    def clean(self) -> None:
        keys = [each["key"] for each in self.criteria]
        if not keys:
            raise forms.ValidationError(_("At least one criterion is needed."))
        if len({*keys}) < len(keys):
            raise forms.ValidationError(_("Each key may stand once."))

    @property
    def criteria(self) -> list[dict[str, Any]]:
        """The criteria that are to stay."""
        filled = (form.cleaned_data for form in self.forms if getattr(form, "cleaned_data", None))
        return [
            {name: value for name, value in each.items() if name != "DELETE"}
            for each in filled
            if each.get("key") and not each.get("DELETE")
        ]


CRITERIA: Any = forms.formset_factory(
    CriterionForm,
    formset=CriterionFormSet,
    extra=1,
    max_num=MAX_CRITERIA,
    absolute_max=MAX_CRITERIA,
    validate_max=True,
    can_delete=True,
)


class ScorecardForm(forms.Form):
    """All of a scorecard but its criteria. `version` is the one that the form was made of."""

    NAMES: ClassVar = ("per_operator", "ai", "flags", "prefill")

    version = forms.IntegerField(widget=forms.HiddenInput)
    per_operator = forms.IntegerField(
        label=capfirst(SCORECARD_WORDS["per_operator"]),
        min_value=0,
        max_value=MAX_SAMPLE,
        widget=UnfoldAdminIntegerFieldWidget,
    )
    ai = forms.IntegerField(
        label=capfirst(SCORECARD_WORDS["ai"]), min_value=0, max_value=MAX_SAMPLE, widget=UnfoldAdminIntegerFieldWidget
    )
    flags = forms.MultipleChoiceField(
        label=capfirst(SCORECARD_WORDS["flags"]),
        choices=[(code, capfirst(name)) for code, name in FLAGS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    prefill = forms.ChoiceField(
        label=capfirst(SCORECARD_WORDS["prefill"]), choices=[*PREFILLS.items()], widget=UnfoldAdminSelectWidget
    )


def forms_of(scorecard: Scorecard, data: Any = None) -> tuple[ScorecardForm, Any]:
    """The form of a scorecard and its criteria, filled with the sent values."""
    values = {name: getattr(scorecard, name) for name in ("version", *ScorecardForm.NAMES)}
    return ScorecardForm(data, initial=values), CRITERIA(data, initial=scorecard.criteria, prefix="criteria")
