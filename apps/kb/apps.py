from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins


class KbConfig(plugins.ParleyAppConfig):
    name = "apps.kb"
    label = "kb"
    verbose_name = gettext_lazy("Knowledge base")
    plugin = plugins.Plugin(
        scopes=(
            plugins.Scope("kb:read", _("Knowledge base"), _("read knowledge-base rules and sources")),
            plugins.Scope("kb:write", _("Knowledge base"), _("manage knowledge-base rules and sources")),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.kb.models import Rule

        watch(Rule, "widget__account_id", without=("digest", "embedding_status", "chunk_index", "searched"))
