"""Contacts as operators see them."""

from rest_framework import serializers

from apps.chats.rules.attribute_kinds import AttributeKind
from apps.chats.serializers.contacts import ContactSerializer
from apps.console.serializers.responses import OtherChatSerializer
from apps.core.endpoints.row_serializers import RowSerializer, TextList, TextOrNull, Time
from apps.core.endpoints.serializers import Choice, Integer, Text


class PersonRowSerializer(ContactSerializer):
    """A contact as operators see it, with those that are joined to it: own values win, empty ones are filled."""

    open_chats = Integer()
    last_seen_at = Time(allow_null=True, help_text="When they were last on the website, or wrote.")
    joined = TextList(help_text="The contacts that are joined to it.")


class ContactNoteSerializer(RowSerializer):
    """A note of a contact, for operators alone."""

    id = Integer()
    text = Text()
    agent_id = Integer(allow_null=True)
    by = TextOrNull()
    created_at = Time()


class PersonSerializer(RowSerializer):
    """A contact with their chats and notes."""

    contact = PersonRowSerializer()
    chats = OtherChatSerializer(many=True, help_text="The latest first, with those of the joined contacts.")
    notes = ContactNoteSerializer(many=True, help_text="The newest first, with those of the joined contacts.")
    joined = ContactSerializer(many=True, help_text="The joined contacts as they are.")


class DeclaredAttributeSerializer(RowSerializer):
    """An attribute and its kind."""

    key = Text()
    kind = Choice(choices=list(AttributeKind))
    choices = TextList(help_text="The values of a `choice`.")


class DeclaredAttributeList(serializers.ListField):
    """The declared attributes, in the order in which they are shown."""

    child = DeclaredAttributeSerializer()


class AttributeKindsSerializer(RowSerializer):
    """The kinds of the attributes that owners have declared."""

    attributes = DeclaredAttributeList()
