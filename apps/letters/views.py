"""The targets of letters' links: the page that opens the chat, and the one that ends the letters."""

from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from apps.accounts.models import Widget
from apps.chats.questions import shown_name, widget_language
from apps.letters.actions.addresses import MAIL_STOPS, allow_letters, read_stop_proof, stop_letters
from apps.letters.actions.links import LetterOver, read_letter

_POLICY = {
    "script-src": [settings.PUBLIC_URL],
    "img-src": [settings.PUBLIC_URL, "https:", "data:"],
    "connect-src": [settings.PUBLIC_URL, settings.REALTIME_URL],
}


@method_decorator([csp_update(_POLICY), never_cache], name="dispatch")
class OpenLetter(View):
    """The shop's name and a button, which opens the chat. Nothing is changed: mail programs look at links."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        return _letter(request, token)


def _letter(request: HttpRequest, token: str) -> HttpResponse:
    try:
        opened = read_letter(token)
    except LetterOver:
        return _said(request, gettext("This link has expired. You can start a new chat."), status=410)
    if opened is None:
        return _said(request, gettext("This link does not exist."), status=404)
    widget = Widget.objects.get(pk=opened.widget_id)
    context = {
        "shop": shown_name(widget.pk, widget_language(widget.pk), widget.name),
        "loader": f"{settings.PUBLIC_URL}/widget/{widget.guid}/embed.js",
        "script": static("letters/open.js"),
        "token": token,
    }
    return _guarded(render(request, "letters/letter.html", context))


def _said(request: HttpRequest, text: str, *, status: int) -> HttpResponse:
    title = gettext("E-mails from this chat")
    return _guarded(render(request, "letters/stop_letters.html", {"title": title, "text": text}, status=status))


def _guarded(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@method_decorator([csrf_exempt, never_cache], name="dispatch")
class StopLetters(View):
    """Ends the letters of a chat to an address, once a button is pressed, or a mail program posts (RFC 8058).

    The proof in the link is all that is needed, so there is no session whose name could be misused.
    """

    def get(self, request: HttpRequest, proof: str) -> HttpResponse:
        said = read_stop_proof(proof)
        if said is None:
            return self._page(gettext("This link has expired."), status=410)
        if MAIL_STOPS.is_stopped(*said):
            return self._stopped(said[1])
        return self._page(
            gettext("This chat mails to %(email)s: answers that are unseen, and codes that were asked for.")
            % {"email": said[1]},
            button=gettext("Unsubscribe"),
        )

    def post(self, request: HttpRequest, proof: str) -> HttpResponse:
        said = read_stop_proof(proof)
        if said is None:
            return self._page(gettext("This link has expired."), status=410)
        widget_id, email = said
        if request.POST.get("again"):
            allow_letters(widget_id=widget_id, email=email)
            return self._page(gettext("This chat mails to %(email)s again.") % {"email": email})
        stop_letters(widget_id=widget_id, email=email)
        return self._stopped(email)

    def _stopped(self, email: str) -> HttpResponse:
        text = gettext("There will be no more e-mails from this chat to %(email)s.") % {"email": email}
        return self._page(text, button=gettext("Subscribe again"), again=True)

    def _page(self, text: str, *, button: str = "", again: bool = False, status: int = 200) -> HttpResponse:
        context = {"title": gettext("E-mails from this chat"), "text": text, "button": button, "again": again}
        return render(self.request, "letters/stop_letters.html", context, status=status)
