"""A reply to a chat: why it is made, in whose name, and all that its text is made of."""

from dataclasses import dataclass
from uuid import UUID, uuid5

from apps.ai.actions.replies.drafting import ReplyRequest, link_hosts
from apps.ai.actions.replies.reading import ReplyContext
from apps.ai.actions.replies.speakers import Speaker, operators_now
from apps.ai.rules.decisions import ReplyMode, ReplyPlan
from apps.ai.rules.languages import language_of
from apps.ai.rules.prompts import bounded
from apps.core.questions import contact_language, widget_language

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
    language = _language(context)
    return ChatReply(
        context=context,
        plan=plan,
        speaker=speaker,
        assistant=assistant,
        operator_id=speaker.operator.pk,
        history=context.history,
        held=context.held,
        burst=[said.text for said in context.burst],
        language=language,
        operators=operators_now(chat.widget_id, chat.department_id) if reads_presence else "unknown",
        presence_context=reads_presence,
        rag=settings.rag_enabled and assistant.rag_enabled,
        offline_outcome_mode=settings.offline_outcome_mode,
        phrases=settings.phrases,
        link_hosts=link_hosts(chat.widget, settings),
        now=context.now,
        greeting=assistant.greeting_i18n.get(language) or assistant.greeting,
        may_hand_over=not plan.takes_over,
        people_are_called=plan.way is ReplyMode.HELP,
    )


def _language(context: ReplyContext) -> str:
    """The burst's language, else the conversation's, else the visitor's session's, else the widget's."""
    told = language_of(bounded([said.body for said in context.burst]).text)
    noted = context.conversation.language if context.conversation else ""
    return told or noted or contact_language(context.chat.contact_id) or widget_language(context.chat.widget_id)
