"""The cabinet's search over several widgets: it runs the product's own searches one after the other."""

from collections.abc import Iterable

from apps.chats.querysets.contacts import search_contacts
from apps.chats.querysets.search import search_page
from apps.chats.rules.contacts import MAX_QUERY

MIN_TERM = 2  # characters
FOUND_A_WIDGET = 100


def contacts_with(term: str, *, widget_ids: Iterable[int]) -> list[int]:
    """Ids of the newest contacts with the term in their name, e-mail or phone, at most FOUND_A_WIDGET a widget."""
    if not term:
        return []
    query = term[:MAX_QUERY]
    return [
        row[-1]
        for widget_id in widget_ids
        for row in search_contacts(widget_id=widget_id, query=query, after=None, limit=FOUND_A_WIDGET).rows
    ]


def chats_with(term: str, *, widget_ids: Iterable[int]) -> list[int]:
    """Ids of the newest chats in which a visible message contains the term, at most FOUND_A_WIDGET a widget.

    None for a term of less than MIN_TERM characters.
    """
    if len(term) < MIN_TERM:
        return []
    filters = {"q": term[:MAX_QUERY]}
    return [
        row[0]
        for widget_id in widget_ids
        for row in search_page(widget_id=widget_id, filters=filters, after=None, limit=FOUND_A_WIDGET).rows
    ]
