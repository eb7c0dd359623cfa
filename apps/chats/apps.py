from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.chats.rules import SWEEP_EVERY
from apps.chats.rules.statistics import TALLY_EVERY
from apps.core import plugins


class ChatsConfig(plugins.ParleyAppConfig):
    name = "apps.chats"
    label = "chats"
    verbose_name = gettext_lazy("Chats")
    plugin = plugins.Plugin(
        presets=(plugins.ScopePreset("chat_bot", _("Chat bot"), 40),),
        scopes=(
            plugins.Scope("chats:read", _("Chats"), _("read chats"), presets=("chat_bot",)),
            plugins.Scope(
                "chats:write",
                _("Chats"),
                _("close and transfer chats, set their state, request a rating"),
                presets=("chat_bot",),
            ),
            plugins.Scope("messages:read", _("Chats"), _("read the message history"), presets=("chat_bot",)),
            plugins.Scope(
                "messages:write",
                _("Chats"),
                _("send messages, typing and read receipts as an agent"),
                presets=("chat_bot",),
            ),
            plugins.Scope("transcripts:read", _("Chats"), _("export a chat's transcript")),
            plugins.Scope("contacts:read", _("Contacts"), _("read contacts"), presets=("chat_bot",)),
            plugins.Scope("contacts:write", _("Contacts"), _("update contacts")),
            plugins.Scope("tags:read", _("Contacts"), _("read tags")),
            plugins.Scope("tags:write", _("Contacts"), _("attach tags to a contact")),
            plugins.Scope("files:read", _("Files and statistics"), _("download files"), presets=("chat_bot",)),
            plugins.Scope(
                "files:write",
                _("Files and statistics"),
                _("upload files"),
                presets=("ai_setup", "chat_bot"),
            ),
            plugins.Scope(
                "stats:read",
                _("Files and statistics"),
                _("read aggregate and per-agent statistics"),
                presets=("ai_setup",),
            ),
        ),
        jobs=(
            plugins.Job(_("sweep idle chats"), "apps.chats.tasks.sweep_chats", SWEEP_EVERY),
            plugins.Job(_("sweep unsent files"), "apps.chats.tasks.sweep_unsent_files", timedelta(hours=1)),
            plugins.Job(_("forget what is kept no longer"), "apps.chats.tasks.forget_old", timedelta(hours=1)),
            plugins.Job(_("keep messages searchable"), "apps.chats.tasks.keep_searchable", timedelta(seconds=5)),
            plugins.Job(_("keep tallies"), "apps.chats.tasks.keep_tallies", TALLY_EVERY),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.chats.models import Block, ConsoleSettings, ContactJoin, Retention
        from apps.chats.settings import RETENTION, SETTINGS

        watch(Block, "widget__account_id", without=("contact", "network", "reason"))
        watch(ConsoleSettings, "widget__account_id", labels=SETTINGS.labels, title=_("settings of the console"))
        watch(ContactJoin, "widget__account_id", without=("contact", "first"), title=_("merge of contacts"))
        watch(Retention, "widget__account_id", labels=RETENTION.labels)
