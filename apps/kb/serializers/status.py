"""The status of the knowledge base."""

from apps.core.endpoints.row_serializers import RowSerializer, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.kb.rules.crawling import CrawlRunState


class EmbeddingCountsSerializer(RowSerializer):
    """Rules by `embedding_status`."""

    ready = Integer()
    pending = Integer()
    failed = Integer()
    none = Integer()


class EmbeddingModelSerializer(RowSerializer):
    """The model that embeds, and its credential."""

    provider = Text()
    model = Text(allow_null=True, help_text="Null before the credential's server was first asked.")
    dimension = Integer(allow_null=True, help_text="Null before the first vector.")
    credential_id = Integer()
    assistant_id = Integer(allow_null=True, help_text="The assistant whose credential it is; null: the widget's.")


class CrawlerStatusSerializer(RowSerializer):
    """The crawler, and its last or current run."""

    configured = Boolean()
    state = Choice(choices=[one.value for one in CrawlRunState], allow_null=True)
    last_finished_at = Time(allow_null=True)


class UploadCountsSerializer(RowSerializer):
    """Uploaded documents by state."""

    queued = Integer()
    extracting = Integer()
    embedding = Integer()
    ready = Integer()
    failed = Integer()


class LimitsSerializer(RowSerializer):
    """The limits of a widget's knowledge base."""

    rules = Integer()
    rule_characters = Integer()
    upload_bytes = Integer()
    crawl_pages = Integer(help_text="The pages that one run fetches at most.")


class KnowledgeStatusSerializer(RowSerializer):
    """Whether the knowledge base is indexed and in use."""

    indexed = Boolean(help_text="There are rules, none waits for a vector, and no document or page is on its way.")
    in_use = Boolean(help_text="The assistant is given what fits a visitor's question.")
    reason = Choice(
        choices=["empty", "ai_disabled", "rag_disabled", "no_assistant"],
        allow_null=True,
        help_text="Why it is not in use.",
    )
    retrieval = Choice(choices=["hybrid", "text"], help_text="`text`: there are no vectors to compare with.")
    rules = Integer()
    sources = Integer()
    embeddings = EmbeddingCountsSerializer()
    embedding = EmbeddingModelSerializer(allow_null=True, help_text="Null without a credential that embeds.")
    crawler = CrawlerStatusSerializer()
    uploads = UploadCountsSerializer()
    last_indexed_at = Time(allow_null=True)
    limits = LimitsSerializer()
