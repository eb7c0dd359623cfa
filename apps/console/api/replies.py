"""Canned replies."""

from typing import Any

from apps.agents.rules.choices import language_refusal
from apps.automations.rules.variables import MAX_REPLY, variable_refusal
from apps.console.actions.filled_replies import filled_reply
from apps.console.actions.replies import delete_reply, write_reply
from apps.console.actions.reply_translations import approve_translation, drop_translation
from apps.console.authentication import SessionAuthenticator
from apps.console.errors import TRANSLATION_DIFFERS
from apps.console.models import CannedReply
from apps.console.rules.canned_replies import MAX_SHORTCUT, shortcut_refusal
from apps.console.serializers.replies import FilledReplySerializer, ReplySerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Boolean, PatchBody, Query, Text, validator_of
from apps.core.endpoints.viewsets import EndpointViewSet


class ReplyBody(Body):
    """A canned reply; the caller's own unless it is shared."""

    shortcut = Text(
        min_length=1,
        max_length=MAX_SHORTCUT,
        validators=[validator_of(shortcut_refusal)],
        help_text="No spaces. The widget's shared replies have different ones, and so have each operator's own.",
    )
    body = Text(
        min_length=1,
        max_length=MAX_REPLY,
        validators=[validator_of(variable_refusal)],
        help_text="May have variables with fallbacks, such as `{visitor.name|there}`.",
    )
    is_shared = Boolean(
        required=False, default=False, help_text="For all operators of the widget, or for the caller alone."
    )


class ReplyChangeBody(PatchBody):
    """The changes of a canned reply. Without `is_shared`, it stays whose it is."""

    of = ReplyBody


_EXAMPLE = {"shortcut": "hours", "body": "Мы работаем с 9 до 18 по будням.", "is_shared": True}


class FilledReplyQuery(Query):
    """The language of what is named in words."""

    lang = Text(
        required=False,
        max_length=3,
        validators=[validator_of(language_refusal)],
        help_text="The visitor's, unless named: of the day and of the language.",
    )


class FilledReplyViewSet(EndpointViewSet):
    """A canned reply as it is put into a chat."""

    authenticator = SessionAuthenticator()
    target, target_within = CannedReply, ("widget__chats",)

    @operation(summary="Fill in a canned reply", filters=FilledReplyQuery, answers=FilledReplySerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The reply's text for this chat. A variable that nothing is known for stays, and is named in `missing`."""
        replies = CannedReply.objects.for_widget(context.widget_id).at_hand(context.caller.agent)
        reply = replies.get_or_404(pk=context.target_id)
        return filled_reply(
            agent=context.caller.agent,
            chat_id=context.path["chat_id"],
            reply=reply,
            language=context.filters.get("lang"),
        )


class ReplyTranslationBody(Body):
    """A canned reply's text in another language."""

    text = Text(
        min_length=1,
        max_length=MAX_REPLY,
        validators=[validator_of(variable_refusal)],
        help_text="With the variables and facts of the reply: numbers, prices, dates, times, links and codes.",
    )


class ReplyTranslationViewSet(EndpointViewSet):
    """A canned reply in another language. It is used in chats whose visitors speak it."""

    authenticator = SessionAuthenticator()
    target = CannedReply

    @operation(
        summary="Approve the translation of a canned reply",
        takes=ReplyTranslationBody,
        answers=ReplySerializer,
        problems=(TRANSLATION_DIFFERS,),
        example={"text": "We are open from 9 to 18."},
    )
    def update(self, context: RequestContext) -> CannedReply:
        """In place of the one before. When the reply's text is changed it is `stale`, and not used."""
        return approve_translation(
            agent=context.caller.agent, reply_id=context.target_id, lang=context.path["lang"], text=context.body["text"]
        )

    @operation(summary="Delete the translation of a canned reply", answers=ReplySerializer)
    def destroy(self, context: RequestContext) -> CannedReply:
        """Answers the reply without it; again, the same."""
        return drop_translation(agent=context.caller.agent, reply_id=context.target_id, lang=context.path["lang"])


class ReplyViewSet(EndpointViewSet):
    """The shared replies of the widget, which anybody may change, and the caller's own.

    Another operator's own reply is 404.
    """

    authenticator = SessionAuthenticator()
    target = CannedReply

    @operation(summary="List canned replies", answers=ReplySerializer, lists="whole")
    def list(self, context: RequestContext) -> Page:
        """The shared ones and the caller's own, by shortcut, all of them on one page."""
        return context.whole(CannedReply.objects.for_widget(context.widget_id).at_hand(context.caller.agent))

    @operation(summary="Add a canned reply", takes=ReplyBody, answers=ReplySerializer, status=201, example=_EXAMPLE)
    def create(self, context: RequestContext) -> CannedReply:
        """At most 500 shared ones of a widget, and 200 of each operator's own."""
        return write_reply(agent=context.caller.agent, changes=context.body)

    @operation(
        summary="Change a canned reply",
        takes=ReplyChangeBody,
        answers=ReplySerializer,
        example={"body": "До 20 часов."},
    )
    def partial_update(self, context: RequestContext) -> CannedReply:
        """Changes what is sent and nothing else. A shared one that is shared no more becomes the caller's own."""
        return write_reply(agent=context.caller.agent, changes=context.body, reply_id=context.target_id)

    @operation(summary="Delete a canned reply", status=204)
    def destroy(self, context: RequestContext) -> None:
        """For everybody, if it is shared."""
        delete_reply(agent=context.caller.agent, reply_id=context.target_id)
