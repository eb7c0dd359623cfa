"""Answers to other apps: the assistants that answer, the models of vectors, the greeter."""

from apps.ai.actions.disclosures import disclosure_of
from apps.ai.actions.embedding import EMBEDDINGS
from apps.ai.actions.facts import served_config
from apps.ai.actions.retention import forget_batch
from apps.ai.querysets import answering, pieces_used
from apps.core.plugins import Hooks

HOOKS = Hooks(
    ai_disclosure=disclosure_of,
    answering=answering,
    embeddings=EMBEDDINGS,
    forgets=forget_batch,
    served_config=served_config,
    used_knowledge=pieces_used,
)
