"""The invitation that a visitor's first word answers, stored before it: nobody's word."""

from typing import NamedTuple

from apps.chats.actions.posting import ChatRead, PostingDecision, post
from apps.chats.models import Chat
from apps.chats.rules import MessageType, SenderKind
from apps.chats.rules.messages import BY_INVITATION, SHOWN_AS


class Opening(NamedTuple):
    """An invitation as its visitor was shown it: its number and name, its words, and in whose name it spoke."""

    invitation_id: int
    name: str
    body: str
    speaker: SenderKind
    agent_id: int | None
    speaker_name: str


def post_opening(opening: Opening, *, widget_id: int, chat_id: int) -> None:
    """Stores an invitation in the thread of its chat. Part of the caller's transaction.

    It accepts, reopens and ends nothing, is not the chat's last message and in no statistic, and no event tells of it:
    the visitor's own message, which follows, has all read on.
    """
    is_shown = opening.speaker is not SenderKind.SYSTEM
    details = {SHOWN_AS: opening.speaker.value} if is_shown else None
    content = {"type": MessageType.TEXT, "body": opening.body, "origin": BY_INVITATION, "details": details}

    def decide(read: ChatRead) -> PostingDecision:
        chat, kind = read.chat, SenderKind.SYSTEM
        return PostingDecision(
            content, chat.status, chat.attribution, kind, opening.agent_id, opening.speaker_name, events=[]
        )

    post(decide, widget_id=widget_id, chat_id=chat_id)
    Chat.objects.for_widget(widget_id).filter(pk=chat_id).update(
        invitation_id=opening.invitation_id, invitation_name=opening.name
    )
