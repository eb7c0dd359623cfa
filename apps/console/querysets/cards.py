"""Cards: what operators are shown of the visitor beside a chat."""

from collections.abc import Collection, Mapping
from typing import Any

from django.apps import apps as django_apps
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.accounts.rules import Answerer
from apps.chats.models import Block, Chat, ChatActivity, Contact, Message
from apps.chats.rules import SenderKind
from apps.chats.rules.blocks import networks_around
from apps.chats.serializers.contacts import ContactSerializer
from apps.console.serializers.responses import BlockSerializer, StepSerializer
from apps.core import plugins

# How many of what happened to a chat are shown.
STEPS = 50
_BY_AI = {Answerer.AI, Answerer.AI_IN_SHADOW}


def cards(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The cards of those chats that are the widget's, by chat. Six statements, however many there are; more
    where AI answers."""
    found = list(
        Chat.objects.for_widget(widget_id)
        .filter(pk__in=chat_ids)
        .annotate(seen_by_visitor=Coalesce(Subquery(_seen_by_visitor()), 0))
        .values_list(
            "id",
            "contact_id",
            "seen_by_visitor",
            "rating_requested_at",
            "rating__value",
            "rating__comment",
            "rating__rated_at",
            "widget__answerers",
        )
    )
    contact_ids = {contact_id for _, contact_id, *_ in found}
    steps = _steps(widget_id, {chat_id for chat_id, *_ in found})
    of_contacts = _chats_of(widget_id, contact_ids)
    contacts, facts = _contacts(widget_id, contact_ids), visitor_facts(widget_id, contact_ids)
    blocks = _blocks(widget_id, contact_ids, facts)
    answering = _answering(widget_id, {chat_id for chat_id, *_, answerers in found if _BY_AI & set(answerers)})
    return {
        chat_id: {
            "contact": contacts[contact_id],
            "visitor": facts.get(contact_id),
            "blocks": blocks[contact_id],
            "rating": {"requested_at": requested_at, "value": value, "comment": comment or None, "rated_at": rated_at},
            "other_chats": [chat for chat in of_contacts[contact_id] if chat["id"] != chat_id],
            "steps": steps[chat_id],
            "seen_by_visitor": seen,
            "answering": answering.get(chat_id),
        }
        for chat_id, contact_id, seen, requested_at, value, comment, rated_at, _ in found
        if contact_id in contacts
    }


def _steps(widget_id: int, chat_ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """The newest STEPS of each chat, oldest first. Index: chats_step_in_chat."""
    found: dict[int, list[dict[str, Any]]] = {chat_id: [] for chat_id in chat_ids}
    if not chat_ids:
        return found
    newest = (
        ChatActivity.objects.unscoped("each chat's own rows")
        .filter(chat=OuterRef("chat_id"))
        .order_by("-id")
        .values("id")[:STEPS]
    )
    rows = ChatActivity.objects.for_widget(widget_id).filter(chat_id__in=chat_ids, id__in=newest).order_by("id")
    write = StepSerializer.writer()
    for chat_id, *row in rows.values_list("chat_id", *StepSerializer.columns()):
        found[chat_id].append(write(row))
    return found


def _chats_of(widget_id: int, contact_ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """The chats of each contact, one a channel at most, the latest first. Index: chats_chat_one_a_channel."""
    found: dict[int, list[dict[str, Any]]] = {contact_id: [] for contact_id in contact_ids}
    if not contact_ids:
        return found
    rows = Chat.objects.for_widget(widget_id).filter(contact_id__in=contact_ids).order_by("-created_at", "-id")
    columns = ("id", "status", "channel", "created_at", "last_message_at")
    for contact_id, *row in rows.values_list("contact_id", *columns):
        found[contact_id].append(dict(zip(columns, row, strict=True)))
    return found


def visitor_facts(widget_id: int, contact_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The facts of visits, by contact: as the apps of channels know them."""
    facts: dict[int, dict[str, Any]] = {}
    if contact_ids:
        for read in plugins.hooked(lambda app: app.visitor_facts):
            facts |= read(widget_id, contact_ids)
    return facts


def _blocks(
    widget_id: int, contact_ids: Collection[int], facts: Mapping[int, Mapping[str, Any]]
) -> dict[int, list[dict[str, Any]]]:
    """The blocks in force against each contact, the oldest first. Index: chats_block_of_widget."""
    found: dict[int, list[dict[str, Any]]] = {contact_id: [] for contact_id in contact_ids}
    if not contact_ids:
        return found
    of_networks: dict[str, list[int]] = {}
    for contact_id, about in facts.items():
        for network in networks_around(about.get("address") or ""):
            of_networks.setdefault(network, []).append(contact_id)
    against = Q(contact_id__in=contact_ids, network="") | Q(contact_id=None, network__in=list(of_networks))
    rows = Block.objects.for_widget(widget_id).in_force(timezone.now()).filter(against).order_by("id")
    write = BlockSerializer.writer()
    for network, contact_id, *row in rows.values_list("network", "contact_id", *BlockSerializer.columns()):
        for whose in of_networks[network] if network else [contact_id]:
            found[whose].append(write(row))
    return found


def address_in_chat(widget_id: int, chat_id: int) -> str:
    """The address that a chat's visitor came from last; "" where their channel knows none."""
    contact_id = Chat.objects.for_widget(widget_id).filter(pk=chat_id).values_list("contact_id", flat=True).first()
    facts = {} if contact_id is None else visitor_facts(widget_id, [contact_id])
    return facts.get(contact_id or 0, {}).get("address") or ""


def _answering(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The AI's part in these chats, by chat; none without the app that answers."""
    if not chat_ids or not django_apps.is_installed("apps.ai"):
        return {}
    from apps.ai.actions.facts import answering_facts

    return answering_facts(widget_id, chat_ids)


def _contacts(widget_id: int, contact_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    write = ContactSerializer.writer()
    rows = Contact.objects.for_widget(widget_id).for_api().filter(pk__in=contact_ids)
    return {contact_id: write(row) for *row, contact_id in rows.values_list(*ContactSerializer.columns(), "id")}


def _seen_by_visitor() -> Any:
    """The last message of a chat that its visitor has seen. Index: chats_message_in_chat, backwards."""
    of_operators = Message.objects.unscoped("each chat's own rows").filter(
        chat=OuterRef("pk"), is_internal=False, seen_at__isnull=False
    )
    return of_operators.exclude(sender_kind=SenderKind.CLIENT).order_by("-id").values("id")[:1]
