"""The conditions for messages that statistics count, and for those that are answers: in SQL on messages `m`, and as a
Q.

They say what `rules.messages` says. The index chats_message_counted holds what counts, and an answer always does, so it
serves both conditions.
"""

from django.db.models import Q

from apps.chats.rules.messages import ANSWERING, NOT_COUNTED

_ANSWERING = ", ".join(f"'{kind}'" for kind in ANSWERING)

COUNTED = Q(is_internal=False) & ~Q(sender_kind=NOT_COUNTED)

COUNTS = f"m.sender_kind <> '{NOT_COUNTED}' AND NOT m.is_internal"
IS_ANSWER = f"m.sender_kind IN ({_ANSWERING}) AND NOT m.is_internal"
