"""The work of a reply, in five stages: read, decide, draft, write, finish (docs/guides/people-and-ai.md; ADR 0020).

A draft is made outside of any transaction. It is shown or dropped in one that reads the chat anew.
"""

from django.db import transaction

from apps.ai.actions.external_turns import advance_turn, external_of, is_to_be_seen_to
from apps.ai.actions.replies.reading import ReplyContext, read
from apps.ai.actions.replies.requests import reply_to
from apps.ai.actions.replies.responders import PhraseResponder, draft
from apps.ai.actions.replies.speakers import speaker_among
from apps.ai.actions.replies.writing import NOTHING_TO_SAY, WRITTEN, ReplyOutcome, WritableDraft, wait_until
from apps.ai.models import ReplyJob
from apps.ai.rules.decisions import PROVIDER_FAILURE, Defer, ReplyPlan, decide
from apps.chats.questions import JUDGED_IN_S
from apps.leases import Lease


def reply(lease: Lease[ReplyJob]) -> None:
    """Reads the lease's chat, and says what is to be said. The work of `QUEUE`.

    The newest events of the chat are judged first.
    """
    context = _read(lease)
    if context.is_being_judged:
        lease.later(JUDGED_IN_S)
        return
    decision = decide(context, context.now)
    if isinstance(decision, ReplyPlan):
        write(lease, draft(context, decision, lease))
    elif isinstance(decision, Defer):
        finish(lease, wait_until(decision.until, context.now))
    else:
        finish(lease, NOTHING_TO_SAY)


def _read(lease: Lease[ReplyJob]) -> ReplyContext:
    """The chat as it is, once the newest turn of an external operator was seen to."""
    ids = {"widget_id": lease.row.widget_id, "chat_id": lease.row.chat_id}
    context = read(**ids, heeds_turn=True)
    if context.is_being_judged or not is_to_be_seen_to(context):
        return context
    advance_turn(**ids)
    return read(**ids, heeds_turn=True)


def write(lease: Lease[ReplyJob], made: WritableDraft | ReplyOutcome, *, gave_up: str | None = None) -> None:
    """Writes a draft and ends the job in one transaction, behind the lease's fence; alerts follow it."""
    if isinstance(made, ReplyOutcome):
        finish(lease, made)
        return
    try:
        with transaction.atomic():
            finish(lease, made.write(restarts=lease.row.restarts))
    except BaseException:
        made.undone()
        raise
    made.alert(gave_up=gave_up)


def finish(lease: Lease[ReplyJob], outcome: ReplyOutcome) -> None:
    """Ends the lease as the outcome says. Raises LeaseLost, Overtaken."""
    row = lease.row
    if outcome.restarts is not None and outcome.restarts != row.restarts:
        ReplyJob.objects.for_widget(row.widget_id).filter(pk=row.pk).update(restarts=outcome.restarts)
    if outcome.then == "later":
        lease.later(outcome.wait_s)
    elif outcome.then == "give_back":
        lease.give_back()
    else:
        lease.done(though_overtaken=outcome.though_overtaken)


def given_up(lease: Lease[ReplyJob], reason: str) -> None:
    """The third attempt has failed on our side: the visitor is handed to people."""
    context = read(widget_id=lease.row.widget_id, chat_id=lease.row.chat_id)
    plan = decide(context, context.now)
    external = external_of(context)
    own = speaker_among(context.operators, context.assistants, spoke_last=context.spoke_last)
    speaker = external.speaker if external else own
    if not isinstance(plan, ReplyPlan) or speaker is None:
        finish(lease, WRITTEN)
        return
    write(lease, PhraseResponder(reply_to(context, plan, speaker), PROVIDER_FAILURE).draft(lease), gave_up=reason)
