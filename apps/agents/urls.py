"""The addresses of avatars."""

from django.urls import path

from apps.agents import views
from apps.core.endpoints import converters  # noqa: F401 - registers `id` and `guid`

urlpatterns = [path("files/avatars/<id:agent_id>/<guid:name>", views.avatar, name="avatar")]
