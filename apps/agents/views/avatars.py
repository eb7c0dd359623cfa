"""Avatars at their addresses, for everybody: the widget shows them on other people's pages.

An address is of one picture for ever, so who has read it need not ask again. When the operator has another avatar, or
none, it is 404.
"""

from django.http import HttpRequest, HttpResponse

from apps.agents.errors import AVATAR_STORAGE_FAILED
from apps.agents.models import Agent
from apps.core.endpoints.answers import refusal
from apps.core.errors import METHOD_NOT_ALLOWED, NOT_FOUND
from apps.core.files import storage
from apps.core.parsing.pictures import CONTENT_TYPE

_KEPT_S = 365 * 24 * 60 * 60


def avatar(request: HttpRequest, agent_id: int, name: str) -> HttpResponse:
    """The avatar of that name.

    Refuses with NOT_FOUND (404), METHOD_NOT_ALLOWED (405), AVATAR_STORAGE_FAILED (502), TRY_AGAIN (503).
    """
    try:
        return _served(request, agent_id, name)
    except storage.Gone:
        return refusal(NOT_FOUND("The picture's content is gone."), request)
    except storage.StorageFailed:
        return refusal(AVATAR_STORAGE_FAILED(), request)
    except Exception as error:
        return refusal(error, request)


def _served(request: HttpRequest, agent_id: int, name: str) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        raise METHOD_NOT_ALLOWED(headers={"Allow": "GET, HEAD"})
    key = f"{name[:2]}/{name[2:]}"
    if not Agent.objects.unscoped("public: the address names the picture").filter(pk=agent_id, avatar=key).exists():
        raise NOT_FOUND()
    with storage.open_stored(key) as stored:
        content = stored.read()
    response = HttpResponse(content, content_type=CONTENT_TYPE)
    for header, value in {
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Cache-Control": f"public, max-age={_KEPT_S}, immutable",
    }.items():
        response.headers[header] = value
    return response
