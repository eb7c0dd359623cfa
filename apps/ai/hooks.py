"""Answers to other apps: the assistants that answer, the models of vectors, the greeter."""

from apps.ai.actions.embedding import EMBEDDINGS
from apps.ai.actions.facts import served_config
from apps.ai.actions.retention import forget_batch
from apps.ai.querysets import answering
from apps.core.plugins import Hooks

HOOKS = Hooks(answering=answering, embeddings=EMBEDDINGS, forgets=forget_batch, served_config=served_config)
