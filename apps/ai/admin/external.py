"""The cabinet's page of external operators: how each does, its turns and moves, and what stops or proves it."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant

from apps.ai.actions.external import (
    change_external_operator,
    create_external_operator,
    force_drain,
    issue_reply_token,
    move_operator,
)
from apps.ai.actions.personas import staff_actor
from apps.ai.actions.probes import begin_test
from apps.ai.forms.external import ExternalOperatorForm, look_up_operator
from apps.ai.models import Assistant, ExternalOperator
from apps.ai.rules.lifecycle import ROTATING, Action
from apps.ai.serializers.external_operators import ExternalOperatorSerializer
from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import MenuTab
from apps.cabinet.outbound_address_admin import OutboundAddressAdmin
from apps.cabinet.refusals import words_of
from apps.cabinet.shown_once import show_once
from apps.cabinet.tenant_admin import AccessLevel, changes_of, user_of
from apps.core.problems import Problem

# What the stored values are called.
VALUES = (
    *(pgettext_lazy("value", "draft"), pgettext_lazy("value", "paused"), pgettext_lazy("value", "killed")),
    *(pgettext_lazy("value", "revoked"), pgettext_lazy("value", "rotating"), pgettext_lazy("value", "queued")),
    *(pgettext_lazy("value", "answered"), pgettext_lazy("value", "cancelled"), pgettext_lazy("value", "abandoned")),
    *(pgettext_lazy("value", "degraded"), pgettext_lazy("value", "ok"), pgettext_lazy("value", "handoff")),
    *(pgettext_lazy("value", "create"), pgettext_lazy("value", "change"), pgettext_lazy("value", "activate")),
    *(pgettext_lazy("value", "pause"), pgettext_lazy("value", "rotate"), pgettext_lazy("value", "kill")),
    *(pgettext_lazy("value", "revoke"), pgettext_lazy("value", "test"), pgettext_lazy("value", "force_drain")),
    *(pgettext_lazy("value", "no_echo"), pgettext_lazy("value", "no_proof")),
    *(pgettext_lazy("value", "issue_token"), pgettext_lazy("value", "delete"), pgettext_lazy("value", "model")),
)
SHOWN = 20
_LINES = ("state_line", "health_line", "waiting_line", "test_line", "turn_lines", "move_lines")


@admin.register(ExternalOperator)
class ExternalOperatorAdmin(OutboundAddressAdmin):
    """Secret and tokens are shown once, on the page that makes them."""

    menu = MenuTab(Assistant, 30, _("External operators"))
    purpose = _("Programs of your own that answer visitors.")
    account_path = "widget__account_id"
    may_add = may_change = AccessLevel.ACCOUNT
    titles = (_("external operator"), _("external operators"))
    labels = {
        "widget": _("widget"),
        "fallback": _("without an answer"),
        "requires_signed_replies": _("replies must be signed"),
        "answers_by_person": _("a person answers"),
    }
    form = ExternalOperatorForm
    list_display = ("name", "widget", "state_line", "health_line", "waiting_line", "url")
    list_filter = ("widget",)
    list_select_related = ("widget", "agent", "health")
    ordering = ("-id",)
    actions_detail = ("prove", "activate", "pause", "rotate", "drain", "token", "kill", "revoke")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        rows = super().get_queryset(request).filter(deleted_at=None).for_api()  # type: ignore[attr-defined]
        return rows.select_related("agent", "widget", "health", "last_test__operator")  # type: ignore[no-any-return]

    def get_fields(self, request: HttpRequest, obj: ExternalOperator | None = None) -> tuple[str, ...]:
        written = (
            *("name", "url", "bearer", "reply_timeout_sec", "fallback", "requires_signed_replies"),
            "answers_by_person",
        )
        if obj is None:
            return ("widget", *written)
        if not self.has_change_permission(request, obj):
            return ("widget", "url", *_LINES)
        return ("widget", *_LINES[:4], *written, *_LINES[4:])

    def get_readonly_fields(self, request: HttpRequest, obj: ExternalOperator | None = None) -> tuple[str, ...]:
        return ("widget", *_LINES) if obj else ()

    def look_up(self, url: str, row: Any, widget_id: str) -> Any:
        return look_up_operator(url, row, widget_id)

    def write(self, request: HttpRequest, obj: ExternalOperator, form: "ModelForm[Any]", change: bool) -> None:
        actor = staff_actor(user_of(request))
        if not change:
            wanted = {name: value for name, value in form.cleaned_data.items() if name != "widget"}
            target = request.looked_up  # type: ignore[attr-defined]
            made = create_external_operator(widget=form.cleaned_data["widget"], target=target, actor=actor, **wanted)
            obj.pk, obj.secret, obj.agent = made.pk, made.secret, made.agent
            return
        changes = {name: value for name, value in changes_of(form).items() if name != "bearer" or value}
        if "url" in changes:
            changes["target"] = request.looked_up  # type: ignore[attr-defined]
        try:
            change_external_operator(widget_id=obj.widget_id, public_id=obj.public_id, changes=changes, actor=actor)
        except Problem as refused:
            messages.error(request, words_of(refused))

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> HttpResponse:
        """Shows the secret, in this answer alone."""
        return self._shown_once(request, obj, gettext("The external operator is made"), obj.secret or "")

    def _shown_once(self, request: HttpRequest, obj: ExternalOperator, title: str, secret: str) -> HttpResponse:
        page = reverse("admin:ai_externaloperator_change", args=[obj.pk])
        return show_once(request, title=title, owner=obj.agent.name, page=page, plain_text=secret)

    # --- What is done to one -----------------------------------------------------------------------------------------

    @unfold_action(description=_("Test…"), url_path="test")  # type: ignore[untyped-decorator]
    def prove(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("Its address is sent one signed test, and proves by its answer that it knows the secret.")

        def act(operator: ExternalOperator) -> None:
            actor = staff_actor(user_of(request))
            begin_test(widget_id=operator.widget_id, public_id=operator.public_id, actor=actor)

        return self._asked(request, object_id, act, gettext("Test"), question, is_safe=True)

    @unfold_action(description=_("Activate…"), url_path="activate")  # type: ignore[untyped-decorator]
    def activate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("From now on it answers visitors. Its address must have proved itself in a test.")
        return self._moved(request, object_id, Action.ACTIVATE, gettext("Activate"), question)

    @unfold_action(description=_("Pause…"), url_path="pause")  # type: ignore[untyped-decorator]
    def pause(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("It gets no new turn. Turns that it has taken may still be answered; others answer the rest.")
        return self._moved(request, object_id, Action.PAUSE, gettext("Pause"), question)

    @unfold_action(description=_("New secret…"), url_path="rotate")  # type: ignore[untyped-decorator]
    def rotate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("For an hour the old and the new secret both count; then the new one alone. It is shown once.")
        return self._moved(request, object_id, Action.ROTATE, gettext("Make a new secret"), question)

    @unfold_action(description=_("End the rotation…"), url_path="drain")  # type: ignore[untyped-decorator]
    def drain(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("The old secret is dead at once. What is not delivered yet is given up, and others answer.")

        def act(operator: ExternalOperator) -> None:
            actor = staff_actor(user_of(request))
            force_drain(widget_id=operator.widget_id, public_id=operator.public_id, actor=actor)

        return self._asked(request, object_id, act, gettext("End it"), question)

    @unfold_action(description=_("Reply token…"), url_path="token")  # type: ignore[untyped-decorator]
    def token(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("An API token that replies for this operator alone, and may hand chats over. It is shown once.")

        def act(operator: ExternalOperator) -> str:
            user = user_of(request)
            return issue_reply_token(operator=operator, issued_by=user, actor=staff_actor(user)).plain_text

        return self._asked(request, object_id, act, gettext("Issue it"), question, is_safe=True)

    @unfold_action(description=_("Kill…"), variant=ActionVariant.DANGER, url_path="kill")  # type: ignore[untyped-decorator]
    def kill(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _(
            "The kill switch: nothing more is sent, no reply counts, others answer. It can be activated again."
        )
        return self._moved(request, object_id, Action.KILL, gettext("Kill"), question)

    @unfold_action(description=_("Revoke…"), variant=ActionVariant.DANGER, url_path="revoke")  # type: ignore[untyped-decorator]
    def revoke(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("The same for good: its secrets are erased, and its tokens end.")
        return self._moved(request, object_id, Action.REVOKE, gettext("Revoke"), question)

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[Any]:
        """The actions that have an effect now."""
        operator: ExternalOperator = self.get_object(request, object_id)
        if not self.has_change_permission(request, operator) or operator.standing == "revoked":
            return []
        state = ExternalOperatorSerializer.show(operator)["state"]
        useless = {"activate": ("active", ROTATING), "pause": ("draft", "paused", "killed", ROTATING)}
        useless |= {"rotate": (ROTATING,), "kill": ("killed",)}
        hidden = {name for name, states in useless.items() if state in states}
        hidden |= set() if state == ROTATING else {"drain"}
        actions = super().get_actions_detail(request, object_id)
        return [action for action in actions if action.action_name.rpartition("_")[2] not in hidden]

    def _moved(self, request: HttpRequest, object_id: str, action: Action, button: str, question: Any) -> HttpResponse:
        def act(operator: ExternalOperator) -> str | None:
            actor = staff_actor(user_of(request))
            found = move_operator(
                widget_id=operator.widget_id, public_id=operator.public_id, action=action, actor=actor
            )
            return found.secret

        return self._asked(
            request, object_id, act, button, question, is_safe=action in (Action.ACTIVATE, Action.ROTATE)
        )

    def _asked(
        self, request: HttpRequest, object_id: str, act: Any, button: str, question: Any, *, is_safe: bool = False
    ) -> HttpResponse:
        """Asks at a GET, and says how many turns are open; acts at a POST, and shows a secret that it gives, once."""
        operator: Any = self.get_object(request, object_id)
        if not self.has_change_permission(request, operator):
            raise PermissionDenied
        back = reverse("admin:ai_externaloperator_change", args=[operator.pk])
        if request.method != "POST":
            turns = ngettext("%(count)d turn is open.", "%(count)d turns are open.", operator.awaiting_reply)
            context = {
                **self.admin_site.each_context(request),
                "opts": self.opts,
                "title": operator.agent.name,
                "question": f"{question} {turns % {'count': operator.awaiting_reply}}",
                "button": button,
                "button_class": "button-plain" if is_safe else "button-danger",
                "back": back,
            }
            return TemplateResponse(request, "admin/agents/ask.html", context)
        try:
            secret = act(operator)
        except Problem as refused:
            messages.error(request, words_of(refused))
        else:
            if secret:
                return self._shown_once(request, operator, button, secret)
            messages.success(request, gettext("Done."))
        return HttpResponseRedirect(back)

    # --- What is shown -----------------------------------------------------------------------------------------------

    @admin.display(description=pgettext_lazy("of a thing", "name"))
    def name(self, operator: ExternalOperator) -> str:
        return operator.agent.name

    @admin.display(description=_("state"))
    def state_line(self, operator: ExternalOperator) -> str:
        proved = gettext("address proved") if operator.verified_at else gettext("address not proved")
        return f"{display_value(ExternalOperatorSerializer.show(operator)['state'])}, {proved}"

    @admin.display(description=_("health"))
    def health_line(self, operator: ExternalOperator) -> str:
        health = ExternalOperatorSerializer.show(operator)["health"]
        said = display_value(health["state"])
        if health["last_error"]:
            said += f" · {display_value(health['last_error'])} {_moment(health['last_failed_at'])}"
        return said

    @admin.display(description=_("waiting"))
    def waiting_line(self, operator: Any) -> str:
        oldest = operator.turns.open().order_by("created_at").values_list("created_at", flat=True).first()
        if oldest is None:
            return gettext("nobody")
        seconds = round((timezone.now() - oldest).total_seconds())
        return gettext("%(count)d turns, the oldest for %(seconds)d s") % {
            "count": operator.awaiting_reply,
            "seconds": seconds,
        }

    @admin.display(description=_("last test"), empty_value="—")
    def test_line(self, operator: ExternalOperator) -> str | None:
        test = operator.last_test
        if test is None:
            return None
        return f"{_moment(test.created_at)} · {display_value(test.status)} · {display_value(test.error or 'ok')}"

    @admin.display(description=_("turns"), empty_value="—")
    def turn_lines(self, operator: ExternalOperator) -> str | None:
        """Times and outcomes; no text."""
        rows = operator.turns.order_by("-id")[:SHOWN]
        lines = [
            (f"{_moment(one.created_at)} · {display_value(one.state)} · {display_value(one.ending)}",) for one in rows
        ]
        return _list(lines)

    @admin.display(description=_("moves"), empty_value="—")
    def move_lines(self, operator: ExternalOperator) -> str | None:
        rows = operator.moves.order_by("-id")[:SHOWN]
        lines = [
            (
                (
                    f"{_moment(one.at)} · {display_value(one.action)} · {display_value(one.to_state)}"
                    f" · {one.actor['name']} · {one.reason}"
                ),
            )
            for one in rows
        ]
        return _list(lines)


def _moment(at: Any) -> str:
    return date_format(localtime(at), "j M, H:i:s") if at else ""


def _list(lines: list[tuple[str]]) -> str | None:
    if not lines:
        return None
    return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", lines))
