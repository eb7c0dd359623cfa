"""A leaf app taken out takes its routes, scopes, jobs and documentation along, and the rest still starts."""

import json
import os
import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

from apps.core import plugins
from apps.core.destinations import DestinationType
from apps.core.endpoints.routing import routed_operations
from apps.core.problems import ProblemType
from config.environment import PROJECT_ROOT
from config.urls import API_BASE
from tests.architecture.source import imports, name_of, source_files, tree_of
from tests.parameters import slow_unless

# Which go with a leaf that they stand on (`config/settings.py`).
STAND_ON = {
    "apps.ai": ("apps.learning", "apps.assists", "apps.reviews", "apps.support"),
    "apps.assists": ("apps.reviews",),
    "apps.kb": ("apps.articles",),
    "apps.reports": ("apps.reviews",),
}
# The beginnings of routes of other apps that go with a leaf (`is_installed` in their urls.py).
GO_WITH = {
    "apps.ai": ("api/v1/article-gaps",),
    "apps.articles": ("widget/<guid:guid>/articles",),
    "apps.widget": ("api/v1/rating-policy",),
}
GROUND = {"core", "documentation", "accounts", "cabinet", "agents", "chats", "routing", "automations"}
LEAVES = [config for config in plugins.installed() if config.label not in GROUND]

REPORT = """
import json
import django
django.setup()
from django.core.management import call_command
from drf_spectacular.generators import SchemaGenerator
from apps.core import destinations, plugins
from apps.documentation.parts import parts
from apps.core.endpoints.routing import routed_operations
from apps.core.problems import problem_types
call_command("check", fail_level="WARNING")
document = SchemaGenerator().get_schema(request=None, public=True)
print(json.dumps({
    "operations": [[routed.method, routed.path] for routed in routed_operations()],
    "scopes": list(plugins.scopes()),
    "jobs": [job.name for job in plugins.jobs()],
    "problems": list(problem_types()),
    "documented": sum(len(item) for item in document["paths"].values()),
    "webhooks": list(document.get("webhooks", {})),
    "parts": list(parts()),
    "delivers": destinations.is_available(),
    "kinds": list(destinations.kinds()),
}))
"""


def start_without(*apps: str) -> dict[str, Any]:
    """What a process finds that starts without those apps."""
    ran = subprocess.run(
        [sys.executable, "-c", REPORT],
        cwd=PROJECT_ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PARLEY_WITHOUT_APPS": ",".join(apps)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def api_paths(config: plugins.ParleyAppConfig) -> set[str]:
    """The paths, as they are routed, of an app's API and of its pages."""
    places = ((API_BASE, "api/urls.py"), ("", "urls.py"))
    return {
        base + str(pattern.pattern)
        for base, file in places
        for module in plugins.url_modules(file)
        if module.startswith(f"{config.name}.")
        for pattern in import_module(module).urlpatterns
    }


QUICK = ("webhooks",)


@pytest.mark.parametrize(
    "leaf",
    slow_unless(lambda leaf: leaf is None or leaf.label in QUICK, [*LEAVES, None]),
    ids=lambda leaf: leaf.label if leaf else "all of them",
)
def test_without_a_leaf(leaf: plugins.ParleyAppConfig | None) -> None:
    taken = [leaf] if leaf else LEAVES
    found = start_without(*(config.name for config in taken))
    gone_too = {name for config in taken for name in STAND_ON.get(config.name, ())}
    taken = [config for config in LEAVES if config in taken or config.name in gone_too]

    left = [config for config in plugins.installed() if config not in taken]
    gone = set().union(*(api_paths(config) for config in taken))
    gone_with = tuple(route for config in taken for route in GO_WITH.get(config.name, ()))
    problems = plugins.declared("errors", ProblemType)
    assert found["operations"] == [
        [routed.method, routed.path]
        for routed in routed_operations()
        if not (routed.path in gone or routed.path.startswith(gone_with))
    ]
    assert found["documented"] == len(found["operations"])
    assert found["delivers"] is any(config.label == "webhooks" for config in left)
    additions = plugins.declared("openapi", plugins.DocumentAddition)
    assert found["webhooks"] == [
        name
        for config in left
        if found["delivers"]
        for addition in additions.get(config.label, [])
        for name in addition.describe().get("webhooks", {})
    ]
    assert found["parts"] == ["rest", *(config.plugin.document.name for config in left if config.plugin.document)]
    kinds = plugins.declared("destinations", DestinationType)
    assert found["kinds"] == [kind.name for config in left for kind in kinds.get(config.label, [])]
    assert found["scopes"] == [scope.name for config in left for scope in config.plugin.scopes]
    assert found["jobs"] == [job.name for config in left for job in config.plugin.jobs]
    assert found["problems"] == [problem.code for config in left for problem in problems.get(config.label, [])]


def test_there_is_a_leaf_with_an_api() -> None:
    assert any(api_paths(leaf) for leaf in LEAVES), "else the test above would compare nothing with nothing"


# The modules of ai that read kb (docs/adr/0027), besides those that receive its events; others ask by a hook. May only
# shrink.
READS_KB = {
    "apps/ai/actions/examination.py",
    "apps/ai/cabinet/start.py",
    "apps/ai/querysets/evaluations.py",
}


def test_only_some_modules_of_ai_read_kb_and_none_of_kb_reads_ai() -> None:
    def readers(app: str, of: str) -> set[str]:
        public = (f"{of}.events", f"{of}.questions")
        return {
            name_of(path)
            for path in source_files(app)
            if any(one.startswith(of) and not one.startswith(public) for one in imports(tree_of(path)))
        }

    assert readers("apps/ai", "apps.kb") == READS_KB
    assert readers("apps/kb", "apps.ai") == set()
