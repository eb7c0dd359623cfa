"""The question of an answer in a live chat, which a turn of the pipeline puts."""

from apps.ai.actions.composing import Question
from apps.ai.actions.turns import Responder, Turn, operators_now
from apps.ai.rules.languages import language_of
from apps.ai.rules.prompts import Presence
from apps.ai.rules.turns import Speak, Way
from apps.core.served import contact_language, widget_language


def question_of(turn: Turn, speak: Speak, responder: Responder) -> Question:
    """All that an answer to the turn's burst is made of. Reads presence."""
    chat, settings, assistant = turn.chat, turn.settings, responder.assistant
    reads = settings.presence_context_enabled
    operators: Presence = operators_now(chat.widget_id, chat.department_id) if reads else "unknown"
    language = language_of_turn(turn)
    return Question(
        assistant=assistant,
        operator_id=responder.operator_id,
        history=turn.history,
        burst=[said.text for said in turn.burst],
        language=language,
        operators=operators,
        presence_context=reads,
        rag=settings.rag_enabled and assistant.rag_enabled,
        offline_outcome_mode=settings.offline_outcome_mode,
        phrases=settings.phrases,
        trusted=chat.widget.allowed_origins,
        held=turn.held,
        now=turn.now,
        greeting=assistant.greeting_i18n.get(language) or assistant.greeting,
        may_hand_over=not speak.takes_over,
        people_are_called=speak.way is Way.HELP,
    )


def language_of_turn(turn: Turn) -> str:
    """The burst's language, else the conversation's, else the visitor's session's, else the widget's."""
    told = language_of("\n".join(said.body for said in turn.burst))
    noted = turn.conversation.language if turn.conversation else ""
    return told or noted or contact_language(turn.chat.contact_id) or widget_language(turn.chat.widget_id)
