"""Letters that AI leaves to people (the hook `taken_messages`)."""

from collections.abc import Collection, Sequence

from apps.chats.models import Message
from apps.chats.rules import Via
from apps.letters.models import InLetter


def taken_messages(widget_id: int, chat_id: int, message_ids: Sequence[int]) -> Collection[int]:
    """The messages that came by letters which people answer: not proven, of a third person, or where AI's answers are
    not mailed.
    """
    rows = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, pk__in=message_ids, via=Via.MAIL)
    by_mail = list(rows.values_list("pk", flat=True))
    if not by_mail:
        return ()
    letters = InLetter.objects.for_widget(widget_id).filter(chat_id=chat_id, message_id__lte=max(by_mail))
    known = list(letters.order_by("-message_id").values_list("message_id", "is_for_people")[: len(by_mail) + 200])
    return [one for one in by_mail if next((is_taken for first, is_taken in known if first <= one), True)]
