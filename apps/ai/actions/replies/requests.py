"""A reply to a chat: why it is made, in whose name, and all that its text is made of."""

from dataclasses import dataclass
from uuid import UUID, uuid5

from django.utils.crypto import salted_hmac

from apps.ai.actions.replies.drafting import ReplyRequest, link_hosts
from apps.ai.actions.replies.reading import ReplyContext
from apps.ai.actions.replies.speakers import Speaker, presence_among
from apps.ai.rules.decisions import ReplyMode, ReplyPlan
from apps.ai.rules.languages import language_of
from apps.ai.rules.prompts import bounded
from apps.chats.questions import spoken_language

_CLIENT_IDS = UUID("8a0c6f0e-3f6b-4e0f-9d7e-0b9b6c1f5a11")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply(ReplyRequest):
    """A reply that is under way, in one operator's name."""

    context: ReplyContext
    plan: ReplyPlan
    speaker: Speaker

    def client_id(self, part: str) -> UUID:
        """The message's own: the same at each attempt, so that no crash and no second worker shows two."""
        return uuid5(_CLIENT_IDS, f"{self.context.chat.pk}:{self.context.burst[0].id}:{part}")


def reply_to(context: ReplyContext, plan: ReplyPlan, speaker: Speaker) -> ChatReply:
    """The reply to the context's burst in the speaker's name. Reads presence."""
    chat, settings, assistant = context.chat, context.settings, speaker.assistant
    reads_presence = settings.presence_context_enabled
    told = language_of(bounded([said.body for said in context.burst]).text)
    language = told or _language(context)
    return ChatReply(
        context=context,
        plan=plan,
        speaker=speaker,
        assistant=assistant,
        operator_id=speaker.operator.pk,
        history=context.history,
        held=context.held,
        burst=bounded([said.text for said in context.burst]),
        language=language,
        reply_language=told or _wordless_language(context),
        canary=salted_hmac("ai.canary", str(chat.pk)).hexdigest()[:16],
        operators=presence_among(context.people, chat.widget_id, chat.department_id, channel=chat.channel)
        if reads_presence
        else "unknown",
        presence_context=reads_presence,
        rag=settings.rag_enabled and assistant.rag_enabled,
        offline_outcome_mode=settings.offline_outcome_mode,
        phrases=settings.phrases,
        link_hosts=link_hosts(chat.widget, settings),
        now=context.now,
        greeting=assistant.greeting_i18n.get(language) or assistant.greeting,
        may_hand_over=not plan.takes_over,
        people_are_called=plan.way is ReplyMode.HELP,
        by_letters=context.by_letters,
        knowledge_base=context.knowledge_base,
    )


def _language(context: ReplyContext) -> str:
    """The language of phrases, where the burst tells none; the conversation's was heard before."""
    return spoken_language(context.chat, heard=context.conversation.language if context.conversation else "")


def _wordless_language(context: ReplyContext) -> str | None:
    """The language to answer in where the burst has no words, such as a picture or a number; None where it has some, of
    a language that is none of the seven.
    """
    has_words = any(character.isalpha() for said in context.burst for character in said.body)
    return None if has_words else _language(context)
