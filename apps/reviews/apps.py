from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins


class ReviewsConfig(plugins.ParleyAppConfig):
    name = "apps.reviews"
    label = "reviews"
    verbose_name = gettext_lazy("Reviews")
    plugin = plugins.Plugin(
        jobs=(
            plugins.Job(_("pick chats to review"), "apps.reviews.tasks.pick_reviews", timedelta(hours=1)),
            plugins.Job(_("suggest scores"), "apps.reviews.tasks.suggest_scores", timedelta(minutes=1)),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.reviews.labels import SCORECARD_WORDS
        from apps.reviews.models import Scorecard

        watch(Scorecard, "widget__account_id", labels=SCORECARD_WORDS, title=_("scorecard"))
