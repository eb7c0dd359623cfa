"""The assistant whose text is read, tuned or reverted: the named one, else the default one."""

from django.utils.translation import gettext_noop

from apps.ai.models import Assistant, Exchange
from apps.core.errors import INVALID_INPUT, NOT_FOUND

NO_SUCH = gettext_noop("There is no such assistant.")


def target_of(widget_id: int, assistant_id: int | None, *, is_path: bool = False) -> Assistant | None:
    """The assistant that is named, else the default one; None if the widget has none.

    An unknown or foreign id raises NOT_FOUND (404) where the row has that code (`is_path`), else INVALID_INPUT (422).
    """
    assistants = Assistant.objects.for_widget(widget_id)
    if assistant_id is None:
        return assistants.default()
    found = assistants.filter(pk=assistant_id).first()
    if found is None:
        raise NOT_FOUND(NO_SUCH) if is_path else INVALID_INPUT(errors={"assistant_id": [NO_SUCH]})
    return found


def answered_by(widget_id: int, *, chat_id: int, message_id: int) -> int | None:
    """The assistant that wrote an answer; None if that is not known, or the assistant is gone. Index: the chat's."""
    written = Exchange.objects.for_widget(widget_id).filter(chat_id=chat_id, answer_message_id=message_id)
    return written.values_list("assistant_id", flat=True).first()
