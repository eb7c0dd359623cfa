"""Posting visitors' messages, with the answers that they carry."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import F

from apps.agents.models import Department
from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.chats.models import Contact
from apps.chats.rules.messages import kept_language, kept_page
from apps.core.endpoints.authentication import moving
from apps.widget import querysets
from apps.widget.actions.answers import CarriedAnswers, post_with_answers
from apps.widget.actions.offers import post_answer
from apps.widget.actions.sessions import note_use
from apps.widget.actions.visitors import require_unblocked
from apps.widget.errors import INVALID_VISITOR_TOKEN, LETTER_SESSION
from apps.widget.models import VisitorSession


def post_message(
    *,
    contact: Contact,
    client_id: UUID,
    type_: str,
    body: str,
    file_id: int | None = None,
    department_id: int | None = None,
    page_url: str = "",
    lang: str = "",
    answers: Mapping[str, Any] | None = None,
    is_asked: bool = False,
    offer_id: object = None,
) -> PostedMessage:
    """Posts a visitor's message; the first one makes the chat. The same `client_id` again gives the stored one.

    The language and the page, without its query, are kept with it. `answers` are to the questions before a chat;
    `is_asked` says that they are on. `offer_id` is of the invitation that it answers, which is stored before it; one
    that does not count is passed over.

    Raises NOT_FOUND (404) for a department that is not the widget's, or is one for colleagues (`internal`), and for a
    file that the visitor did not upload; INVALID_INPUT (422) for a file that cannot be sent as that type; and as
    `post_with_answers` does.
    """
    if department_id is not None:
        Department.objects.for_widget(contact.widget_id).get_or_404(pk=department_id, internal=False)
    content = {"type": type_, "body": body, "file_id": file_id}
    content |= {"language": kept_language(lang), "page": kept_page(page_url)}

    def post(contact: Contact, department_id: int | None) -> PostedMessage:
        send = partial(
            chats.post_client_message,
            contact=contact,
            content=content,
            channel=querysets.CHANNEL,
            client_id=client_id,
        )
        if offer_id is None:
            return send(department_id=department_id)
        return post_answer(contact=contact, offer_id=offer_id, department_id=department_id, send=send)

    if not is_asked and not answers:
        return post(contact, department_id)
    carried = CarriedAnswers(answers or {}, lang, is_asked, body, client_id, department_id)
    return post_with_answers(contact=contact, carried=carried, post=post)


def post_from_socket(*, session_id: int, address: str, **message: Any) -> PostedMessage:
    """`post_message` for a socket, whose session may have been revoked since it was opened, or blocked.

    Raises INVALID_VISITOR_TOKEN (401), VISITOR_BLOCKED (403), TRY_AGAIN (503) while the account moves, and as
    `post_message` does.
    """
    session = (
        VisitorSession.objects.unscoped("found by its secret before")
        .not_revoked()
        .lasting()
        .select_related("contact__widget")
        .annotate(asks=F("contact__widget__question_set__is_on"))
        .filter(pk=session_id)
        .first()
    )
    if session is None:
        raise INVALID_VISITOR_TOKEN()
    if session.contact.widget.is_moving:
        raise moving()
    require_unblocked(session.contact.widget_id, session.contact_id, address)
    note_use(session_id=session.pk, last_seen_at=session.last_seen_at)
    page_url = message.pop("page_url", "") or session.page_url
    is_own = session.letter_first_id is None
    if message.get("answers") and not is_own:
        raise LETTER_SESSION()
    is_asked = is_own and bool(session.asks)  # type: ignore[attr-defined]
    return post_message(contact=session.contact, page_url=page_url, lang=session.lang, is_asked=is_asked, **message)
