"""Help of a model for the operator beside a chat."""

from typing import Any

from django.apps import apps as django_apps
from django.utils.translation import get_language

from apps.agents.rules.choices import language_refusal
from apps.assists.errors import ASSIST_UNAVAILABLE, BUDGET_EXHAUSTED, TOO_MANY_ASSISTS
from apps.assists.rules.kinds import (
    ASKED_BESIDE_A_CHAT,
    MAX_COMMENT,
    MAX_LANGUAGE,
    MAX_REWRITTEN,
    AssistKind,
    AssistOutcome,
)
from apps.assists.serializers import AssistSerializer, ToolSerializer, shown
from apps.chats.models import Chat
from apps.console.authentication import SessionAuthenticator
from apps.console.rules.limits import spoken
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import WithStatus, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Boolean, Choice, PatchBody, Text, Uuid, validator_of
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND

# Without the app there are no rows: each call of one is 404, and there is no help.
IS_INSTALLED = django_apps.is_installed("apps.assists")
ASSIST: Any = django_apps.get_model("assists", "Assist") if IS_INSTALLED else Chat


class AssistBody(Body):
    """A wish for help. `client_id` makes sending it again harmless."""

    client_id = Uuid()
    kind = Choice(choices=list(ASKED_BESIDE_A_CHAT))
    text = Text(required=False, allow_blank=True, max_length=MAX_REWRITTEN)
    tool = Text(required=False, max_length=32)
    to = Text(required=False, max_length=MAX_LANGUAGE, validators=[validator_of(language_refusal)])


class JudgementBody(PatchBody):
    """The operator's judgement."""

    outcome = Choice(required=False, choices=[AssistOutcome.DISMISSED])
    helpful = Boolean(required=False, allow_null=True)
    comment = Text(required=False, allow_blank=True, max_length=MAX_COMMENT)


class ChatAssistViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Chat

    @operation(
        summary="Ask a model for a draft, another wording, a translation or a summary",
        takes=AssistBody,
        answers=AssistSerializer,
        status=(202, 200),
        problems=(ASSIST_UNAVAILABLE, BUDGET_EXHAUSTED, TOO_MANY_ASSISTS),
        example={"client_id": "5f0c7a3e-2b1d-4c58-9a37-6d2f1e8b4c90", "kind": "draft", "text": "delivery, tomorrow"},
    )
    def create(self, context: RequestContext) -> WithStatus:
        """It is done in the background: frames tell the words so far and the end. Nothing of it is sent to anybody.

        200 is a `client_id` that is known, with what it began. `text` are a draft's key words, or what is rewritten.
        """
        if not IS_INSTALLED:
            raise ASSIST_UNAVAILABLE()
        from apps.assists.actions.asking import start_assist

        wish = dict(context.body)
        kind = AssistKind(wish.pop("kind"))
        more: dict[str, Any] = {"language": spoken(get_language())} if kind is AssistKind.SUMMARY else {}
        started = start_assist(agent=context.caller.agent, chat_id=context.target_id, kind=kind, **wish, **more)
        return WithStatus(202 if started.is_new else 200, shown(started.assist))


class AssistViewSet(EndpointViewSet):
    """The operator's own assists, and summaries, which are everybody's. Another's is 404."""

    authenticator = SessionAuthenticator()
    target = ASSIST

    @operation(summary="Show an assist", answers=AssistSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """As it is now; its words stand in `text` once it is done."""
        return shown(_seen(context))

    @operation(
        summary="Judge an assist, or stop it",
        takes=JudgementBody,
        answers=AssistSerializer,
        example={"outcome": "dismissed", "helpful": False, "comment": "The price is an old one."},
    )
    def partial_update(self, context: RequestContext) -> dict[str, Any]:
        """Dismissing one that runs stops it."""
        if not IS_INSTALLED:
            raise NOT_FOUND()
        from apps.assists.actions.asking import judge_assist

        return shown(judge_assist(agent=context.caller.agent, assist_id=context.target_id, changes=context.body))


def _seen(context: RequestContext) -> Any:
    if not IS_INSTALLED:
        raise NOT_FOUND()
    rows = ASSIST.objects.for_widget(context.widget_id).seen_by(context.caller.agent.pk).for_api()
    return rows.get_or_404(pk=context.target_id)


class ToolViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(summary="List the tools for texts", answers=ToolSerializer, lists="whole")
    def list(self, context: RequestContext) -> Page:
        """The built-in ones first, then the owner's, whose ids are `own:<id>`; their names in the caller's language."""
        if not IS_INSTALLED:
            return context.whole([])
        from apps.assists.actions.tools import tools_of

        return context.whole(tools_of(context.widget_id, spoken(get_language())))
