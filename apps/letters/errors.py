"""The problems of letters."""

from apps.core.problems import ProblemType

MAILBOX_TAKEN = ProblemType(
    "mailbox_taken",
    409,
    "The address is another mailbox already.",
    "An address is one mailbox in the installation: remove it there first, or take another address.",
)
