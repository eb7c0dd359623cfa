"""All vendors of messengers on one port, each below its code (`/tg`, `/vk`, …): small, but with their rules.

A second webhook replaces the first, getUpdates conflicts with one, … `manage.py play_vendors` runs it for trying things
out; the tests tell it what people write and how to misbehave.
"""

from apps.demo.servers.dialects.apple import PlayedApple
from apps.demo.servers.dialects.marketplaces import PlayedMarketplaces
from apps.demo.servers.dialects.max_ import PlayedMax
from apps.demo.servers.dialects.meta import PlayedMeta
from apps.demo.servers.dialects.odnoklassniki import PlayedOdnoklassniki
from apps.demo.servers.dialects.telegram import PlayedTelegram
from apps.demo.servers.dialects.viber import PlayedViber
from apps.demo.servers.dialects.vk import PlayedVk


class Vendors(
    PlayedTelegram, PlayedVk, PlayedMeta, PlayedViber, PlayedOdnoklassniki, PlayedMax, PlayedMarketplaces, PlayedApple
):
    """Every vendor at once, each below its code."""
