from apps.accounts.scopes import OWN, TO_COME
from apps.core import plugins


class AccountsConfig(plugins.ParleyAppConfig):
    name = "apps.accounts"
    label = "accounts"
    plugin = plugins.Plugin(api_urls="apps.accounts.api.urls", scopes=OWN + TO_COME, demo="apps.accounts.demo.seed")
