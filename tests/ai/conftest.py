"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from apps.demo.servers.language_models import Vendor
from tests.ai.bot import Bot

if TYPE_CHECKING:
    from pytest_django import Settings

    from apps.agents.models import Agent
    from apps.chats.models import Chat
    from apps.leases import Lease
    from tests.ai.desk import Desk
    from tests.ai.external_desk import ExternalDesk


@pytest.fixture
def vendor(settings: Settings) -> Iterator[Vendor]:
    """A vendor of models that outbound calls may reach."""
    with Vendor() as vendor:
        settings.EGRESS_ALLOW = [vendor.host]
        yield vendor


@pytest.fixture
def desk(chat: Chat, ada: Agent, vendor: Vendor) -> Desk:
    """Ivan's chat at the shop, whose AI is switched on and says «По 90 рублей.»."""
    from apps.demo.servers.language_models import chat as says
    from tests.ai.desk import desk_of

    vendor.will_say(says("По 90 рублей."))
    return desk_of(chat=chat, operator=ada, vendor=vendor)


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Has something happen once, between a model's answer and the transaction that shows it."""
    from apps.ai.actions.replies import job
    from apps.ai.actions.replies.writing import ReplyDraft

    write = job.write

    def arrange(happens: Callable[[], object]) -> None:
        left = [happens]

        def first(lease: Lease[Any], made: Any, **options: Any) -> None:
            if left and isinstance(made, ReplyDraft):
                left.pop()()
            write(lease, made, **options)

        monkeypatch.setattr(job, "write", first)

    return arrange


@pytest.fixture
def bot(settings: Settings, vendor: Vendor) -> Iterator[Bot]:
    """A customer's bot that outbound calls may reach."""
    with Bot() as bot:
        settings.EGRESS_ALLOW = [vendor.host, bot.host]
        yield bot


@pytest.fixture
def robin(desk: Desk, bot: Bot) -> ExternalDesk:
    """The shop's AI is switched on, and Robin, an active external operator, answers first."""
    from tests.ai.external_desk import external_desk_of

    return external_desk_of(desk, bot)
