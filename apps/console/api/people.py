"""Contacts for operators: the list, one with its chats and notes, and two that are one person."""

from typing import Any

from rest_framework.exceptions import ValidationError

from apps.chats import actions
from apps.chats.actions.people import delete_contact_note, join_contacts, undo_join, write_contact_note
from apps.chats.errors import ALREADY_JOINED
from apps.chats.models import Contact, ContactJoin, ContactNote
from apps.chats.rules.attribute_kinds import kind_refusals
from apps.chats.rules.contacts import MAX_ATTRIBUTE_NAME, MAX_QUERY, MAX_TAG
from apps.chats.rules.people import MAX_NOTE
from apps.chats.serializers.contacts import ContactSerializer
from apps.chats.serializers.requests import ContactBody, TagsBody
from apps.chats.settings import console_settings
from apps.console.authentication import SessionAuthenticator
from apps.console.querysets.people import note_row, people, people_page, person
from apps.console.serializers.people import ContactNoteSerializer, PersonRowSerializer, PersonSerializer
from apps.console.serializers.requests import LongPageQuery
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Choice, Text, validator_of
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import INVALID_INPUT
from apps.core.parsing.names import control_refusal


class PeopleQuery(LongPageQuery):
    """The filters of the contacts, combined by and."""

    q = Text(
        required=False,
        min_length=1,
        max_length=MAX_QUERY,
        validators=[validator_of(control_refusal)],
        help_text="Part of the name, e-mail or phone, in any case and spelling.",
    )
    tag = Text(required=False, max_length=MAX_TAG, validators=[validator_of(control_refusal)])
    attribute = Text(
        required=False,
        max_length=MAX_ATTRIBUTE_NAME + 1_001,
        validators=[validator_of(control_refusal)],
        help_text="`key:value`: the attribute has that value.",
    )
    open = Choice(required=False, choices=["1"], help_text="Contacts with an open chat alone.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "attribute" in attrs:
            key, colon, value = attrs["attribute"].partition(":")
            if not (key and colon):
                raise ValidationError({"attribute": ["Write `key:value`."]})
            attrs["attribute"] = (key, value)
        return attrs


class ContactNoteBody(Body):
    """A note of a contact."""

    text = Text(min_length=1, max_length=MAX_NOTE)


class JoinBody(Body):
    """The contact who is the same person."""

    contact = Text(min_length=32, max_length=32)


class ConsoleContactViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Contact
    target_field = "guid"

    @operation(summary="List contacts", filters=PeopleQuery, answers=PersonRowSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Contacts who wrote, or of whom something is known, the latest activity first. Joined contacts are one row."""
        return people_page(
            widget_id=context.widget_id, filters=context.filters, cursor=context.cursor, limit=context.limit
        )

    @operation(summary="Read a contact with their chats and notes", answers=PersonSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """With the chats and notes of the contacts that are joined to it."""
        return person(context.widget_id, context.target_id)

    @operation(
        summary="Note something of a contact",
        takes=ContactNoteBody,
        answers=ContactNoteSerializer,
        status=201,
        example={"text": "Prefers calls after six"},
    )
    def note(self, context: RequestContext) -> dict[str, Any]:
        """For operators alone: neither the visitor nor a model reads it."""
        agent_id = context.caller.agent.pk
        return note_row(
            write_contact_note(
                widget_id=context.widget_id, guid=context.target_id, agent_id=agent_id, text=context.body["text"]
            )
        )

    @operation(
        summary="Join a contact to another",
        takes=JoinBody,
        answers=PersonRowSerializer,
        problems=(ALREADY_JOINED,),
        example={"contact": "0123456789abcdef0123456789abcdef"},
    )
    def join(self, context: RequestContext) -> dict[str, Any]:
        """Says that the contact in the body is the same person as the one of the address, which comes first.

        They are one row and one card; nothing is moved. Chats, sessions, identity and e-mails stay each contact's: it
        proves nothing, and shows no visitor anything. A copy of the first one's data, and its erasure, take the other
        along.
        """
        join = join_contacts(
            widget_id=context.widget_id,
            guid=context.target_id,
            other_guid=context.body["contact"],
            agent_id=context.caller.agent.pk,
        )
        return people(context.widget_id, [join.first_id])[0]

    @operation(
        summary="Update a contact",
        takes=ContactBody,
        answers=ContactSerializer,
        example={"name": "Иван Петров", "attributes": {"plan": "pro", "trial_ends": None}},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """As the API updates it: what is sent and nothing else; emits `contact.updated` if anything changes.

        A declared attribute takes values of its kind alone (`GET /console/attributes`).
        """
        declared = console_settings(context.widget_id).attribute_kinds
        if refusals := kind_refusals(declared, context.body.get("attributes")):
            raise INVALID_INPUT(errors={f"attributes.{name}": [why] for name, why in refusals.items()})
        actions.update_contact(widget_id=context.widget_id, guid=context.target_id, changes=context.body)
        return context.target

    @operation(summary="Tag a contact", takes=TagsBody, answers=ContactSerializer, example={"tags": ["vip"]})
    def tag(self, context: RequestContext) -> Answer:
        """Attaches tags; one that the contact has already stays as it is."""
        actions.tag_contact(widget_id=context.widget_id, guid=context.target_id, names=context.body["tags"])
        return context.target

    @operation(summary="Take a tag off a contact", answers=ContactSerializer)
    def untag(self, context: RequestContext) -> Answer:
        """Whether the contact has it or not: afterwards it has not."""
        actions.untag_contact(widget_id=context.widget_id, guid=context.target_id, name=context.path["name"])
        return context.target


class PersonsNoteViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target, target_within = ContactNote, ("contact__guid",)

    @operation(summary="Delete a note of a contact", status=204)
    def destroy(self, context: RequestContext) -> None:
        """One's own; managers delete any."""
        delete_contact_note(
            widget_id=context.widget_id,
            guid=(context.target_within or {})["contact__guid"],
            note_id=context.target_id,
            by_agent_id=None if context.caller.is_manager else context.caller.agent.pk,
        )


class PersonsJoinViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target, target_field, target_within = ContactJoin, "contact__guid", ("first__guid",)

    @operation(summary="Undo a join", status=204)
    def destroy(self, context: RequestContext) -> None:
        """They are two contacts again, at any time."""
        undo_join(
            widget_id=context.widget_id, guid=(context.target_within or {})["first__guid"], other_guid=context.target_id
        )
