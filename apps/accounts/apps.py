from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.accounts.scopes import OWN
from apps.core import plugins


class AccountsConfig(plugins.ParleyAppConfig):
    name = "apps.accounts"
    label = "accounts"
    verbose_name = gettext_lazy("Account")
    plugin = plugins.Plugin(
        scopes=OWN,
        jobs=(
            plugins.Job(_("store uses of tokens"), "apps.accounts.tasks.store_token_uses", timedelta(minutes=1)),
            plugins.Job(_("forget old changes"), "apps.accounts.tasks.forget_old_changes", timedelta(days=1)),
            plugins.Job(_("forget old sessions"), "apps.accounts.tasks.forget_old_sessions", timedelta(days=1)),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.accounts.models import Account, ApiToken, User, Widget

        watch(Account, "id", without=("referred_by",))  # another customer
        watch(User, "account_id", without=("password", "last_login", "seen_language"))
        watch(Widget, "account_id")
        watch(ApiToken, "widget__account_id", without=("last_used_at",))
