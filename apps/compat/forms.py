"""The cabinet's form of a widget's bot."""

from typing import Any

from django import forms

from apps.cabinet.refusals import why_not_called
from apps.compat.models import LegacyBot
from apps.egress import BulkheadFull, EgressRefused, outbound_waits, vet


class BotForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The form of a widget's bot. A new address is vetted; as it is called, it is the instance's `target`.

    An unchanged address is not looked up again, so that a bot whose host is gone can be disabled.
    """

    # What became of the look-up of the address that was sent, which is made before Django's transaction begins.
    looked_up: str | Exception | None = None

    class Meta:
        model = LegacyBot
        fields = ["widget", "url", "is_active"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "url" in self.changed_data and cleaned.get("url"):
            if isinstance(self.looked_up, str):
                self.instance.target = self.looked_up
            else:
                self.add_error("url", why_not_called(cleaned["url"], self.looked_up))
        return cleaned


def look_up(url: str, bot: LegacyBot | None, widget_id: str) -> str | Exception | None:
    """An address that was sent for a bot, or for a new one of a widget, as it is called; or why it can't be."""
    if bot is not None and bot.url == url:
        return None
    try:
        return vet(url, place=outbound_waits.slot(bot.widget_id if bot else int(widget_id))).url
    except (EgressRefused, BulkheadFull, ValueError) as refusal:
        return refusal
