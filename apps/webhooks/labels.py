"""The words for people of what this app stores, marked for translation."""

import re

from django.utils.translation import gettext, gettext_noop

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "events": gettext_noop("events"),
}

# When each event is sent, as the catalogue says it (rules/catalogue.py).
FIRES_WHEN = (
    gettext_noop("a chat message is stored, from a client or an agent"),
    gettext_noop("a new chat is created for a first-time client"),
    gettext_noop("a chat is transferred between agents"),
    gettext_noop("a chat is closed, or becomes expired by itself"),
    gettext_noop("a client submits a rating for the first time"),
    gettext_noop("an agent's socket connects"),
    gettext_noop("an agent's last socket disconnects"),
    gettext_noop("an operator answers a chat that nobody had answered"),
    gettext_noop("a client submits the offline form while no operator is connected"),
    gettext_noop("a contact is updated over the API or in the console"),
    gettext_noop("an operator edits or deletes a message of theirs"),
    gettext_noop("a chat begins to wait for an operator of a routed department"),
    gettext_noop("an operator accepts a chat that was offered, or is given it by the router"),
    gettext_noop("an answer is due soon: the share of its time that the settings name is used"),
    gettext_noop("an answer was due, and did not come in time"),
    gettext_noop("an automation or a macro sends a webhook"),
    gettext_noop("a visitor answers questions before a chat"),
    gettext_noop("a visitor's message answers an invitation to chat"),
    gettext_noop("readers see a version of an article's text"),
    gettext_noop("readers see an article's text no longer: it is withdrawn or deleted"),
    gettext_noop("a reader says whether an article helped, or says otherwise than before"),
)

# As a delivery keeps it (rules/attempts.py), in English: the API tells it so.
_ANSWERED = re.compile(r"The receiver answered (?P<status>\d+)\.")


def why_it_failed(stored: str) -> str:
    """Why an attempt of a delivery failed, as it is stored, in the reader's language."""
    if found := _ANSWERED.fullmatch(stored):
        return gettext("The receiver answered %(status)s.") % found.groupdict()
    return gettext(stored) if stored else ""
