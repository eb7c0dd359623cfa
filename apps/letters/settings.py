"""The settings of a widget's letters."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.accounts.models import Widget
from apps.accounts.rules.settings import choice, number, switch, text
from apps.accounts.settings import Changes, SettingsTable
from apps.letters.models import LetterSettings
from apps.letters.models.outgoing import Answers
from apps.letters.rules.sites import is_site


def settings_of(widget_id: int) -> LetterSettings:
    """The settings of a widget; of one that chose nothing, the defaults."""
    row: LetterSettings = SETTINGS.row_of(widget_id)
    return row


def widget_since(widget_id: int) -> Any:
    """Since when a widget that chose nothing has letters: since it is there."""
    return Widget.objects.values_list("created_at", flat=True).get(pk=widget_id)


def _derived(row: LetterSettings, changes: Changes, is_new: bool) -> dict[str, Any]:
    """A choice ends the offer; switching letters on writes to nobody about old chats."""
    if "answers" not in changes:
        return {}
    was_off = row.answers == Answers.OFF
    derived: dict[str, Any] = {"is_offered": False}
    if is_new or (was_off and changes["answers"] != Answers.OFF):
        derived["since"] = timezone.now() if was_off else widget_since(row.widget_id)
    return derived


def _is_mailbox(value: str) -> bool:
    try:
        validate_email(value)
    except ValidationError:
        return False
    return len(value) <= 254


SETTINGS = SettingsTable(
    model=LetterSettings,
    derived=_derived,
    rows=(
        choice(
            "answers",
            _("Mail answers that nobody has seen"),
            {
                Answers.ON.value: _("on: to whoever left an address"),
                Answers.ASK.value: _("ask: to those who ticked it"),
                Answers.OFF.value: _("off"),
            },
            refusal=gettext_noop("Must be off, ask or on."),
        ),
        number(
            "unseen_min",
            _("After so many minutes"),
            1,
            120,
            refusal=gettext_noop("Must be a number from 1 to 120."),
        ),
        switch("of_ai", _("The AI's answers, too")),
        text(
            "site",
            _("Where the e-mail's button leads"),
            is_site,
            nullable=True,
            refusal=gettext_noop("Must be an address that begins with https:// and has no #."),
            help_text=_("A page of yours that has the widget, https://. Empty: a page of this installation."),
        ),
        text(
            "shop_address",
            _("Where answers to e-mails go"),
            _is_mailbox,
            nullable=True,
            refusal=gettext_noop("Must be an e-mail address."),
            help_text=_("Only where the installation has no reply addresses (MAIL_REPLY_ADDRESS)."),
        ),
        number(
            "waiting_min",
            _("Wake operators after so many minutes"),
            3,
            240,
            zero=True,
            refusal=gettext_noop("Must be a number from 3 to 240, or 0 for never."),
            help_text=_(
                "While a visitor waits and nobody is there: operators first, the owner after twice the time. 0: never."
            ),
        ),
        switch("waiting_words", _("With names and words of visitors")),
    ),
    sections=(
        (_("To visitors"), ("notes", "answers", "unseen_min", "of_ai", "site", "shop_address")),
        (_("To operators"), ("waiting_min", "waiting_words")),
    ),
)
