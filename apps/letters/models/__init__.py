"""Threads, letters out, addresses, and the settings of a widget's letters."""

from apps.letters.models.checks import MailCheck
from apps.letters.models.incoming import Correspondent, GatherJob, InLetter, Mailbox, ReadJob, SenderJob
from apps.letters.models.outgoing import (
    Address,
    LetterSettings,
    LetterWish,
    Notice,
    NoticeSettings,
    OutLetter,
    Thread,
    WidgetLetters,
)

__all__ = [
    "Address",
    "Correspondent",
    "GatherJob",
    "InLetter",
    "LetterSettings",
    "LetterWish",
    "MailCheck",
    "Mailbox",
    "Notice",
    "NoticeSettings",
    "OutLetter",
    "ReadJob",
    "SenderJob",
    "Thread",
    "WidgetLetters",
]
