"""The tools with the operations behind them: who may call each, and its arguments, as the operation declares them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, get_resolver, path
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from apps.core.endpoints.authentication import Caller, TokenAuthenticator
from apps.core.endpoints.idempotency import HEADER as KEY_HEADER
from apps.core.endpoints.operations import Operation
from apps.core.problems import Problem
from apps.mcp.rules.tools import ARGUMENTS, KEY, TOOLS, McpTool

_BASE = "/api/v1/"
_FLAG = {"0", "1"}
_EXACT = 2**53  # larger numbers are none for many clients; the operation refuses what is too large
Schema = dict[str, Any]
# It says what scopes an operation needs. Some doors ask for more, which only a call can tell.
SCOPES = TokenAuthenticator()


@dataclass(frozen=True, slots=True)
class BoundTool:
    """A tool whose operation is installed. `arguments` is the JSON Schema of what it takes.

    `in_path`, `in_query`, `in_body`: the names of its arguments, by where the operation has them. `checked` validates
    those of path and query and the key, which must have the right types before they become text.
    """

    tool: McpTool
    operation: Operation
    arguments: Schema
    in_path: frozenset[str]
    in_query: frozenset[str]
    in_body: frozenset[str]
    checked: Draft202012Validator

    @property
    def path(self) -> str:
        """The template of the operation's path."""
        return _BASE + self.tool.path

    def is_allowed(self, caller: Caller, request: HttpRequest) -> bool:
        """Whether a token's scopes let it call the operation."""
        try:
            SCOPES.permit(request, caller, self.operation)
        except Problem:
            return False
        return True

    @property
    def shown(self) -> Schema:
        """The tool as `tools/list` has it."""
        return {
            "name": self.tool.name,
            "title": self.tool.title,
            "description": self.tool.description,
            "inputSchema": self.arguments,
            "annotations": {
                "title": self.tool.title,
                "readOnlyHint": self.tool.reads,
                "destructiveHint": False,
                "openWorldHint": not self.tool.reads,
            },
        }


@cache
def catalogue() -> Mapping[str, BoundTool]:
    """Every tool of the installed apps, by name, in the order of the list. Takes a process 0.2 s, once."""
    routed = {(method, route.removeprefix(_BASE[1:])): pattern for method, route, pattern in _operations()}
    found = [(tool, routed[tool.method, tool.path]) for tool in TOOLS if (tool.method, tool.path) in routed]
    document = SchemaGenerator(patterns=list(dict.fromkeys(pattern for _, pattern in found))).get_schema(public=True)
    return {tool.name: _bound(tool, pattern, document) for tool, pattern in found}


def _operations() -> Iterator[tuple[str, str, URLPattern]]:
    """The method and path template of each operation, and its route."""

    def walk(patterns: Sequence[Any], prefix: str) -> Iterator[tuple[str, str, URLPattern]]:
        for pattern in patterns:
            route = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, route)
                continue
            whole = path(route, pattern.callback)
            for method in getattr(pattern.callback, "actions", None) or ():
                yield method.upper(), _template(route), whole

    yield from walk(get_resolver().url_patterns, "")


def _template(route: str) -> str:
    """A route as Django has it (`chats/<id:chat_id>`) as the template of its paths (`chats/{chat_id}`)."""
    return "/".join(
        f"{{{part[1:-1].rpartition(':')[2]}}}" if part.startswith("<") and part.endswith(">") else part
        for part in route.split("/")
    )


def _bound(tool: McpTool, pattern: URLPattern, document: Schema) -> BoundTool:
    callback: Any = pattern.callback
    described: Schema = document["paths"][_BASE + tool.path][tool.method.lower()]
    within, members, needed = _parameters(tool, described["parameters"])
    checked = Draft202012Validator({"type": "object", "properties": dict(members), "required": list(needed)})
    body = _body_of(described, document["components"]["schemas"])
    members |= {name: _worded(name, schema) for name, schema in body.get("properties", {}).items()}
    needed += body.get("required", [])
    arguments = {"type": "object", "properties": members, "required": sorted(needed), "additionalProperties": False}
    return BoundTool(
        tool=tool,
        operation=callback.cls.operations[callback.actions[tool.method.lower()]],
        arguments=arguments,
        in_path=frozenset(name for name, place in within.items() if place == "path"),
        in_query=frozenset(name for name, place in within.items() if place == "query"),
        in_body=frozenset(body.get("properties", {})),
        checked=checked,
    )


def _parameters(tool: McpTool, parameters: Sequence[Schema]) -> tuple[dict[str, str], Schema, list[str]]:
    """The places of the arguments outside of the body, the schema of each, and the names of the needed ones."""
    within, members, needed = {}, {}, list(tool.requires)
    for parameter in parameters:
        name, place = parameter["name"], parameter["in"]
        if name == KEY_HEADER:
            members[KEY] = _worded(KEY, parameter["schema"])
        elif place in ("path", "query") and name not in tool.without:
            within[name] = place
            schema = _typed({**parameter["schema"], **_described(parameter)})
            members[name] = _worded(name, schema)
            needed += [name] if parameter["required"] and name not in needed else []
    return within, members, needed


def _described(parameter: Schema) -> Schema:
    return {"description": parameter["description"]} if parameter.get("description") else {}


def _typed(schema: Schema) -> Schema:
    """A flag of a query string, `1` or `0`, as the boolean that it is read as."""
    return {"type": "boolean"} if set(schema.get("enum", ())) == _FLAG else schema


def _worded(name: str, schema: Schema) -> Schema:
    """An argument's schema as models read it: with a description, and without what is for generators of code."""
    shown = {member: value for member, value in schema.items() if member not in ("format", "examples")}
    if shown.get("maximum", 0) > _EXACT:
        del shown["maximum"]
    said = schema.get("description", "").partition("* `")[0].strip() or ARGUMENTS.get(name, "")
    example = f"Such as {schema['examples'][0]}." if "examples" in schema else ""
    return {**shown, "description": f"{said} {example}".strip()}


def _body_of(described: Schema, components: Schema) -> Schema:
    content = described.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return {}
    body: Schema = _without_references(content["schema"], components)
    return body


def _without_references(node: Any, components: Schema) -> Any:
    """A schema with its components in it, in the place of references to them."""
    if isinstance(node, dict):
        if (reference := node.get("$ref")) is not None:
            return _without_references(components[reference.rpartition("/")[2]], components)
        return {name: _without_references(member, components) for name, member in node.items()}
    if isinstance(node, list):
        return [_without_references(each, components) for each in node]
    return node
