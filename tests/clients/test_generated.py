"""What is generated in `clients/` is as the OpenAPI document says now."""

import importlib.util
import sys
from typing import Any

from apps.documentation.parts import calls_of
from config.environment import PROJECT_ROOT

CLIENTS = PROJECT_ROOT / "clients"


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("clients_generate", CLIENTS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_clients_are_current() -> None:
    """The types of the console's page, too. Else run `python clients/generate.py`, then `npm run build` in
    clients/typescript.
    """
    files = generator().generated()
    assert [name for name, text in files.items() if (CLIENTS / name).read_text() != text] == []


def test_every_call_of_the_rest_api_is_in_them(document: dict[str, Any]) -> None:
    generate = generator()
    declared = [
        operation["operationId"]
        for path, item in calls_of(document)["paths"].items()
        for operation in item.values()
        if operation["tags"][0] not in generate.OTHERS and generate.SIGNED not in path
    ]
    python = (CLIENTS / "python/src/parley_client/operations.py").read_text()
    typescript = (CLIENTS / "typescript/dist/operations.js").read_text()
    assert len(declared) > 120
    assert [name for name in declared if f"    def {name}(" not in python] == []
    assert [name for name in declared if f"    {generate.camel(name)}(" not in typescript] == []
