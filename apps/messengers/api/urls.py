from django.urls import path

from apps.core.endpoints import converters
from apps.messengers.adapters import PROVIDERS
from apps.messengers.api.cabinets import CabinetViewSet
from apps.messengers.api.channels import CustomChannelViewSet
from apps.messengers.api.communities import CommunityViewSet
from apps.messengers.api.providers import MessengerViewSet

converters.register_keys("provider", PROVIDERS)

urlpatterns = [
    path("channels", CustomChannelViewSet.as_view({"post": "create"})),
    path("channels/<id:channel_id>", CustomChannelViewSet.as_view({"get": "retrieve"})),
    path("channels/<id:channel_id>/status", CustomChannelViewSet.as_view({"get": "status"})),
    path("channels/<id:channel_id>/messages", CustomChannelViewSet.as_view({"post": "receive"})),
    path("messengers", MessengerViewSet.as_view({"get": "list"})),
    path("messengers/vk/communities", CommunityViewSet.as_view({"get": "list", "post": "create"})),
    path("messengers/vk/communities/<id:community_id>", CommunityViewSet.as_view({"delete": "destroy"})),
    path("messengers/vk/communities/<id:community_id>/primary", CommunityViewSet.as_view({"post": "primary"})),
    path("messengers/av/cabinets", CabinetViewSet.as_view({"get": "list"})),
    path(
        "messengers/av/cabinets/<id:cabinet_id>",
        CabinetViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path(
        "messengers/<provider:provider>",
        MessengerViewSet.as_view({"get": "retrieve", "put": "update", "delete": "destroy"}),
    ),
    path("messengers/<provider:provider>/verify", MessengerViewSet.as_view({"post": "verify"})),
]
