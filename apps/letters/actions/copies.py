"""People who get copies of a mailbox's answers: those of the last letter, less or more by an operator's word."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from apps.chats.models import Chat
from apps.core.errors import INVALID_INPUT
from apps.letters.actions.mailbox_answers import mailbox_of_chat, thread_to
from apps.letters.models import InLetter
from apps.letters.rules.addresses import normal

MAX_COPIES = 10
_LETTERS = 200


@transaction.atomic
def copies_of(*, widget_id: int, chat_id: int) -> dict[str, Any]:
    """`{address, copies, others}`: to whom the next answer goes, who gets a copy, and who else had part in the letters.

    Empty in a chat that is no mailbox's. Raises NOT_FOUND (404) for a chat of another widget.
    """
    chat = Chat.objects.for_widget(widget_id).get_or_404(pk=chat_id)
    mailbox, thread = mailbox_of_chat(chat), thread_to(widget_id, chat_id)
    if mailbox is None or thread is None:
        return {"address": None, "copies": [], "others": []}
    left_out = {mailbox.address, thread.address, *thread.copies}
    others = [one for one in _participants(widget_id, chat_id) if one not in left_out]
    return {"address": thread.address, "copies": list(thread.copies), "others": others}


@transaction.atomic
def change_copies(*, widget_id: int, chat_id: int, copies: Sequence[str]) -> dict[str, Any]:
    """Sets who gets a copy of the answers until the addressee's next letter; answers as `copies_of`.

    Raises INVALID_INPUT (422) on `copies` for more than 10, and for an address that had no part in the chat's letters.
    """
    known = copies_of(widget_id=widget_id, chat_id=chat_id)
    wanted = list(dict.fromkeys(normal(one) for one in copies))
    if len(wanted) > MAX_COPIES:
        raise INVALID_INPUT(errors={"copies": [f"At most {MAX_COPIES} get a copy."]})
    if foreign := [one for one in wanted if one not in known["copies"] and one not in known["others"]]:
        raise INVALID_INPUT(errors={"copies": [f"{foreign[0][:254]} had no part in the letters of this chat."]})
    thread = thread_to(widget_id, chat_id)
    if thread is not None and known["address"] is not None and wanted != thread.copies:
        thread.copies = wanted
        thread.save(update_fields=["copies"])
    return copies_of(widget_id=widget_id, chat_id=chat_id)


def _participants(widget_id: int, chat_id: int) -> list[str]:
    """People who wrote into the chat by mail or were named in its newest letters, newest first."""
    rows = InLetter.objects.for_widget(widget_id).filter(chat_id=chat_id, message__isnull=False).order_by("-id")
    found = rows.values_list("sender", "copies")[:_LETTERS]
    return list(dict.fromkeys(one for sender, copies in found for one in (sender, *copies) if one))[:50]
