"""The demo's support desk: enabled for the `support` token, with tickets in every state, of four website chats."""

from datetime import timedelta
from typing import Any

from apps.accounts.models import ApiToken, Widget
from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.demo.document import Demo
from apps.support.models import SupportSettings, Ticket
from apps.support.rules.tickets import CloseReason, TicketPriority, TicketReason, TicketSource, TicketState
from apps.support.settings import SETTINGS

# This machine and private networks: the demo is nobody else's.
ADDRESSES = ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"]
HOSTS = {"shop": ["shop.example.com"], "blog": ["blog.example.com"], "rival": ["rival.example.com"]}
TICKETS = ("open", "held", "closed", "closed_long_ago")
AGENT = {"kind": "agent", "name": "demo"}


def seed(demo: Demo) -> None:
    """Adds what is not there yet; the document has the numbers of the tickets."""
    for name, widget in demo.rows(Widget).items():
        part = demo.part(widget)
        settings = _settings(demo, name, widget)
        tickets = _tickets(demo, widget)
        first = Chat.objects.for_widget(widget.pk).filter(channel="widget", internal=False).order_by("pk").first()
        part["support"] = {
            "operator_id": settings.operator_id,
            "token_id": settings.token_ids[0],
            "settings": SETTINGS.values(settings),
            "tickets": tickets,
            "chat_id": first.pk if first else None,
        }
        part["path_ids"] |= {"ticket": tickets["open"]}


def _settings(demo: Demo, name: str, widget: Widget) -> SupportSettings:
    """Everything is on, but that the other account has neither app tickets nor account links."""
    operator = Agent.objects.for_widget(widget.pk).filter(type=Agent.Type.HUMAN).not_banned().order_by("pk").first()
    is_rival = name == "rival"
    settings, _ = SupportSettings.objects.get_or_create(
        widget=widget,
        defaults={
            "operator": operator,
            "ip_allowlist": ADDRESSES,
            "link_hosts": HOSTS.get(name, []),
            "channels": ["widget", "tg"] if is_rival else ["widget", "tg", "app"],
            "email_codes": True,
            "account_link": not is_rival,
            "enabled": operator is not None,
        },
    )
    token_ids = [demo.row(ApiToken, f"{name} support").pk]
    if settings.token_ids != token_ids:
        settings.token_ids = token_ids
        settings.save(update_fields=["token_ids"])
    return settings


def _tickets(demo: Demo, widget: Widget) -> dict[str, int | None]:
    """The number of a ticket of each kind; None if the widget has too few chats."""
    known = list(Ticket.objects.for_widget(widget.pk).order_by("number").values_list("number", flat=True))
    if not known:
        chats = Chat.objects.for_widget(widget.pk).filter(channel="widget", internal=False).exclude(status="spam")
        for kind, chat in zip(TICKETS, chats.order_by("pk")[: len(TICKETS)], strict=False):
            known.append(Ticket.objects.create(**_ticket(demo, widget, chat, kind)).pk)
    return {kind: known[place] if place < len(known) else None for place, kind in enumerate(TICKETS)}


def _ticket(demo: Demo, widget: Widget, chat: Chat, kind: str) -> dict[str, Any]:
    ago = timedelta(days=9) if kind == "closed_long_ago" else timedelta(hours=5)
    closed_ago = {"closed": timedelta(hours=1), "closed_long_ago": timedelta(days=8)}.get(kind)
    fields = {
        "widget": widget,
        "chat": chat,
        "reason": TicketReason.OFFLINE_FORM,
        "priority": TicketPriority.NORMAL,
        "source": TicketSource.WIDGET,
        "held_for_owner": kind == "held",
        "opening_message_id": chat.last_message_id or 0,
        "opened_at": demo.now - ago,
        "queued_at": demo.now - ago,
        "updated_at": demo.now - (closed_ago or ago),
    }
    if closed_ago is None:
        return fields
    closed = {"state": TicketState.CLOSED, "close_reason": CloseReason.RESOLVED, "closed_by": AGENT}
    return fields | closed | {"closed_at": demo.now - closed_ago}
