"""Responders in their order: an external operator, the models of an AI operator, a fixed phrase.

A fall-back is the next in the list.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from apps.ai.actions.external_turns import External, TurnDraft, external_of, may_be_asked, unanswered
from apps.ai.actions.model_calls import Asker, sources_among
from apps.ai.actions.replies.drafting import Composition, at_floor_of, compose, phrased
from apps.ai.actions.replies.limits import begin_reply, has_room, limits_of, waits_for_room
from apps.ai.actions.replies.reading import ReplyContext
from apps.ai.actions.replies.requests import ChatReply, reply_to
from apps.ai.actions.replies.speakers import speaker_among
from apps.ai.actions.replies.typing import TypingBeat
from apps.ai.actions.replies.writing import (
    NOTHING_TO_SAY,
    STOPPED,
    LeftToPeople,
    ReplyDraft,
    ReplyOutcome,
    WritableDraft,
)
from apps.ai.actions.usage import LimitReached
from apps.ai.drivers import ProviderFailed
from apps.ai.models import ReplyJob
from apps.ai.rules.configuration import reply_seconds
from apps.ai.rules.decisions import BUDGET, PROVIDER_FAILURE, ReplyMode, ReplyPlan
from apps.ai.rules.lifecycle import Fallback
from apps.ai.rules.shown_answers import at_floor
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import BudgetExhausted
from apps.leases import Lease

OPERATIONS = 10
# Once more after so long, where the whole chain failed and that may pass.
AGAIN_AFTER_S = 2.0


class Responder(Protocol):
    """One who may answer. An outcome instead of a draft ends the chat's job without a word; None asks the next one."""

    def draft(self, lease: Lease[ReplyJob]) -> WritableDraft | ReplyOutcome | None: ...


def draft(context: ReplyContext, plan: ReplyPlan, lease: Lease[ReplyJob]) -> WritableDraft | ReplyOutcome:
    """The draft of the first responder that has an answer."""
    for responder in _responders(context, plan):
        if (made := responder.draft(lease)) is not None:
            return made
    return LeftToPeople(context, plan)


def _responders(context: ReplyContext, plan: ReplyPlan) -> Iterator[Responder]:
    """The responders that may answer, in order; each is read when it is asked."""
    failed = unanswered(context)
    external = failed or external_of(context)
    if external is not None and failed is None:
        yield ExternalResponder(external, reply_to(context, plan, external.speaker))
    if external is None or external.operator.fallback == Fallback.MODEL:
        widget_id = context.chat.widget_id
        speaker = speaker_among(context.operators, context.assistants, spoke_last=context.spoke_last)
        sources = sources_among(context.credentials, speaker.assistant, speaker.operator.pk) if speaker else ()
        if speaker is not None and sources:
            reply = reply_to(context, plan, speaker)
            asker = Asker(
                widget_id,
                sources,
                CallBudget(
                    operations=OPERATIONS, seconds=reply_seconds(int(one.endpoint.timeout_s) for one in sources)
                ),
                assistant_id=speaker.assistant.pk,
                operator_id=speaker.operator.pk,
                chat_id=context.chat.pk,
                temperature=speaker.assistant.temperature,
                automatic=True,
                keeps_end=True,
            )
            yield ModelResponder(reply, asker)
            yield PhraseResponder(reply, PROVIDER_FAILURE, asker)
    if external is not None:
        yield PhraseResponder(reply_to(context, plan, external.speaker), PROVIDER_FAILURE)


@dataclass(frozen=True, slots=True)
class PhraseResponder:
    """Hands the chat over to people, with the phrase for that and the reason."""

    reply: ChatReply
    reason: str
    asker: Asker | None = None

    def draft(self, lease: Lease[ReplyJob]) -> ReplyDraft:
        return ReplyDraft(reply=self.reply, composed=phrased(self.reply, at_floor(self.reason)), asker=self.asker)


@dataclass(frozen=True, slots=True)
class ExternalResponder:
    """An external operator: it is given a turn, and its answer comes by itself; what needs none is said in its name."""

    external: External
    reply: ChatReply

    def draft(self, lease: Lease[ReplyJob]) -> WritableDraft | ReplyOutcome | None:
        if self.reply.plan.limit is not None:
            return _at_limit(self.reply, self.reply.plan.limit, lease)
        if (floor := self.reply.floor) is not None:
            return PhraseResponder(self.reply, floor.reason).draft(lease)
        if not may_be_asked(self.external):
            return None
        return begin_reply(self.reply.context) or TurnDraft(self.reply, self.external)


@dataclass(frozen=True, slots=True)
class ModelResponder:
    """The models of an AI operator: its first credential, then the backups of that."""

    reply: ChatReply
    asker: Asker

    def draft(self, lease: Lease[ReplyJob]) -> ReplyDraft | ReplyOutcome | None:
        reply, context = self.reply, self.reply.context
        if reply.plan.limit is not None:
            return _at_limit(reply, reply.plan.limit, lease)
        if (composed := at_floor_of(reply)) is not None:
            return ReplyDraft(reply=reply, composed=composed, asker=self.asker)
        if has_room(context):
            self.asker.limits = limits_of(context)  # to be taken by the first call
        elif (waits := begin_reply(context)) is not None:
            return waits
        name = reply.speaker.operator.full_name
        with TypingBeat(chat_id=context.chat.pk, name=name, is_shown=not context.is_shadow) as typing:
            self.asker.on_call = typing.start
            try:
                return ReplyDraft(reply=reply, composed=self._composed(lease), asker=self.asker)
            except (ProviderFailed, SpentError):
                return STOPPED if lease.must_stop else None
            except BudgetExhausted:
                return _at_budget(reply, lease)
            except LimitReached as limit:
                return waits_for_room(context, limit.wait_s)

    def _composed(self, lease: Lease[ReplyJob]) -> Composition:
        """Raises BudgetExhausted, LimitReached, ProviderFailed and SpentError."""
        try:
            return self._composed_again(lease)
        except BaseException:
            self.asker.settle()
            raise

    def _composed_again(self, lease: Lease[ReplyJob]) -> Composition:
        """The answer, of a second attempt where the first one's failure may pass."""
        try:
            return compose(self.reply, self.asker)
        except ProviderFailed:
            may_pass = any(failure.may_pass for _, failure in self.asker.failures)
            if not may_pass or self.asker.budget.seconds_left <= AGAIN_AFTER_S or lease.wait(AGAIN_AFTER_S):
                raise
            return compose(self.reply, self.asker)


def _at_budget(reply: ChatReply, lease: Lease[ReplyJob]) -> ReplyDraft | ReplyOutcome:
    """The day's budget has no room for the call: people are called, unless they are known to be called for that."""
    is_known = reply.plan.way is ReplyMode.HELP and reply.context.handover_reason == BUDGET
    return NOTHING_TO_SAY if is_known or reply.plan.takes_over else _at_limit(reply, BUDGET, lease)


def _at_limit(reply: ChatReply, limit: str, lease: Lease[ReplyJob]) -> ReplyDraft | ReplyOutcome:
    """People are called without a model's words; in shadow mode nothing is noted of that."""
    return NOTHING_TO_SAY if reply.context.is_shadow else PhraseResponder(reply, limit).draft(lease)
