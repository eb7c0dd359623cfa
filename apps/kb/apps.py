from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins
from apps.kb.labels import FIELD_WORDS

# What a queue keeps in a row: no change of what it is.
LEASE_FIELDS = ("due_at", "waiting_since", "lease_until", "claim_id", "attempts", "claims", "generation")


class KbConfig(plugins.ParleyAppConfig):
    name = "apps.kb"
    label = "kb"
    verbose_name = gettext_lazy("Knowledge base")
    plugin = plugins.Plugin(
        field_words=FIELD_WORDS,
        jobs=(
            plugins.Job(
                _("notice other models of the knowledge base"),
                "apps.kb.tasks.notice_models",
                timedelta(minutes=1),
            ),
            plugins.Job(_("queue crawls"), "apps.kb.tasks.schedule_crawls", timedelta(minutes=5)),
            plugins.Job(_("forget unused knowledge"), "apps.kb.tasks.forget_unused", timedelta(days=1)),
        ),
        scopes=(
            plugins.Scope(
                "kb:read", _("Knowledge base"), _("read knowledge-base rules and sources"), presets=("ai_setup",)
            ),
            plugins.Scope(
                "kb:write", _("Knowledge base"), _("manage knowledge-base rules and sources"), presets=("ai_setup",)
            ),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.kb.models import Crawler, Rule, Upload

        watch(
            Rule,
            "widget__account_id",
            without=("digest", "embedding_status", "embedding_error", "chunk_index", "searched"),
        )
        watch(Upload, "widget__account_id", without=("storage_key", "updated_at", *LEASE_FIELDS))
        watch(Crawler, "widget__account_id", without=("updated_at", "next_run_at", "repeated", "everywhere"))
