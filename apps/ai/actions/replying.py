"""The work of a reply: a chat is read, a model is asked outside of any transaction, and its answer is shown or dropped
in a transaction that reads the chat again (docs/guides/people-and-ai.md; ADR 0020).
"""

from collections.abc import Sequence

from django.db import transaction

from apps.ai.actions.asking import Asker, Source, sources_of
from apps.ai.actions.composing import Composed, Question, compose, floor_of, handed_over
from apps.ai.actions.external_turns import External, begin_turn, external_of, look_at_turn, may_be_asked, unanswered
from apps.ai.actions.questions import question_of
from apps.ai.actions.showing import Answer, show, write_exchange
from apps.ai.actions.troubles import report_troubles
from apps.ai.actions.turns import Responder, Turn, is_able, read_turn, responder_of
from apps.ai.actions.typing import Typing
from apps.ai.drivers import ProviderFailed
from apps.ai.models import ReplyJob
from apps.ai.rules import outcomes, turns
from apps.ai.rules.lifecycle import Fallback
from apps.ai.rules.turns import NOT_CONFIGURED, Silence, Speak, Verdict, Wait, Way
from apps.chats.actions import hand_to_people
from apps.chats.models import Chat
from apps.core.egress.meter import Meter, SpentError
from apps.core.intelligence import report_alert
from apps.core.leases import Lease, Queue

OPERATIONS, SECONDS = 10, 45
# Once more after so long, where the whole chain failed and that may pass.
AGAIN_AFTER_S = 2.0
PROVIDER_FAILURE = "provider_failure"


def reply(lease: Lease[ReplyJob]) -> None:
    """Looks at the lease's chat, and says what is to be said. The work of `QUEUE`."""
    open_for_s = look_at_turn(widget_id=lease.row.widget_id, chat_id=lease.row.chat_id)
    if open_for_s is not None:
        lease.later(open_for_s)
        return
    turn = _turn_of(lease)
    step = turn.step
    if isinstance(step, Silence):
        lease.done()
    elif isinstance(step, Wait):
        lease.later((step.until - turn.now).total_seconds())
    else:
        _speak(lease, turn, step)


def _turn_of(lease: Lease[ReplyJob]) -> Turn:
    chats = Chat.objects.of(lease.row.widget_id).select_related("widget", "contact")
    return read_turn(chats.get(pk=lease.row.chat_id))


def _speak(lease: Lease[ReplyJob], turn: Turn, speak: Speak) -> None:
    """Has the chat's responder answer: an external operator where there is one, else an AI operator."""
    if (failed := unanswered(turn)) is not None:
        _fall_back(lease, turn, speak, failed)
    elif (external := external_of(turn)) is not None:
        _have_external_answer(lease, turn, speak, external)
    else:
        _have_model_answer(lease, turn, speak)


def _have_external_answer(lease: Lease[ReplyJob], turn: Turn, speak: Speak, external: External) -> None:
    """Makes a turn for an external operator, and sleeps until it ends; what needs no answer is said in its name."""
    if speak.limit is not None and turn.is_shadow:
        lease.done()
        return
    responder = external.responder
    question = question_of(turn, speak, responder)
    floor = outcomes.at_floor(speak.limit) if speak.limit is not None else floor_of(question)
    if floor is not None:
        composed = handed_over(question, floor)
        answer = Answer(turn=turn, speak=speak, responder=responder, question=question, composed=composed)
        _finish(lease, answer)
        report_troubles(answer)
    elif not may_be_asked(external):
        _fall_back(lease, turn, speak, external)
    else:
        begin_turn(lease, turn, speak, external, operators=question.operators, language=question.language)


def _fall_back(lease: Lease[ReplyJob], turn: Turn, speak: Speak, external: External) -> None:
    """Answers in place of an external operator: by an AI operator, or by people, who are called."""
    if external.operator.fallback == Fallback.MODEL and _able(turn)[1]:
        _have_model_answer(lease, turn, speak)
        return
    question = question_of(turn, speak, external.responder)
    composed = handed_over(question, outcomes.at_floor(PROVIDER_FAILURE))
    answer = Answer(turn=turn, speak=speak, responder=external.responder, question=question, composed=composed)
    _finish(lease, answer)


def _able(turn: Turn) -> tuple[Responder | None, Sequence[Source]]:
    """The AI operator who would answer, and its credentials; none if no operator is able."""
    responder = responder_of(turn.chat.widget_id, spoke_last=turn.spoke_last)
    if responder is None:
        return None, ()
    return responder, sources_of(turn.chat.widget_id, responder.assistant, responder.operator_id)


