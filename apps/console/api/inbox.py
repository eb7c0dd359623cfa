"""The inbox: the chats of a view, and what a search finds."""

from typing import Any

from rest_framework.exceptions import ValidationError

from apps.chats.querysets import chat_page
from apps.chats.rules import OPEN, Status
from apps.chats.serializers.chats import ChatSerializer
from apps.console import querysets
from apps.console.authentication import SessionAuthenticator
from apps.console.querysets import View
from apps.console.rules.limits import MAX_SEARCH, MIN_SEARCH
from apps.console.serializers.requests import LongPageQuery
from apps.console.serializers.responses import ElsewhereSerializer, FoundChatSerializer, InboxChatSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Choice, Text, validator_of
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.parsing.names import control_refusal

_NOT_OPEN = (View.CLOSED, View.SPAM)


class InboxQuery(LongPageQuery):
    """The filters of the inbox."""

    view = Choice(required=False, choices=list(View), default=View.OPEN)
    status = Choice(required=False, choices=OPEN, help_text="Only open chats with this status.")
    channel = Text(required=False, max_length=32, help_text="Provider code, such as `widget`.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "status" in attrs and attrs["view"] in _NOT_OPEN:
            raise ValidationError({"status": ["This view has no chat that is open."]})
        return attrs


class InboxSearchQuery(LongPageQuery):
    """The search term."""

    q = Text(
        min_length=MIN_SEARCH,
        max_length=MAX_SEARCH,
        validators=[validator_of(control_refusal)],
        help_text="Part of a visible message's text (its first 10,000 characters), or of the visitor's name, e-mail or "
        "phone; in any case and spelling.",
    )


class InboxViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(summary="List chats of the inbox", filters=InboxQuery, answers=InboxChatSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """A view of the widget's chats. `open`: the latest activity first; `closed` and `spam`: the latest first.

        `unanswered` are chats whose visitors wait for an answer, the longest wait first, also those that were closed
        since because no message came. `queue` are those that wait for a place, or are offered, in the queue's order.
        `due` are those whose visitors wait and whose answer time runs, the one that is due first before the others.
        `mine` are the caller's, open or closed in the last day; `department` the open ones of the caller's departments.
        """
        status = context.filters.get("status")
        return querysets.inbox_page(
            widget_id=context.widget_id,
            agent_id=context.caller.agent.pk,
            view=View(context.filters["view"]),
            status=Status(status) if status else None,
            channel=context.filters.get("channel"),
            cursor=context.cursor,
            limit=context.limit,
        )

    @operation(summary="Count who waits elsewhere", answers=ElsewhereSerializer, lists="whole")
    def elsewhere(self, context: RequestContext) -> Page:
        """The other widgets at which the caller is an operator, each with how many of its visitors wait for an answer.

        A page that shows one widget asks once a minute, so that visitors of another are noticed.
        """
        return context.whole(querysets.waiting_elsewhere(context.caller.agent))

    @operation(summary="Search chats", filters=InboxSearchQuery, answers=FoundChatSerializer, lists=True)
    def search(self, context: RequestContext) -> Page:
        """Chats with a matching message, newest first; on the first page, before them, chats of visitors who match.

        At most 20 chats of visitors come besides the page's limit. A chat may be found in both ways; on the first page
        it is shown once. A page may end early, even an empty one: only a `next_cursor` of null means that nothing more
        was found.
        """
        of_visitors = []
        if context.cursor is None:
            of_visitors = querysets.chats_of_visitors(context.widget_id, context.filters["q"])
        found = chat_page(
            widget_id=context.widget_id, filters=context.filters, after=context.after, limit=context.limit
        )
        page = context.page(found, serializer=ChatSerializer)
        chat_ids = [*of_visitors, *(row["id"] for row in page.data)]
        matches = querysets.matches(context.widget_id, chat_ids, context.filters["q"]) if chat_ids else {}
        rows = querysets.inbox_rows(context.widget_id, chat_ids)
        return Page([{**row, "matched": matches.get(row["id"])} for row in rows], page.next_cursor)
