"""The cabinet's pages of letters and mailboxes."""

from apps.letters.admin.addresses import AddressAdmin
from apps.letters.admin.incoming import InLetterAdmin
from apps.letters.admin.mailboxes import MailboxAdmin
from apps.letters.admin.settings import WidgetLettersAdmin

__all__ = ["AddressAdmin", "InLetterAdmin", "MailboxAdmin", "WidgetLettersAdmin"]
