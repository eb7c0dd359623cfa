"""The page of a rating's link, for visitors without the widget.

The link is the right to rate: there is no session whose name could be misused, so there is no cookie and no proof
against forgery. Opening it votes for nothing, as mail programs and their scanners follow links.
"""

from collections.abc import Mapping
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from apps.chats.models import RatingRequest
from apps.chats.questions import shown_name, spoken_language
from apps.chats.rules.ratings import MAX_COMMENT_LENGTH
from apps.core.observability.logs import REDACTED
from apps.reports.actions.ratings import rate_by_link, request_of
from apps.reports.rules.rating_words import RIGHT_TO_LEFT, WORDS
from apps.reports.rules.ratings import QUESTIONS, SCALE_VALUES, THANKS, CommentRule, Scale, text_in
from apps.reports.settings import policy_of

MAX_BODY = 64 * 1024
# The picture of each mark; stars are as many as the mark says.
_FACES = {1: "😞", 2: "🙁", 3: "😐", 4: "🙂", 5: "😀"}
_THUMBS = {1: "👎", 5: "👍"}


@method_decorator([csrf_exempt, never_cache], name="dispatch")
class Rate(View):
    """The question and its marks; once one is sent, thanks. 404 for a link that is unknown or over."""

    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        token = kwargs.pop("token")
        request.path = request.path.replace(token, REDACTED)
        rating_request = request_of(token, timezone.now())
        if rating_request is None:
            return _page(request, "en", {"title": WORDS["en"].over}, status=404)
        return super().dispatch(request, rating_request)  # type: ignore[return-value]

    def get(self, request: HttpRequest, rating_request: RatingRequest) -> HttpResponse:
        return self._form(request, rating_request)

    def post(self, request: HttpRequest, rating_request: RatingRequest) -> HttpResponse:
        value, comment = _given(request, Scale(policy_of(rating_request.widget_id).scale))
        if value is None or comment is None:
            return self._form(request, rating_request, is_wrong=True)
        rate_by_link(request=rating_request, value=value, comment=comment)
        policy, language = policy_of(rating_request.widget_id), spoken_language(rating_request.chat)
        return _page(
            request,
            language,
            {**_shop(rating_request, language), "title": text_in(policy.thanks_i18n, THANKS, language)},
        )

    def _form(self, request: HttpRequest, rating_request: RatingRequest, *, is_wrong: bool = False) -> HttpResponse:
        policy, language = policy_of(rating_request.widget_id), spoken_language(rating_request.chat)
        scale, words = Scale(policy.scale), _words(language)
        context = {
            **_shop(rating_request, language),
            "title": text_in(policy.question_i18n, QUESTIONS, language),
            "marks": [
                (value, _picture(scale, value), words.of.replace("#", str(value))) for value in SCALE_VALUES[scale]
            ],
            "words": words,
            "asks_words": policy.comment != CommentRule.NEVER,
            "longest": MAX_COMMENT_LENGTH,
            "is_wrong": is_wrong,
        }
        return _page(request, language, context, status=422 if is_wrong else 200)


def _given(request: HttpRequest, scale: Scale) -> tuple[int | None, str | None]:
    """The mark and the words of a form or a JSON object; None for anything else."""
    given: Mapping[str, Any] = request.POST
    if request.content_type == "application/json":
        try:
            given = orjson.loads(request.body[:MAX_BODY])
        except orjson.JSONDecodeError:
            given = {}
        given = given if isinstance(given, dict) else {}
    value, comment = given.get("value"), given.get("comment") or ""
    is_mark = str(value) in map(str, SCALE_VALUES[scale]) and not isinstance(value, bool)
    is_text = isinstance(comment, str) and len(comment) <= MAX_COMMENT_LENGTH and "\0" not in comment
    return int(value) if is_mark and value is not None else None, comment.strip() if is_text else None


def _shop(rating_request: RatingRequest, language: str) -> dict[str, Any]:
    return {"shop": shown_name(rating_request.widget_id, language, rating_request.chat.widget.name)}


def _words(language: str) -> Any:
    return WORDS.get(language.split("-")[0], WORDS["en"])


def _picture(scale: Scale, value: int) -> str:
    if scale is Scale.STARS:
        return "★" * value
    return (_FACES if scale is Scale.FACES else _THUMBS)[value]


def _page(request: HttpRequest, language: str, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    direction = "rtl" if language.split("-")[0] in RIGHT_TO_LEFT else "ltr"
    about = {**context, "code": language, "direction": direction}
    response = render(request, "reports/rate.html", about, status=status)
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
