"""The OpenAPI 3.1 document, generated from the declarations that enforce (`operations.py`).

Every operation shows its scopes (`x-required-scopes`: any one of them) and whether it needs an idempotency key
(`x-idempotency`), for people in its description too; its request and answer with examples, and each problem it may be
refused with.
"""

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from itertools import groupby
from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers

from apps.core import plugins
from apps.core.endpoints.answers import JSON
from apps.core.endpoints.idempotency import HEADER as IDEMPOTENCY_HEADER
from apps.core.endpoints.operations import Operation
from apps.core.endpoints.problem_schema import problem_schema
from apps.core.endpoints.routing import RoutedOperation
from apps.core.endpoints.row_serializers import MethodField
from apps.core.endpoints.serializers import Body
from apps.core.endpoints.uploads import UploadForm
from apps.core.problems import ProblemType, problem_types

Schema = dict[str, Any]

HEADERS: Schema = {
    "X-RateLimit-Limit": {"description": "Requests that the token may make at once.", "schema": {"type": "integer"}},
    "X-RateLimit-Remaining": {"description": "Requests left now.", "schema": {"type": "integer"}},
    "X-RateLimit-Reset": {
        "description": "Unix time at which the whole budget is back.",
        "schema": {"type": "integer"},
    },
    "X-Request-Id": {"description": "Finds the request in the logs.", "schema": {"type": "string"}},
}
RETRY_AFTER: Schema = {
    "description": "Seconds after which the call may be repeated; absent where waiting alone does not help.",
    "schema": {"type": "integer", "minimum": 1},
}
_RETRIED = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
IDEMPOTENCY_PARAMETER: Schema = {
    "name": IDEMPOTENCY_HEADER,
    "in": "header",
    "required": True,
    "description": "One value for each intended write, such as a UUID. It counts for the widget, whatever the token: "
    "used again within 24 hours it is refused (409), and `previous` says what the first write made.",
    "schema": {"type": "string", "minLength": 1},
}
ETAG: Schema = {"ETag": {"description": "Names this answer: send it in `If-None-Match`.", "schema": {"type": "string"}}}
IF_NONE_MATCH_PARAMETER: Schema = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "The `ETag` of the answer that you have, or several: 304, without a body, says that it still holds.",
    "schema": {"type": "string"},
}
REQUEST_ID_PARAMETER: Schema = {
    "name": "X-Request-Id",
    "in": "header",
    "required": False,
    "description": "Your own id of the request, up to 128 letters, digits and `_.:-`: it is answered, and logged.",
    "schema": {"type": "string"},
}


