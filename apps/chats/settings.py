"""The settings of a widget's operators at work, and of its retention."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.accounts.rules.settings import Setting, choice, number, switch
from apps.accounts.settings import SettingsTable
from apps.chats.events import ConsoleSettingsChanged
from apps.chats.models import ConsoleSettings, Retention
from apps.chats.rules.attribute_kinds import declarations_refusal, read, written
from apps.chats.rules.console_settings import (
    MAX_AWAY_MINUTES,
    MIN_AWAY_MINUTES,
    DraftsMode,
    SummariesMode,
    TranslationMode,
)
from apps.chats.rules.retention import CHATS, CONTACTS, DELIVERIES, EXCHANGES, FILES, MAX_DAYS
from apps.core import bus


def console_settings(widget_id: int) -> ConsoleSettings:
    """The widget's settings, or the defaults without a row."""
    row: ConsoleSettings = SETTINGS.row_of(widget_id)
    return row


def _tell(row: ConsoleSettings, changed: list[str]) -> None:
    bus.publish(ConsoleSettingsChanged(widget_id=row.widget_id, changed_fields=tuple(changed)))


SETTINGS = SettingsTable(
    model=ConsoleSettings,
    then=_tell,
    rows=(
        choice(
            "drafts",
            _("drafts of answers"),
            {
                DraftsMode.OFF.value: _("never"),
                DraftsMode.ASKED.value: _("when an operator asks"),
                DraftsMode.WAITING.value: _("also when a chat is opened whose visitor waits"),
            },
            about="When AI drafts an answer for an operator.",
            refusal=gettext_noop("Must be off, asked or waiting."),
        ),
        switch(
            "past_answers",
            _("drafts may use earlier answers of people"),
            about="Answers of people may be sources of drafts.",
        ),
        choice(
            "summaries",
            _("summaries"),
            {
                SummariesMode.OFF.value: _("never"),
                SummariesMode.HANDOVER.value: _("when a chat changes hands"),
                SummariesMode.AUTO.value: _("also when a long chat is opened"),
            },
            about="When AI sums a chat up.",
            refusal=gettext_noop("Must be off, handover or auto."),
        ),
        choice(
            "translation",
            _("translation"),
            {
                TranslationMode.OFF.value: _("never"),
                TranslationMode.OFFER.value: _("when an operator switches it on"),
                TranslationMode.AUTO.value: _("wherever it would be offered"),
            },
            about="Whether chats are translated.",
            refusal=gettext_noop("Must be off, offer or auto."),
        ),
        number(
            "away_minutes",
            _("minutes until an absent owner's chats ring for all"),
            MIN_AWAY_MINUTES,
            MAX_AWAY_MINUTES,
            zero=True,
            about="After so many minutes of its owner's absence a waiting chat rings for all; 0: never.",
            refusal=gettext_noop("Must be 0, or from 5 to 720 minutes."),
        ),
        Setting(
            name="attribute_kinds",
            kind="array",
            label=_("attributes of contacts"),
            refuses=declarations_refusal,
            as_text=(written, read),
            help_text=_(
                "One a line: its name and kind, of a choice its values: <code>plan: choice: free, pro</code>. Kinds "
                "are <code>text</code>, <code>number</code>, <code>boolean</code> (yes or no), <code>date</code>, "
                "<code>link</code> and <code>choice</code>."
            ),
        ),
    ),
)


def _days(name: str, label: Any, help_text: Any) -> Setting:
    refusal = gettext_noop("Must be a number of days from 1 to 3650, or empty.")
    return number(name, label, 1, MAX_DAYS, nullable=True, refusal=refusal, help_text=help_text)


RETENTION = SettingsTable(
    model=Retention,
    rows=(
        _days(
            CHATS,
            _("closed chats, days"),
            _(
                "Counted from the last message of a closed chat: then it goes for good, with its messages and files. "
                "Empty: it stays for ever."
            ),
        ),
        _days(
            FILES,
            _("files, days"),
            _(
                "Counted from the day that a file was sent. Its message stays, and says that the file is gone. "
                "Empty: as long as its chat."
            ),
        ),
        _days(
            CONTACTS,
            _("contacts without a chat, days"),
            _(
                "Counted from the last visit of a contact who has no chat left: name, e-mail and phone go for good. "
                "Empty: for ever."
            ),
        ),
        _days(
            DELIVERIES,
            _("deliveries of webhooks, days"),
            _("What webhooks sent and what was answered. Empty: as long as the installation keeps it."),
        ),
        _days(
            EXCHANGES,
            _("exchanges with AI, days"),
            _("What AI was asked and answered, to be looked up. Empty: 180 days."),
        ),
    ),
)
