"""Contacts and tags over REST (specification, Endpoints, "Contacts and tags")."""

from typing import Any

from rest_framework.exceptions import ValidationError

from apps.chats import actions
from apps.chats.models import Contact, Tag
from apps.chats.querysets.contacts import contact_page, search_contacts
from apps.chats.rules import contacts as rules
from apps.chats.serializers.contacts import ContactSerializer, TagListSerializer
from apps.chats.serializers.requests import ContactBody, TagsBody
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Text, validator_of
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.parsing.names import control_refusal


class ContactListQuery(PageQuery):
    """The filters of the contact list: the one or the other."""

    query = Text(
        required=False,
        max_length=rules.MAX_QUERY,
        validators=[validator_of(control_refusal)],
        help_text="Part of the name, the e-mail address or the phone number, in any case and spelling (`jose` finds"
        " José, `е` ё). A query that could be written in a phone number matches its digits, whatever stands between"
        " them: `90112` finds +7 901 123-45-67, and `8 901 123 45 67` does, too. `%` and `_` stand for themselves.",
    )
    external_id = Text(
        required=False,
        min_length=1,
        max_length=rules.MAX_EXTERNAL_ID,
        validators=[validator_of(control_refusal)],
        help_text="The contact that was proved to be this user of your website: one at most.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "query" in attrs and "external_id" in attrs:
            raise ValidationError({"external_id": ["Send a `query` or an `external_id`, not both."]})
        return attrs


class ContactViewSet(ApiViewSet):
    target = Contact
    target_field = "guid"
    reads = ("contacts:read",)
    writes = ("contacts:write",)

    @operation(
        summary="List contacts",
        filters=ContactListQuery,
        answers=ContactSerializer,
        lists=True,
        compresses="long",
    )
    def list(self, context: RequestContext) -> Page:
        """The widget's contacts, newest first.

        A search (`query`) that had to look at very much may end a page early, even an empty one: `next_cursor` goes on
        from there, and only null means that nothing more was found.
        """
        if query := context.filters.get("query"):
            found = search_contacts(widget_id=context.widget_id, query=query, after=context.after, limit=context.limit)
            return context.page(found)
        external_id = context.filters.get("external_id")
        return context.page(
            contact_page(widget_id=context.widget_id, external_id=external_id, after=context.after, limit=context.limit)
        )

    @operation(summary="Read a contact", answers=ContactSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One contact of the widget."""
        return context.target

    @operation(
        summary="Update a contact",
        takes=ContactBody,
        answers=ContactSerializer,
        example={"name": "Иван Петров", "attributes": {"plan": "pro", "trial_ends": None}},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Changes what is sent and nothing else; emits `contact.updated` with `changed_fields` if anything changes.

        Two updates at once of different members, or of different keys of `attributes`, lose nothing.
        """
        actions.update_contact(widget_id=context.widget_id, guid=context.target_id, changes=context.body)
        return context.target

    @operation(
        scopes=("tags:write",),
        summary="Tag a contact",
        takes=TagsBody,
        answers=ContactSerializer,
        example={"tags": ["vip", "постоянный клиент"]},
    )
    def tag(self, context: RequestContext) -> Answer:
        """Attaches tags; one that the contact has already stays as it is."""
        actions.tag_contact(widget_id=context.widget_id, guid=context.target_id, names=context.body["tags"])
        return context.target


class TagViewSet(ApiViewSet):
    reads = ("tags:read",)

    @operation(summary="List tags", answers=TagListSerializer, literal=True, compresses="long")
    def list(self, context: RequestContext) -> Page:
        """The names of the tags in use across the account, sorted by code point, all of them on one page."""
        return context.whole(Tag.objects.in_use(context.widget_id).values_list("name", flat=True))
