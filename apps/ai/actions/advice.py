"""The words that an owner is told of a vendor's failure: what happened, and what to do. Translated where shown."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop

from apps.ai.drivers import CAUSES, Cause
from apps.ai.rules.configuration import AlertCode


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
        AlertCode.PROVIDER_FAILURE,
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

NOBODY_ABLE = gettext_noop(
    "A visitor wrote, and no AI operator is able to answer: one needs to be active, with an enabled assistant."
)
NO_CREDENTIAL = gettext_noop("A visitor wrote, and there is no active credential. Store a key to a vendor's models.")
NONE_FOR_ANSWERS = gettext_noop(
    "A visitor wrote, and the credentials are for the knowledge base alone. Let one be for answers, too."
)
NO_MODEL = gettext_noop("A visitor wrote, and the credential names no model. Choose one from its list.")


def of_reason(reason: str) -> str:
    """The advice on a failed call, by its reason for programs, in the reader's language."""
    return gettext(OF_CAUSES[CAUSES[reason]].words)


def in_words(message: str) -> str:
    """An alert's message in the reader's language: each of its lines is a sentence that may be translated."""
    return "\n".join(gettext(line) if line else "" for line in message.split("\n"))
