"""The contact panel: the visitor beside a chat, as operators are shown them."""

from collections.abc import Collection, Mapping
from typing import Any

from django.apps import apps as django_apps
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.accounts.rules import Answerer
from apps.agents.models import Agent
from apps.chats.models import Block, Chat, ChatActivity, Contact, ContactJoin, Message
from apps.chats.querysets.ratings import newest_rating
from apps.chats.questions import question_words, visitor_facts, widget_language
from apps.chats.rules import SenderKind
from apps.chats.rules.blocks import networks_around
from apps.chats.rules.people import united
from apps.chats.serializers.contacts import ContactSerializer
from apps.console.querysets.page import HAS_CARDS
from apps.console.querysets.presence import presences
from apps.console.querysets.translations import card_translation
from apps.console.serializers.responses import BlockSerializer, StepSerializer
from apps.console.serializers.shop_cards import ShopCardSerializer

# How many of what happened to a chat are shown.
STEPS = 50
_BY_AI = {Answerer.AI, Answerer.AI_IN_SHADOW}


_OF_RATING = ("value", "comment", "rated_at")
_COLUMNS = (
    "id",
    "contact_id",
    "seen_by_visitor",
    "rating_requested_at",
    *(f"rating_{column}" for column in _OF_RATING),
    "widget__answerers",
    "channel",
    "translation",
    "accepted_agent_id",
    "handled_agent_id",
    "answers",
)


