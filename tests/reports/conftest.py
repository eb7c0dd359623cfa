"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from apps.accounts.models import Account, Widget
    from apps.agents.models import Agent, Department
    from tests.reports.episodes import Cast

TAGS = ("vip", "late, again", "none", "new")


@pytest.fixture
def cast(account: Account, shop: Widget, alice: Agent, boris: Agent, ada: Agent, sales: Department) -> Cast:
    """Seven people with a chat each, some of them with tags, two departments, three operators, two assistants."""
    from apps.ai.models import Assistant
    from tests.factories import ContactFactory, DepartmentFactory
    from tests.factories.chats import ChatFactory, ContactTagFactory, TagFactory
    from tests.reports.episodes import Cast

    contacts = ContactFactory.create_batch(7, widget=shop)
    tags = [TagFactory.create(account=account, name=name) for name in TAGS]
    for contact, of_contact in zip(contacts, ([], tags[:1], tags[1:2], tags[:3], tags[2:], tags[3:], []), strict=True):
        for tag in of_contact:
            ContactTagFactory.create(contact=contact, tag=tag)
    return Cast(
        widget=shop,
        chats=[ChatFactory.create(contact=contact) for contact in contacts],
        departments=[sales.pk, DepartmentFactory.create(widget=shop, name="Service").pk],
        agents=[alice.pk, boris.pk, ada.pk],
        assistants=[Assistant.objects.create(widget=shop, name=name).pk for name in ("Ada", "Bob")],
    )


@pytest.fixture
def tags(cast: Cast) -> dict[int, list[str]]:
    """The tags of each contact."""
    from apps.chats.models import ContactTag

    found: dict[int, list[str]] = {}
    for contact_id, name in ContactTag.objects.values_list("contact_id", "tag__name"):
        found.setdefault(contact_id, []).append(name)
    return found
