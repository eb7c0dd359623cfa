"""The problems of operators."""

from django.utils.translation import gettext_noop as _

from apps.core.problems import ProblemType

OWNER_PROTECTED = ProblemType(
    "owner_protected",
    409,
    "The owner stays",
    "The widget's owner is its default operator, and can be neither suspended nor removed.",
    for_people=_("The widget's owner stays."),
)
AI_OPERATOR_PROTECTED = ProblemType(
    "ai_operator_protected",
    409,
    "An AI operator is not removed here",
    "An AI operator is deleted by `DELETE /api/v1/ai/operators/{id}`; suspending it here retires it.",
    for_people=_("AI operators are removed on their own page."),
)
SEAT_LIMIT_REACHED = ProblemType(
    "seat_limit_reached",
    409,
    "No seat is free",
    "Every human agent who is not suspended takes a seat of the widget, and a pending invitation asks for one. Suspend "
    "or remove an agent, revoke an invitation, or add seats.",
    for_people=_("No seat is free: free one, or take more seats."),
)
AVATAR_STORAGE_FAILED = ProblemType(
    "avatar_storage_failed",
    502,
    "The picture could not be stored",
    "The storage of files failed and nothing was changed. Try again with the same idempotency key.",
    for_people=_("The picture could not be stored. Try again."),
)
ALREADY_INVITED = ProblemType(
    "already_invited",
    409,
    "The address is invited already",
    "An invitation to this address is pending. Wait for it to be accepted, or revoke it and invite again.",
    for_people=_("This address is invited already; the invitation can be sent again."),
)
ALREADY_AN_AGENT = ProblemType(
    "already_an_agent",
    409,
    "The address is an agent's",
    "A human agent of the widget has this e-mail address already. A suspended agent may be invited again.",
    for_people=_("Somebody of the widget has this e-mail address already."),
)
INVITATION_LIMIT_REACHED = ProblemType(
    "invitation_limit_reached",
    429,
    "Too many invitations",
    "A widget sends 10 invitations an hour; what was refused or failed does not count. Wait for the seconds in "
    "`Retry-After`.",
    for_people=_("Enough was invited in this hour. Try again later."),
)
MAIL_FAILED = ProblemType(
    "mail_failed",
    502,
    "The mail could not be sent",
    "The mail server did not take the invitation's mail. Nothing was stored, and the idempotency key can be used "
    "again.",
    for_people=_("The mail could not be sent. Try again."),
)
OPERATOR_REVOKED = ProblemType(
    "operator_revoked",
    409,
    "The external operator is revoked",
    "A revoked external operator is stopped for good: it can be deleted, and nothing else. Make another one.",
    for_people=_("It was revoked for good."),
)
OPERATOR_NOT_VERIFIED = ProblemType(
    "operator_not_verified",
    409,
    "The external operator's address is not proved",
    "Visitors' words are sent to an address that has proved the secret, and to no other. Start a test first.",
    for_people=_("Its address has not proved itself yet: test it first."),
)
