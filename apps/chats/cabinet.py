"""What the cabinet calls people."""

from django.utils.translation import get_language

from apps.chats.models import Contact
from apps.chats.rules.aliases import alias_of


def person(contact: Contact) -> str:
    """What a reader calls a contact: a name, else how they can be reached, else an alias as in the console."""
    known = contact.name or contact.email or contact.phone
    return known or alias_of(contact.guid, get_language() or "")
