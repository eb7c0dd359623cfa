"""The cabinet's form of a widget's cards."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget, UnfoldBooleanSwitchWidget

from apps.cards.actions.settings import settings_of
from apps.cards.models import WidgetCards
from apps.cards.rules.settings import cards_refusal, read_card, written

LABELS = {
    "url": _("Where your program is called"),
    "cards": _("Cards"),
    "rotate": _("Make another secret"),
}


class CardsForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The address of a widget's cards, and which there are. It is looked up before the page's transaction
    begins (`vetted`)."""

    vetted: ClassVar[tuple[str, str | None]] = ("", None)

    url = forms.CharField(
        label=LABELS["url"],
        required=False,
        max_length=2048,
        help_text=_("https://. Empty: there are no cards."),
        widget=UnfoldAdminTextInputWidget,
    )
    cards = forms.CharField(
        label=LABELS["cards"],
        required=False,
        max_length=2000,
        help_text=_("A line each, at most 8: key:Title, or key:Title:seconds that it counts as fresh."),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8}),
    )
    rotate = forms.BooleanField(
        label=LABELS["rotate"],
        required=False,
        help_text=_("The old one signs nothing from then on."),
        widget=UnfoldBooleanSwitchWidget,
    )

    class Meta:
        model = WidgetCards
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        settings = settings_of(self.instance.pk)
        if settings is not None:
            self.initial["url"] = settings.url
            self.initial["cards"] = "\n".join(map(written, settings.cards))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        cleaned["read"] = [read_card(line) for line in cleaned.get("cards", "").splitlines() if line.strip()]
        if cleaned.get("url"):
            if refusal := cards_refusal(cleaned["read"]):
                self.add_error("cards", refusal)
            if refusal := self.vetted[1]:
                self.add_error("url", refusal)
        return cleaned
