"""openapi-generator, the most used one: its clients in Python and TypeScript call a real web process; those in Java
and PHP are whole, and parse.
"""

import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args
from uuid import uuid4

import pytest

from apps.documentation.parts import calls_of, part_of, parts
from tests.contract.document import described
from tests.contract.generators.plans import callable_routes, copied, file_of, plan_of, requests_of
from tests.contract.generators.tools import NODE, NPM, bring_in, need, node, openapi_generator
from tests.contract.requests import Request
from tests.contract.samples import World

pytestmark = pytest.mark.slow

PACKAGE = "parley_by_openapi_generator"


@pytest.fixture(scope="module")
def folder(document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the documents are, and what is generated from them."""
    made = tmp_path_factory.mktemp("openapi_generator")
    (made / "openapi.json").write_text(json.dumps(calls_of(document)))
    for name, part in parts().items():
        (made / f"{name}.json").write_text(json.dumps(part_of(document, part)))
    return made


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[ModuleType]:
    openapi_generator(folder / "openapi.json", "python", folder / "python", "--package-name", PACKAGE)
    sys.path.insert(0, str(folder / "python"))
    yield importlib.import_module(PACKAGE)
    sys.path.remove(str(folder / "python"))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def functions_of(client: ModuleType, document: dict[str, Any]) -> dict[str, str]:
    """The tag of each operation whose function the generated client has."""
    found = {}
    for path_item in document["paths"].values():
        for operation in path_item.values():
            tag = operation["tags"][0]
            api = getattr(client, f"{tag.title().replace('-', '')}Api", None)
            if hasattr(api, operation["operationId"]):
                found[operation["operationId"]] = tag
    return found


def test_the_python_client_has_every_operation(client: ModuleType, document: dict[str, Any]) -> None:
    declared = {one["operationId"]: one["tags"][0] for item in document["paths"].values() for one in item.values()}
    assert functions_of(client, document) == declared


@pytest.mark.django_db(transaction=True)
def test_the_python_client_calls_every_operation(
    client: ModuleType, world: World, token: str, web: str, document: dict[str, Any]
) -> None:
    """Its models are strict: an answer that is not as the document says raises."""
    failed = {}
    with client.ApiClient(client.Configuration(host=web, access_token=token)) as connection:
        requests = requests_of(world, token)
        for request in requests:
            operation = described(request.route, document)
            api = getattr(client, f"{operation['tags'][0].title().replace('-', '')}Api")(connection)
            function = getattr(api, f"{operation['operationId']}_with_http_info")
            try:
                status = function(**arguments_of(request, function)).status_code
            except Exception as error:  # all of them are told together
                failed[request.route.name] = f"{type(error).__name__}: {error}"[-500:]
            else:
                assert status in request.route.successes
    assert failed == {}
    assert len(requests) > 120


def arguments_of(request: Request, function: Any) -> dict[str, Any]:
    """What a generated function takes."""
    parameters = inspect.signature(function).parameters
    arguments: dict[str, Any] = dict(zip(parameters, request.ids, strict=False))
    for name, value in (request.query or {}).items():
        is_number = name in parameters and value.isdecimal() and "int" in str(parameters[name].annotation).lower()
        arguments[name] = int(value) if is_number else value
    if request.key is not None:
        arguments["x_service_idempotency_key"] = str(uuid4())
    for name, value in (request.headers or {}).items():
        if (argument := name.lower().replace("-", "_")) in parameters:
            arguments[argument] = value
    if "file" in parameters:
        arguments["file"] = file_of(request)
        arguments["_content_type"] = "multipart/form-data"  # where a body may be JSON too, it is the default
    elif request.json is not None:
        (name,) = (name for name in parameters if name.endswith("_input") or name in ("body", "request_body"))
        hint = parameters[name].annotation
        model = next((each for each in (hint, *get_args(hint)) if hasattr(each, "from_dict")), None)
        # A change not by `from_dict`, which takes what is absent for null.
        made = (model.from_dict if request.route.method == "POST" else model.model_validate) if model else dict
        arguments[name] = made(request.json)
    return arguments


@pytest.mark.django_db(transaction=True)
def test_the_typescript_client_calls_every_operation(
    folder: Path, world: World, token: str, web: str, document: dict[str, Any]
) -> None:
    need(NODE, NPM)
    made = folder / "typescript"
    openapi_generator(
        folder / "openapi.json", "typescript-fetch", made, "--additional-properties=importFileExtension=.js"
    )
    (made / "node_modules").symlink_to(NPM)
    (made / "package.json").write_text('{"type": "module"}')
    options = ["--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable", "--strict"]
    node(NPM / "typescript" / "bin" / "tsc", *options, "--outDir", "built", "index.ts", cwd=made)
    plans = [plan_of(request, document) for request in requests_of(world, token)]
    (made / "plans.json").write_text(json.dumps(plans))
    script = copied("run_typescript_fetch.mjs", made)
    said = node(script, cwd=made, API_URL=web, TOKEN=token)
    answers = [json.loads(line) for line in said.splitlines()]
    assert [answer["name"] for answer in answers] == [plan["name"] for plan in plans]
    expected = {plan["name"]: plan["successes"] for plan in plans}
    assert [answer for answer in answers if answer["status"] not in expected[answer["name"]] or answer["error"]] == []


@pytest.mark.parametrize(("generator", "language", "suffix"), [("java", "java", "java"), ("php", "php", "php")])
@pytest.mark.parametrize("name", ["openapi", "webhooks"])
def test_clients_of_other_languages_are_whole_and_parse(
    generator: str, language: str, suffix: str, name: str, folder: Path, document: dict[str, Any]
) -> None:
    bring_in("tree_sitter", f"tree_sitter_{language}")
    from tree_sitter import Language, Parser  # type: ignore[import-not-found]

    grammar: Any = importlib.import_module(f"tree_sitter_{language}")
    parser = Parser(Language(grammar.language_php() if language == "php" else grammar.language()))
    made = folder / f"{generator}-{name}"
    openapi_generator(folder / f"{name}.json", generator, made)
    sources = {path: path.read_text() for path in made.rglob(f"*.{suffix}")}
    assert len(sources) > 40
    assert [str(path) for path, text in sources.items() if parser.parse(text.encode()).root_node.has_error] == []
    apis = "\n".join(text for path, text in sources.items() if "api" in str(path.parent).lower())
    operations = [one for item in document["paths"].values() for one in item.values()] if name == "openapi" else []
    missing = [one["operationId"] for one in operations if f" {camel(one['operationId'])}(" not in apis]
    assert missing == []


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)


@pytest.mark.parametrize("name", list(parts()))
def test_the_python_client_of_each_part_can_be_read(name: str, folder: Path) -> None:
    """Of webhooks the models alone: for webhooks' functions the generator writes no Python."""
    made = folder / f"python-{name}"
    models = ["--global-property", "models"] if name == "webhooks" else []
    openapi_generator(folder / f"{name}.json", "python", made, *models)
    sources = list(made.rglob("*.py"))
    assert len(sources) > 10
    for path in sources:
        compile(path.read_text(), str(path), "exec")


def test_all_calls_are_of_the_rest_document(document: dict[str, Any]) -> None:
    assert {described(route, document)["tags"][0] for route in callable_routes()}.isdisjoint(parts())
