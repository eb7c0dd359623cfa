"""Clients that are generated from the OpenAPI document work: each knows every operation of a real web process.

They are of the whole document; what is generated from a part of it is the same code.

`openapi-python-client` is a requirement of the tests. `openapi-typescript` comes from npm: `make test` installs what
`typescript/package-lock.json` pins where there is an `npm`; elsewhere its test is skipped, and says so.
"""

import asyncio
import base64
import importlib
import io
import json
import pkgutil
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints
from uuid import uuid4

import pytest

from apps.core.endpoints.answers import JSON
from apps.documentation.parts import REST, RenderedPart, calls_of, part_of, parts
from tests.contract.document import described, path_of
from tests.contract.requests import Request, to
from tests.contract.routes import ROUTES, Route, each_route, has_secret_in_path, of_console, of_visitors
from tests.contract.samples import World
from tests.factories.support import signed_headers
from tests.uploads import BOUNDARY, png

pytestmark = pytest.mark.slow

PICTURE = png(16, 16)
PACKAGE = "generated_parley_client"
TYPESCRIPT = Path(__file__).parent / "typescript"


@pytest.fixture(scope="module")
def written(document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The document of all calls as a file, for the generators."""
    path = tmp_path_factory.mktemp("document") / "openapi.json"
    path.write_text(json.dumps(calls_of(document)))
    return path


@pytest.fixture(scope="module")
def generated(written: Path) -> Iterator[ModuleType]:
    """The package that `openapi-python-client` makes of the document, without a warning; all of it is imported."""
    generate(written, written.with_name(PACKAGE))
    sys.path.insert(0, str(written.parent))
    package = importlib.import_module(PACKAGE)
    for module in pkgutil.walk_packages(package.__path__, f"{PACKAGE}."):
        importlib.import_module(module.name)
    yield package
    sys.path.remove(str(written.parent))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def generate(document: Path, package: Path) -> None:
    """Makes a package of a document. A warning is a failure."""
    config = document.with_name("config.json")
    config.write_text(json.dumps({"post_hooks": []}))
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning", "--meta", "none"]
    files = ["--path", document, "--config", config, "--output-path", package]
    ran = subprocess.run([*command, *files], capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def functions_of(route: Route, document: dict[str, Any]) -> ModuleType:
    """The generated module of an operation."""
    operation = described(route, document)
    tag = operation["tags"][0].replace("-", "_")
    return sys.modules[f"{PACKAGE}.api.{tag}.{operation['operationId']}"]


def test_there_is_a_module_for_each_operation_and_no_other(generated: ModuleType, document: dict[str, Any]) -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith(f"{PACKAGE}.api.")]
    of_operations = {module.__name__ for module in modules if hasattr(module, "sync_detailed")}
    assert of_operations == {functions_of(route, document).__name__ for route in ROUTES}


@pytest.mark.parametrize("part", parts().values(), ids=list(parts()))
def test_the_python_client_of_a_part_is_the_same_without_the_others(
    part: RenderedPart, generated: ModuleType, document: dict[str, Any], tmp_path: Path
) -> None:
    """So whoever needs the calls of one kind of callers generates from their document, and changes nothing else."""
    only, whole = tmp_path / "part.json", Path(generated.__path__[0])
    only.write_text(json.dumps(part_of(document, part)))
    generate(only, tmp_path / PACKAGE)
    functions = {path.relative_to(tmp_path / PACKAGE) for path in (tmp_path / PACKAGE / "api").rglob("*.py")}
    operations = {path for path in functions if path.name != "__init__.py"}
    calls = [route for route in ROUTES if (route.routed.viewset.authenticator.tag or REST) == part.name]
    assert len(operations) == len(calls)
    assert [path for path in operations if (tmp_path / PACKAGE / path).read_text() != (whole / path).read_text()] == []


@each_route()
@pytest.mark.django_db(transaction=True)
def test_the_python_client_calls_it(
    route: Route, world: World, token: str, web: str, generated: ModuleType, document: dict[str, Any]
) -> None:
    """It reads a success with all that is in it, and a refusal as a problem, waiting for them or not."""
    functions = functions_of(route, document)
    request = to(route, world, token)
    with client_of(request, generated, web) as client:
        answer = functions.sync_detailed(*request.ids, client=client, **arguments_of(request, functions, generated))
    assert answer.status_code in route.successes
    assert says(answer.parsed) == says(content_of(answer, route, document))

    refused = stranger(request)
    is_not_found = of_visitors(route) or "{secret}" in route.name
    status, code = (404, "not_found") if is_not_found else (401, "not_authenticated")
    if of_console(route):
        code = "not_signed_in"
    with client_of(refused, generated, web) as client:
        problems = [functions.sync(*refused.ids, client=client, **arguments_of(refused, functions, generated))]
        # A stranger's body is left unread and the connection closed: asyncio, still writing, may lose the answer.
        if refused.json is None and refused.data is None:
            problems.append(
                asyncio.run(
                    functions.asyncio(*refused.ids, client=client, **arguments_of(refused, functions, generated))
                )
            )
    assert {type(problem).__name__ for problem in problems} == {"Problem"}
    assert {(problem.status, problem.code) for problem in problems} == {(status, code)}


def stranger(request: Request) -> Request:
    """The request of somebody whom nobody knows: a token or secret that was never issued, a widget that never was."""
    if of_visitors(request.route):
        return request.but(ids=("f" * 32, *request.ids[1:]))
    if has_secret_in_path(request.route):
        return request.but(ids=("nobody-s",))
    if of_console(request.route):
        return request.but(signed_in={}, token=None)
    return request.but(token="nobody-s")


def client_of(request: Request, generated: ModuleType, url: str) -> Any:
    """The generated client, which says who calls and puts up with no answer that is not documented."""
    # Without TLS, and so without the authorities' certificates, which httpx else reads anew for each client.
    options: dict[str, Any] = {"base_url": url, "raise_on_unexpected_status": True, "verify_ssl": False}
    if request.signed_in:
        return generated.Client(**options, headers=dict(request.signed_in))
    if request.token is None:
        return generated.Client(**options)
    options["headers"] = dict(request.headers or {})
    if (secret := request.secret) is not None:
        options["httpx_args"] = {"event_hooks": {"request": [lambda sent: sign(sent, secret)]}}
    return generated.AuthenticatedClient(**options, token=request.token, prefix=request.scheme)


def sign(sent: Any, secret: str) -> None:
    """Signs what a generated client is about to send, as it sends it."""
    target = sent.url.raw_path.decode("ascii")
    sent.headers.update(signed_headers(secret, sent.method, target, sent.content))


def arguments_of(request: Request, functions: ModuleType, generated: ModuleType) -> dict[str, Any]:
    """What the generated function takes beside what stands in the path."""
    arguments: dict[str, Any] = dict(request.query or {})
    if request.key is not None:
        arguments["x_service_idempotency_key"] = str(uuid4())
    for name, value in write_headers_of(request).items():
        arguments[name.lower().replace("-", "_")] = value
    if request.json is not None:
        arguments["body"] = json_body(functions).from_dict(request.json)
    elif request.data is not None:
        arguments["body"] = form_body(functions)(file=sent_file(generated, content_in(request.data)))
    return arguments


def write_headers_of(request: Request) -> dict[str, str]:
    """The headers that the document has as parameters of this write."""
    if request.route.method == "GET":
        return {}
    headers = request.headers or {}
    names = [header["name"] for header in request.route.routed.viewset.authenticator.write_headers]
    return {name: headers[name] for name in names}


def bodies(functions: ModuleType) -> list[Any]:
    """The models that the function takes as a body."""
    hint = get_type_hints(functions.sync_detailed)["body"]
    return [model for model in (*get_args(hint), hint) if hasattr(model, "from_dict")]


def json_body(functions: ModuleType) -> Any:
    return next(model for model in bodies(functions) if not hasattr(model, "to_multipart"))


def form_body(functions: ModuleType) -> Any:
    return next(model for model in bodies(functions) if hasattr(model, "to_multipart"))


def sent_file(generated: ModuleType, content: bytes) -> Any:
    types = sys.modules[f"{generated.__name__}.types"]
    return types.File(payload=io.BytesIO(content), file_name="roses.png", mime_type="image/png")


def content_in(form: bytes) -> bytes:
    """The file in a sample's form."""
    return form.partition(b"\r\n\r\n")[2].rpartition(f"\r\n--{BOUNDARY}".encode())[0]


def content_of(answer: Any, route: Route, document: dict[str, Any]) -> Any:
    """What is in the body of an answer; None where the document shows no content."""
    kinds = described(route, document)["responses"][str(int(answer.status_code))].get("content", {})
    if "application/json" in kinds:
        return json.loads(answer.content)
    return answer.content.decode() if kinds else None


def says(value: Any) -> Any:
    """A value as JSON has it, where two ways to write one moment are the same."""
    if hasattr(value, "to_dict"):
        return says(value.to_dict())
    if isinstance(value, dict):
        return {name: says(member) for name, member in value.items()}
    if isinstance(value, list):
        return [says(member) for member in value]
    if isinstance(value, str) and "T" in value:
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return value
    return value


@pytest.mark.django_db(transaction=True)
def test_the_python_client_uploads_a_form(
    world: World, token: str, web: str, generated: ModuleType, document: dict[str, Any]
) -> None:
    (route,) = (route for route in ROUTES if route.name == "POST /api/v1/files")
    functions = functions_of(route, document)
    with client_of(to(route, world, token), generated, web) as client:
        answer = functions.sync(
            client=client,
            body=form_body(functions)(file=sent_file(generated, PICTURE)),
            x_service_idempotency_key=str(uuid4()),
        )
    assert (answer.data.name, answer.data.size) == ("roses.png", len(PICTURE))


def test_the_python_client_reads_every_webhook(generated: ModuleType, document: dict[str, Any]) -> None:
    for request in (item["post"] for item in document["webhooks"].values()):
        content = request["requestBody"]["content"]["application/json"]
        model = getattr(sys.modules[f"{generated.__name__}.models"], content["schema"]["$ref"].rsplit("/", 1)[1])
        read = model.from_dict(content["example"])
        assert says(read) == says(content["example"])
        assert read.additional_properties == getattr(read, "data", read).additional_properties == {}


@pytest.fixture
def npm_modules() -> Path:
    """The packages of npm that `make test` installed."""
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js on this machine")
    if not (installed := TYPESCRIPT / "node_modules").joinpath("openapi-fetch").is_dir():
        pytest.skip("openapi-typescript is not installed: `make test` does it with npm, `npm ci` in its folder by hand")
    return installed


@pytest.mark.django_db(transaction=True)
def test_the_typescript_client_calls_every_operation(
    npm_modules: Path, world: World, token: str, web: str, written: Path, document: dict[str, Any]
) -> None:
    """The calls pass the compiler with the generated types, and each is answered as the document says."""
    folder = written.with_name("typescript")
    shutil.copytree(TYPESCRIPT, folder, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").symlink_to(npm_modules)
    requests = [to(route, world, token) for route in sorted(ROUTES, key=when_called)]
    calls = [f"await {call_in_typescript(request, document)};" for request in requests]
    (folder / "all.ts").write_text("\n".join(['import { client, form, note } from "./calls.js";', *calls]))

    def node(*command: str) -> str:
        ran = subprocess.run(
            ["node", *command],
            cwd=folder,
            env={"API_URL": web},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    told = written.with_name("webhooks.json")
    told.write_text(json.dumps(part_of(document, parts()["webhooks"])))
    node("node_modules/openapi-typescript/bin/cli.js", str(written), "--output", "api.ts")
    node("node_modules/openapi-typescript/bin/cli.js", str(told), "--output", "webhooks.ts")
    node("node_modules/typescript/bin/tsc", "--project", ".")
    answers = [json.loads(line) for line in node("built/all.js").splitlines()]
    assert [answer["name"] for answer in answers] == [request.route.name for request in requests]
    successes = {route.name: route.successes for route in ROUTES}
    assert [answer for answer in answers if answer["status"] not in successes[answer["name"]]] == []


# A probation ends with its wish; vendors are others' once credentials have changed.
UNDONE_BY_OTHERS = [
    "POST /api/v1/wishes/{id}/revert",
    "POST /api/v1/ai/learning/tune",
    "POST /api/v1/ai/assistant/turn",
    "POST /api/v1/ai/assistant/speech-to-text",
    "POST /api/v1/ai/assistant/text-to-speech",
]


def when_called(route: Route) -> int:
    """All share one world: what others would undo comes first, what ends a chat, or an operator's work, last."""
    if route.name in UNDONE_BY_OTHERS:
        return UNDONE_BY_OTHERS.index(route.name) - len(UNDONE_BY_OTHERS)
    ends_a_chat = route.path.endswith(("/close", "/state"))
    binds_anew = route.name == "POST /api/v1/ai/assistant/integration"
    ends_work = route.path.endswith(("/suspend", "/restore")) or route.name == "DELETE /api/v1/agents/{id}"
    return (
        ["GET", "PUT", "PATCH", "POST", "DELETE"].index(route.method)
        + 5 * ends_a_chat
        + 10 * ends_work
        + 20 * binds_anew
    )


def call_in_typescript(request: Request, document: dict[str, Any]) -> str:
    """The call of an operation by the generated types, with the request's values as literals."""
    path = path_of(request.route, document)
    parameters: dict[str, Any] = {}
    if request.ids:
        parameters["path"] = dict(zip(re.findall(r"{(\w+)}", path), request.ids, strict=True))
    if request.query:
        parameters["query"] = dict(request.query)
    if request.key is not None:
        parameters["header"] = {"X-Service-Idempotency-Key": str(uuid4()), **write_headers_of(request)}
    headers = {**request.authorization, **(request.headers or {})}
    if request.secret is not None:  # over the body as JavaScript writes it
        body = json.dumps(request.json, separators=(",", ":"), ensure_ascii=False)
        headers |= signed_headers(request.secret, request.route.method, path, body)
    options = [f"params: {json.dumps(parameters)}", f"headers: {json.dumps(headers)}"]
    if request.json is not None:
        options.append(f"body: {json.dumps(request.json)}")
    elif request.data is not None:
        options.append(
            f'body: {{ file: "{base64.b64encode(content_in(request.data)).decode()}" }}, bodySerializer: form'
        )
    if request.route.operation.media_type != JSON:
        options.append('parseAs: "text"')
    called = f"client.{request.route.method}({json.dumps(path)}, {{ {', '.join(options)} }})"
    return f"note({json.dumps(request.route.name)}, {called})"
