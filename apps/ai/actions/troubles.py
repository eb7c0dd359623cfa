"""The alerts that a reply gives rise to. They are written after it: an alert that fails keeps no answer back."""

from collections.abc import Iterator
from typing import NamedTuple

from apps.ai.actions.showing import Answer
from apps.ai.rules.configuration import AlertCode
from apps.core.intelligence import report_alert


class Trouble(NamedTuple):
    """An alert's code and words, and the credential that it is about, if it is about one."""

    code: AlertCode
    message: str
    credential_id: int | None = None


_OF_REASONS = {
    "rejected_key": (AlertCode.CREDENTIAL_REJECTED, "The vendor refused the key."),
    "rate_limited": (AlertCode.CREDENTIAL_RATE_LIMITED, "The vendor limits the calls of this key."),
}


def report_troubles(answer: Answer, *, gave_up: str | None = None) -> None:
    """Opens an alert for each thing that went wrong in a reply, or counts it once more."""
    assistant, operator_id = answer.responder.assistant, answer.responder.operator_id
    for trouble in _troubles(answer, gave_up):
        report_alert(
            answer.turn.chat.widget_id,
            trouble.code,
            trouble.message,
            assistant_id=assistant.pk,
            operator_id=operator_id,
            credential_id=trouble.credential_id,
            chat_id=answer.turn.chat.pk,
        )


def _troubles(answer: Answer, gave_up: str | None) -> Iterator[Trouble]:
    composed, asker = answer.composed, answer.asker
    for credential_id, failure in asker.failures if asker else ():
        code, words = _OF_REASONS.get(failure.reason, (AlertCode.PROVIDER_FAILURE, f"A call failed: {failure.reason}."))
        yield Trouble(code, words, credential_id)
    if gave_up is not None:
        yield Trouble(AlertCode.REPLY_FAILED, f"A reply was given up: it {gave_up}. The chat was handed to people.")
    if answer.speak.limit == AlertCode.REPLY_LIMIT:
        yield Trouble(AlertCode.REPLY_LIMIT, "Twenty AI messages in ten minutes in one chat: it was handed to people.")
    if answer.speak.limit == AlertCode.BUDGET_EXHAUSTED:
        yield Trouble(AlertCode.BUDGET_EXHAUSTED, "The day's tokens are used up: chats are handed to people.")
    if composed.reason == AlertCode.UNTRUSTED_HANDOFF:
        yield Trouble(AlertCode.UNTRUSTED_HANDOFF, "A model wanted a person, its classifier did not, and no text came.")
    if composed.leaked:
        yield Trouble(AlertCode.PROMPT_LEAK, "A model repeated the text that it was given; nothing of that was shown.")
    if composed.answered_by:
        yield Trouble(AlertCode.BACKUP_USED, "A backup credential answered in place of the first one.")
