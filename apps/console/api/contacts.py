"""Operators' calls of a visitor's contact."""

from apps.chats import actions
from apps.chats.models import Contact
from apps.chats.serializers.contacts import ContactSerializer
from apps.chats.serializers.requests import ContactBody, TagsBody
from apps.console.authentication import SessionAuthenticator
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.viewsets import EndpointViewSet


class ConsoleContactViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Contact
    target_field = "guid"

    @operation(
        summary="Update a contact",
        takes=ContactBody,
        answers=ContactSerializer,
        example={"name": "Иван Петров", "attributes": {"plan": "pro", "trial_ends": None}},
    )
    def partial_update(self, call: RequestContext) -> Answer:
        """As the API updates it: what is sent and nothing else; emits `contact.updated` if anything changes."""
        actions.update_contact(widget_id=call.widget_id, guid=call.target_id, changes=call.body)
        return call.target

    @operation(summary="Tag a contact", takes=TagsBody, answers=ContactSerializer, example={"tags": ["vip"]})
    def tag(self, call: RequestContext) -> Answer:
        """Attaches tags; one that the contact has already stays as it is."""
        actions.tag_contact(widget_id=call.widget_id, guid=call.target_id, names=call.body["tags"])
        return call.target

    @operation(summary="Take a tag off a contact", answers=ContactSerializer)
    def untag(self, call: RequestContext) -> Answer:
        """Whether the contact has it or not: afterwards it has not."""
        actions.untag_contact(widget_id=call.widget_id, guid=call.target_id, name=call.path["name"])
        return call.target
