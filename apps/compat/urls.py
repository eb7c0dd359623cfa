"""The routes of the other platform's wire format."""

from django.urls import path

from apps.compat.api.legacy import LegacyBotViewSet, LegacyChannelViewSet
from apps.core.endpoints import converters  # noqa: F401 - registers `secret`

urlpatterns = [
    path("compat/legacy/bot/<secret:token>", LegacyBotViewSet.as_view({"post": "receive"})),
    path("compat/legacy/chat/<secret:secret>", LegacyChannelViewSet.as_view({"post": "receive"})),
    path("compat/legacy/chat/<secret:secret>/status", LegacyChannelViewSet.as_view({"get": "status"})),
]