def contact_panels(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The panels of those chats that are the widget's, by chat. The number of statements does not grow."""
    otherwise = widget_language(widget_id) if chat_ids else ""
    chats = Chat.objects.for_widget(widget_id).filter(pk__in=chat_ids)
    seen_by_visitor = Coalesce(Subquery(_seen_by_visitor()), 0)
    rating = {f"rating_{column}": newest_rating(column) for column in _OF_RATING}
    found = list(chats.annotate(seen_by_visitor=seen_by_visitor, **rating).values_list(*_COLUMNS, named=True))
    found_ids, contact_ids = {chat.id for chat in found}, {chat.contact_id for chat in found}
    named = _names(
        widget_id, {pk for chat in found for pk in (chat.accepted_agent_id, chat.handled_agent_id) if pk is not None}
    )
    groups = groups_of(widget_id, contact_ids)
    steps = _steps(widget_id, found_ids)
    everybody = {one for group in groups.values() for one in group}
    of_contacts = _chats_of(widget_id, everybody)
    contacts, facts = contact_rows(widget_id, everybody), visitor_facts(widget_id, contact_ids)
    answered = {chat.id: _answered(chat.answers, contacts.get(chat.contact_id)) for chat in found}
    words = question_words(widget_id, set().union(*answered.values()))
    blocks = _blocks(widget_id, contact_ids, facts)
    there = presences(widget_id, found_ids)
    summaries = _summaries(widget_id, found_ids)
    by_ai = answering(widget_id, {chat.id for chat in found if _BY_AI & set(chat.widget__answerers)})
    return {
        chat.id: {
            "contact": _person(groups[chat.contact_id], contacts),
            "visitor": _visitor(facts.get(chat.contact_id), there[chat.id]["presence"]),
            "reach": there[chat.id]["reach"],
            "blocks": blocks[chat.contact_id],
            "rating": _rating(chat),
            "other_chats": [
                other for one in groups[chat.contact_id] for other in of_contacts[one] if other["id"] != chat.id
            ],
            "steps": steps[chat.id],
            "seen_by_visitor": chat.seen_by_visitor,
            "answering": by_ai.get(chat.id),
            **summaries.get(chat.id, _NOTHING_SUMMED_UP),
            "translation": card_translation(
                chat.translation,
                channel=chat.channel,
                visit=facts.get(chat.contact_id),
                attributes=contacts[chat.contact_id]["attributes"],
                otherwise=otherwise,
            ),
            "questions": {key: words[key]._asdict() for key in words if key in answered[chat.id]},
            "operators": {str(pk): named[pk] for pk in (chat.accepted_agent_id, chat.handled_agent_id) if pk in named},
        }
        for chat in found
        if chat.contact_id in contacts and chat.id in there
    }


def _rating(chat: Any) -> dict[str, Any]:
    return {
        "requested_at": chat.rating_requested_at,
        "value": chat.rating_value,
        "comment": chat.rating_comment or None,
        "rated_at": chat.rating_rated_at,
    }


def _answered(answers: Mapping[str, Any] | None, contact: Mapping[str, Any] | None) -> set[str]:
    """The keys of the questions that a chat's visitor answered, and of the contact's consents."""
    return {*(answers or {}), *(one["key"] for one in (contact or {}).get("consents", ()))}


def _visitor(facts: dict[str, Any] | None, presence: Any) -> dict[str, Any] | None:
    return None if facts is None else {**facts, "presence": presence}


def _names(widget_id: int, agent_ids: Collection[int]) -> dict[int, str]:
    """The names of those of the operators who are no people: the others are among the colleagues."""
    if not agent_ids:
        return {}
    machines = Agent.objects.for_widget(widget_id).filter(pk__in=agent_ids).exclude(type=Agent.Type.HUMAN)
    return {agent.pk: agent.full_name for agent in machines}


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


def answering(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The AI's part in these chats, by chat; none without the app that answers."""
    if not chat_ids or not django_apps.is_installed("apps.ai"):
        return {}
    from apps.ai.actions.facts import answering_facts

    return answering_facts(widget_id, chat_ids)


_NOTHING_SUMMED_UP: Mapping[str, Any] = {"summary": None, "suggested_tags": []}


def _summaries(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """Summaries of the chats, by chat; none without the app that makes them."""
    if not chat_ids or not django_apps.is_installed("apps.assists"):
        return {}
    from apps.assists.actions.cards import summaries_of

    return summaries_of(widget_id, chat_ids)


def groups_of(widget_id: int, contact_ids: Collection[int]) -> dict[int, list[int]]:
    """Each contact with who is the same person: the first of them first. One statement."""
    joins = ContactJoin.objects.for_widget(widget_id)
    firsts = joins.filter(contact_id__in=contact_ids).values("first_id")
    found = joins.filter(Q(first_id__in=contact_ids) | Q(first_id__in=firsts)).order_by("contact_id")
    groups: dict[int, list[int]] = {}
    of_contact = {}
    for first_id, contact_id in found.values_list("first_id", "contact_id"):
        group = groups.setdefault(first_id, [first_id])
        group.append(contact_id)
        of_contact[first_id] = of_contact[contact_id] = group
    return {pk: of_contact.get(pk, [pk]) for pk in contact_ids}


def _person(group: Collection[int], contacts: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """A contact with who is the same person; one that was erased meanwhile is left out."""
    first, *others = (contacts[one] for one in group if one in contacts)
    return united(first, others)


def has_shop_cards(widget_id: int) -> bool:
    """Whether the widget has cards from the shop's own system."""
    if not HAS_CARDS:
        return False
    from apps.cards.actions.settings import settings_of

    return settings_of(widget_id) is not None


def shop_cards(widget_id: int, chat_id: int) -> list[dict[str, Any]]:
    """The chat's cards from the shop's own system; none without the app that has them, or once the chat is gone."""
    if not HAS_CARDS:
        return []
    from apps.cards.actions.reading import known_cards

    return list(ShopCardSerializer(known_cards(widget_id, chat_id), many=True).data)


def contact_rows(widget_id: int, contact_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """Contacts as the API shows them, by id."""
    write = ContactSerializer.writer()
    rows = Contact.objects.for_widget(widget_id).for_api().filter(pk__in=contact_ids)
    return {contact_id: write(row) for *row, contact_id in rows.values_list(*ContactSerializer.columns(), "id")}


def _seen_by_visitor() -> Any:
    """The last message of a chat that its visitor has seen. Index: chats_message_in_chat, backwards."""
    of_operators = Message.objects.unscoped("each chat's own rows").filter(
        chat=OuterRef("pk"), is_internal=False, seen_at__isnull=False
    )
    return of_operators.exclude(sender_kind=SenderKind.CLIENT).order_by("-id").values("id")[:1]