class OperationSchema(AutoSchema):
    """Describes the routed methods of endpoint viewsets."""

    view: Any

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> Schema | None:
        operations: Mapping[str, Operation] = getattr(self.view, "operations", {})
        operation = operations.get(getattr(self.view, "action", ""))
        if operation is None:
            return None
        self.registry, self.path, self.path_regex = registry, path, path_regex
        self.path_prefix, self.method = path_prefix, method.upper()
        described: Schema = {
            "operationId": operation.public_id,
            "summary": operation.summary,
            "description": "\n\n".join([re.sub(r"\n +", "\n", operation.description), *_asked_for(operation)]),
            "tags": [self.view.authenticator.tag or path.removeprefix("/api/v1/").split("/")[0]],
            "parameters": self._parameters(operation),
            "security": [dict(scheme) for scheme in self.view.authenticator.security],
            "responses": self._responses(operation),
            "x-required-scopes": list(operation.scopes),
            "x-idempotency": "required" if operation.idempotent else "none",
        }
        if operation.deprecated is not None:
            described["deprecated"] = True
        if operation.body is not None or operation.upload is not None:
            described["requestBody"] = self._request(operation)
        return described

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        name = type(serializer).__name__
        return name.removesuffix("Serializer") if name.endswith("Serializer") else f"{name.removesuffix('Body')}Input"

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Schema:
        schema: Schema = super()._map_basic_serializer(serializer, direction)
        if isinstance(serializer, Body):
            schema["additionalProperties"] = serializer.passes_over_unknown
            for member in schema.get("properties", {}).values():
                _say_default(member)
        return schema

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Schema:
        shown = field.shown if isinstance(field, MethodField) else field
        schema: Schema = super()._map_serializer_field(shown, direction, bypass_extensions)
        return schema

    def _get_serializer_field_meta(self, field: Any, direction: Any) -> Schema:
        """A text that may not be blank has a character: of bodies and queries, which are never answered.

        The library's `ENFORCE_NON_BLANK_FIELDS` would say it of answers, too.
        """
        meta: Schema = super()._get_serializer_field_meta(field, direction)
        if direction == "request" and isinstance(field, serializers.CharField) and not field.allow_blank:
            meta["minLength"] = 1
        if isinstance(field, serializers.JSONField):
            meta.pop("nullable", None)  # its schema is any JSON, null too
        return meta

    def _parameters(self, operation: Operation) -> list[Schema]:
        parameters: list[Schema] = self._resolve_path_parameters(re.findall(r"{([^}]+)}", self.path))
        if operation.filters is not None:
            parameters += [self._query_parameter(field) for field in operation.filters.fields.values()]
        if operation.idempotent:
            rules = operation.key
            schema = {"maxLength": rules.longest, "pattern": f"^{rules.allowed}+$"}
            parameters.append({**IDEMPOTENCY_PARAMETER, "schema": {**IDEMPOTENCY_PARAMETER["schema"], **schema}})
        if self.method != "GET":
            parameters += [dict(header) for header in self.view.authenticator.write_headers]
        if operation.is_conditional:
            parameters.append(IF_NONE_MATCH_PARAMETER)
        return [*parameters, REQUEST_ID_PARAMETER]

    def _query_parameter(self, field: Any) -> Schema:
        parameter: Schema = {"name": field.field_name, "in": "query", "required": field.required}
        if field.help_text:
            parameter["description"] = str(field.help_text)
        schema = self._map_serializer_field(field, "request")
        self._insert_field_validators(field, schema)
        for superfluous in ("description", "readOnly", "writeOnly"):
            schema.pop(superfluous, None)
        if field.default is not serializers.empty:
            schema["default"] = field.default
        return {**parameter, "schema": schema}

    def _request(self, operation: Operation) -> Schema:
        content: Schema = {}
        if operation.upload is not None:  # first: many generators know but one kind of body
            content["multipart/form-data"] = {"schema": _form_schema(operation.upload)}
        if operation.body is not None:
            content["application/json"] = {"schema": self.resolve_serializer(operation.body, "request").ref}
            if operation.example is not None:
                content["application/json"]["example"] = dict(operation.example)
        is_required = operation.requires_body(self.method) or operation.upload is not None
        return {"required": is_required, "content": content}

    def _responses(self, operation: Operation) -> Schema:
        responses = {str(status): self._success(operation, status) for status in operation.statuses}
        if operation.is_conditional:
            headers = {name: {"$ref": f"#/components/headers/{name}"} for name in (*HEADERS, *ETAG)}
            responses[str(operation.status)]["headers"] = headers
            responses["304"] = {"description": "It is as you have it.", "headers": headers}
        routed = RoutedOperation(self.method, self.path, operation, type(self.view))
        problems = sorted(routed.problems, key=lambda problem: problem.status)
        for status, same_status in groupby(problems, key=lambda problem: problem.status):
            responses[str(status)] = _refusal(list(same_status))
        return responses

    def _success(self, operation: Operation, status: int) -> Schema:
        success: Schema = {
            "description": HTTPStatus(status).phrase,
            "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in HEADERS},
        }
        if status == HTTPStatus.FOUND:
            success["headers"]["Location"] = {"schema": {"type": "string", "format": "uri"}}
        if operation.streams:
            success["headers"]["Content-Disposition"] = {"schema": {"type": "string"}}
        if operation.media_type != JSON and status != HTTPStatus.NOT_MODIFIED:
            success["content"] = {operation.media_type: {"schema": {"type": "string"}}}
        if operation.answers is not None and status != HTTPStatus.NOT_MODIFIED:
            serializer = operation.answers()
            schema, example = self.resolve_serializer(serializer, "response").ref, example_of(serializer)
            success["content"] = {"application/json": _enveloped(operation, schema, example)}
        return success


def _say_default(member: Schema) -> None:
    """Moves the default of a body's member into its text: openapi-typescript takes a member with one for required."""
    if "default" in member:
        without = f"Without it: `{json.dumps(member.pop('default'))}`."
        member["description"] = " ".join(filter(None, [member.get("description"), without]))


def _asked_for(operation: Operation) -> list[str]:
    """The caller's needs, as paragraphs of the description: Swagger UI and Redoc show no members of our own."""
    scopes = " or ".join(f"`{scope}`" for scope in operation.scopes)
    scopes = " and ".join([scopes, *(f"`{scope}`" for scope in operation.also_needs)])
    key = f"`{IDEMPOTENCY_HEADER}` is required" if operation.idempotent else "none"
    limits = [f"**Limit:** {limit.told} (429 `{limit.refusal.code}`)" for limit in operation.limits]
    ends = [operation.deprecated.told] if operation.deprecated is not None else []
    return [*ends, *([f"**Scope:** {scopes}"] if scopes else []), f"**Idempotency key:** {key}", *limits]


def _form_schema(form: UploadForm) -> Schema:
    file = {"type": "string", "format": "binary", "description": f"At most {form.max_bytes:,} bytes."}
    found = {form.part: file, **{name: {"type": "string"} for name in form.texts}}
    return {"type": "object", "required": [form.part], "properties": found, "additionalProperties": False}


