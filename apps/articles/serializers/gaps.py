"""Questions in vain, and telling their visitors."""

from apps.articles.rules.gaps import DEFAULT_LIMIT, MAX_LIMIT, GapSource
from apps.chats.rules.languages import LANGUAGES
from apps.core.endpoints.row_serializers import RowSerializer, TextList, TextOrNull, Time
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, QueryInteger, Text
from apps.core.endpoints.windows import PeriodQuery

MAX_ID = 2**63 - 1
_LANGUAGES = list(LANGUAGES)


class GapsQuery(PeriodQuery):
    """The window, and filters of the list."""

    period = None  # type: ignore[assignment]
    lang = Choice(
        required=False, choices=_LANGUAGES, help_text="The language of the newest question, or of the search."
    )
    source = Choice(  # type: ignore[assignment]
        required=False, choices=[one.value for one in GapSource], help_text="Only topics of chats, or only searches."
    )
    limit = QueryInteger(required=False, default=DEFAULT_LIMIT, min_value=1, max_value=MAX_LIMIT)


class GapSerializer(RowSerializer):
    """A gap: visitors' questions in vain that are worded alike, or a search."""

    id = Text(help_text="For its draft.")
    source = Choice(choices=[one.value for one in GapSource])  # type: ignore[assignment]
    topic = Text(help_text="The first question, without personal data; of a search its words.")
    category = TextOrNull(help_text="As of demand signals; null of a search.")
    lang = TextOrNull()
    count = Integer(help_text="How often; a search counts once a browser and day.")
    chats = Integer(allow_null=True, help_text="In how many chats; null of a search.")
    previous_count = Integer(help_text="In as long a window before.")
    samples = TextList(help_text="The newest questions.")
    first_seen_at = Time()
    last_seen_at = Time()
    article_id = Integer(allow_null=True, help_text="The article that was written about it here.")


class GapDraftBody(Body):
    """In which language the article is to be."""

    lang = Choice(required=False, choices=_LANGUAGES, help_text="Default: the askers', else the help center's.")


class TellBody(Body):
    """In whose name visitors are told."""

    agent_id = Integer(min_value=1, max_value=MAX_ID)
    dry_run = Boolean(required=False, default=False, help_text="Only count.")


class LeftOutSerializer(RowSerializer):
    """How many of those who asked are not told, by why; the first reason counts."""

    old = Integer(help_text="They asked over 90 days ago.")
    spam = Integer()
    blocked = Integer()
    answered = Integer(help_text="A person has answered since, or a thumb up says that AI has.")
    told = Integer(help_text="They are told of this article in that chat already.")
    no_way = Integer(help_text="No message reaches them now: a messenger's window is closed, an address is dead.")


class TellingSerializer(RowSerializer):
    """How many are told, and who is left out."""

    queued = Integer()
    left_out = LeftOutSerializer()
