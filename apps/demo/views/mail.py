"""The post of a trial on a page: what the service wrote, to be read and answered. On this machine alone."""

from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from apps.cabinet.probes import is_from_this_machine
from apps.demo.servers import post

MAX_TEXT = 5_000
MAILBOX = "support@flowers.example"


@method_decorator(
    [csp_update({"frame-src": ["'self'"], "style-src": ["'unsafe-inline'"]}), never_cache], name="dispatch"
)
class MailPage(View):
    """Lists letters; `?letter=N` shows one in a frame without scripts; a POST answers it, or writes to the mailbox."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not (settings.MAIL_IS_TRIAL and is_from_this_machine(request)):
            raise Http404
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)  # type: ignore[assignment]
        return answer

    def get(self, request: HttpRequest) -> HttpResponse:
        number = request.GET.get("letter", "")
        shown = post.letter(int(number)) if number.isdecimal() and len(number) < 4 else None
        context = {
            "letters": post.letters(),
            "shown": shown,
            "programs": [(code, name) for code, (name, _) in post.PROGRAMS.items()],
            "mailbox": MAILBOX,
            "is_sent": "sent" in request.GET,
        }
        return render(request, "demo/mail.html", context)

    def post(self, request: HttpRequest) -> HttpResponse:
        text = request.POST.get("text", "").strip()[:MAX_TEXT]
        number, program = request.POST.get("letter", ""), request.POST.get("program", "")
        written = post.letter(int(number)) if number.isdecimal() and len(number) < 4 else None
        if text and written is not None and program in post.PROGRAMS:
            post.answer(written, text, program)
        elif text and not number:
            post.write(request.POST.get("sender", "").strip()[:254] or "mary@mail.example", MAILBOX, text)
        return HttpResponseRedirect(f"{request.path}?sent=1")
