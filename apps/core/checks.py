"""System checks that stop the start: an operation with an unknown scope, or one that cannot be enforced."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.urls import URLPattern, URLResolver, get_resolver

from apps.core import plugins
from apps.core.egress.allowlist import allow_list_problems
from apps.core.endpoints.operations import Operation


def routed_operations() -> list[tuple[str, str, Operation]]:
    """Every routed API operation: (method, path template without the leading slash, its declaration)."""
    found: list[tuple[str, str, Operation]] = []

    def walk(patterns: list[Any], prefix: str) -> None:
        for pattern in patterns:
            path = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, path)
            elif isinstance(pattern, URLPattern) and (actions := getattr(pattern.callback, "actions", None)):
                view = getattr(pattern.callback, "cls", None)
                for method, name in actions.items():
                    if method == "head":  # DRF adds it to the table at a view's first request
                        continue
                    operation = getattr(getattr(view, name), "operation", None)
                    if operation is not None:
                        found.append((method.upper(), path, operation))

    walk(get_resolver().url_patterns, "")
    return found


@register()
def every_scope_exists(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """core.E001: an operation asks for a scope that no installed app declares, so no token could ever call it."""
    return [
        Error(f"{method} {path} asks for the unknown scope {scope!r}", id="core.E001")
        for method, path, operation in routed_operations()
        for scope in operation.scopes
        if scope not in plugins.scopes()
    ]


@register()
def the_allow_list_can_be_read(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """core.E002: an entry of EGRESS_ALLOW names nothing that could be allowed."""
    return [Error(f"EGRESS_ALLOW: {problem}", id="core.E002") for problem in allow_list_problems(settings.EGRESS_ALLOW)]
