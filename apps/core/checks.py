"""System checks that stop the start: an operation that no token could call, or whose path leads nowhere."""

from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from apps.core import plugins
from apps.core.endpoints.routing import routed_operations
from apps.core.files import storage


@register()
def every_scope_exists(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """core.E001: an operation asks for a scope that no installed app declares, so no token could ever call it."""
    return [
        Error(f"{routed.method} {routed.path} asks for the unknown scope {scope!r}", id="core.E001")
        for routed in routed_operations()
        for scope in routed.operation.scopes
        if scope not in plugins.scopes()
    ]


@register()
def every_path_leads_to_a_target(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """core.E003: a path has an id, and its viewset does not say of what: its tenant would not be checked."""
    found: list[CheckMessage] = []
    for routed in routed_operations():
        arguments, viewset = routed.object_arguments, routed.viewset
        if arguments and (viewset.target is None or viewset.target_field is None):
            refusal = "declares no target"
        elif arguments and len(arguments) <= len(viewset.target_within):
            refusal = "declares a target within others that the path lacks"
        else:
            continue
        found.append(Error(f"{routed.method} {routed.path}: {viewset.__name__} {refusal}", id="core.E003"))
    return found


@register(deploy=True)
def the_bucket_keeps_files(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """core.E004: STORAGE_URL names a bucket that does not keep, give and delete an object, with these credentials."""
    refusal = storage.refusal_of_a_trial()
    return [Error(f"STORAGE_URL: the bucket keeps no files: {refusal}", id="core.E004")] if refusal else []


@register(Tags.database)
def one_step_leads_from_the_database(app_configs: Any, databases: Any = None, **_: Any) -> list[CheckMessage]:
    """core.E005: `migrate` would start again on a database of an older release, whose migrations this code has
    no more.
    """
    found: list[CheckMessage] = []
    for alias in databases or ():
        loader = MigrationLoader(connections[alias])
        for label in [config.label for config in plugins.installed()]:
            has = {name for app, name in loader.applied_migrations if app == label}
            first = [name for app, name in loader.graph.root_nodes(label) if app == label]
            if has and not has.issuperset(first):
                found.append(
                    Error(
                        f"The database is too old for one step: it lacks {label}.{first[0]}. Nothing was changed.",
                        hint="Bring it up to a release of the last 24 months first (docs/guides/upgrade.md).",
                        id="core.E005",
                    )
                )
    return found
