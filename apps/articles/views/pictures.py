"""The pictures of articles at their addresses, for everybody."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse

from apps.articles.errors import ARTICLE_PICTURE_STORAGE_FAILED
from apps.articles.models import ArticlePicture
from apps.core.endpoints.answers import refusal
from apps.core.endpoints.pictures import picture_response
from apps.core.errors import NOT_FOUND


def picture(request: HttpRequest, guid: str) -> HttpResponse:
    """An uploaded picture of an article."""
    rows = ArticlePicture.objects.unscoped("public: the address names the picture")
    found = rows.filter(guid=UUID(guid)).first()
    if found is None:
        return refusal(NOT_FOUND(), request)
    return picture_response(
        request,
        found.key,
        lambda _key: found.content_type,
        gone="The picture's content is gone.",
        failed=ARTICLE_PICTURE_STORAGE_FAILED,
    )
