"""The cabinet's "Try it" of mail: a letter to oneself, sent by a worker; the page looks again until it is back."""

from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.letters.actions.answers import writes_files
from apps.letters.actions.checks import WAIT_S, CheckRefusal, CheckRefused, ask_check, own_address
from apps.letters.forms import CheckForm
from apps.letters.models import Mailbox, MailCheck

REFRESH_S = 3
MAX_DIGITS = 19
REFUSALS = {
    CheckRefusal.TOO_MANY: _("Mail was tried out often enough in this hour. Try again later."),
    CheckRefusal.STOPPED: _("The owner of this address wants no letters."),
    CheckRefusal.NO_ADDRESS: _("There are no reply addresses (MAIL_REPLY_ADDRESS): name an address."),
}


def check_page(
    site: AdminSite, request: HttpRequest, *, widget_id: int, mailbox: Mailbox | None, back: str
) -> HttpResponse:
    """Asks for a letter at a POST, and shows the check that the address names, of this mailbox or of the installation.
    The caller has looked whether the user may.
    """
    check = _check(request, widget_id, mailbox)
    form = CheckForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            asked = ask_check(widget_id=widget_id, mailbox=mailbox, to=form.cleaned_data["to"])
        except CheckRefused as refused:
            messages.error(request, str(REFUSALS[refused.args[0]]))
        else:
            return HttpResponseRedirect(f"{request.path}?check={asked.pk}")
    is_file = writes_files() and not (mailbox and mailbox.smtp)
    is_on_its_way = check is not None and check.ended_at is None
    context = {
        **site.each_context(request),
        "title": gettext("Try the mail out"),
        "form": form,
        "back": back,
        "check": check,
        "sender": mailbox,
        "has_own": bool(own_address(mailbox)),
        "note": gettext("There is no mail server: letters become files. EMAIL_URL names one.") if is_file else "",
        "is_on_its_way": is_on_its_way,
        "took_s": round((timezone.now() - check.asked_at).total_seconds()) if check else 0,
        "most_s": WAIT_S,
        "lines": _lines(check.result) if check and check.result else [],
        "problem": (check.result or {}).get("problem") if check else None,
    }
    page = TemplateResponse(request, "admin/letters/try.html", context)
    if is_on_its_way:
        page["Refresh"] = str(REFRESH_S)
    return page


def _check(request: HttpRequest, widget_id: int, mailbox: Mailbox | None) -> MailCheck | None:
    named = request.GET.get("check", "")
    if not (named.isascii() and named.isdecimal() and len(named) < MAX_DIGITS):
        return None
    return MailCheck.objects.for_widget(widget_id).filter(mailbox=mailbox, pk=int(named)).first()


def _lines(told: dict[str, Any]) -> list[tuple[str, str]]:
    """The outcome of a check so far, in words."""
    says = {True: gettext("yes"), False: gettext("no"), None: "—"}
    back = gettext("yes, after %(seconds)s s") % {"seconds": told["seconds"]} if told["back"] else says[False]
    return [
        (gettext("Signed in to the server that sends"), says[told["smtp_login"]]),
        (gettext("Signed in to the server that receives"), says[told["imap_login"]]),
        (gettext("Sent"), says[told["sent"]]),
        (gettext("Came back"), back),
        *((name.upper(), told[name] or "—") for name in ("spf", "dkim", "dmarc")),
    ]
