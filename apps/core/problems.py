"""Problems: the one shape of every refusal (RFC 9457).

A `ProblemType` is declared in an app's `errors.py` and called to make the exception: `raise NOT_FOUND()`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.encoding import escape_uri_path

from apps.core import plugins

FieldErrors = Mapping[str, list[str]]


# Schemas of members that problems have besides.
STRING: Mapping[str, Any] = {"type": "string"}
ID: Mapping[str, Any] = {"type": "integer", "format": "int64"}
TIME: Mapping[str, Any] = {"type": "string", "format": "date-time"}


def members_of(*, null: bool = False, **properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a member that is an object with these, all of them; `null`: or null."""
    kind: Any = ["object", "null"] if null else "object"
    return {"type": kind, "required": list(properties), "properties": properties}


def items_of(items: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a member that is a list of such."""
    return {"type": "array", "items": items}


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A kind of refusal. `explanation` is what its page (/problems/<code>) tells: what happened and what to do.

    `members` are the JSON Schemas of what its bodies have besides the members that all problems have, by name;
    `example_members` are those of the example on that page. `for_people` is what pages say in its place, marked by
    `gettext_noop` and translated where it is shown; without it they say the explanation.
    """

    do_not_call_in_templates: ClassVar[bool] = True

    code: str
    status: int
    title: str
    explanation: str
    for_people: str = field(default="", compare=False, kw_only=True)
    example_members: Mapping[str, Any] = field(default_factory=dict, compare=False)
    members: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, compare=False)

    def __call__(
        self,
        detail: str | None = None,
        *,
        errors: FieldErrors | None = None,
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> "Problem":
        """The exception to raise. `errors` maps dotted field paths to messages; `members` extend the body.

        Without a `detail` of its own it says what to do: the explanation.
        """
        return Problem(self, detail or self.explanation, errors or {}, headers or {}, members)

    @property
    def address(self) -> str:
        """The page that explains it: absolute, as RFC 9457, 3.1.1 recommends."""
        return f"{settings.PUBLIC_URL}/problems/{self.code}"

    @property
    def example(self) -> dict[str, Any]:
        """An example of a body of this kind."""
        return {
            "type": self.address,
            "title": self.title,
            "status": self.status,
            "detail": self.explanation,
            "instance": "/api/v1/chats",
            "code": self.code,
            **self.example_members,
        }


class Problem(Exception):
    """A refusal on its way out; raising it rolls the work back."""

    def __init__(
        self,
        type_: ProblemType,
        detail: str,
        errors: FieldErrors,
        headers: Mapping[str, str],
        members: Mapping[str, Any],
    ) -> None:
        super().__init__(f"{type_.code}: {detail}")
        self.type = type_
        self.detail = detail
        self.errors = errors
        self.headers = headers
        self.members = members


def problem_response(problem: Problem, request: HttpRequest, members: Mapping[str, Any] | None = None) -> HttpResponse:
    """The problem as an `application/problem+json` answer to that request, with those members besides its own."""
    body: dict[str, Any] = {
        "type": problem.type.address,
        "title": problem.type.title,
        "status": problem.type.status,
        "detail": problem.detail,
        "instance": escape_uri_path(request.path.replace("[redacted]", "redacted")),
        "code": problem.type.code,
    }
    if problem.errors:
        body["errors"] = problem.errors
    body.update(problem.members)
    body.update(members or {})
    response = HttpResponse(
        orjson.dumps(body, option=orjson.OPT_UTC_Z), status=problem.type.status, content_type="application/problem+json"
    )
    for name, value in problem.headers.items():
        response[name] = value
    return response


@cache
def problem_types() -> dict[str, ProblemType]:
    """Every problem of the installed apps, by code."""
    return {
        problem.code: problem for problems in plugins.declared("errors", ProblemType).values() for problem in problems
    }
