"""The sentences of alerts: a code with values is kept, and each reader has it in their language."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from apps.ai.drivers import CAUSES, Cause
from apps.ai.models import Alert
from apps.ai.questions import alert_sentences
from apps.ai.rules.configuration import AlertCode
from apps.cabinet.coded_values import display_value


class Advice(NamedTuple):
    """The alert of a cause, and its words."""

    code: AlertCode
    words: str


OF_CAUSES: Mapping[Cause, Advice] = {
    Cause.WRONG_KEY: Advice(
        AlertCode.CREDENTIAL_REJECTED,
        gettext_noop("The vendor refused the key. Make a new key at the vendor, and store it in this credential."),
    ),
    Cause.NOT_ALLOWED: Advice(
        AlertCode.CREDENTIAL_REJECTED,
        gettext_noop(
            "The vendor does not let this key use the model, or does not serve this server's country. Look at the "
            "key's rights at the vendor, or use another vendor."
        ),
    ),
    Cause.NO_MONEY: Advice(
        AlertCode.CREDENTIAL_REJECTED,
        gettext_noop("The account at the vendor has no money left, or its limit is reached. Pay in at the vendor."),
    ),
    Cause.MODEL_GONE: Advice(
        AlertCode.MODEL_GONE,
        gettext_noop("The vendor does not have this model. Choose another one from its list, in the credential."),
    ),
    Cause.WRONG_ADDRESS: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop("No model answers at this address. It mostly ends with /v1: look it up at the vendor or server."),
    ),
    Cause.TOO_LONG: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop(
            "What was sent is longer than the model's context. Give the server a longer context, or say in the "
            "credential how long it is."
        ),
    ),
    Cause.SLOW_DOWN: Advice(
        AlertCode.CREDENTIAL_RATE_LIMITED,
        gettext_noop("The vendor limits the calls of this key. Wait, or have the limit raised at the vendor."),
    ),
    Cause.OVERLOADED: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop("The vendor's server is overloaded or has an error. It mostly passes; a backup bridges it."),
    ),
    Cause.TIMEOUT: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop("No answer came in time. For a slow server, set a longer time limit in the credential."),
    ),
    Cause.UNREACHABLE: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop("The server could not be reached. Look whether it runs, and whether its address is right."),
    ),
    Cause.REFUSED_REQUEST: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop("The server did not take the request. Choose another model, or bring the server up to date."),
    ),
    Cause.FILTERED: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop("The vendor's filter did not let the question through."),
    ),
    Cause.CUT_OFF: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop("The server broke its answer off. It mostly passes; look at the server if it happens again."),
    ),
    Cause.ONLY_THOUGHTS: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop(
            "The model thought until its tokens were used up, and gave no answer. Switch thinking off at the server, "
            "or choose a model that does not think."
        ),
    ),
    Cause.NO_ANSWER: Advice(
        AlertCode.PROVIDER_FAILURE,
        gettext_noop("The server sent something else than an answer. Look whether its address is that of an API."),
    ),
}

NOBODY_ABLE = "nobody_able"
NO_CREDENTIAL = "no_credential"
NONE_FOR_ANSWERS = "none_for_answers"
NO_MODEL = "no_model"
REPLY_LIMIT = "reply_limit"
UNTRUSTED_HANDOFF = "untrusted_handoff"
LEAKED = "leaked"
BACKUP_ANSWERED = "backup_answered"
EXTERNAL_DEGRADED = "external_degraded"
GIVEN_UP = "given_up"
BUDGET_LOW = "budget_low"
BUDGET_EXHAUSTED = "budget_exhausted"
ANSWERED_WORSE = "answered_worse"
NO_EMBEDDINGS = "no_embeddings"
VECTORS_TOO_LONG = "vectors_too_long"
NEW_WITHOUT_VECTORS = "new_without_vectors"
ANSWERS_WITHOUT_VECTORS = "answers_without_vectors"

_OWN: Mapping[str, str] = {
    NOBODY_ABLE: gettext_noop(
        "A visitor wrote, and no AI operator is able to answer: one needs to be active, with an enabled assistant."
    ),
    NO_CREDENTIAL: gettext_noop(
        "A visitor wrote, and there is no active credential. Store a key to a vendor's models."
    ),
    NONE_FOR_ANSWERS: gettext_noop(
        "A visitor wrote, and the credentials are for the knowledge base alone. Let one be for answers, too."
    ),
    NO_MODEL: gettext_noop("A visitor wrote, and the credential names no model. Choose one from its list."),
    REPLY_LIMIT: gettext_noop("Twenty AI messages in ten minutes in one chat: it was handed to people."),
    UNTRUSTED_HANDOFF: gettext_noop("A model wanted a person, its classifier did not, and no text came."),
    LEAKED: gettext_noop("A model repeated the text that it was given; nothing of that was shown."),
    BACKUP_ANSWERED: gettext_noop("A backup credential answered in place of the first one."),
    EXTERNAL_DEGRADED: gettext_noop(
        "Three turns in a row went without an answer: for a minute others answer in the external operator's place."
    ),
    GIVEN_UP: gettext_noop("A reply was given up: it %(reason)s. The chat was handed to people."),
    BUDGET_LOW: gettext_noop("Four fifths of the day's tokens (UTC) are used up."),
    BUDGET_EXHAUSTED: gettext_noop(
        "The day's tokens are used up: chats are handed to people, and no model is asked until midnight (UTC)."
    ),
    ANSWERED_WORSE: gettext_noop(
        "After a change, test questions are answered worse than before. The evaluation in the cabinet shows which."
    ),
    NO_EMBEDDINGS: gettext_noop(
        "The server of the credential makes no embeddings with the model that it was asked for: knowledge is found by "
        "its text alone. Name the model for the knowledge base in the credential."
    ),
    VECTORS_TOO_LONG: gettext_noop(
        "The model of the knowledge base makes vectors that are longer than 1,536 numbers, which can't be stored: "
        "knowledge is found by its text alone. Name another model for the knowledge base in the credential."
    ),
    NEW_WITHOUT_VECTORS: gettext_noop(
        "The provider makes no embeddings now: what is new in the knowledge base is found by its text alone."
    ),
    ANSWERS_WITHOUT_VECTORS: gettext_noop(
        "The provider makes no embeddings now: the knowledge for answers is found by its text alone."
    ),
}


def sentences() -> Mapping[str, str]:
    """The English words of each sentence, by its code: this app's, and those of the apps above."""
    return {**_OWN, **{cause.value: advice.words for cause, advice in OF_CAUSES.items()}, **alert_sentences()}


