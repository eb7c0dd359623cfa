"""The addresses of avatars, and of the page of an invitation."""

from django.urls import path

from apps.agents.views import avatars, invitations
from apps.core.endpoints import converters  # noqa: F401 - registers `id` and `guid`

urlpatterns = [
    path("files/avatars/<id:agent_id>/<guid:name>", avatars.avatar, name="avatar"),
    path("invitations/accepted", invitations.accepted, name="invitation-accepted"),
    path("invitations/<str:secret>", invitations.invitation, name="invitation"),
]
