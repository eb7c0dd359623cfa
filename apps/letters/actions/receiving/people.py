"""Letters that AI leaves to people (the hook `taken_messages`), and those that no person wrote."""

from collections.abc import Collection, Sequence

from apps.chats.rules import Via
from apps.core.database import fetch_all
from apps.letters.models import InLetter
from apps.letters.rules.reading.authors import LetterAuthor

# Index: the primary key.
_BY_MAIL = """
SELECT id FROM chats_message
WHERE id = ANY (%(ids)s) AND chat_id = %(chat_id)s AND widget_id = %(widget_id)s AND via = %(via)s"""


def taken_messages(widget_id: int, chat_id: int, message_ids: Sequence[int]) -> Collection[int]:
    """The messages that came by letters which people answer: not proven, of a third person, or where AI's answers are
    not mailed.
    """
    parameters = {"widget_id": widget_id, "chat_id": chat_id, "ids": list(message_ids), "via": Via.MAIL.value}
    by_mail = [message_id for (message_id,) in fetch_all(_BY_MAIL, parameters)]
    if not by_mail:
        return ()
    letters = InLetter.objects.for_widget(widget_id).filter(chat_id=chat_id, message_id__lte=max(by_mail))
    known = list(letters.order_by("-message_id").values_list("message_id", "is_for_people")[: len(by_mail) + 200])
    return [one for one in by_mail if next((is_taken for first, is_taken in known if first <= one), True)]


def automatic_messages(widget_id: int, message_ids: Collection[int]) -> Collection[int]:
    """The messages that came by letters of programs, which an operator let in."""
    letters = InLetter.objects.for_widget(widget_id).filter(message__in=message_ids, reason=LetterAuthor.MACHINE)
    return letters.values_list("message_id", flat=True)
