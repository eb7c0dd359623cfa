"""The problems of routing."""

from django.utils.translation import gettext_noop as _

from apps.core.problems import ProblemType

NOT_OFFERED = ProblemType(
    "not_offered",
    409,
    "The chat is not offered to you",
    "The offer has ended: it was declined, missed, taken by another operator or withdrawn. Read the chat again.",
    for_people=_("This chat is not offered to you any more."),
)
NOT_ROUTABLE = ProblemType(
    "not_routable",
    409,
    "This operator takes no routed chats",
    "Only people have places. AI and external operators answer by their own settings.",
    for_people=_("Only people have places for routed chats."),
)
