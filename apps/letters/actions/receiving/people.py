"""Letters that AI leaves to people (the hook `taken_messages`), and those that no person wrote."""

from collections.abc import Collection

from apps.chats.rules import Via
from apps.letters.models import InLetter
from apps.letters.rules.reading.authors import LetterAuthor

# The messages that came by letters which people answer: not proven, of a third person, or where AI's answers are not
# mailed. A message without a letter of its own is of the letter before it. Index: that of a letter's chat.
TAKEN_MESSAGES = f"""
SELECT asked.id FROM asked WHERE asked.via = '{Via.MAIL}' AND coalesce((
    SELECT is_for_people FROM letters_inletter
    WHERE widget_id = %(widget_id)s AND chat_id = %(chat_id)s AND message_id <= asked.id
    ORDER BY message_id DESC LIMIT 1
), true)"""  # noqa: S608 - of constants


def automatic_messages(widget_id: int, message_ids: Collection[int]) -> Collection[int]:
    """The messages that came by letters of programs, which an operator let in."""
    letters = InLetter.objects.for_widget(widget_id).filter(message__in=message_ids, reason=LetterAuthor.MACHINE)
    return letters.values_list("message_id", flat=True)
