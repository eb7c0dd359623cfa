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
        scopes=(
            plugins.Scope("chats:read", _("Chats"), _("read chats")),
            plugins.Scope("chats:write", _("Chats"), _("close and transfer chats, set their state, request a rating")),
            plugins.Scope("messages:read", _("Chats"), _("read the message history")),
            plugins.Scope("messages:write", _("Chats"), _("send messages, typing and read receipts as an agent")),
            plugins.Scope("transcripts:read", _("Chats"), _("export a chat's transcript")),
            plugins.Scope("contacts:read", _("Contacts"), _("read contacts")),
            plugins.Scope("contacts:write", _("Contacts"), _("update contacts")),
            plugins.Scope("tags:read", _("Contacts"), _("read tags")),
            plugins.Scope("tags:write", _("Contacts"), _("attach tags to a contact")),
            plugins.Scope("files:read", _("Files and statistics"), _("download files")),
            plugins.Scope("files:write", _("Files and statistics"), _("upload files")),
            plugins.Scope("stats:read", _("Files and statistics"), _("read aggregate and per-agent statistics")),
        ),
        jobs=(
            plugins.Job(_("sweep idle chats"), "apps.chats.tasks.sweep_chats", SWEEP_EVERY),
            plugins.Job(_("bring back what was put aside"), "apps.chats.tasks.keep_at_hand", timedelta(seconds=10)),
            plugins.Job(_("sweep unsent files"), "apps.chats.tasks.sweep_unsent_files", timedelta(hours=1)),
            plugins.Job(_("forget what is kept no longer"), "apps.chats.tasks.forget_old", timedelta(hours=1)),
            plugins.Job(_("keep tallies"), "apps.chats.tasks.keep_tallies", TALLY_EVERY),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.chats.models import Block, ContactJoin, DeskSettings, Retention

        watch(Block, "widget__account_id", without=("contact", "network", "reason"))
        watch(DeskSettings, "widget__account_id")
        watch(ContactJoin, "widget__account_id", without=("contact", "first"))
        watch(Retention, "widget__account_id")