def of_reason(reason: str) -> str:
    """The advice on a failed call, by its reason for programs, in the reader's language."""
    return gettext(OF_CAUSES[CAUSES[reason]].words)


def told(alert: Alert) -> str:
    """The words of an alert in the reader's language; without its app, those that were stored."""
    if alert.sentence not in sentences():
        return in_words(alert.message)
    return sentence_in_words(alert.sentence, alert.values)


def stored_as(sentence: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of an alert that tell the event: the code and its values, and the English words for programs."""
    with translation.override("en"):
        return {"sentence": sentence, "values": dict(values), "message": sentence_in_words(sentence, values)}


def sentence_in_words(sentence: str, values: Mapping[str, Any]) -> str:
    """A sentence in the reader's language: the values that it names stand in it, `reason`, a code, in words; under it,
    the advice on a `cause` and the name of a `model`.
    """
    return "\n".join(_lines(sentence, values))


def _lines(sentence: str, values: Mapping[str, Any]) -> Iterator[str]:
    words = gettext(sentences()[sentence])
    if "%(" in words:
        words %= {name: display_value(value) if name == "reason" else value for name, value in values.items()}
    yield words
    if cause := values.get("cause"):
        yield gettext(OF_CAUSES[Cause(cause)].words)
    if model := values.get("model"):
        yield model


def in_words(text: str) -> str:
    """English sentences, one a line, in the reader's language: problems of others, and alerts of former releases."""
    return "\n".join(gettext(line) if line else "" for line in text.split("\n"))
