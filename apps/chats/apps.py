from apps.chats.rules import SWEEP_EVERY
from apps.core.plugins import Job, ParleyAppConfig, Plugin, Scope


class ChatsConfig(ParleyAppConfig):
    name = "apps.chats"
    label = "chats"
    plugin = Plugin(
        api_urls="apps.chats.api.urls",
        scopes=(
            Scope("chats:read", "Chats", "read chats"),
            Scope("chats:write", "Chats", "close and transfer chats, set their state, request a rating"),
            Scope("messages:read", "Chats", "read the message history"),
            Scope("messages:write", "Chats", "send messages, typing and read receipts as an agent"),
            Scope("transcripts:read", "Chats", "export a chat's transcript"),
            Scope("contacts:read", "Contacts", "read contacts"),
            Scope("contacts:write", "Contacts", "update contacts"),
            Scope("tags:read", "Contacts", "read tags"),
            Scope("tags:write", "Contacts", "attach tags to a contact"),
            Scope("files:read", "Files and statistics", "download files"),
            Scope("files:write", "Files and statistics", "upload files"),
            Scope("stats:read", "Files and statistics", "read aggregate and per-agent statistics"),
        ),
        jobs=(Job("sweep idle chats", "apps.chats.tasks.sweep_chats", SWEEP_EVERY),),
        demo="apps.chats.demo.seed",
    )
