"""A visitor who goes on in a messenger with the chat that they began on the site.

The link that they follow carries a token, which the messenger hands to the bot when they begin there.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from apps.accounts.rules import digest
from apps.chats import actions as chats
from apps.chats.models import Chat, Contact
from apps.chats.questions import widget_language
from apps.messengers.adapters import ADAPTERS
from apps.messengers.models import Connection, Peer, StartLink
from apps.messengers.rules.inbound import InboundContent, known_by
from apps.messengers.rules.providers import new_key

LINK_LIVES = timedelta(minutes=10)
# Of one visitor and messenger: older links end with a new one. Several tabs have one each.
MOST_LINKS = 5
ON_SITE = "widget"


@transaction.atomic
def continuation_link(widget_id: int, contact_id: int, channel: str) -> str | None:
    """The link by which a contact goes on in that messenger, once, within ten minutes; None where the messenger is not
    connected, or its links carry nothing.
    """
    connection = Connection.objects.for_widget(widget_id).of_provider(channel).first()
    if connection is None:
        return None
    token = new_key()
    link = ADAPTERS[channel].start_link(connection.public_name, token)
    if link is not None:
        links = StartLink.objects.for_widget(widget_id).filter(contact_id=contact_id, channel=channel)
        older = list(links.order_by("-pk").values_list("pk", flat=True)[MOST_LINKS - 1 :])
        links.filter(pk__in=older).delete()
        StartLink.objects.create(
            widget_id=widget_id,
            contact_id=contact_id,
            channel=channel,
            digest=digest(token),
            expires_at=timezone.now() + LINK_LIVES,
        )
    return link


def take_token(connection: Connection, token: str) -> Contact | None:
    """The contact whose link carried the token, in the transaction under way: it is used up. None for one that was
    used, has expired, or is of another widget or messenger.
    """
    links = StartLink.objects.for_widget(connection.widget_id).filter(channel=connection.channel, digest=digest(token))
    link = links.filter(expires_at__gt=timezone.now()).select_related("contact").select_for_update(of=("self",)).first()
    if link is None:
        return None
    link.delete()
    return link.contact


def continue_chat(connection: Connection, conversation: str, content: InboundContent, visitor: Contact) -> Peer | None:
    """The person of that conversation is the visitor: their chat on the site goes on in the messenger, in the
    transaction under way. Returns their peer.

    Nothing is merged: operators are told of the chat on the site in the one in the messenger, if the visitor has one
    there already, or the person is another contact who has one. Then, unless the person is known, it is None. A link
    proves no person, since a stranger may have handed it on: the note says so to operators.
    """
    of_channel = {"channel": connection.channel, "account": connection.account}
    peers = Peer.objects.for_widget(connection.widget_id).select_related("contact")
    peer = peers.filter(**of_channel, conversation=conversation).first()
    on_site = _chat_in(visitor, ON_SITE)
    person = peer.contact if peer else visitor
    there = _chat_in(person, connection.channel) or _chat_in(visitor, connection.channel)
    if there is not None:
        if on_site is not None:
            with translation.override(widget_language(connection.widget_id)):
                note = _(
                    "A link of the chat #{chat} on the site was followed here, by the same person or by somebody to "
                    "whom it was sent. Ask before you speak of that chat. The chats stay apart."
                )
            chats.post_system_note(widget_id=connection.widget_id, chat_id=there, body=note.format(chat=on_site))
        return peer
    if peer is None:
        peer = Peer(widget_id=connection.widget_id, conversation=conversation, contact=visitor, **of_channel)
        peer.save()
    elif peer.contact_id != visitor.pk:  # they pressed Start once, and never wrote
        peer.contact = visitor
        peer.save(update_fields=["contact"])
    changes: dict[str, object] = {"attributes": known_by(connection.provider, content)}
    if content.name and not visitor.name:
        changes["name"] = content.name[:255]
    chats.update_contact(widget_id=visitor.widget_id, guid=visitor.guid, changes=changes)
    if on_site is not None:
        with translation.override(widget_language(connection.widget_id)):
            note = _(
                "The link to {messenger} was followed: this chat was moved from the site, with all that is in it. The "
                "visitor may have sent the link to somebody else. Ask before you speak of what was said before."
            )
        note = note.format(messenger=ADAPTERS[connection.provider].name)
        chats.move_chat(widget_id=connection.widget_id, chat_id=on_site, channel=connection.channel, note=note)
    return peer


def _chat_in(contact: Contact, channel: str) -> int | None:
    """The id of a contact's chat in a channel; None without one. Index: chats_chat_one_a_channel."""
    found = Chat.objects.for_widget(contact.widget_id).filter(contact=contact, channel=channel)
    return found.values_list("pk", flat=True).first()
