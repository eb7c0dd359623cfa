from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.articles.labels import FIELD_WORDS
from apps.core import plugins


class ArticlesConfig(plugins.ParleyAppConfig):
    name = "apps.articles"
    label = "articles"
    verbose_name = gettext_lazy("Articles")
    plugin = plugins.Plugin(
        field_words=FIELD_WORDS,
        scopes=(
            plugins.Scope(
                "articles:publish",
                _("Knowledge base"),
                _("publish, withdraw and delete articles, and change the help center"),
                sensitive=True,
            ),
        ),
        jobs=(
            plugins.Job(
                _("publish the articles whose moment has come"),
                "apps.articles.tasks.publish_due",
                timedelta(minutes=1),
            ),
            plugins.Job(
                _("take up changed articles for AI and searches"),
                "apps.articles.tasks.follow_articles",
                timedelta(minutes=1),
            ),
            plugins.Job(
                _("look at the own domains of help centers"), "apps.articles.tasks.check_domains", timedelta(days=1)
            ),
            plugins.Job(
                _("forget old readers and searches of articles"), "apps.articles.tasks.forget_old", timedelta(days=1)
            ),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.articles.models import Article, ArticleCategory, ArticleText, HelpCenter

        of_text = ("updated_at", "body", "unsupported", "draft_state")
        watch(HelpCenter, "widget__account_id", without=("updated_at", "domain_token", "domain_checked_at"))
        watch(Article, "widget__account_id", without=("updated_at",), title=_("article"))
        watch(ArticleText, "widget__account_id", without=of_text, title=_("text of an article"))
        watch(ArticleCategory, "widget__account_id", without=("updated_at",), title=_("category of articles"))
