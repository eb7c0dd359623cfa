from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins
from apps.learning.labels import FIELD_WORDS

_LEASE = ("due_at", "waiting_since", "lease_until", "claim_id", "attempts", "claims", "generation")
# What the audit trail leaves to the rows themselves: their lease, evidence and patches.
UNTOLD_OF_WISHES = (*_LEASE, "patch", "applied_patch", "draft_base", "author", "updated_at")
UNTOLD_OF_CYCLES = (*_LEASE, "patch", "progress", "evidence", "evaluation", "provider_http_operations")


class LearningConfig(plugins.ParleyAppConfig):
    name = "apps.learning"
    label = "learning"
    verbose_name = gettext_lazy("Learning")
    plugin = plugins.Plugin(
        field_words=FIELD_WORDS,
        jobs=(
            plugins.Job(_("forget old demand signals"), "apps.learning.tasks.forget_old_demand", timedelta(days=1)),
            plugins.Job(_("review probations"), "apps.learning.tasks.review_probations", timedelta(minutes=5)),
            plugins.Job(_("queue tuning cycles"), "apps.learning.tasks.schedule_learning", timedelta(hours=1)),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.learning.models import Cycle, Wish

        watch(Wish, "widget__account_id", without=UNTOLD_OF_WISHES)
        watch(Cycle, "widget__account_id", without=UNTOLD_OF_CYCLES)
