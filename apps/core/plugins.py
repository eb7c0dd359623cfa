"""The parts that an app plugs into the project, and the look-ups over all installed apps.

An app declares a `Plugin` on its `AppConfig`; everything else is found by the file's name: addresses (`urls.py`),
problems (`errors.py`), events, handlers, destinations, queues (`tasks.py`), answers to other apps (`hooks.py`), cards
(`dashboard.py`), exports and personal data. Taking an app out of INSTALLED_APPS takes all of it away.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
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
    from apps.core.questions import (
        Answering,
        Embeddings,
        Entitlements,
        MailStops,
        Retrieve,
        VisitorDesk,
        VisitorPresence,
        WidgetLanguage,
    )

Declared = TypeVar("Declared")
Hook = TypeVar("Hook")


@dataclass(frozen=True, slots=True)
class Scope:
    """A permission that a token may carry (specification, "Scopes"). `group` is its heading in the cabinet.

    `group` and `grants` are marked by `gettext_noop`, and translated where they are shown. An `owners_only` scope moves
    the account itself: of its people, owners alone grant it.
    """

    name: str
    group: str
    grants: str
    sensitive: bool = False
    reserved: bool = False
    owners_only: bool = False


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
    (`core.endpoints.parts`).
    """

    scopes: tuple[Scope, ...] = ()
    jobs: tuple[Job, ...] = ()
    document: DocumentPart | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """An app's answers to the questions of apps that must not import it: those below it and beside it.

    An app declares them in its `hooks.py`. A question is asked by `hooked`; most have a function in `core.questions`.
    """

    # By account: the members that the account's resource shows besides its profile.
    account_members: Callable[[int], Mapping[str, Any]] | None = None
    # By widget: what its plan allows; without an app that sells plans, everything.
    entitlements: Callable[[int], Entitlements] | None = None
    # By widget: whether its account moves to another installation at this moment.
    is_moving: Callable[[int], bool] | None = None
    # By widget, days for each kind and now: deletes a batch of what is kept no longer, and answers how much that was.
    forgets: Callable[[int, Mapping[str, int], datetime], int] | None = None
    # How events are queued by the app that delivers them.
    delivery_engine: Engine | None = None
    # By channel: whether what operators write in its chats is sent on, so that what becomes of it is shown.
    delivers: Callable[[str], bool] | None = None
    # An SQL query over `chat` (id, widget_id, contact_id, channel) and `widget`, its row, for one JSON value: what the
    # app's handlers of `chats.MessagePosted` need of a chat; no row, or null, for a chat that is none of its own.
    read_with_chat: str | None = None
    # By widget, message and the chat's channel, in the transaction of an operator's edit or deletion: whether what was
    # sent on can be changed.
    changes_sent: Callable[[int, int, str], bool] | None = None
    # By widget: the ids of its ad cabinets, whose channels are `av__<id>`.
    ad_cabinets: Callable[[int], Collection[int]] | None = None
    # By widget and contacts: the members of the console's `VisitorSerializer`, for the contacts that the app knows.
    visitor_facts: Callable[[int, Collection[int]], dict[int, dict[str, Any]]] | None = None
    # By widget and chats: the values of the console's `MarkSerializer`, for the chats that the app has in hand.
    chat_marks: Callable[[int, Collection[int]], dict[int, list[dict[str, Any]]]] | None = None
    # By widget and language: members of the config that visitors are served.
    served_config: Callable[[int, str], Mapping[str, Any]] | None = None
    # The language that a widget, or one of its visitors, is spoken to in.
    widget_language: WidgetLanguage | None = None
    # By widget and language: the name that the widget is shown under.
    shown_name: Callable[[int, str], str] | None = None
    # By widget and contacts: whether each looks at a page with the widget (`questions.VisitorPresence`).
    visitor_presence: Callable[[int, Collection[int]], Mapping[int, VisitorPresence]] | None = None
    # By widget and contact: the contact's network address, as rate limits count it.
    contact_address: Callable[[int, int], str | None] | None = None
    # Addresses that want no mail of a widget.
    mail_stops: MailStops | None = None
    # The support desk, for visitors.
    visitor_desk: VisitorDesk | None = None
    # By widget, chat and messages: those that another app answers, such as a code that was asked for. AI does not.
    taken_messages: Callable[[int, int, Sequence[int]], Collection[int]] | None = None
    # By widget, contact and channel: the address at which they go on with their chat there, once; None without one.
    continues: Callable[[int, int, str], str | None] | None = None
    # By widget: whether its AI answers, and by whom.
    answering: Callable[[int], Answering] | None = None
    # By widget and chat: the sentence, in the chat's language, that a machine speaks.
    ai_disclosure: Callable[[int, int], str] | None = None
    # The models that make vectors.
    embeddings: Embeddings | None = None
    # The knowledge that an answer may rest on.
    knowledge: Retrieve | None = None
    # By widget: how many answers of late were given each piece of knowledge, by its id.
    used_knowledge: Callable[[int], Mapping[int, int]] | None = None
    # By widget: the questions that the knowledge had no answer to of late, and how often, the most frequent first.
    asked_in_vain: Callable[[int], Sequence[tuple[str, int]]] | None = None
    # By widget and chat: title and plain text (2,000 characters at most) of the fresh cards from the shop's own system,
    # where it is proved who the contact is.
    fresh_cards: Callable[[int, int], Sequence[tuple[str, str]]] | None = None


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


def jobs() -> list[Job]:
    return [job for config in installed() for job in config.plugin.jobs]


def url_modules(file: str) -> list[str]:
    """The installed apps' modules of one file: "api/urls.py" (under /api/v1), "urls.py" (at the root) or "consumers.py"
    (of the realtime process), lowest app first."""
    module = file.removesuffix(".py").replace("/", ".")
    return [f"{config.name}.{module}" for config in installed() if Path(config.path, file).exists()]


def hooked(hook: Callable[[Hooks], Hook | None]) -> list[Hook]:
    """The installed apps' answers for one hook, lowest app first: `hooked(lambda app: app.entitlements)`."""
    return [found for hooks in _hooks() if (found := hook(hooks)) is not None]


@cache
def _hooks() -> list[Hooks]:
    return [hooks for of_app in declared("hooks", Hooks).values() for hooks in of_app]


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
