"""The work of an assist: a model is asked outside of any transaction, and the result is written behind the fence."""

import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from apps.ai.actions import alerts
from apps.ai.actions.advice import LEAKED
from apps.ai.drivers import ProviderFailed, StreamStopped
from apps.ai.rules.configuration import AlertCode
from apps.ai.rules.redaction import Redaction
from apps.assists.actions.asking import change_assist, is_still_wanted, newest_visible
from apps.assists.actions.kinds import WorkOfKind, work_of
from apps.assists.actions.models_asked import helping_model
from apps.assists.actions.runs import AssistRun
from apps.assists.broadcasts import AssistText
from apps.assists.models import Assist
from apps.assists.rules.kinds import SECONDS, VENDOR_CALLS, AssistKind, AssistState, FailReason
from apps.assists.rules.results import AssistFailed, AssistResult
from apps.core.redis import broadcasts
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import BudgetExhausted
from apps.leases import Lease

# Characters of what is kept for the cabinet.
MAX_KEPT = 4_000


def work(lease: Lease[Assist]) -> None:
    """Does the job of an assist. The work of `QUEUE`."""
    assist = lease.row
    kind = work_of(AssistKind(assist.kind))
    if kind is None:
        _finish(lease, AssistFailed(FailReason.UNAVAILABLE))
        return
    with transaction.atomic():
        if not is_still_wanted(assist, locks=True):
            return
        change_assist(assist, state=AssistState.RUNNING)
    meter = CallBudget(operations=VENDOR_CALLS, seconds=SECONDS[AssistKind(assist.kind)])
    watched = _ShownWords(assist, lease)
    for is_last in (False, True):
        try:
            _finish(lease, _made(lease, kind, meter, watched))
        except _ChatWentOn as newer:
            if is_last:
                raise
            assist.based_on = newer.newest
            watched.may_begin_again = False
            continue
        except StreamStopped:
            if lease.must_stop:
                lease.give_back()
        return


def _made(
    lease: Lease[Assist], kind: WorkOfKind, budget: CallBudget, watched: "_ShownWords"
) -> AssistResult | AssistFailed:
    """A model's result. Raises _ChatWentOn, StreamStopped."""
    assist = lease.row
    helper = helping_model(assist.widget_id)
    if not helper.sources:
        return AssistFailed(FailReason.UNAVAILABLE)
    asker = helper.asker(budget, widget_id=assist.widget_id, chat_id=assist.chat_id, automatic=assist.is_automatic)
    run = AssistRun(assist=assist, lease=lease, assistant=helper.assistant, asker=asker, show=watched.show)
    try:
        result = kind.work(run)
    except AssistFailed as failed:
        _alert(run, failed)
        return failed
    except BudgetExhausted:
        return AssistFailed(FailReason.BUDGET)
    except SpentError as spent:
        return AssistFailed(FailReason.TIMEOUT if spent.what == "seconds" else FailReason.BAD_ANSWER)
    except ProviderFailed as failure:
        is_late = failure.reason == "timeout" or budget.seconds_left <= 0
        return AssistFailed(FailReason.TIMEOUT if is_late else failure.reason)
    watched.look(force=True)
    return result


def given_up(lease: Lease[Assist], reason: str) -> None:
    """The process that worked on it died twice, or our side failed."""
    _finish(lease, AssistFailed(FailReason.CRASHED))


def _finish(lease: Lease[Assist], made: AssistResult | AssistFailed) -> None:
    """Writes what came of it, in one transaction behind the lease's fence. Raises LeaseLost."""
    assist = lease.row
    with transaction.atomic():
        lease.done(though_overtaken=True)
        if isinstance(made, AssistFailed):
            state = AssistState.REFUSED if made.refused else AssistState.FAILED
            change_assist(assist, state=state, reason=made.reason, finished_at=Now(), based_on=assist.based_on)
            return
        change_assist(
            assist,
            state=AssistState.DONE,
            result=json.dumps(made.as_json(), ensure_ascii=False),
            language=made.language or "",
            based_on=assist.based_on,
            finished_at=Now(),
            **_redacted(made.more.get("question", ""), made.text),
        )
        kind = work_of(AssistKind(assist.kind))
        if kind is not None and kind.keeps is not None:
            kind.keeps(assist, made)


def _redacted(question: str, answer: str) -> Mapping[str, Any]:
    redaction = Redaction()
    return {"question": redaction.hide(question)[:MAX_KEPT], "answer": redaction.hide(answer)[:MAX_KEPT]}


def _alert(run: AssistRun, failed: AssistFailed) -> None:
    if failed.reason == FailReason.LEAK:
        alerts.report(
            run.assist.widget_id,
            AlertCode.PROMPT_LEAK,
            LEAKED,
            assistant_id=run.assistant.pk if run.assistant else None,
            chat_id=run.assist.chat_id,
        )


class _ChatWentOn(StreamStopped):
    """A new message came before any word of a draft was shown. `newest` is the newest visible message."""

    def __init__(self, newest: int) -> None:
        super().__init__()
        self.newest = newest


class _ShownWords:
    """Tells the operator's tabs the words so far, and looks whether they are still wanted."""

    def __init__(self, assist: Assist, lease: Lease[Assist]) -> None:
        self._assist, self._lease = assist, lease
        self._is_shown = False
        self.may_begin_again = assist.kind == AssistKind.DRAFT

    def show(self, text: str) -> None:
        """Raises StreamStopped where nobody wants more."""
        self.look()
        assist = self._assist
        if text and assist.agent_id is not None:
            self._is_shown = True
            broadcasts.send(
                AssistText(
                    widget_id=assist.widget_id,
                    agent_id=assist.agent_id,
                    assist_id=assist.pk,
                    chat_id=assist.chat_id,
                    text=text,
                )
            )

    def look(self, *, force: bool = False) -> None:
        """Raises StreamStopped where the assist was stopped, and where the chat went on before a word was shown."""
        if self._lease.must_stop or not is_still_wanted(self._assist):
            raise StreamStopped
        if self.may_begin_again and not self._is_shown:
            newest = newest_visible(self._assist.widget_id, self._assist.chat_id)
            if newest > self._assist.based_on:
                raise _ChatWentOn(newest)
