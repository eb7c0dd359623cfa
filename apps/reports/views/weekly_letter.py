"""The page that ends the weekly letter, and the address that the page of statistics had."""

from datetime import date, timedelta
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from apps.accounts.models import User, Widget
from apps.reports.actions.letters import choose_letter, read_stop_proof
from apps.reports.querysets.readers import wants_letter


@method_decorator([csrf_exempt, never_cache], name="dispatch")
class StopWeeklyLetter(View):
    """Ends the weekly letter to a person, once a button is pressed, or a mail program posts (RFC 8058).

    The proof in the link is all that is needed, so there is no session whose name could be misused.
    """

    def get(self, request: HttpRequest, proof: str) -> HttpResponse:
        found = self._named(proof)
        if found is None:
            return self._page(gettext("This link has expired."), status=404)
        widget, user = found
        if not wants_letter(user, widget):
            return self._stopped(user)
        said = gettext("The weekly letter of %(shop)s goes to %(email)s.") % {"shop": widget.name, "email": user.email}
        return self._page(said, button=gettext("Unsubscribe"))

    def post(self, request: HttpRequest, proof: str) -> HttpResponse:
        found = self._named(proof)
        if found is None:
            return self._page(gettext("This link has expired."), status=404)
        widget, user = found
        again = bool(request.POST.get("again"))
        choose_letter(widget_id=widget.pk, user_id=user.pk, is_wanted=again)
        if again:
            return self._page(gettext("The weekly letter goes to %(email)s again.") % {"email": user.email})
        return self._stopped(user)

    def _named(self, proof: str) -> tuple[Widget, User] | None:
        said = read_stop_proof(proof)
        if said is None:
            return None
        widget, user = Widget.objects.filter(pk=said[0]).first(), User.objects.filter(pk=said[1]).first()
        return (widget, user) if widget and user else None

    def _stopped(self, user: User) -> HttpResponse:
        text = gettext("The weekly letter does not go to %(email)s any more.") % {"email": user.email}
        return self._page(text, button=gettext("Subscribe again"), again=True)

    def _page(self, text: str, *, button: str = "", again: bool = False, status: int = 200) -> HttpResponse:
        context = {"title": gettext("Weekly letter"), "text": text, "button": button, "again": again}
        return render(self.request, "reports/stop_letter.html", context, status=status)


def old_statistics(request: HttpRequest, widget_id: int) -> HttpResponse:
    """The page of statistics that was, with its days: its address leads to the report of the same days."""
    page = reverse("admin:reports_widgetreport_change", args=[widget_id])
    try:
        first, last = (date.fromisoformat(request.GET.get(name, "")) for name in ("from", "to"))
        after = last + timedelta(days=1)
    except (ValueError, OverflowError):
        return HttpResponseRedirect(page)
    query = urlencode({"from": first.isoformat(), "to": after.isoformat(), "group": "day"})
    return HttpResponseRedirect(f"{page}?{query}")
