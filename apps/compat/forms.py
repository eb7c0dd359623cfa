"""The cabinet's form of a widget's bot."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from apps.compat.models import LegacyBot
from apps.core.egress import BulkheadFull, EgressRefused, outbound_waits, vet


class BotForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """Where the bot of a widget is told. A new address is vetted; as it is called, it is the instance's `target`.

    One that is there already is not looked up again, so that a bot whose host is gone can be disabled.
    """

    class Meta:
        model = LegacyBot
        fields = ["widget", "url", "is_active"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        widget = cleaned.get("widget", self.instance.widget_id and self.instance.widget)
        if widget and "url" in self.changed_data and (url := cleaned.get("url")):
            try:
                self.instance.target = vet(url, place=outbound_waits.place(widget.pk)).url
            except EgressRefused:
                self.add_error("url", _("An https address of a public host is needed, whose name is known."))
            except BulkheadFull:
                raise ValidationError(_("Too many addresses are looked up now. Try again in a second.")) from None
        return cleaned