def _enveloped(operation: Operation, schema: Schema, example: Any) -> Schema:
    if operation.envelope == "literal":
        return {"schema": schema, "example": example}
    if operation.envelope == "object":
        nullable = {"oneOf": [schema, {"type": "null"}]}
        properties: Schema = {"data": nullable if operation.may_be_null else schema}
        shown: Schema = {"data": example}
    elif operation.envelope == "numbered":
        properties = {"data": {"type": "array", "items": schema}}
        properties |= {name: {"type": "integer"} for name in ("page", "limit", "total", "pages")}
        shown = {"data": [example], "page": 1, "limit": 20, "total": 1, "pages": 1}
    else:
        is_null = "Always null." if operation.envelope == "whole" else "Null on the last page."
        properties = {
            "data": {"type": "array", "items": schema},
            "next_cursor": {"type": ["string", "null"], "description": is_null},
        }
        shown = {"data": [example], "next_cursor": None}
    return {
        "schema": {"type": "object", "required": list(properties), "properties": properties},
        "example": shown,
    }


def _refusal(problems: list[ProblemType]) -> Schema:
    waits = {"headers": {"Retry-After": {"$ref": "#/components/headers/Retry-After"}}}
    return {
        "description": "; ".join(f"`{problem.code}`: {problem.title}" for problem in problems),
        **(waits if problems[0].status in _RETRIED else {}),
        "content": {
            "application/problem+json": {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "examples": {problem.code: {"$ref": f"#/components/examples/{problem.code}"} for problem in problems},
            }
        },
    }


def _example_of_problem(problem: ProblemType) -> Schema:
    return {"summary": problem.title, "description": problem.explanation, "value": problem.example}


def example_of(field: Any) -> Any:
    """An example value of a serializer or one of its fields, made from what the field declares."""
    if isinstance(field, MethodField):
        return example_of(field.shown)
    if isinstance(field, serializers.ListSerializer):
        return [example_of(field.child)]
    if isinstance(field, serializers.BaseSerializer):
        return {name: example_of(member) for name, member in getattr(field, "fields", {}).items()}
    if isinstance(field, serializers.ListField):
        return [example_of(field.child)]
    if isinstance(field, serializers.DictField | serializers.JSONField):
        return {}
    if isinstance(field, serializers.ChoiceField):
        return str(next(iter(field.choices)))
    return _example_of_type(field)


def _example_of_type(field: Any) -> Any:
    examples: list[tuple[type[Any], Any]] = [
        (serializers.BooleanField, True),
        (serializers.IntegerField, min(42, getattr(field, "max_value", None) or 42)),
        (serializers.FloatField, 55.75),
        (serializers.DateTimeField, "2026-11-21T10:45:00Z"),
        (serializers.DateField, "2026-11-21"),
        (serializers.URLField, "https://shop.example/path"),
        (serializers.UUIDField, "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51"),
        (serializers.EmailField, "olga@shop.example"),
    ]
    for kind, example in examples:
        if isinstance(field, kind):
            return example
    if getattr(field, "min_length", None) == 32:
        return "f3c1a9d2b4e5f60718293a4b5c6d7e8f"
    return "text"


def finish_document(result: Schema, **_: Any) -> Schema:
    """Adds what all operations share to the generated document."""
    components: Schema = result.setdefault("components", {})
    declared = plugins.declared("openapi", plugins.DocumentAddition).values()
    additions = [each.describe() for of_app in declared for each in of_app]
    more = {name: schema for each in additions for name, schema in each.get("problem_members", {}).items()}
    components.setdefault("schemas", {})["Problem"] = problem_schema(more)
    for addition in additions:
        result.setdefault("webhooks", {}).update(addition.get("webhooks", {}))
        for kind, named in addition.get("components", {}).items():
            components.setdefault(kind, {}).update(named)
    components["schemas"] = dict(sorted(components["schemas"].items()))
    components["headers"] = {**HEADERS, "Retry-After": RETRY_AFTER} | ETAG
    components["examples"] = {code: _example_of_problem(problem) for code, problem in sorted(problem_types().items())}
    components.setdefault("securitySchemes", {}).update(
        {
            "bearer": {"type": "http", "scheme": "bearer", "description": "An API token, issued in the cabinet."},
            "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": "sessionid",
                "description": "An operator's who signed in at the console; writes also need `X-CSRFToken`.",
            },
            "visitor": {
                "type": "apiKey",
                "in": "header",
                "name": "Authorization",
                "description": "`Visitor <visitor_token>`, with the token that a session was opened with.",
            },
        }
    )
    _drop_internal_marks(result)
    return result


def _drop_internal_marks(node: Any) -> None:
    """Removes the marks that the generator leaves on enumerations for its own later steps."""
    if isinstance(node, dict):
        node.pop("x-spec-enum-id", None)
        for member in node.values():
            _drop_internal_marks(member)
    elif isinstance(node, list):
        for item in node:
            _drop_internal_marks(item)
