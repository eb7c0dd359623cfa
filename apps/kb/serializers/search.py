"""Retrieval and status."""

from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import Choice, Integer, Number, Text
from apps.kb.serializers.rules import SOURCE_TYPES


class RanksSerializer(RowSerializer):
    """The place in each leg, from 1; null where that did not find it."""

    vector = Integer(allow_null=True, help_text="By meaning.")
    text = Integer(allow_null=True, help_text="By words.")
    trigram = Integer(allow_null=True, help_text="By the spelling of words that the knowledge base does not hold.")


class FoundChunkSerializer(RowSerializer):
    """A chunk that the bot would be given."""

    rule_id = Integer()
    content = Text()
    title = Text()
    doc_id = Text(allow_null=True)
    source_ref = Text()
    source_type = Choice(choices=SOURCE_TYPES)
    url = Text(allow_null=True)
    chunk_index = Integer()
    score = Number(help_text="Falls from chunk to chunk; comparable within one answer only.")
    similarity = Number(allow_null=True, help_text="The cosine of its vector and the question's.")
    ranks = RanksSerializer()


class SearchSerializer(RowSerializer):
    """The chunks that the bot would be given for a question."""

    query = Text()
    retrieval = Choice(choices=["hybrid", "text"], help_text="`text`: there are no vectors to compare with.")
    chunks = FoundChunkSerializer(many=True)
