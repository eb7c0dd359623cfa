from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.accounts.scopes import OWN, TO_COME
from apps.core import plugins


class AccountsConfig(plugins.ParleyAppConfig):
    name = "apps.accounts"
    label = "accounts"
    verbose_name = gettext_lazy("Account")
    plugin = plugins.Plugin(
        api_urls="apps.accounts.api.urls",
        scopes=OWN + TO_COME,
        jobs=(plugins.Job(_("store uses of tokens"), "apps.accounts.tasks.store_token_uses", timedelta(minutes=1)),),
        demo="apps.accounts.demo.seed",
        cabinet_cards="apps.accounts.cards.cards",
    )
