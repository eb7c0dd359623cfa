"""The translation of a chat."""

from typing import Any

from django.utils.translation import get_language

from apps.agents.actions.choices import choices_of
from apps.agents.rules.choices import language_refusal
from apps.chats.actions.translations import switch_translation
from apps.chats.models import Chat
from apps.chats.rules.console_settings import TranslationMode
from apps.chats.rules.translations import readers
from apps.console import querysets
from apps.console.authentication import SessionAuthenticator
from apps.console.errors import TRANSLATION_UNAVAILABLE
from apps.console.querysets.translations import translation_reader
from apps.console.serializers.responses import CardTranslationSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Boolean, Text, validator_of
from apps.core.endpoints.viewsets import EndpointViewSet


class TranslationBody(Body):
    """The switch of a chat's translation."""

    on = Boolean()
    visitor_language = Text(
        required=False,
        max_length=3,
        validators=[validator_of(language_refusal)],
        help_text="The visitor's language, where the operator knows better.",
    )
    earlier = Boolean(required=False, default=False, help_text="The newest 30 messages that have none, too.")


class ChatTranslationViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Chat

    @operation(
        summary="Switch the translation of a chat",
        takes=TranslationBody,
        answers=CardTranslationSerializer,
        problems=(TRANSLATION_UNAVAILABLE,),
        example={"on": True, "earlier": True},
    )
    def update(self, context: RequestContext) -> dict[str, Any]:
        """For everybody who reads the chat. The visitor's words and the AI's are translated as they come.

        To the first language that the caller and the chat's owner read, where they do not read the visitor's.
        """
        chat = Chat.objects.for_widget(context.widget_id).get_or_404(pk=context.target_id)
        operator, reader = context.caller.agent, translation_reader(context.caller.agent, get_language())
        on = context.body["on"]
        if on and reader.offers is TranslationMode.OFF:
            raise TRANSLATION_UNAVAILABLE()
        language = context.body.get("visitor_language")
        card = querysets.contact_panels(context.widget_id, [context.target_id])[context.target_id]
        theirs = language or card["translation"]["visitor_language"]
        switch_translation(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            agent_id=operator.pk,
            on=on,
            to=readers([reader.reads, *_owners_reads(chat)], theirs) or reader.reads[:1],
            language=language,
            earlier=context.body["earlier"],
        )
        card = querysets.contact_panels(context.widget_id, [context.target_id])[context.target_id]
        return dict(reader.shown(card)["translation"])


def _owners_reads(chat: Chat) -> list[list[str]]:
    reads = choices_of(chat.widget_id, chat.agent_id).reads if chat.agent_id else []
    return [reads] if reads else []
