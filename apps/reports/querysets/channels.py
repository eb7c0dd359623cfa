"""The channels that chats of a widget may be in."""

import re
from collections.abc import Collection

from django.apps import apps as django_apps

from apps.agents.serializers.requests import messenger_codes
from apps.chats.questions import channel_names

_CUSTOM = re.compile(r"ch([0-9]{1,18})")


def channel_codes(widget_id: int) -> list[str]:
    """The codes of a widget's channels, but for its custom ones and its ad cabinets: the widget's first."""
    return list(dict.fromkeys(["widget", *messenger_codes(), *channel_names([widget_id])]))


def unknown_channels(widget_id: int, codes: Collection[str]) -> list[str]:
    """The codes that are no channel of the widget: one that never was and another widget's alike."""
    known = channel_codes(widget_id)
    return [code for code in codes if code not in known and not _is_custom(widget_id, code)]


def _is_custom(widget_id: int, code: str) -> bool:
    named = _CUSTOM.fullmatch(code)
    if named is None or not django_apps.is_installed("apps.messengers"):
        return False
    from apps.messengers.models import Channel

    return Channel.objects.for_widget(widget_id).filter(pk=named[1]).exists()
