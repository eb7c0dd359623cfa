"""What apps plug in is complete: problems are documented, jobs can run, events have a transaction."""

import ast
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from apps.accounts.models import Account
from apps.core import bus, plugins
from apps.core.bus import DomainEvent
from apps.core.problems import ProblemType, problem_types
from config.celery import app as celery_app
from tests.architecture.source import APPS, tree_of
from tests.handlers import also

PROBLEMS = [problem for of_app in plugins.declared("errors", ProblemType).values() for problem in of_app]
EVENTS = [event for of_app in plugins.declared_classes("events", DomainEvent).values() for event in of_app]


@pytest.fixture(scope="module")
def registered_tasks() -> set[str]:
    celery_app.loader.import_default_modules()
    return set(celery_app.tasks)


def test_no_two_problems_have_one_code() -> None:
    assert len(problem_types()) == len(PROBLEMS)


def test_a_problem_is_explained() -> None:
    browser = Client()
    unexplained = []
    for problem in PROBLEMS:
        page = browser.get(f"/problems/{problem.code}")
        has_page = page.status_code == 200 and problem.code in page.content.decode()
        if not has_page or not problem.explanation.rstrip().endswith((".", "!")):
            unexplained.append((problem.code, page.status_code, problem.explanation))
    assert unexplained == []


def test_a_problem_nobody_declared_has_no_page() -> None:
    assert Client().get("/problems/no_such_problem").status_code == 404


def test_a_job_is_a_task_that_workers_know(registered_tasks: set[str]) -> None:
    assert {job.name for job in plugins.jobs() if job.task not in registered_tasks} == set()
    assert {job.name for job in plugins.jobs() if job.every.total_seconds() < 1} == set()


def test_no_two_jobs_have_one_name() -> None:
    names = [job.name for job in plugins.jobs()]
    assert len(names) == len(set(names))


def test_no_two_apps_declare_one_scope() -> None:
    declared = [scope.name for config in plugins.installed() for scope in config.plugin.scopes]
    assert len(declared) == len(set(declared)) == 47


def faults_of(event: Any) -> list[str]:
    """What an event lacks: it is frozen, and says what happened."""
    says = event.__doc__ and not event.__doc__.startswith(f"{event.__name__}(")  # else it is dataclass's own
    frozen = event.__dataclass_params__.frozen
    return [*([] if frozen else ["frozen"]), *([] if says else ["docstring"])]


def test_an_event_is_frozen_and_says_what_happened() -> None:
    assert len(EVENTS) > 20
    assert {event.__name__: faults for event in EVENTS if (faults := faults_of(event))} == {}


def test_events_with_faults() -> None:
    @dataclass
    class ChatLost:
        chat_id: int

    @dataclass(frozen=True)
    class ChatFound:
        """A chat was found."""

        chat_id: int

    assert faults_of(ChatLost) == ["frozen", "docstring"]
    assert faults_of(ChatFound) == []


def test_what_is_in_reactions_reacts() -> None:
    registered = {
        each.handler.__module__ + "." + each.handler.__name__ for all_ in bus.handlers().values() for each in all_
    }
    modules = {f"apps.{path.parent.name}.handlers": tree_of(path) for path in APPS.glob("*/handlers.py")}
    assert len(modules) > 5
    assert {name: found for name, tree in modules.items() if (found := unheard(tree, name, registered))} == {}


def unheard(tree: ast.Module, module: str, registered: set[str]) -> list[str]:
    """The public functions of a module of handlers that react to nothing."""
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [name for name in functions if not name.startswith("_") and f"{module}.{name}" not in registered]


def test_a_reaction_that_was_not_registered_is_told() -> None:
    tree = ast.parse("def tell(event): ...\ndef forget(event): ...\ndef _row(event): ...")
    assert unheard(tree, "apps.webhooks.handlers", {"apps.webhooks.handlers.tell"}) == ["forget"]


@dataclass(frozen=True, slots=True)
class SomethingHappened(DomainEvent):
    """An event of this test alone."""


def test_an_event_outside_a_transaction_is_refused() -> None:
    with pytest.raises(RuntimeError, match="SomethingHappened was published outside a transaction"):
        bus.publish(SomethingHappened())


@pytest.mark.django_db
def test_a_reaction_that_fails_undoes_the_action(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: SomethingHappened) -> None:
        raise ValueError("no")

    also(monkeypatch, fail, SomethingHappened)

    @transaction.atomic
    def act() -> None:
        Account.objects.create(email="undone@example.test")
        bus.publish(SomethingHappened())

    with pytest.raises(ValueError, match="no"):
        act()
    assert not Account.objects.filter(email="undone@example.test").exists()
