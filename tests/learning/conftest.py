"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from apps.accounts.models import Widget
    from apps.ai.models import Assistant

PERSONA = "You sell flowers.\n! Never give discounts.\nYou are brief."


@pytest.fixture
def assistant(shop: Widget) -> Assistant:
    """The shop's default assistant, with its first version."""
    from apps.ai.actions.assistants import create_assistant
    from apps.ai.rules.actors import SYSTEM

    return create_assistant(
        widget_id=shop.pk, actor=SYSTEM, name="Flora", persona=PERSONA, system_prompt="Answer in two sentences."
    )
