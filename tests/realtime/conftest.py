"""A realtime process on the test's own database. (Pytest reads this file before Django is set up.)"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from apps.accounts.models import Widget
    from apps.agents.models import Agent
    from apps.chats.models import Contact
    from apps.widget.models import VisitorSession
    from tests.realtime.drives import Talk
    from tests.realtime.process import RealtimeProcess
    from tests.realtime.tab import Tab
    from tests.widget.visitor import VisitorClient


@pytest.fixture(scope="session")
def start_realtime(django_db_setup: None) -> Iterator[Callable[..., RealtimeProcess]]:
    """Starts realtime processes, and stops them at the end of this run (of this worker)."""
    from django.conf import settings

    from tests.realtime.process import RealtimeProcess, database_url

    database = database_url()
    processes: list[RealtimeProcess] = []

    def start(*application: str, redis_url: str = settings.REDIS_URL, **environ: str) -> RealtimeProcess:
        processes.append(RealtimeProcess(*application, DATABASE_URL=database, REDIS_URL=redis_url, **environ))
        processes[-1].start()
        return processes[-1]

    yield start
    for process in processes:
        process.stop()


@pytest.fixture(scope="session")
def realtime(start_realtime: Callable[..., RealtimeProcess]) -> RealtimeProcess:
    """One realtime process for all tests of this run (of this worker)."""
    return start_realtime()


@pytest.fixture(scope="session")
def elsewhere(start_realtime: Callable[..., RealtimeProcess]) -> RealtimeProcess:
    """A second one."""
    return start_realtime()


@pytest.fixture(scope="session")
def unpolled(start_realtime: Callable[..., RealtimeProcess]) -> RealtimeProcess:
    """One whose hub never looks by itself: what its sockets learn, broadcasts have told of."""
    return start_realtime("tests.realtime.unpolled:application")


@pytest.fixture
def talk(ivan: Contact, olga: Agent, session: VisitorSession) -> Talk:
    """What drives are driven in."""
    from tests.realtime.drives import Talk

    return Talk(ivan, olga, session)


@pytest.fixture(autouse=True)
def world(transactional_db: None, settings: Any) -> None:
    """What a test writes is committed, so that the process sees it; its calls are not limited."""
    settings.VISITOR_RATE_LIMIT = 1_000_000


@pytest.fixture
def session(ivan: Contact) -> VisitorSession:
    from tests.factories.widget import VisitorSessionFactory

    return VisitorSessionFactory.create(contact=ivan)


@pytest.fixture
def token_of_ivan(session: VisitorSession) -> str:
    from tests.factories.widget import visitor_token

    return visitor_token(session)


@pytest.fixture
def ivans_browser(shop: Widget, token_of_ivan: str) -> VisitorClient:
    """Ivan over HTTP: another tab of the same browser."""
    from tests.widget.visitor import VisitorClient

    return VisitorClient(shop, token_of_ivan)


@pytest.fixture
def open_tab(realtime: RealtimeProcess, shop: Widget) -> Iterator[Callable[..., Tab]]:
    """Opens tabs at the shop, and closes them after the test."""
    from tests.realtime.tab import Tab

    tabs: list[Tab] = []

    def open_one(guid: str | None = None, **options: Any) -> Tab:
        tabs.append(Tab(realtime.url, guid or shop.guid, **options))
        return tabs[-1]

    yield open_one
    for tab in tabs:
        tab.close()
