"""The tables of the visitor's side."""

from apps.widget.models.invitations import ChatInvitation, InvitationOffer
from apps.widget.models.questions import ChatAnswers, ContactConsent, QuestionSet
from apps.widget.models.settings import Icon, Translation, WidgetLook, WidgetSettings
from apps.widget.models.visitors import (
    OfflineForm,
    SpentChallenge,
    UnsubscribedEmail,
    VerifiedVisitor,
    VisitorSession,
)

__all__ = [
    "ChatAnswers",
    "ChatInvitation",
    "ContactConsent",
    "Icon",
    "InvitationOffer",
    "OfflineForm",
    "QuestionSet",
    "SpentChallenge",
    "Translation",
    "UnsubscribedEmail",
    "VerifiedVisitor",
    "VisitorSession",
    "WidgetLook",
    "WidgetSettings",
]
