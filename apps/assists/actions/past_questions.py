"""Questions of the past that mean the same: compared by the model that the widget's knowledge is embedded with."""

import hashlib
import logging
from collections.abc import Mapping, Sequence

from django.apps import apps as django_apps
from pgvector.django import CosineDistance

from apps.assists.models import PastQuestion
from apps.assists.rules.past_answers import MOST_FOUND, PastAnswerFound
from apps.egress.call_budget import CallBudget
from apps.kb.questions import ModelFailed, NoEmbeddings

logger = logging.getLogger(__name__)

# Questions that a draft has embedded at most, the newest first, and how long it waits for that.
EMBEDDED_AT_ONCE, SECONDS = 63, 1.5


def nearest(widget_id: int, searched: str, known: Mapping[int, PastAnswerFound], budget: CallBudget) -> Sequence[int]:
    """The answers, by message, to the known questions nearest in meaning, the nearest first.

    None where the widget's model is not known yet, none is left of the meter's calls but the draft's own, or the vendor
    fails: words are looked for all the same. Vectors are kept, so of most questions it is one call, once.
    """
    if not known or not searched or not django_apps.is_installed("apps.kb"):
        return ()
    from apps.kb.actions.bases import embedder_of, space_of_model
    from apps.kb.actions.vectors import embedded
    from apps.kb.rules.fusion import MIN_SIMILARITY

    embedder = embedder_of(widget_id)
    if embedder is None or not embedder.model or budget.left < 2:
        return ()
    digests = {number: hashlib.sha256(one.question.encode()).digest() for number, one in known.items()}
    rows = PastQuestion.objects.for_widget(widget_id).filter(pk__in=known, space=space_of_model(embedder))
    kept = {number: bytes(digest) for number, digest in rows.values_list("pk", "digest")}
    missing = [number for number in known if kept.get(number) != digests[number]][:EMBEDDED_AT_ONCE]
    texts = [searched, *(known[number].question for number in missing)]
    try:
        made = embedded(widget_id, texts, task="document", budget=budget.part(SECONDS))
    except (NoEmbeddings, ModelFailed) as failure:
        logger.info("past answers of widget %s are found by words: %s", widget_id, type(failure).__name__)
        return ()
    space, (asked, *vectors) = space_of_model(made.by), made.vectors
    PastQuestion.objects.bulk_create(
        [
            PastQuestion(
                message_id=number,
                chat_id=known[number].chat_id,
                widget_id=widget_id,
                digest=digests[number],
                space=space,
                dimension=len(vector),
                vector=list(vector),
            )
            for number, vector in zip(missing, vectors, strict=True)
        ],
        update_conflicts=True,
        unique_fields=["message_id"],
        update_fields=["digest", "space", "dimension", "vector"],
    )
    rows = PastQuestion.objects.for_widget(widget_id).filter(pk__in=known, space=space, dimension=len(asked))
    distance = CosineDistance("vector", list(asked))
    near = rows.annotate(distance=distance).filter(distance__lte=1 - MIN_SIMILARITY).order_by("distance", "-pk")
    return list(near.values_list("pk", flat=True)[:MOST_FOUND])
