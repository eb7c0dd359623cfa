"""The tokens by which an owner looks at invitations on their own page: signed, and stored nowhere."""

from django.core import signing
from django.utils import timezone

from apps.core.errors import NOT_FOUND
from apps.widget.rules.invitations import PREVIEW_FOR

_SALT = "widget.invitation-preview"


def new_preview(widget_id: int) -> str:
    """A token for a widget's drafts, too; it expires after 30 minutes."""
    until = timezone.now() + PREVIEW_FOR
    return signing.dumps([widget_id, int(until.timestamp())], salt=_SALT)


def is_preview_of(widget_id: int, token: str) -> bool:
    """Whether a token is a widget's, and has not expired."""
    try:
        of, until = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return False
    return bool(of == widget_id and timezone.now().timestamp() < until)


def is_preview_asked(widget_id: int, token: str | None) -> bool:
    """Whether the owner looks, which a token says. Raises NOT_FOUND (404) for a wrong one, or an expired one."""
    if token is None:
        return False
    if not is_preview_of(widget_id, token):
        raise NOT_FOUND("The preview has expired.")
    return True
