"""Macros for operators: those at hand, a look at one in a chat, running and undoing it."""

from typing import Any

from rest_framework import serializers

from apps.automations.actions import macros as actions
from apps.automations.actions.running_macros import preview_macro, run_macro
from apps.automations.actions.undo import undo_run
from apps.automations.cabinet.names import names_of
from apps.automations.cabinet.sentences import act_words
from apps.automations.errors import ALREADY_UNDONE, MACRO_LIMIT, MISSING
from apps.automations.models import AutomationRun, Macro
from apps.automations.serializers import MacroBody, MacroChanges, MacroSerializer, RunSerializer, UndoneSerializer
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.serializers.chats import OperatorMessageSerializer
from apps.console.authentication import SessionAuthenticator
from apps.console.errors import MANAGERS_ONLY
from apps.console.rules.limits import MAX_TEXT_LENGTH
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.row_serializers import RowSerializer, TextList, TextOrNull
from apps.core.endpoints.serializers import Body, Query, Text, Uuid
from apps.core.endpoints.viewsets import EndpointViewSet

MAX_ANSWER = 500  # characters of an answer to a macro's question
_INPUT = "input."


class MacroAnswers(serializers.DictField):
    """The answers to a macro's questions, by their keys."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=Text(allow_blank=True, max_length=MAX_ANSWER), **options)


class PreviewQuery(Query):
    """The answers to a macro's questions: `input.<key>` each."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        answers = {name: value for name, value in data.items() if name.startswith(_INPUT)}
        others = {name: value for name, value in data.items() if name not in answers}
        if long := [name for name, value in answers.items() if len(value) > MAX_ANSWER]:
            refusal = [f"Must have at most {MAX_ANSWER} characters."]
            raise serializers.ValidationError(dict.fromkeys(long, refusal))
        super().to_internal_value(others)
        return {name.removeprefix(_INPUT): value for name, value in answers.items()}


class RunMacroBody(Body):
    """A macro that is run. `client_id` makes running it again harmless."""

    client_id = Uuid()
    inputs = MacroAnswers(required=False, default=dict, help_text="The answers to its questions, by their keys.")
    body = Text(
        required=False,
        min_length=1,
        max_length=MAX_TEXT_LENGTH,
        help_text="Its reply as it stands in the composer; without it, as the macro has it.",
    )


class MacroPreviewSerializer(RowSerializer):
    """A macro in a chat before it is run."""

    text = TextOrNull(help_text="Its reply, for the composer; null: it has none.")
    missing = TextList(help_text="The variables and questions that nothing is known for.")
    does = TextList(help_text="Its other acts, in the caller's language.")


class MacroRunSerializer(RowSerializer):
    """A macro that was run."""

    run = RunSerializer()
    message = OperatorMessageSerializer(allow_null=True)


class ConsoleMacroViewSet(EndpointViewSet):
    """The shared macros, which managers change, and the caller's own. Another operator's own is 404."""

    authenticator = SessionAuthenticator()
    target = Macro

    @operation(summary="List macros", answers=MacroSerializer, lists="whole")
    def list(self, context: RequestContext) -> Page:
        """The shared ones and the caller's own, by name, all of them on one page."""
        macros = Macro.objects.for_widget(context.widget_id).offered_to(context.caller.agent.pk)
        return context.whole(macros.order_by("name", "pk"))

    @operation(
        summary="Add a macro",
        takes=MacroBody,
        answers=MacroSerializer,
        status=201,
        problems=(MANAGERS_ONLY, MACRO_LIMIT),
        example={"name": "Thanks", "agent_id": 1, "then": [{"do": "close"}]},
    )
    def create(self, context: RequestContext) -> Any:
        """Shared without `agent_id`, which managers alone add; else the caller's own."""
        if context.body["agent_id"] is None:
            _managers_only(context)
        return actions.create_macro(widget_id=context.widget_id, values=context.body, agent=context.caller.agent)

    @operation(
        summary="Change a macro",
        takes=MacroChanges,
        answers=MacroSerializer,
        problems=(MANAGERS_ONLY,),
        example={"key": 1},
    )
    def partial_update(self, context: RequestContext) -> Any:
        """A shared one is changed by managers alone. Its owner stays."""
        macro = _at_hand(context)
        return actions.change_macro(widget_id=context.widget_id, macro_id=macro.pk, changes=context.body)

    @operation(summary="Delete a macro", status=204, problems=(MANAGERS_ONLY,))
    def destroy(self, context: RequestContext) -> None:
        """For everybody, if it is shared, by managers alone. Its runs stay."""
        actions.delete_macro(widget_id=context.widget_id, macro_id=_at_hand(context).pk)


def _at_hand(context: RequestContext) -> Macro:
    """The macro that is to be changed. Raises NOT_FOUND (404), MANAGERS_ONLY (403)."""
    agent_id = context.caller.agent.pk
    macro = Macro.objects.for_widget(context.widget_id).offered_to(agent_id).get_or_404(pk=context.target_id)
    if macro.agent_id is None:
        _managers_only(context)
    return macro


def _managers_only(context: RequestContext) -> None:
    if not context.caller.is_manager:
        raise MANAGERS_ONLY()


class ChatMacroViewSet(EndpointViewSet):
    """A macro in a chat."""

    authenticator = SessionAuthenticator()
    target, target_within = Macro, ("widget__chats",)

    @operation(summary="Preview a macro", filters=PreviewQuery, answers=MacroPreviewSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """Its text for this chat, the names that are missing, and its other acts in words. Nothing is done."""
        agent = context.caller.agent
        found = preview_macro(
            agent=agent, chat_id=context.path["chat_id"], macro_id=context.target_id, inputs=context.filters
        )
        names = names_of(context.widget_id)
        return {"text": found.text, "missing": found.missing, "does": [act_words(act, names) for act in found.does]}

    @operation(
        summary="Run a macro",
        takes=RunMacroBody,
        answers=MacroRunSerializer,
        problems=(CHAT_IS_SPAM, MISSING),
        example={"client_id": "1b4e28ba-2fa1-41d2-883f-0016d3cca427", "inputs": {"order": "4711"}},
    )
    def run(self, context: RequestContext) -> dict[str, Any]:
        """Does its acts in the caller's name, in one transaction; again with its `client_id`, answers the same."""
        ran, message = run_macro(
            agent=context.caller.agent,
            chat_id=context.path["chat_id"],
            macro_id=context.target_id,
            client_id=context.body["client_id"],
            inputs=context.body["inputs"],
            body=context.body.get("body"),
        )
        return {"run": RunSerializer.show(ran), "message": message and OperatorMessageSerializer.show(message)}


class ConsoleRunViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = AutomationRun

    @operation(summary="Undo a run", answers=UndoneSerializer, problems=(ALREADY_UNDONE,))
    def undo(self, context: RequestContext) -> dict[str, Any]:
        """Its settings go back where they still stand. The caller's own macros; managers undo all."""
        agent = None if context.caller.is_manager else context.caller.agent
        return undo_run(widget_id=context.widget_id, run_id=context.target_id, agent=agent)
