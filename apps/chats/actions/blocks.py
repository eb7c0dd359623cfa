"""Blocking visitors, and lifting that.

A blocked visitor reads, and writes nothing (widget/authentication.py). Their messages from messengers are dropped
(messengers/actions/inbound.py). Operators who look at a contact's chat see it at once: it counts as a change of
the contact.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from apps.chats.actions.changes import record_contact_change
from apps.chats.models import Block, Chat, Contact
from apps.chats.rules.blocks import Blocked, network_of
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def block_contact(*, widget_id: int, contact: Contact, reason: str, hours: int | None) -> Block:
    """Blocks a contact by the cabinet; see `block_visitor`."""
    until = None if hours is None else timezone.now() + timedelta(hours=hours)
    said = {"reason": reason, "until": until}
    block, _ = Block.objects.for_widget(widget_id).update_or_create(
        contact_id=contact.pk, network="", defaults=said, create_defaults=said | {"widget_id": widget_id}
    )
    record_contact_change(contact)
    return block


@transaction.atomic
def block_visitor(
    *, widget_id: int, chat_id: int, what: Blocked, reason: str, hours: int | None, agent_id: int, address: str
) -> Block:
    """Blocks the contact of a chat, or the address (or the network around it) that they were last seen at.

    `hours` is for how long, None for ever. A second block of the same takes the first one's place.

    Raises NOT_FOUND (404); INVALID_INPUT (422) where no address of theirs is known.
    """
    chat = Chat.objects.for_widget(widget_id).select_related("contact").get_or_404(pk=chat_id)
    of: dict[str, object] = {"contact_id": chat.contact_id, "network": ""}
    if what is not Blocked.CONTACT:
        network = network_of(address, what)
        if network is None:
            raise INVALID_INPUT(errors={"what": ["No address of this visitor is known."]})
        of = {"contact_id": None, "network": network}
    until = None if hours is None else timezone.now() + timedelta(hours=hours)
    said = {"reason": reason, "until": until, "agent_id": agent_id}
    block, _ = Block.objects.for_widget(widget_id).update_or_create(
        **of, defaults=said, create_defaults=said | {"widget_id": widget_id}
    )
    record_contact_change(chat.contact)
    return block


@transaction.atomic
def lift_block(*, widget_id: int, block_id: int) -> None:
    """Ends a block at once. Raises NOT_FOUND (404)."""
    block = Block.objects.for_widget(widget_id).get_for_update(pk=block_id)
    block.delete()
    if block.contact is not None:
        record_contact_change(block.contact)
