from apps.accounts.scopes import OWN, TO_COME
from apps.core import plugins


class AccountsConfig(plugins.ParleyAppConfig):
    name = "apps.accounts"
    label = "accounts"
    plugin = plugins.Plugin(scopes=OWN + TO_COME, demo="apps.accounts.demo.seed")
