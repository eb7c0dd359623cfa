"""The calls that generated clients of TypeScript make, as data: scripts read them (`run_*.mjs`)."""

import base64
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.contract.document import described, path_of
from tests.contract.requests import Request, to
from tests.contract.routes import ROUTES, Route
from tests.contract.samples import World
from tests.contract.test_generated_clients import PICTURE, content_in, when_called, write_headers_of


def callable_routes() -> list[Route]:
    """The calls of systems with a token, in an order in which all of them succeed.

    Without those that are signed over their body as it is sent, which needs a hook of the caller's, and those that lead
    elsewhere.
    """
    wanted = [
        route
        for route in ROUTES
        if route.path.startswith("/api/v1/") and "/ai/assistant/" not in route.path and 302 not in route.successes
    ]
    return sorted(wanted, key=when_called)


# Their bodies name all rows of a kind: those that the samples of the other operations have made, too.
OF_ALL_ROWS = (
    "POST /api/v1/help-center/domain/check",
    "PUT /api/v1/automations/order",
)


def requests_of(world: World, token: str) -> list[Request]:
    """Their requests; the signed ones are left out. What names all rows is made last, and called first."""
    routes = sorted(callable_routes(), key=lambda route: route.name in OF_ALL_ROWS)
    requests = [request for route in routes if (request := to(route, world, token)).secret is None]
    return sorted(requests, key=lambda request: request.route.name not in OF_ALL_ROWS)


# Files that are no pictures.
FILES = {"POST /api/v1/article-imports": ("returns.md", b"# Returns\n\nWithin 14 days.\n")}


def file_of(request: Request) -> tuple[str, bytes]:
    """The name and the content of the file in a call's form."""
    return FILES.get(request.route.name, ("roses.png", content_in(request.data) if request.data else PICTURE))


def plan_of(request: Request, document: dict[str, Any]) -> dict[str, Any]:
    """A call as data: its operation, its parameters by place and name, and its body."""
    operation = described(request.route, document)
    path = path_of(request.route, document)
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {}).get("$ref", "")
    file_name, file = file_of(request)
    return {
        "name": request.route.name,
        "tag": operation["tags"][0],
        "operation": operation["operationId"],
        "path": dict(zip(re.findall(r"{(\w+)}", path), request.ids, strict=True)),
        "query": dict(request.query or {}),
        "headers": {
            **({"X-Service-Idempotency-Key": str(uuid4())} if request.key is not None else {}),
            **write_headers_of(request),
        },
        "is_form": "multipart/form-data" in content,
        "body": request.json,
        "schema": schema.rpartition("/")[2] or None,
        "file": base64.b64encode(file).decode(),
        "file_name": file_name,
        "successes": sorted(request.route.successes),
    }


def copied(script: str, folder: Path) -> Path:
    """A script of this folder, where its client was generated."""
    target = folder / script
    target.write_text((Path(__file__).parent / script).read_text())
    return target
