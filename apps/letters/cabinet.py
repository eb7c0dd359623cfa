"""The cabinet's "Try it" of mail: a letter to oneself, sent by a worker; the page looks again until it is back. And its
page on which an owner shows that a mailbox is theirs: a button that mails a code, and its field.
"""

from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from apps.cabinet.refusals import words_of
from apps.core.mail import sender_address
from apps.core.problems import Problem
from apps.letters.actions.answers import writes_files
from apps.letters.actions.checks import WAIT_S, CheckRefusal, CheckRefused, ask_check, own_address
from apps.letters.actions.mailbox_proofs import prove, send_code
from apps.letters.forms import CheckForm, ProofForm, check_problem_words
from apps.letters.models import Mailbox, MailCheck

REFRESH_S = 3
MAX_DIGITS = 19
REFUSALS = {
    CheckRefusal.TOO_MANY: _("Mail was tried out often enough in this hour. Try again later."),
    CheckRefusal.STOPPED: _("The owner of this address has unsubscribed."),
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
        "note": gettext("There is no mail server: e-mails become files. EMAIL_URL names one.") if is_file else "",
        "is_on_its_way": is_on_its_way,
        "took_s": round((timezone.now() - check.asked_at).total_seconds()) if check else 0,
        "most_s": WAIT_S,
        "lines": _lines(check.result) if check and check.result else [],
        "problems": _problems(check.result) if check and check.result else [],
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


def _problems(told: dict[str, Any]) -> list[str]:
    """The problems of a check in the reader's language, with the server's words."""
    if "problems" not in told:  # of a check from before they were codes
        return [told["problem"]] if told.get("problem") else []
    found = [check_problem_words(problem) for problem in told["problems"]]
    return found or ([told["problem"]] if told["problem"] else [])


def proof_page(site: AdminSite, request: HttpRequest, mailbox: Mailbox) -> HttpResponse:
    """A POST with `send` mails the code, one with `code` takes it. The caller has looked whether the user may."""
    page = reverse("admin:letters_mailbox_change", args=[mailbox.pk])
    if request.method == "POST" and "send" in request.POST:
        mail_code(request, mailbox)
        return HttpResponseRedirect(request.path)
    form = ProofForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            prove(mailbox, form.cleaned_data["code"])
        except Problem as refused:
            form.add_error("code", words_of(refused))
        else:
            messages.success(request, gettext("The mailbox is yours: answers leave from %s.") % mailbox.address)
            return HttpResponseRedirect(page)
    context = {
        **site.each_context(request),
        "title": gettext("Prove that the mailbox is yours"),
        "form": form,
        "mailbox": mailbox,
        "sender": sender_address(),
        "back": page,
    }
    return TemplateResponse(request, "admin/letters/prove.html", context)


def mail_code(request: HttpRequest, mailbox: Mailbox) -> None:
    """Has the code mailed, and tells so; or why not."""
    try:
        send_code(mailbox, language=get_language() or "en")
    except Problem as refused:
        messages.error(request, words_of(refused))
    else:
        messages.info(request, gettext("A code is on its way to %s.") % mailbox.address)
