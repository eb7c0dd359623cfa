"""Answers to other apps: the assistants that answer, the models of vectors, the greeter."""

from apps.ai.actions.disclosures import disclosure_of
from apps.ai.actions.embedding import EMBEDDINGS
from apps.ai.actions.facts import served_config
from apps.ai.actions.retention import forget_batch
from apps.ai.querysets import answering, assistant_names, cited_sources, pieces_used
from apps.chats.questions import ChatHooks
from apps.kb.questions import KnowledgeHooks

TO_CHATS = ChatHooks(
    ai_disclosure=disclosure_of,
    assistant_names=assistant_names,
    forgets=forget_batch,
    served_config=served_config,
)
TO_KB = KnowledgeHooks(
    answering=answering,
    embeddings=EMBEDDINGS,
    used_knowledge=pieces_used,
    cited_sources=cited_sources,
)
