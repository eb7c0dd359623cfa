"""The results of articles."""

from apps.articles.rules.tallies import ENOUGH_VOICES, ArticleVerdict
from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import Choice, Integer, Text


class SearchFiguresSerializer(RowSerializer):
    """Searches that were submitted, on the pages and in the widget: each once a browser and day."""

    asked = Integer()
    found = Integer(help_text="Searches that found an article.")
    opened = Integer(help_text="Searches of which a found article was opened within a day.")
    nothing = Integer(help_text="Searches that found nothing.")


class ViewsSerializer(RowSerializer):
    """Views, without those of robots."""

    page = Integer(help_text="Views of the public page.")
    widget = Integer(help_text="Inside the chat.")
    markdown = Integer(help_text="Views of the page's Markdown.")


class ReasonsSerializer(RowSerializer):
    """Why an article did not help, of those who said so."""

    wrong = Integer()
    unclear = Integer()
    missing = Integer()
    other = Integer()


class ArticleResultSerializer(RowSerializer):
    """The figures of an article in one of its languages."""

    article_id = Integer()
    lang = Text()
    title = Text()
    views = ViewsSerializer()
    suggested = Integer(help_text="How often it was suggested while a first message was written.")
    opened = Integer(help_text="How many readers have opened it inside the chat.")
    cited = Integer(help_text="How many answers of AI rest on it.")
    helpful = Integer()
    not_helpful = Integer()
    reasons = ReasonsSerializer()
    chatted_after = Integer(help_text="Readers of these who wrote within 24 hours after reading.")
    silent = Integer(help_text="Readers of these who did neither.")
    verdict = Choice(
        choices=[verdict.value for verdict in ArticleVerdict],
        help_text=f"`too_few` under {ENOUGH_VOICES} voices (`helpful`, `not_helpful`, `chatted_after`), `answers` from "
        "70 % helpful, `fails` to 30 %, else `mixed`. Silence is no success.",
    )


class ArticleResultsSerializer(RowSerializer):
    """The figures of a window."""

    searches = SearchFiguresSerializer()
    articles = ArticleResultSerializer(many=True, help_text="The most viewed first.")
