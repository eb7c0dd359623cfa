"""The parts that an app plugs into the project, and the look-ups over all installed apps.

An app declares a `Plugin` on its `AppConfig`; everything else is found by the file's name (`errors.py`,
`events.py`, `handlers.py`, `destinations.py`). Taking an app out of INSTALLED_APPS takes all of it away.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from django.apps import AppConfig
from django.apps import apps as django_apps
from django.utils.module_loading import import_string


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
    """A part of the OpenAPI document that has a page of its own: the calls and webhooks under the tag `name`.

    It begins with the app's `front_page.md`.
    """

    name: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """The parts that one app adds to the project. Module names are dotted paths, imported when they are first needed.

    `api_urls` is mounted under /api/v1, `site_urls` at the root, `websocket_urls` on the realtime process.
    `account_members` is one `(account_id: int) -> dict[str, Any]`: what the account's resource shows besides its
    profile. `entitlements` is one `(widget_id: int) -> Entitlements` (`core.entitlements`). `visitor_facts` is one
    `(widget_id: int, contact_ids) -> dict[int, dict[str, Any]]`: what `VisitorSerializer` of the console has, of the
    visitors it knows, by contact.
    `answering_facts` is one `(widget_id: int, chat_ids) -> dict[int, dict[str, Any]]`: what `AnsweringSerializer` of
    the console has, by chat. `chat_marks` is one `(widget_id: int, chat_ids) -> dict[int, list[dict[str, Any]]]`: what
    `MarkSerializer` of the console has, of the chats that the app has in hand. `openapi` is one `() -> dict` of what
    stands in the OpenAPI document beside the operations: `webhooks`, and `components` by kind; `document` gives those
    under a tag of the app's own a document of their own (`core.endpoints.parts`). `cabinet_cards` and `cabinet_facts`
    are what the app shows on the cabinet's front page and on a widget's page (`core.cabinet`). `queues` are
    `leases.Queue`s: rows that the runner of each worker process works on. `chat_model`, `embeddings`, `answering`,
    `knowledge`, `alerts`, `taken_messages`, `takes_text` and `wishes` are in `core.intelligence`. `delivery_engine` is
    a `core.destinations.Engine`: how events are queued by the app that delivers them. `delivers` is one `(channel: str)
    -> bool`: whether what operators write in that channel's chats is sent on to a messenger, so that what becomes of it
    is shown. `ad_cabinets` is one `(widget_id: int) -> Collection[int]`: the ids of the widget's ad cabinets, whose
    channels are `av__<id>`. `widget_language` is a `core.served.WidgetLanguage`, `served_config` one `(widget_id: int,
    language: str) -> dict[str, Any]`: members of the config that visitors are served; `visitor_desk` is a
    `core.served.VisitorDesk`. `contact_address` is one `(widget_id: int, contact_id: int) -> str | None`: the network
    address of a contact, as rate limits count it. `mail_stops` is a `core.mail.MailStops`: addresses that want no mail
    of a widget. `held_of_contact` is one `(widget_id: int, contact_id: int) -> Iterable[Held]`: what the
    app holds of a contact (`core.personal`). `exported_of_widget` is one `(widget_id: int) -> Iterable[Table | Sheet]`:
    what an export of the widget has of the app (`core.portable`), and `unfinished_of_widget` one `(widget_id: int) ->
    Mapping[str, int]`: how much of its work is still to be done before the widget may leave, by what it is; `is_moving`
    is one `(widget_id: int) -> bool`: whether its account moves to another installation now. `forgets` is one
    `(widget_id: int, days: Mapping[str, int], now: datetime) -> int`: it deletes one batch of what the widget keeps no
    longer than so many days, by kind, and answers how much that was.
    """

    api_urls: str | None = None
    site_urls: str | None = None
    websocket_urls: str | None = None
    scopes: tuple[Scope, ...] = ()
    jobs: tuple[Job, ...] = ()
    queues: tuple[str, ...] = ()
    openapi: str | None = None
    document: DocumentPart | None = None
    account_members: str | None = None
    entitlements: str | None = None
    visitor_facts: str | None = None
    answering_facts: str | None = None
    chat_marks: str | None = None
    cabinet_cards: str | None = None
    cabinet_facts: str | None = None
    delivery_engine: str | None = None
    chat_model: str | None = None
    knowledge: str | None = None
    alerts: str | None = None
    embeddings: str | None = None
    answering: str | None = None
    taken_messages: str | None = None
    wishes: str | None = None
    takes_text: str | None = None
    delivers: str | None = None
    ad_cabinets: str | None = None
    widget_language: str | None = None
    contact_address: str | None = None
    served_config: str | None = None
    visitor_desk: str | None = None
    mail_stops: str | None = None
    held_of_contact: str | None = None
    exported_of_widget: str | None = None
    unfinished_of_widget: str | None = None
    is_moving: str | None = None
    forgets: str | None = None


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


def url_modules(kind: str) -> list[str]:
    """The installed apps' url modules of one kind: "api_urls", "site_urls" or "websocket_urls"."""
    return [module for config in installed() if (module := getattr(config.plugin, kind))]


def plugged_in(slot: str) -> list[Callable[..., Any]]:
    """The functions that the installed apps name in a slot of their plugin ("entitlements"), lowest first."""
    return [import_string(path) for config in installed() if (path := getattr(config.plugin, slot))]


def declared(module_name: str, kind: type[Any]) -> dict[str, list[Any]]:
    """The instances (or, for a class, the subclasses) of `kind` that each app's file of that name defines, by app.

    `declared("errors", ProblemType)` are all problems; `declared("events", DomainEvent)` all domain events.
    """
    found: dict[str, list[Any]] = {}
    for config in installed():
        module = import_optional(f"{config.name}.{module_name}")
        if module is None:
            continue
        values = [v for v in vars(module).values() if _is_declared(v, kind, module.__name__)]
        if values:
            found[config.label] = values
    return found


def _is_declared(value: object, kind: type[Any], module_name: str) -> bool:
    if isinstance(value, type):
        return issubclass(value, kind) and value is not kind and value.__module__ == module_name
    return isinstance(value, kind)
