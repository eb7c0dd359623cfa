"""Contacts and tags over REST (specification, Endpoints, "Contacts and tags")."""

from typing import Any

from rest_framework import serializers

from apps.chats import actions
from apps.chats.querysets import contacts as querysets
from apps.chats.rules import contacts as rules
from apps.chats.shapes.contacts import (
    Attributes,
    ContactEmail,
    ContactName,
    ContactPhone,
    ContactRow,
    ContactShape,
    TagListShape,
    refusing,
    show_contact,
)
from apps.core.endpoints.operations import Call, Literally, operation
from apps.core.endpoints.paging import Listing, Page, PageQuery, columns
from apps.core.endpoints.serializers import Body, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND

CONTACTS = Listing("contacts", show_contact, columns(ContactRow, "created_at", "id"))


class ContactListQuery(PageQuery):
    """The filter of the contact list."""

    query = Text(
        required=False,
        max_length=rules.MAX_QUERY,
        validators=[refusing(rules.text_refusal)],
        help_text="Part of the name, the e-mail address or the phone number, in any case. What could be written in a "
        "phone number matches its digits, whatever stands between them: `90112` finds +7 901 123-45-67. `%` and `_` "
        "stand for themselves.",
    )


class ContactBody(Body):
    """What is known of a contact. A member that is not sent stays as it is, null removes what is known."""

    name = ContactName(required=False, allow_null=True)
    email = ContactEmail(required=False, allow_null=True)
    phone = ContactPhone(required=False, allow_null=True)
    attributes = Attributes(
        required=False,
        allow_null=True,
        help_text=f"Merged by key: a null removes its key, a null in place of the object removes all. At most "
        f"{rules.MAX_ATTRIBUTES} keys of 1 to {rules.MAX_ATTRIBUTE_NAME} characters; values are strings up to "
        f"{rules.MAX_ATTRIBUTE_VALUE:,} characters, numbers, true or false.",
    )


class TagsBody(Body):
    """Tags to attach."""

    tags = serializers.ListField(
        child=Text(max_length=rules.MAX_TAG, validators=[refusing(rules.tag_refusal)]),
        min_length=1,
        max_length=rules.MAX_TAGS_A_CALL,
        help_text="Kept as they are sent: `VIP` and `vip` are two tags.",
    )


def contact_exists(call: Call) -> bool:
    return querysets.contact_exists(widget_id=call.widget_id, guid=call.path["guid"])


class ContactViewSet(ApiViewSet):
    @operation(
        scopes=("contacts:read",),
        summary="List contacts",
        query=ContactListQuery,
        answer=ContactShape,
        envelope="list",
    )
    def list(self, call: Call) -> Page:
        """The widget's contacts, newest first.

        A search (`query`) that had to look at very much may end a page early, even an empty one: `next_cursor` goes on
        from there, and only null means that nothing more was found.
        """
        asked = CONTACTS.asked(call)
        found = querysets.contact_page(
            widget_id=call.widget_id, query=asked.filters.get("query"), after=asked.after, limit=asked.limit
        )
        return asked.page(*found)

    @operation(
        scopes=("contacts:read",),
        summary="Read a contact",
        answer=ContactShape,
        problems=(NOT_FOUND,),
        target_exists=contact_exists,
    )
    def retrieve(self, call: Call, guid: str) -> dict[str, Any]:
        """One contact of the widget."""
        return _shown(call, guid)

    @operation(
        scopes=("contacts:write",),
        summary="Update a contact",
        body=ContactBody,
        answer=ContactShape,
        problems=(NOT_FOUND,),
        idempotency="required",
        target_exists=contact_exists,
        example={"name": "Иван Петров", "attributes": {"plan": "pro", "trial_ends": None}},
    )
    def partial_update(self, call: Call, guid: str) -> dict[str, Any]:
        """Changes what is sent and nothing else; emits `contact.updated` with `changed_fields` if anything changes.

        Two updates at once of different members, or of different keys of `attributes`, lose nothing.
        """
        actions.update_contact(widget_id=call.widget_id, guid=guid, about=call.body)
        return _shown(call, guid)

    @operation(
        scopes=("tags:write",),
        summary="Tag a contact",
        body=TagsBody,
        answer=ContactShape,
        problems=(NOT_FOUND,),
        idempotency="required",
        target_exists=contact_exists,
        example={"tags": ["vip", "постоянный клиент"]},
    )
    def tag(self, call: Call, guid: str) -> dict[str, Any]:
        """Attaches tags; one that the contact has already stays as it is."""
        actions.tag_contact(widget_id=call.widget_id, guid=guid, names=call.body["tags"])
        return _shown(call, guid)


class TagViewSet(ApiViewSet):
    @operation(scopes=("tags:read",), summary="List tags", answer=TagListShape, envelope="literal")
    def list(self, call: Call) -> Literally:
        """The names of the tags in use across the account, sorted by code point, all of them on one page."""
        return Literally({"data": querysets.tag_names(widget_id=call.widget_id), "next_cursor": None})


def _shown(call: Call, guid: str) -> dict[str, Any]:
    row = querysets.contact_row(widget_id=call.widget_id, guid=guid)
    if row is None:
        raise NOT_FOUND()
    return show_contact(row)
