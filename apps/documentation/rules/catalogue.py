"""The guides that are served, in the order of their list, and the operations and webhooks that each is about."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide: `name` ends its address, `file` is its Markdown below `docs/`, `summary` its line in the list.

    `about` are beginnings of operations' paths (without `/api`), `webhooks` those of webhooks' names.
    """

    name: str
    file: str
    summary: str
    about: Sequence[str] = field(default_factory=tuple)
    webhooks: Sequence[str] = field(default_factory=tuple)


# By heading. Of two guides whose beginnings fit an operation, the longer beginning counts.
SECTIONS: dict[str, tuple[Guide, ...]] = {
    "A website": (
        Guide(
            "embedding",
            "guides/embedding.md",
            "Put the chat into a page, call it from the page's scripts, prove who is signed in.",
            about=("/v1/widget/embed", "/v1/widget/settings"),
        ),
        Guide("own-shop", "guides/own-shop.md", "You host the service for your own shop: account, plan, first steps."),
        Guide(
            "visitor-side",
            "guides/visitor-side.md",
            "Write a widget or an app of your own: the calls and the websocket of a visitor.",
            about=("/widget/",),
        ),
    ),
    "A system of yours": (
        Guide(
            "webhooks",
            "guides/webhooks.md",
            "Receive events: subscribe, verify the signature, answer, take what comes twice.",
            about=("/v1/webhook",),
            webhooks=("",),
        ),
        Guide(
            "cards",
            "guides/cards.md",
            "Show operators what your own system knows of a visitor, and take their buttons.",
        ),
        Guide(
            "hours",
            "guides/hours.md",
            "When a widget and its departments are open: weeks, nights, dates with other hours, holidays.",
            about=("/v1/hours", "/v1/holidays"),
        ),
        Guide(
            "routing",
            "guides/routing.md",
            "Who gets a waiting chat, how many at once, and in which time it is answered.",
            about=(
                *("/v1/routing", "/v1/queue", "/v1/stats/answer-times", "/v1/chats/{chat_id}/rout"),
                *("/v1/departments/{department_id}/routing", "/v1/agents/{agent_id}/routing"),
            ),
            webhooks=("chat.queued", "chat.assigned", "sla."),
        ),
        Guide(
            "automations",
            "guides/automations.md",
            "Rules that act by themselves once they were tried on real chats, and operators' macros.",
            about=("/v1/automations", "/v1/automation-runs", "/v1/macros"),
            webhooks=("automation.fired",),
        ),
        Guide(
            "reports",
            "guides/reports.md",
            "Figures that open the chats behind them: episodes, durable resolutions, waits, ratings, files.",
            about=("/v1/reports",),
        ),
        Guide(
            "invitations",
            "guides/invitations.md",
            "Invite visitors who hesitate, and know whether it helps.",
            about=("/v1/chat-invitations", "/v1/widget/invitation-settings"),
            webhooks=("invitation.answered",),
        ),
        Guide(
            "help-center",
            "guides/help-center.md",
            "Articles for AI, the widget and public pages; their import, and what was asked in vain.",
            about=("/v1/articles", "/v1/article-", "/v1/help-center"),
            webhooks=("article.",),
        ),
        Guide(
            "custom-channels",
            "guides/custom-channels.md",
            "Bring the conversations of a messenger of your own to the operators.",
            about=("/v1/channels",),
            webhooks=("custom_channel.",),
        ),
        Guide(
            "messengers",
            "guides/messengers.md",
            "Connect Telegram, VK, WhatsApp and the others.",
            about=("/v1/messengers",),
        ),
        Guide(
            "letters",
            "guides/letters.md",
            "Reach visitors who left by letter, and wake operators.",
        ),
        Guide(
            "operator-side",
            "guides/operator-side.md",
            "How the console and other tools of operators are told what happens.",
            about=("/console/",),
        ),
        Guide(
            "migrating",
            "guides/migrating.md",
            "Move from another platform: its bots and channels call the addresses that they know.",
            about=("/compat/",),
            webhooks=("legacy_bot.",),
        ),
    ),
    "Bots and AI": (
        Guide(
            "ai",
            "guides/ai.md",
            "Your first assistant: a credential, an assistant, an operator, a test.",
            about=("/v1/ai/",),
        ),
        Guide(
            "quality",
            "guides/quality.md",
            "Examine an assistant before each change: test questions, checks, and who decides what is lost.",
            about=("/v1/ai/evaluation",),
        ),
        Guide(
            "people-and-ai",
            "guides/people-and-ai.md",
            "People, the AI operator, an external one: who answers a chat, and when.",
            about=("/v1/ai/settings",),
        ),
        Guide(
            "knowledge",
            "guides/knowledge.md",
            "The knowledge of an assistant: rules, documents, a website.",
            about=("/v1/kb/",),
        ),
        Guide(
            "external-operators",
            "guides/external-operators.md",
            "Your own bot answers visitors: it is sent turns, and replies.",
            about=("/v1/external-operators", "/v1/ai/replies"),
            webhooks=("turn.", "delivery.test"),
        ),
        Guide(
            "application",
            "guides/application.md",
            "Your own application: an assistant with tools, speech, tickets, by signed calls.",
            about=("/v1/ai/assistant/",),
        ),
        Guide(
            "support-agents",
            "guides/support-agents.md",
            "A program answers the customers at the support desk.",
            about=("/v1/support/",),
        ),
        Guide(
            "answers-of-agents",
            "guides/answers-of-agents.md",
            "The texts that may be sent, and what is refused in them.",
            about=("/v1/support/chats/{chat_id}/reply",),
        ),
        Guide("mcp", "guides/mcp.md", "An agent that speaks the Model Context Protocol."),
    ),
    "The API over time": (
        Guide("api-changelog", "api-changelog.md", "Additions to the API, newest first."),
        Guide("deprecation", "deprecation.md", "How long what you call stays, and how you are told."),
    ),
}
GUIDES = {guide.name: guide for guides in SECTIONS.values() for guide in guides}


def guide_of(path: str) -> Guide | None:
    """The guide that is about an operation, by its path as OpenAPI has it (`/api/v1/channels/{channel_id}`)."""
    return _of(path.removeprefix("/api"), {begin: guide for guide in GUIDES.values() for begin in guide.about})


def guide_of_webhook(name: str) -> Guide | None:
    """The guide that is about a webhook, by its name."""
    return _of(name, {begin: guide for guide in GUIDES.values() for begin in guide.webhooks})


def _of(text: str, beginnings: dict[str, Guide]) -> Guide | None:
    fitting = [begin for begin in beginnings if text.startswith(begin)]
    return beginnings[max(fitting, key=len)] if fitting else None
