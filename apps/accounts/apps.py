from datetime import timedelta

from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.accounts.rules import ALL, READ_ONLY
from apps.accounts.scopes import OWN
from apps.core import plugins


class AccountsConfig(plugins.ParleyAppConfig):
    name = "apps.accounts"
    label = "accounts"
    verbose_name = gettext_lazy("Account")
    plugin = plugins.Plugin(
        for_everybody=(
            "mail.py",
            "templates/accounts/password_changed_mail",
            "templates/accounts/new_password_mail",
            "templates/accounts/colleague_mail",
        ),
        scopes=OWN,
        presets=(
            plugins.ScopePreset(ALL, _("All but support"), 30),
            plugins.ScopePreset(READ_ONLY, _("Read only"), 50),
        ),
        jobs=(
            plugins.Job(_("store uses of tokens"), "apps.accounts.tasks.store_token_uses", timedelta(minutes=1)),
            plugins.Job(_("forget old changes"), "apps.accounts.tasks.forget_old_changes", timedelta(days=1)),
            plugins.Job(_("forget old sessions"), "apps.accounts.tasks.forget_old_sessions", timedelta(days=1)),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts import sign_on  # noqa: F401 - registers its check
        from apps.accounts.actions.numbers import begin_at_cell
        from apps.accounts.audit.trail import watch
        from apps.accounts.models import Account, ApiToken, User, Widget

        post_migrate.connect(begin_at_cell, sender=self, dispatch_uid="accounts.begin_at_cell")
        watch(Account, "id", without=("referred_by",))  # another customer
        watch(User, "account_id", without=("password", "last_login", "seen_language"))
        watch(Widget, "account_id")
        watch(ApiToken, "widget__account_id", without=("last_used_at",))
