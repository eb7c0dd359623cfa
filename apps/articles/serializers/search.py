"""A hit of a search in articles."""

from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import Integer, Number, Text


class ArticleHitSerializer(RowSerializer):
    """An article that answers a question, in one of its languages."""

    article_id = Integer()
    lang = Text()
    title = Text()
    summary = Text()
    snippet = Text(help_text="The place that has the question's words, of at most 200 characters, without markup.")
    url = Text(allow_null=True, help_text="The public page; null without one.")
    score = Number(help_text="Falls within a language; comparable within one answer only.")
