"""Retrieval and status."""

from apps.core.endpoints.serializers import Choice, Integer, Number, Text
from apps.core.endpoints.shapes import Shape
from apps.kb.shapes.rules import SOURCE_TYPES


class RanksShape(Shape):
    """The place in each leg, from 1; null where that did not find it."""

    vector = Integer(allow_null=True, help_text="By meaning.")
    text = Integer(allow_null=True, help_text="By words.")
    trigram = Integer(allow_null=True, help_text="By the spelling of words that the knowledge base does not hold.")


class FoundChunkShape(Shape):
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
    ranks = RanksShape()


class SearchShape(Shape):
    """The chunks that the bot would be given for a question."""

    query = Text()
    retrieval = Choice(choices=["hybrid", "text"], help_text="`text`: there are no vectors to compare with.")
    chunks = FoundChunkShape(many=True)
