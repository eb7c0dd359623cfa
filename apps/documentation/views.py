"""The OpenAPI documents and their viewer, the guides, and the pages of problems."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any, cast

from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from apps.core.endpoints.compression import compress
from apps.core.endpoints.routing import RoutedOperation, routed_operations
from apps.core.problems import problem_types
from apps.documentation.library import address_of, guide_page, sample_text
from apps.documentation.parts import REST, calls_of, generate_whole, part_of, parts
from apps.documentation.rules.catalogue import GUIDES, SECTIONS, Guide, guide_of

# A problem that more operations may answer than this is everybody's: its page names none of them, and no guide.
MOST_OPERATIONS = 40


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """An OpenAPI document in the viewer: its short name, the address of its page and that of the document."""

    name: str
    label: str
    title: str
    page: str
    schema: str


# How the viewer calls the documents.
_LABELS = {REST: "REST API", "webhooks": "Webhooks", "visitor": "Visitors", "console": "Console", "compat": "Compat"}


@cache
def documents() -> tuple[ShownDocument, ...]:
    """All documents, in the order in which the viewer offers them."""
    return tuple(
        ShownDocument(
            name,
            _LABELS.get(name, name.capitalize()),
            part.title,
            reverse("api-docs" if name == REST else f"api-docs-{name}"),
            reverse(f"schema-{name}"),
        )
        for name, part in parts().items()
    )


def _head(place: str) -> dict[str, Any]:
    """The context of the head that all pages of the documentation share, at the name of a document or of a place."""
    return {"documents": documents(), "place": place}


class SchemaView(SpectacularAPIView):
    """The OpenAPI document, or the `part` of it, as YAML or JSON: as the client accepts it or `format` asks for it.

    With an ETag. It follows from the code alone, so a process makes each form once, which takes it a second, and
    remembers it.
    """

    part: str | None = None

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        content, content_type, etag = _document(request.accepted_renderer.media_type, self.part)
        response = HttpResponse(content, content_type=content_type, headers={"ETag": etag, "Cache-Control": "no-cache"})
        name = f"openapi-{self.part}" if self.part else "openapi"
        response.headers["Content-Disposition"] = f'inline; filename="{name}.{request.accepted_renderer.format}"'
        asked = cast(HttpRequest, request)
        answer = get_conditional_response(asked, etag=etag, response=response) or response
        answer.headers["Access-Control-Allow-Origin"] = "*"  # it is public, and editors of other websites read it
        compress(asked, answer, "public")
        return answer


@cache
def _document(media_type: str, part: str | None) -> tuple[bytes, str, str]:
    """The document in that form: its bytes, their type, and a weak ETag, which holds for the compressed ones, too."""
    (renderer,) = (known() for known in SchemaView.renderer_classes if known.media_type == media_type)
    whole = generate_whole()
    content: Any = renderer.render(part_of(whole, parts()[part]) if part else calls_of(whole), renderer_context={})
    charset = f"; charset={renderer.charset}" if renderer.charset else ""
    return content, f"{media_type}{charset}", f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'


# Swagger UI's pictures are `data:` addresses in its style sheet.
@csp_update({"img-src": ["data:"]})  # type: ignore[arg-type] # it types a view by its request alone
@require_safe
def viewer(request: HttpRequest, name: str) -> HttpResponse:
    """A document of the API, with its search."""
    (shown,) = (document for document in documents() if document.name == name)
    return render(request, "documentation/viewer.html", {"shown": shown, **_head(name)})


@require_safe
def guides(request: HttpRequest) -> HttpResponse:
    """The list of guides."""
    sections = {
        heading: [(address_of(guide), guide_page(guide).title, guide.summary) for guide in of_section]
        for heading, of_section in SECTIONS.items()
    }
    return render(request, "documentation/guides.html", {"sections": sections, **_head("guides")})


@require_safe
def guide(request: HttpRequest, name: str) -> HttpResponse:
    """A guide."""
    if name not in GUIDES:
        raise Http404
    return render(request, "documentation/guide.html", {"page": guide_page(GUIDES[name]), **_head("guides")})


@require_safe
def sample(request: HttpRequest, name: str) -> HttpResponse:
    """A program that a guide names, as text."""
    text = sample_text(name)
    if text is None:
        raise Http404
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def problem_index(request: HttpRequest) -> HttpResponse:
    """The list of all problems."""
    problems = sorted(problem_types().values(), key=lambda problem: (problem.status, problem.code))
    return render(request, "documentation/problems.html", {"problems": problems, **_head("problems")})


@require_safe
def problem_page(request: HttpRequest, code: str) -> HttpResponse:
    """The page that a problem's `type` points to: what happened, what to do, which operations answer it, guides."""
    problem = problem_types().get(code)
    if problem is None:
        raise Http404
    operations = _operations_by_problem().get(code, [])
    named = operations if len(operations) <= MOST_OPERATIONS else []
    context = {
        "problem": problem,
        "explanation": _with_code(problem.explanation),
        "phrase": HTTPStatus(problem.status).phrase,
        "example": json.dumps(problem.example, indent=2, ensure_ascii=False),
        "operations": [_shown(operation) for operation in named],
        "count": len(operations),
        "guides": [(address_of(guide), guide_page(guide).title) for guide in _guides_about(named)],
        **_head("problems"),
    }
    return render(request, "documentation/problem.html", context)


@cache
def _operations_by_problem() -> dict[str, list[RoutedOperation]]:
    found: dict[str, list[RoutedOperation]] = {}
    for operation in routed_operations():
        for problem in operation.problems:
            found.setdefault(problem.code, []).append(operation)
    return found


def _path(operation: RoutedOperation) -> str:
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", operation.path)


def _shown(operation: RoutedOperation) -> tuple[str, str, str, str]:
    """An operation's method, path, summary and place in the viewer."""
    tag = operation.viewset.authenticator.tag
    page = reverse(f"api-docs-{tag}" if tag in parts() else "api-docs")
    address = f"{page}#operation/{operation.operation.public_id}"
    return operation.method, _path(operation), operation.operation.summary, address


def _guides_about(operations: list[RoutedOperation]) -> list[Guide]:
    found = {guide.name: guide for operation in operations if (guide := guide_of(_path(operation)))}
    return list(found.values())


def _with_code(text: str) -> SafeString:
    """A text as HTML, with what stands in backticks as code."""
    pieces = enumerate(text.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", piece) if n % 2 else piece,) for n, piece in pieces)
    )
