"""Reads of contacts and tags. How a search finds its page, and what it costs, is told in docs/adr/0010."""

from apps.chats.querysets.chats import AFTER, NEWEST_FIRST
from apps.chats.rules.contacts import search_term
from apps.chats.serializers.contacts import ContactSerializer
from apps.core.database import Parameters, fetch_all
from apps.core.endpoints.paging import Position, RowPage
from apps.core.endpoints.row_serializers import select_list

# How many of the newest contacts a search reads for each row of its page before it asks the index; how many matches it
# takes from the index, unsorted, before it treats the term as common; and how many contacts it then reads before it
# ends the page early.
NEWEST_A_ROW, MAX_FOUND, LOOKED_THROUGH = 40, 2_000, 50_000

_TAG_NAMES = """ARRAY(
    SELECT tag.name FROM chats_contacttag t JOIN chats_tag tag ON tag.id = t.tag_id
    WHERE t.contact_id = c.id ORDER BY tag.name)"""
_MERGED = """ARRAY(
    SELECT other.guid FROM chats_contactjoin j JOIN chats_contact other ON other.id = j.contact_id
    WHERE j.first_id = c.id ORDER BY j.contact_id)"""
_MERGED_INTO = """(
    SELECT other.guid FROM chats_contactjoin j JOIN chats_contact other ON other.id = j.first_id
    WHERE j.contact_id = c.id)"""
_COMPUTED = {"tag_names": _TAG_NAMES, "merged": _MERGED, "merged_into": _MERGED_INTO}
# What the shape shows, and the position.
_COLUMNS = f"{select_list(ContactSerializer, 'c', **_COMPUTED)}, c.id"
_OF_WIDGET = "c.widget_id = %(widget_id)s"


def contact_page(*, widget_id: int, external_id: str | None, after: Position | None, limit: int) -> RowPage:
    """One page of a widget's contacts, or of the one that was proved to be that user, newest first, one row more than
    `limit`.

    `after` is the position (created_at, id) of the page before. Indexes: chats_contact_list, chats_contact_external.
    """
    parameters: Parameters = {"widget_id": widget_id, "external_id": external_id, "rows": limit + 1}
    if after is not None:
        parameters["after_at"], parameters["after_id"] = after
    return RowPage(fetch_all(_PAGE[external_id is not None, after is not None], parameters))


def search_contacts(*, widget_id: int, query: str, after: Position | None, limit: int) -> RowPage:
    """One page of the contacts with `query` in their name, e-mail or phone, newest first, one row more than `limit`.

    Compared folded (rules/folding.py); `after` is the position (created_at, id) of the page before. A search that has
    read a lot ends its page early, and says where the next one begins. Most are answered by the newest contacts, or by
    the index.
    Indexes: chats_contact_known and chats_contact_found.
    """
    term = search_term(query)
    if not term.text:
        return RowPage([])
    parameters: Parameters = {"widget_id": widget_id, "rows": limit + 1, "term": term.text}
    parameters |= {"newest": NEWEST_A_ROW * (limit + 1), "most": MAX_FOUND, "looked_through": LOOKED_THROUGH}
    parameters |= {f"digits_{number}": digits for number, digits in enumerate(term.digits)}
    if after is not None:
        parameters["after_at"], parameters["after_id"] = after
    kind = (len(term.digits), after is not None)
    rows = fetch_all(_AMONG_NEWEST[kind], parameters)
    if len(rows) > limit:
        return RowPage(rows)
    answer = fetch_all(_AMONG_ALL[kind], parameters)
    stopped_at, stopped_id = answer[0][:2]
    rows = [row[2:] for row in answer if row[2] is not None]
    return RowPage(rows, None if stopped_at is None else (stopped_at, stopped_id))


# By whether one user is asked for, and by whether it is a next page.
_PAGE = {
    (is_of_user, is_next_page): f"""
SELECT {_COLUMNS} FROM chats_contact c
WHERE {_OF_WIDGET} AND {"c.external_id = %(external_id)s" if is_of_user else "true"}
  AND {AFTER if is_next_page else "true"} {NEWEST_FIRST} LIMIT %(rows)s"""  # noqa: S608 - of constants
    for is_of_user in (False, True)
    for is_next_page in (False, True)
}

