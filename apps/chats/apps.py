from apps.chats.rules import SWEEP_EVERY
from apps.chats.rules.statistics import TALLY_EVERY
from apps.core import plugins


class ChatsConfig(plugins.ParleyAppConfig):
    name = "apps.chats"
    label = "chats"
    plugin = plugins.Plugin(
        api_urls="apps.chats.api.urls",
        site_urls="apps.chats.urls",
        scopes=(
            plugins.Scope("chats:read", "Chats", "read chats"),
            plugins.Scope("chats:write", "Chats", "close and transfer chats, set their state, request a rating"),
            plugins.Scope("messages:read", "Chats", "read the message history"),
            plugins.Scope("messages:write", "Chats", "send messages, typing and read receipts as an agent"),
            plugins.Scope("transcripts:read", "Chats", "export a chat's transcript"),
            plugins.Scope("contacts:read", "Contacts", "read contacts"),
            plugins.Scope("contacts:write", "Contacts", "update contacts"),
            plugins.Scope("tags:read", "Contacts", "read tags"),
            plugins.Scope("tags:write", "Contacts", "attach tags to a contact"),
            plugins.Scope("files:read", "Files and statistics", "download files"),
            plugins.Scope("files:write", "Files and statistics", "upload files"),
            plugins.Scope("stats:read", "Files and statistics", "read aggregate and per-agent statistics"),
        ),
        jobs=(
            plugins.Job("sweep idle chats", "apps.chats.tasks.sweep_chats", SWEEP_EVERY),
            plugins.Job("keep tallies", "apps.chats.tasks.keep_tallies", TALLY_EVERY),
        ),
        demo="apps.chats.demo.seed",
    )
