"""Everything the database holds, to tell that a refusal changed nothing."""

from typing import Any

from django.apps import apps

from apps.accounts.models import ApiToken


def snapshot() -> dict[str, list[Any]]:
    """Every row of every table of the product, but for API tokens, which tests make as they go."""
    kinds = [kind for kind in apps.get_models() if kind.__module__.startswith("apps.") and kind is not ApiToken]
    return {kind._meta.label: list(kind._base_manager.order_by("pk").values()) for kind in kinds}
