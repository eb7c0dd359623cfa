"""The parts that an app plugs into the project, and the look-ups over all installed apps.

An app declares a `Plugin` on its `AppConfig`; everything else is found by the file's name: addresses (`urls.py`),
problems (`errors.py`), events, handlers, destinations, queues (`tasks.py`), answers to other apps (`hooks.py`), cards
(`dashboard.py`), exports and personal data. Taking an app out of INSTALLED_APPS takes all of it away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from django.apps import AppConfig
from django.apps import apps as django_apps

if TYPE_CHECKING:
    from apps.core.destinations import Engine

Declared = TypeVar("Declared")
Hook = TypeVar("Hook")
Asked = TypeVar("Asked", bound="HookSet")


@dataclass(frozen=True, slots=True)
class Scope:
    """A permission that a token may carry (specification, "Scopes"). `group` is its heading in the cabinet.

    `group` and `grants` are marked by `gettext_noop`, and translated where they are shown. An `owners_only` scope moves
    the account itself: of its people, owners alone grant it. `presets` are the names of those that hold it; the preset
    of all scopes leaves out a `reserved` one, and one that is not `in_all`.
    """

    name: str
    group: str
    grants: str
    sensitive: bool = False
    reserved: bool = False
    owners_only: bool = False
    presets: tuple[str, ...] = ()
    in_all: bool = True


@dataclass(frozen=True, slots=True)
class ScopePreset:
    """A choice of scopes that people make often. Its scopes name it; `title` is marked by `gettext_noop`."""

    name: str
    title: str
    order: int


@dataclass(frozen=True, slots=True)
class Job:
    """A periodic task for beat. Running it twice, or twice at once, must be harmless.

    `name` is marked by `gettext_noop`, and translated where it is shown.
    """

    name: str
    task: str
    every: timedelta


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A part of the OpenAPI document that has a page of its own: what stands under the tag `name`.

    It begins with the app's `front_page.md`.
    """

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class DocumentAddition:
    """An app's part of the OpenAPI document beside its operations: `webhooks`, `components` by kind, and
    `problem_members`, the schemas of members that all problems of one of its doors have.

    Declared in its `openapi.py`.
    """

    describe: Callable[[], Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """An app's additions to the project as a whole.

    `document` gives the operations and webhooks under a tag of the app's own a document of their own
    (`documentation.parts`). `field_words` name fields of its models that no page names, marked by `gettext_noop`.
    `for_everybody` are the beginnings of paths, within the app, of files with texts that people of every language read.
    """

    scopes: tuple[Scope, ...] = ()
    presets: tuple[ScopePreset, ...] = ()
    jobs: tuple[Job, ...] = ()
    document: DocumentPart | None = None
    field_words: Mapping[str, str] = field(default_factory=dict)
    for_everybody: tuple[str, ...] = ()


class HookSet:
    """An app's answers to the questions of apps that must not import it: those below it and beside it.

    The app that asks owns the questions: a set of them, with the functions that ask, in its `questions.py`. The app
    that answers declares its answers, one set for each app that asks, in its `hooks.py`.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks(HookSet):
    """The answers to the questions of the ground itself."""

    # By widget: whether its account moves to another installation at this moment.
    is_moving: Callable[[int], bool] | None = None
    # How events are queued by the app that delivers them.
    delivery_engine: Engine | None = None


class ParleyAppConfig(AppConfig):
    """The base of each Parley app's config: declares its plugin and loads its handlers and kinds of destinations.

    An `apps.py` imports this module, not the class: Django takes the only config class that it finds in there.
    """

    default_auto_field = "django.db.models.BigAutoField"
    plugin: Plugin = Plugin()

    def ready(self) -> None:
        import_optional(f"{self.name}.handlers")
        import_optional(f"{self.name}.destinations")


def import_optional(name: str) -> ModuleType | None:
    """The module of that name, or None when the app has no such file; an error inside the file is raised."""
    return import_module(name) if find_spec(name) else None


def installed() -> Iterator[ParleyAppConfig]:
    """The installed Parley apps, lowest layer first (the order of INSTALLED_APPS)."""
    for config in django_apps.get_app_configs():
        if isinstance(config, ParleyAppConfig):
            yield config


@cache
def scopes() -> dict[str, Scope]:
    """Every grantable scope of the installed apps, by name."""
    return {scope.name: scope for config in installed() for scope in config.plugin.scopes}


def scope_presets() -> list[ScopePreset]:
    """The presets of the installed apps, in the order in which they are offered."""
    return sorted((each for config in installed() for each in config.plugin.presets), key=lambda each: each.order)


def jobs() -> list[Job]:
    return [job for config in installed() for job in config.plugin.jobs]


def url_modules(file: str) -> list[str]:
    """The installed apps' modules of one file: "api/urls.py" (under /api/v1), "urls.py" (at the root) or "consumers.py"
    (of the realtime process), lowest app first."""
    module = file.removesuffix(".py").replace("/", ".")
    return [f"{config.name}.{module}" for config in installed() if Path(config.path, file).exists()]


def hooked(hook: Callable[[Asked], Hook | None], of: type[Asked]) -> list[Hook]:
    """The installed apps' answers for one hook of a set, lowest app first."""
    return [found for hooks in _hooks() if isinstance(hooks, of) and (found := hook(hooks)) is not None]


@cache
def _hooks() -> list[HookSet]:
    return [hooks for of_app in declared("hooks", HookSet).values() for hooks in of_app]


def declared(file: str, kind: type[Declared]) -> dict[str, list[Declared]]:
    """The instances of `kind` that each app's module of that name defines, by app.

    `declared("errors", ProblemType)` are all problems.
    """
    found = {app: [each for each in vars(module).values() if isinstance(each, kind)] for app, module in _modules(file)}
    return {app: instances for app, instances in found.items() if instances}


def declared_classes(file: str, base: type[Declared]) -> dict[str, list[type[Declared]]]:
    """The classes under `base` that each app's module of that name defines, by app, but for bases of others.

    `declared_classes("events", DomainEvent)` are all domain events.
    """
    found = {
        app: [each for each in vars(module).values() if _is_leaf(each, base) and each.__module__ == module.__name__]
        for app, module in _modules(file)
    }
    return {app: classes for app, classes in found.items() if classes}


def _is_leaf(value: object, base: type[Any]) -> bool:
    return isinstance(value, type) and issubclass(value, base) and value is not base and not value.__subclasses__()


def _modules(name: str) -> Iterator[tuple[str, ModuleType]]:
    """The installed apps' modules of that name, with their apps' labels, lowest app first."""
    for config in installed():
        if module := import_optional(f"{config.name}.{name}"):
            yield config.label, module
