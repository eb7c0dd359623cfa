"""How many replies a minute are begun, for a visitor's address and for a widget: a stranger's flood waits.

The limits are exact, and hold without Redis. A model's first call takes from them together with the day's budget
(`usage.vendor_call`). A chat that has waited waits as long again, so a flood is seldom looked at.
"""

from datetime import timedelta

from django.conf import settings

from apps.ai.actions.replies.reading import ReplyContext
from apps.ai.actions.replies.writing import ReplyOutcome
from apps.ai.actions.usage import Limit, take
from apps.core.errors import RATE_LIMITED
from apps.core.quotas import Quota

MINUTE = timedelta(minutes=1)
# A widget may begin as many replies as so many addresses.
ADDRESSES_A_WIDGET = 5
LONGEST_WAIT_S = 600.0


def limits_of(context: ReplyContext) -> list[Limit]:
    """The limits of a reply to the context's chat. Contacts of messengers have no address: the widget's counts them."""
    of_widget = Quota("ai_replies_of_widget", ADDRESSES_A_WIDGET * settings.AI_REPLY_LIMIT, MINUTE, RATE_LIMITED)
    limits: list[Limit] = [(of_widget, context.chat.widget_id)]
    if context.address:
        of_address = Quota("ai_replies_of_address", settings.AI_REPLY_LIMIT, MINUTE, RATE_LIMITED)
        limits.append((of_address, context.address))
    return limits


def has_room(context: ReplyContext) -> bool:
    """Whether the limits had room as the context was read: what asks nobody else need not begin otherwise."""
    begun = (context.begun_of_widget, context.begun_of_address)
    return all(count < quota.limit for count, (quota, _) in zip(begun, limits_of(context), strict=False))


def begin_reply(context: ReplyContext) -> ReplyOutcome | None:
    """Counts a reply that is about to be asked for; where there is no room, the outcome that waits for it."""
    wait_s = take(context.chat.widget_id, limits_of(context))
    return waits_for_room(context, wait_s) if wait_s else None


def waits_for_room(context: ReplyContext, wait_s: float) -> ReplyOutcome:
    """The outcome of a reply for which there is no room before so many seconds."""
    waited_s = (context.now - context.burst[-1].at).total_seconds()
    return ReplyOutcome("later", wait_s=min(max(wait_s, waited_s), LONGEST_WAIT_S))
