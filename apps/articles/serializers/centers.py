"""Help centers and categories of articles, as they are answered, and the bodies that change them."""

from rest_framework import serializers

from apps.articles.rules.domains import DomainProblem
from apps.articles.rules.limits import (
    MAX_ADDRESS,
    MAX_CENTER_TITLE,
    MAX_INTRO,
    MAX_LABEL,
    MAX_LINKS,
    MAX_NAME,
    MAX_POSITION,
)
from apps.articles.rules.states import DomainState
from apps.chats.serializers.texts import TextsByLanguage
from apps.core.endpoints.row_serializers import Json, RowSerializer, TextOrNull, Time, Url
from apps.core.endpoints.serializers import Body, Choice, Integer, PatchBody, Text


class FooterLinkSerializer(RowSerializer):
    """A link at the foot of the pages."""

    label = Json(help_text="By language.")  # type: ignore[assignment]
    url = Url()


class FooterLinkBody(Body):
    """A link at the foot of the pages."""

    label = TextsByLanguage(max_length=MAX_LABEL)  # type: ignore[assignment]
    url = Text(max_length=MAX_ADDRESS, help_text="https.")


class HelpDomainSerializer(RowSerializer):
    """A help center's own domain. Without one, every member is null."""

    name = TextOrNull()
    state = Choice(
        choices=[one.value for one in DomainState],
        allow_null=True,
        help_text="It answers while `verified`; `lapsed` after seven days without its record.",
    )
    txt_name = TextOrNull(help_text="The name of the TXT record that proves it; null where none is needed.")
    txt_value = TextOrNull(help_text="The text of that record.")
    problem = Choice(
        choices=[one.value for one in DomainProblem],
        allow_null=True,
        help_text="Why the last look did not find the proof.",
    )
    checked_at = Time(allow_null=True)


class HelpDomainBody(Body):
    """The domain of a help center."""

    domain = Text(allow_null=True, max_length=253, help_text="Such as `help.shop.example`; null takes the domain away.")


class ArticleCategorySerializer(RowSerializer):
    """A category of articles."""

    json_columns = ("name",)

    id = Integer()
    name = Json(help_text="By language.")
    position = Integer(help_text="The lower first.")
    created_at = Time()
    updated_at = Time()


class ArticleCategoryBody(Body):
    """A new category of articles."""

    name = TextsByLanguage(max_length=MAX_NAME)
    position = Integer(required=False, default=0, min_value=0, max_value=MAX_POSITION)


class ArticleCategoryChanges(PatchBody):
    """The changes of a category."""

    of = ArticleCategoryBody


CENTER_FIELDS = {
    "title": TextsByLanguage(max_length=MAX_CENTER_TITLE, required=False, allow_null=True),
    "intro": TextsByLanguage(max_length=MAX_INTRO, required=False, allow_null=True),
    "footer": serializers.ListField(child=FooterLinkBody(), required=False, max_length=MAX_LINKS),
}
