"""The links of operations and webhooks to their guides, in the OpenAPI document."""

from typing import Any

from django.conf import settings

from apps.documentation.library import address_of, guide_page
from apps.documentation.rules.catalogue import Guide, guide_of, guide_of_webhook


def add_guides(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Leads each operation and webhook that a guide is about to that guide.

    It is a step of drf-spectacular's generator (POSTPROCESSING_HOOKS).
    """
    for items, guide_about in ((result["paths"], guide_of), (result.get("webhooks", {}), guide_of_webhook)):
        for name, item in items.items():
            if guide := guide_about(name):
                for operation in item.values():
                    operation["externalDocs"] = _leading_to(guide)
    return result


def _leading_to(guide: Guide) -> dict[str, str]:
    return {"description": guide_page(guide).title, "url": f"{settings.PUBLIC_URL}{address_of(guide)}"}