def _have_model_answer(lease: Lease[ReplyJob], turn: Turn, speak: Speak) -> None:
    responder, sources = _able(turn)
    if responder is None or not sources:
        _leave_to_people(lease, turn, speak)
        return
    if speak.limit is not None and turn.is_shadow:
        lease.done()
        return
    question = question_of(turn, speak, responder)
    if speak.limit is not None:
        composed = handed_over(question, outcomes.at_floor(speak.limit))
        answer = Answer(turn=turn, speak=speak, responder=responder, question=question, composed=composed)
    else:
        asked = _asked(lease, turn, speak, responder, question, sources)
        if asked is None:
            lease.give_back()
            return
        answer = asked
    _finish(lease, answer)
    report_troubles(answer)


def _leave_to_people(lease: Lease[ReplyJob], turn: Turn, speak: Speak) -> None:
    """Leaves the chat to people, as if there were no AI, and shows them that a visitor waits."""
    with transaction.atomic():
        if not turn.is_shadow and speak.way in (Way.ANSWER, Way.RETURNED):
            hand_to_people(widget_id=turn.chat.widget_id, chat_id=turn.chat.pk, reason=NOT_CONFIGURED)
        lease.done(though_overtaken=True)
    report_alert(
        turn.chat.widget_id,
        NOT_CONFIGURED,
        "A visitor wrote, and no AI operator is able to answer: one needs to be active, with an enabled assistant and "
        "a credential.",
        chat_id=turn.chat.pk,
    )


def _asked(
    lease: Lease[ReplyJob],
    turn: Turn,
    speak: Speak,
    responder: Responder,
    question: Question,
    sources: Sequence[Source],
) -> Answer | None:
    """The models' answer; a handover without one in time. None: the process ends, another asks again."""
    with Typing(turn, responder) as typing:
        asker = Asker(
            turn.chat.widget_id,
            sources,
            Meter(operations=OPERATIONS, seconds=SECONDS),
            assistant_id=responder.assistant.pk,
            operator_id=responder.operator_id,
            chat_id=turn.chat.pk,
            temperature=responder.assistant.temperature,
            on_call=typing.start,
        )
        try:
            composed = _composed(lease, question, asker)
        except (ProviderFailed, SpentError):
            if lease.must_stop:
                return None
            composed = handed_over(question, outcomes.at_floor(PROVIDER_FAILURE))
    return Answer(turn=turn, speak=speak, responder=responder, question=question, composed=composed, asker=asker)


def _composed(lease: Lease[ReplyJob], question: Question, asker: Asker) -> Composed:
    """Raises ProviderFailed and SpentError."""
    try:
        return compose(question, asker)
    except ProviderFailed:
        may_pass = any(failure.may_pass for _, failure in asker.failures)
        if not may_pass or asker.meter.seconds_left <= AGAIN_AFTER_S or lease.wait(AGAIN_AFTER_S):
            raise
        return compose(question, asker)


def _finish(lease: Lease[ReplyJob], answer: Answer) -> None:
    """Shows the answer, or drops it: the chat is locked and read again, behind the lease's fence."""
    asked = answer.turn
    with transaction.atomic():
        chat = Chat.objects.of(asked.chat.widget_id).select_related("widget").locked(pk=asked.chat.pk)
        found = read_turn(chat, asked=asked)
        verdict = turns.verdict(asked.state, answer.speak.way, found.state, found.step, restarts=lease.row.restarts)
        if verdict is Verdict.SHOW and not is_able(chat.widget_id, answer.responder):
            verdict = Verdict.AGAIN
        if verdict is Verdict.SHOW:
            message_id = show(answer)
            write_exchange(answer, outcome="shadow" if asked.is_shadow else "shown", message_id=message_id)
            _note_restarts(lease, 0)
            lease.done(though_overtaken=True)
            return
        write_exchange(answer, outcome="dropped")
        if verdict is Verdict.AGAIN:
            _note_restarts(lease, lease.row.restarts + 1)
            lease.give_back()
        elif isinstance(found.step, Wait):
            lease.later((found.step.until - found.now).total_seconds())
        else:
            lease.done(though_overtaken=True)


def _note_restarts(lease: Lease[ReplyJob], restarts: int) -> None:
    if lease.row.restarts != restarts:
        ReplyJob.objects.of(lease.row.widget_id).filter(pk=lease.row.pk).update(restarts=restarts)


def _give_up(lease: Lease[ReplyJob], reason: str) -> None:
    """The third attempt has failed on our side: the visitor is handed to people."""
    turn = _turn_of(lease)
    external = external_of(turn)
    responder = external.responder if external else responder_of(turn.chat.widget_id, spoke_last=turn.spoke_last)
    if not isinstance(turn.step, Speak) or responder is None:
        lease.done(though_overtaken=True)
        return
    question = question_of(turn, turn.step, responder)
    composed = handed_over(question, outcomes.at_floor(PROVIDER_FAILURE))
    answer = Answer(turn=turn, speak=turn.step, responder=responder, question=question, composed=composed)
    _finish(lease, answer)
    report_troubles(answer, gave_up=reason)


QUEUE = Queue(
    model=ReplyJob, work=reply, given_up=_give_up, waits=(1, 5), in_flight=16, in_flight_each=8, longest_s=120
)
