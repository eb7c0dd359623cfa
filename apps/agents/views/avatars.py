"""Avatars at their addresses, for everybody. When the operator has another avatar, or none, it is 404."""

from functools import partial

from django.http import HttpRequest, HttpResponse

from apps.agents.errors import AVATAR_STORAGE_FAILED
from apps.agents.models import Agent
from apps.core.endpoints.pictures import picture_response
from apps.core.parsing.pictures import CONTENT_TYPE


def avatar(request: HttpRequest, agent_id: int, name: str) -> HttpResponse:
    """The avatar of that name."""
    return picture_response(
        request,
        f"{name[:2]}/{name[2:]}",
        partial(_content_type, agent_id),
        gone="The picture's content is gone.",
        failed=AVATAR_STORAGE_FAILED,
    )


def _content_type(agent_id: int, key: str) -> str | None:
    found = Agent.objects.unscoped("public: the address names the picture").filter(pk=agent_id, avatar=key)
    return CONTENT_TYPE if found.exists() else None
