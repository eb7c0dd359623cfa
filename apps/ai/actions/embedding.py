"""Embeddings: which credential of a widget makes them, and the vectors of texts (hook `embeddings`)."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

from django.utils import timezone

from apps.ai.actions import advice
from apps.ai.actions.alerts import report
from apps.ai.actions.models import endpoint, remembering
from apps.ai.actions.usage import TokenEstimate, vendor_call
from apps.ai.drivers import DRIVERS, ProviderFailed
from apps.ai.models import Assistant, Credential
from apps.ai.rules.configuration import endpoint_of
from apps.ai.rules.embedders import MAX_DIMENSION, MIN_DIMENSION, TooLong, fitted, is_for_embeddings, may_embed
from apps.ai.rules.prompts import tokens_of
from apps.egress.call_budget import CallBudget
from apps.kb.questions import Embedder, ModelFailed, NoEmbeddings, Vectors

# The statuses of a server without embeddings.
_HAS_NONE = (404, 405, 501)
# So many models without a telling name are asked for a vector, to find one that makes any.
_MOST_ASKED = 3
# An owner who gives the server a model waits no longer.
_REMEMBERED_FOR, _A_DAY = timedelta(minutes=5), timedelta(days=1)


class WidgetEmbeddings:
    """The hook `embeddings`."""

    def which(self, widget_id: int) -> Embedder | None:
        """The model that would embed: a widget-wide credential's, else an enabled assistant's. Asks no vendor."""
        credential = next(iter(_candidates(widget_id)), None)
        return None if credential is None else _embedder(credential)

    def embed(
        self, widget_id: int, texts: Sequence[str], *, task: Literal["document", "query"], budget: CallBudget
    ) -> Vectors:
        """A vector for each text. A server without embeddings is remembered, and the next credential is asked.

        Raises NoEmbeddings, BudgetExhausted, ModelFailed, SpentError.
        """
        for credential in _candidates(widget_id):
            try:
                return _embedded(credential, texts, task, budget)
            except ProviderFailed as failure:
                if credential.provider != "openai_compatible" or failure.status not in _HAS_NONE:
                    raise ModelFailed(failure.reason, status=failure.status, retry_after=failure.retry_after) from None
                _remember_none(credential, advice.NO_EMBEDDINGS, _embedder(credential).model)
            except TooLong as too_long:
                model = Credential.objects.for_widget(widget_id).get(pk=credential.pk)
                _remember_none(
                    credential, advice.VECTORS_TOO_LONG, f"{_embedder(model).model}: {too_long.dimension}", lasts=_A_DAY
                )
        raise NoEmbeddings


def _candidates(widget_id: int) -> list[Credential]:
    """The active credentials that embed, in order: widget-wide ones, then the default assistant's, then others'.

    Credentials for knowledge alone, or with a model of their own for it, come first, the oldest before others.
    """
    enabled = Assistant.objects.for_widget(widget_id).filter(enabled=True)
    assistants = {pk: (not is_default, pk) for pk, is_default in enabled.values_list("pk", "is_default")}
    found = [
        one
        for one in Credential.objects.for_widget(widget_id)
        .active()
        .filter(operator=None, for_knowledge=True)
        .order_by("pk")
        if DRIVERS[one.provider].embedding_model is not None
        and (one.assistant_id is None or one.assistant_id in assistants)
        and (one.embeds_nothing_until is None or one.embeds_nothing_until < timezone.now())
    ]
    return sorted(
        found,
        key=lambda one: (
            one.assistant_id is not None,
            assistants.get(one.assistant_id or 0, ()),
            one.for_answers and not one.own_embedding_model,
            one.pk,
        ),
    )


def _embedder(credential: Credential) -> Embedder:
    is_known = credential.provider != "openai_compatible"
    found = (DRIVERS[credential.provider].embedding_model or "") if is_known else credential.embedding_model
    model = credential.own_embedding_model or found
    address = endpoint_of(credential.provider, credential.target)
    return Embedder(credential.pk, credential.provider, address, model, credential.assistant_id)


def _embedded(
    credential: Credential, texts: Sequence[str], task: Literal["document", "query"], budget: CallBudget
) -> Vectors:
    driver = DRIVERS[credential.provider]
    model = _embedder(credential).model
    with vendor_call(
        widget_id=credential.widget_id,
        credential_id=credential.pk,
        assistant_id=credential.assistant_id,
        purpose="embedding",
        model=model,
        estimate=TokenEstimate(sum(tokens_of(text) for text in texts)),
        budget=budget,
        requests=1,
    ) as call:
        if not model:
            model = _found_model(credential, budget)
            call.used_model(model)
        sent_to = endpoint(credential, model)
        with remembering(sent_to, widget_id=credential.widget_id, credential_id=credential.pk, model=model):
            vectors = fitted(model, driver.embed(sent_to, model=model, texts=texts, task=task, budget=budget))
        dimension = _dimension_of(vectors)
        call.answered()
    return Vectors(vectors, model, dimension)


def _found_model(credential: Credential, budget: CallBudget) -> str:
    """The first of a server's models that is called as models of embeddings are, else what OpenAI calls its own; kept
    once found."""
    driver = DRIVERS[credential.provider]
    try:
        names = [model.id for model in driver.models(endpoint(credential), budget=budget)]
    except ProviderFailed as failure:
        if failure.status not in _HAS_NONE:
            raise
        names = []
    model = next((name for name in names if is_for_embeddings(name)), None) or _asked_for(credential, names, budget)
    Credential.objects.for_widget(credential.widget_id).filter(pk=credential.pk).update(embedding_model=model)
    return model


def _asked_for(credential: Credential, names: Sequence[str], budget: CallBudget) -> str:
    """The first of a server's models that makes a vector, if its name tells nothing; else what OpenAI calls its own."""
    driver = DRIVERS[credential.provider]
    for name in [name for name in names if may_embed(name)][:_MOST_ASKED]:
        try:
            driver.embed(endpoint(credential, name), model=name, texts=["OK"], task="document", budget=budget)
        except ProviderFailed as failure:
            if failure.reason in ("timeout", "unreachable", "rejected_key", "rate_limited"):
                raise
            continue
        return name
    return driver.embedding_model or ""


def _dimension_of(vectors: Sequence[Sequence[float]]) -> int:
    """How many numbers each vector has. Raises ProviderFailed for vectors that can't be compared."""
    lengths = {len(vector) for vector in vectors}
    numbers = (number for vector in vectors for number in vector)
    is_good = len(lengths) == 1 and all(math.isfinite(number) for number in numbers)
    if not is_good or not all(any(vector) for vector in vectors):
        raise ProviderFailed("bad_answer")
    (dimension,) = lengths
    if not MIN_DIMENSION <= dimension <= MAX_DIMENSION:
        raise ProviderFailed("bad_answer")
    return dimension


def _remember_none(credential: Credential, sentence: str, model: str, *, lasts: timedelta = _REMEMBERED_FOR) -> None:
    until = timezone.now() + lasts
    Credential.objects.for_widget(credential.widget_id).filter(pk=credential.pk).update(embeds_nothing_until=until)
    values = {"model": model}
    report(credential.widget_id, "kb_embeddings_unsupported", sentence, values=values, credential_id=credential.pk)


EMBEDDINGS = WidgetEmbeddings()
