"""Rules and sources."""

from apps.core.endpoints.row_serializers import RowSerializer, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.kb.rules.texts import EmbeddingStatus, SourceType

SOURCE_TYPES = [one.value for one in SourceType]


class RuleSerializer(RowSerializer):
    """A chunk of knowledge. `content` and `doc_id` alone can be written."""

    id = Integer()
    content = Text(help_text="Exactly as it was sent.")
    doc_id = Text(allow_null=True, help_text="By hand: your name of the document. Else its URL or file name.")
    source_ref = Text(
        source="source.ref",
        help_text="`manual`, `manual:{doc_id}`, `crawl:{url}`, `upload:{id}` or `article:{id}:{lang}`.",
    )
    source_type = Choice(source="source.type", choices=SOURCE_TYPES)
    title = Text(help_text="The page's or document's title and headings, joined by ` › `; `` by hand.")
    url = Text(source="source.url", allow_null=True, help_text="The page's.")
    chunk_index = Integer(help_text="Its place in the document, from 0; 0 by hand.")
    button_id = Integer(source="widget_id", help_text="The widget's numeric id.")
    operator_id = Integer(
        allow_null=True, help_text="The AI operator that alone may be given the rule; null: all. Set in the cabinet."
    )
    embedding_status = Choice(
        choices=[one.value for one in EmbeddingStatus],
        help_text="`ready`: has a vector of the model in use. `pending`: will get one. `failed`: the provider refuses "
        "this text. `none`: there is no credential that embeds. All are found by their text.",
    )
    regenerates = Boolean(
        source="source.regenerates", help_text="Its page is crawled by itself: an edit holds until that changes."
    )
    created_at = Time()
    updated_at = Time()


class DeletedSourceSerializer(RowSerializer):
    """How many rules went with a source."""

    source_ref = Text()
    deleted = Integer()


class SourceSerializer(RowSerializer):
    """A document that rules are of."""

    source_ref = Text(source="ref")
    type = Choice(choices=SOURCE_TYPES)
    title = Text(help_text="By hand: the `doc_id`, or empty.")
    doc_id = Text(allow_null=True)
    url = Text(allow_null=True)
    upload_id = Integer(allow_null=True)
    chunks = Integer(help_text="How many rules it has.")
    regenerates = Boolean(help_text="Whether it is crawled again by itself.")
    created_at = Time()
    updated_at = Time()
