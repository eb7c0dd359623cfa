"""The groups of operations in the OpenAPI document, in the order in which its pages show them."""

from typing import Any

_DESCRIBED = {
    "chats": "Conversations: list, read, close, hand over, and the messages in them.",
    "contacts": "Visitors as people: their names, addresses, attributes and tags.",
    "files": "Files for messages: upload one, or have it fetched, then send its id.",
    "tags": "The names that contacts are tagged with.",
    "agents": "The widget's human operators: their places, invitations, work and figures.",
    "departments": "Groups of operators, with their hours.",
    "stats": "Figures of chats, answers and ratings, by period and channel.",
    "webhook-subscriptions": "Addresses of yours that are told of events, their secrets and deliveries.",
    "webhook-events": "The events that a subscription can name.",
    "webhooks": "Requests that the service sends to you. Verify the signature before you parse.",
    "channels": "Messengers of your own: clients' messages in, operators' answers out.",
    "messengers": "The messengers that are built in: connect, verify, remove.",
    "widget": "The chat in your page: settings, texts, languages, and the snippet.",
    "account": "The account that owns the widget.",
    "billing": "The balance, invoices, subscriptions and legal entities.",
    "partners": "A partner's view of its customers.",
    "ai": "AI operators: assistants, credentials, settings, alerts, learning, and your application's own assistant.",
    "kb": "The knowledge that AI answers from: rules, sources, documents, search.",
    "external-operators": "Bots of yours that answer in the place of the built-in AI.",
    "wishes": "Changes that people asked of an assistant's text: look, approve, take back.",
    "support": "The support desk for agents: claim a chat, read it, answer, close tickets.",
    "visitor": "The calls of the widget in a visitor's browser.",
    "console": "The calls of the operators' console.",
    "compat": "The wire format of another platform's bots and channels.",
}
TAGS: list[dict[str, Any]] = [{"name": name, "description": text} for name, text in _DESCRIBED.items()]