# Contacts with anything that a search could find; the condition of chats_contact_known.
_KNOWN = "(c.name > '' OR c.email > '' OR c.phone > '')"
# `strpos`, not LIKE: nothing to escape, and no guess of the planner's that a long term must be rare.
# The term is folded before (rules/folding.py).
_TEXT_MATCHES = "strpos(chats_contact_text(c.name, c.email, c.phone), %(term)s) > 0"
_INDEXED = "chats_contact_entries(c.widget_id, c.name, c.email, c.phone)"
_TEXT_IN_INDEX = f"{_INDEXED} @> chats_folded_grams(%(widget_id)s, %(term)s)"

_NEWEST_MATCHES = """
SELECT {columns} FROM (
    SELECT * FROM chats_contact c WHERE {of_widget} AND {known} AND {after} {newest_first} LIMIT %(newest)s
) c WHERE {matches} {newest_first} LIMIT %(rows)s"""

# When the index gave every match there is, the page is the newest of them; when there are more, the list is read from
# the newest on, and its page is soon full. Only one of the two is run. Beside each row (or beside nothing) stands where
# it stopped, if the page was not full by then. The index's entries are the widget's own: `+ 0` keeps the planner from
# reading another index of all its contacts beside it.
_ALL_MATCHES = """
WITH match AS MATERIALIZED (
    SELECT c.id, c.created_at FROM chats_contact c
    WHERE c.widget_id + 0 = %(widget_id)s AND {in_index} AND {matches} LIMIT %(most)s + 1
), enough AS MATERIALIZED (
    SELECT count(*) > %(most)s AS is_common FROM match
), page AS MATERIALIZED (
    (SELECT c.id FROM match c WHERE NOT (SELECT is_common FROM enough) AND {after} {newest_first} LIMIT %(rows)s)
    UNION ALL
    (SELECT c.id FROM (
        SELECT * FROM chats_contact c WHERE (SELECT is_common FROM enough) AND {of_widget} AND {known} AND {after}
        {newest_first} LIMIT %(looked_through)s
     ) c WHERE {matches} {newest_first} LIMIT %(rows)s)
), stop AS MATERIALIZED (
    SELECT c.created_at, c.id FROM chats_contact c
    WHERE (SELECT is_common FROM enough) AND (SELECT count(*) FROM page) < %(rows)s
      AND {of_widget} AND {known} AND {after}
    {newest_first} OFFSET %(looked_through)s - 1 LIMIT 1
)
SELECT stop.created_at, stop.id, {columns}
FROM (VALUES (1)) one LEFT JOIN stop ON true LEFT JOIN (page JOIN chats_contact c ON c.id = page.id) ON true
{newest_first}"""


def _statement(template: str, *, digits: int, is_next_page: bool) -> str:
    numbers = [f"%(digits_{number})s" for number in range(digits)]
    matches = [_TEXT_MATCHES, *(f"strpos(chats_phone_digits(c.phone), {number}) > 0" for number in numbers)]
    in_index = [
        _TEXT_IN_INDEX,
        *(f"{_INDEXED} @> chats_folded_grams(%(widget_id)s, {number})" for number in numbers),
    ]
    return template.format(
        columns=_COLUMNS,
        of_widget=_OF_WIDGET,
        known=_KNOWN,
        after=AFTER if is_next_page else "true",
        newest_first=NEWEST_FIRST,
        matches=f"({' OR '.join(matches)})",
        in_index=f"({' OR '.join(in_index)})",
    )


# By in how many ways the digits of a number are looked for, and by whether it is a next page.
_KINDS = [(digits, is_next_page) for digits in range(4) for is_next_page in (False, True)]
_AMONG_NEWEST = {kind: _statement(_NEWEST_MATCHES, digits=kind[0], is_next_page=kind[1]) for kind in _KINDS}
_AMONG_ALL = {kind: _statement(_ALL_MATCHES, digits=kind[0], is_next_page=kind[1]) for kind in _KINDS}
