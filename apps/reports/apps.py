from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins


class ReportsConfig(plugins.ParleyAppConfig):
    name = "apps.reports"
    label = "reports"
    verbose_name = gettext_lazy("Reports")
    plugin = plugins.Plugin(
        jobs=(
            plugins.Job(_("keep episodes"), "apps.reports.tasks.keep_episodes", timedelta(seconds=10)),
            plugins.Job(_("ask for ratings"), "apps.reports.tasks.ask_for_ratings", timedelta(minutes=1)),
            plugins.Job(_("weekly letter"), "apps.reports.tasks.queue_weekly_letters", timedelta(minutes=10)),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.reports.models import RatingPolicy
        from apps.reports.settings import POLICY

        watch(
            RatingPolicy,
            "widget__account_id",
            labels=POLICY.labels,
            without=("since",),
            title=_("asking for ratings"),
        )
