"""The demo page, icons at their addresses, and where a letter's link leads that ends the letters."""

from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.core.endpoints.answers import refusal
from apps.core.errors import METHOD_NOT_ALLOWED, NOT_FOUND
from apps.core.files import storage
from apps.widget import actions
from apps.widget.errors import WIDGET_ICON_STORAGE_FAILED
from apps.widget.models import Icon

_KEPT_S = 365 * 24 * 60 * 60


@csp_update(
    {
        "script-src": [settings.PUBLIC_URL],
        "img-src": [settings.PUBLIC_URL, "https:", "data:"],
        "connect-src": [settings.PUBLIC_URL, settings.REALTIME_URL],
    }
)
@require_safe
def demo_page(request: HttpRequest) -> HttpResponse:
    """A made-up shop with the installation's first widget, under a strict Content-Security-Policy."""
    widget = Widget.objects.order_by("id").first()
    if widget is None:
        raise Http404
    agent = Agent.objects.for_widget(widget.pk).people().order_by("id").first()
    context = {"public_url": settings.PUBLIC_URL, "guid": widget.guid, "agent_id": agent.pk if agent else ""}
    return render(request, "widget/demo.html", context)


def icon(request: HttpRequest, icon_id: int, name: str) -> HttpResponse:
    """An own icon of a widget, or its first frame, for everybody: an address is of one picture for ever.

    Refuses with NOT_FOUND (404), METHOD_NOT_ALLOWED (405), WIDGET_ICON_STORAGE_FAILED (502), TRY_AGAIN (503).
    """
    try:
        return _served_icon(request, icon_id, f"{name[:2]}/{name[2:]}")
    except storage.Gone:
        return refusal(NOT_FOUND("The icon's content is gone."), request)
    except storage.StorageFailed:
        return refusal(WIDGET_ICON_STORAGE_FAILED(), request)
    except Exception as error:
        return refusal(error, request)


def _served_icon(request: HttpRequest, icon_id: int, key: str) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        raise METHOD_NOT_ALLOWED(headers={"Allow": "GET, HEAD"})
    found = Icon.objects.filter(pk=icon_id).first()
    if found is None or key not in (found.key, found.still_key):
        raise NOT_FOUND()
    with storage.open_stored(key) as stored:
        content = stored.read()
    response = HttpResponse(content, content_type=found.content_type if key == found.key else "image/png")
    for header, value in {
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Cache-Control": f"public, max-age={_KEPT_S}, immutable",
    }.items():
        response.headers[header] = value
    return response


@method_decorator([csrf_exempt, never_cache], name="dispatch")
class StopMails(View):
    """Ends the letters of a chat to an address, once a button is pressed: mail programs open links.

    The proof in the link is all that is needed, so there is no session whose name could be misused.
    """

    def get(self, request: HttpRequest, proof: str) -> HttpResponse:
        said = actions.read_stop_proof(proof)
        if said is None:
            return self._page(gettext("This link leads nowhere any more."), status=410)
        return self._page(
            gettext("This chat mails to %(email)s: answers that are unseen, and codes that were asked for.")
            % {"email": said[1]},
            button=gettext("No more letters"),
        )

    def post(self, request: HttpRequest, proof: str) -> HttpResponse:
        said = actions.read_stop_proof(proof)
        if said is None:
            return self._page(gettext("This link leads nowhere any more."), status=410)
        widget_id, email = said
        actions.stop_mails(widget_id=widget_id, email=email)
        return self._page(gettext("There will be no more letters from this chat to %(email)s.") % {"email": email})

    def _page(self, text: str, *, button: str = "", status: int = 200) -> HttpResponse:
        context = {"title": gettext("Letters of the chat"), "text": text, "button": button}
        return render(self.request, "widget/stop_mails.html", context, status=status)
