from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `id`
from apps.messengers.api.channels import CustomChannelViewSet

urlpatterns = [
    path("channels", CustomChannelViewSet.as_view({"post": "create"})),
    path("channels/<id:channel_id>", CustomChannelViewSet.as_view({"get": "retrieve"})),
    path("channels/<id:channel_id>/status", CustomChannelViewSet.as_view({"get": "status"})),
    path("channels/<id:channel_id>/messages", CustomChannelViewSet.as_view({"post": "receive"})),
]
