"""How many replies a minute are begun, for a visitor's address and for a widget: a stranger's flood waits."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction

from apps.ai.actions.replies.reading import ReplyContext
from apps.ai.actions.replies.writing import ReplyOutcome
from apps.core.errors import RATE_LIMITED
from apps.core.quotas import Quota, spend_of_each

MINUTE = timedelta(minutes=1)
# A widget may begin as many replies as so many addresses.
ADDRESSES_A_WIDGET = 5
LONGEST_WAIT_S = 600.0


@transaction.atomic
def begin_reply(context: ReplyContext) -> ReplyOutcome | None:
    """Counts a reply that is about to be asked for; where there is no room, the outcome that waits for it.

    The limits are exact, and hold without Redis. Contacts of messengers have no address: the widget's limit counts
    them. A chat that has waited waits as long again, so a flood is seldom looked at.
    """
    chat = context.chat
    of_widget = Quota("ai_replies_of_widget", ADDRESSES_A_WIDGET * settings.AI_REPLY_LIMIT, MINUTE, RATE_LIMITED)
    budgets: list[tuple[Quota, object]] = [(of_widget, chat.widget_id)]
    if context.address:
        of_address = Quota("ai_replies_of_address", settings.AI_REPLY_LIMIT, MINUTE, RATE_LIMITED)
        budgets.append((of_address, context.address))
    if wait_s := spend_of_each(budgets):
        waited_s = (context.now - context.burst[-1].at).total_seconds()
        return ReplyOutcome("later", wait_s=min(max(wait_s, waited_s), LONGEST_WAIT_S))
    return None
