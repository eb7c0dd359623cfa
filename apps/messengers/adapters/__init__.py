"""One file a messenger: what it can and how it is spoken to, as data and a few methods (CONTRIBUTING, "A twelfth
messenger")."""

from collections.abc import Mapping

from apps.messengers.adapters.adapter import Adapter
from apps.messengers.adapters.ali import AliExpress
from apps.messengers.adapters.apple import AppleMessages
from apps.messengers.adapters.av import Avito
from apps.messengers.adapters.cian import Cian
from apps.messengers.adapters.fb import Messenger
from apps.messengers.adapters.mx import Max
from apps.messengers.adapters.ok import Odnoklassniki
from apps.messengers.adapters.tg import Telegram
from apps.messengers.adapters.vb import Viber
from apps.messengers.adapters.vk import Vk
from apps.messengers.adapters.wa import WhatsApp

ADAPTERS: Mapping[str, Adapter] = {
    one.code: one
    for one in (
        Telegram(),
        Vk(),
        WhatsApp(),
        Viber(),
        Messenger(),
        Odnoklassniki(),
        Max(),
        Cian(),
        AliExpress(),
        AppleMessages(),
        Avito(),
    )
}
