"""The conditions for messages that statistics count, and for those that are answers: in SQL on messages `m`, and as a
Q.

They say what `rules.messages` says. The index chats_message_counted holds what counts, and an answer always does, so it
serves both conditions.
"""

from django.db.models import Q

from apps.chats.rules.messages import ANSWERING, BY_AUTOMATION, NOT_COUNTED, SHOP_WORDS, SenderKind

_ANSWERING = ", ".join(f"'{kind}'" for kind in ANSWERING)

# The system's messages that the chat's channel carries: nobody's answers.
IS_SHOP_WORD = Q(sender_kind=SenderKind.SYSTEM, origin__in=SHOP_WORDS)
# Of these, an automation's.
IS_AUTOMATIONS_WORD = Q(sender_kind=SenderKind.SYSTEM, origin=BY_AUTOMATION)

COUNTED = Q(is_internal=False) & ~Q(sender_kind=NOT_COUNTED)

COUNTS = f"m.sender_kind <> '{NOT_COUNTED}' AND NOT m.is_internal"
IS_ANSWER = f"m.sender_kind IN ({_ANSWERING}) AND NOT m.is_internal"
