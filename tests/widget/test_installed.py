""" "Put it on a website": the lines, where they go, and whether a page has them."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.demo.servers.played import PlayedRequest, PlayedServer, Says
from tests.cast import signed_in
from tests.factories import ContactFactory, StaffFactory
from tests.factories.widget import VisitorSessionFactory

pytestmark = pytest.mark.django_db(transaction=True)
ENGLISH = {"Accept-Language": "en"}


class Site(PlayedServer):
    """A website that says the same on each page."""

    says = Says(b"")

    def hear(self, request: PlayedRequest) -> Says:
        return self.says


def page_of(widget: Widget) -> str:
    return f"/admin/widget/widgetlook/{widget.pk}/embed/"


def told(browser: Client, widget: Widget, url: str) -> str:
    answer = browser.post(page_of(widget), {"look": "1", "url": url}, follow=True, headers=ENGLISH)
    return " ".join(str(message) for message in answer.context["messages"])


@pytest.fixture
def owner(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


def test_a_page_is_looked_at_through_egress(owner: Client, shop: Widget, settings: Any) -> None:
    with Site() as site:
        settings.EGRESS_ALLOW = [site.host]
        site.says = Says(f'<script async src="https://chat.test/widget/{shop.guid}/embed.js">'.encode())
        assert told(owner, shop, f"{site.url}/") == "The widget is on that page."
        site.says = Says(b"<p>Tulips</p>")
        assert told(owner, shop, f"{site.url}/").startswith("The page was read, and the widget's lines are not in it.")
        site.says = Says(b"gone", status=500)
        assert told(owner, shop, f"{site.url}/").startswith("The page could not be read.")


def step_is_done(browser: Client) -> bool:
    return bool(browser.get("/admin/", headers=ENGLISH).context["first_steps"][0].is_done)


def test_the_check_that_found_the_widget_ticks_the_step(owner: Client, shop: Widget, settings: Any) -> None:
    with Site() as site:
        settings.EGRESS_ALLOW = [site.host]
        site.says = Says(b"<p>Tulips</p>")
        told(owner, shop, f"{site.url}/")
        assert not step_is_done(owner)
        site.says = Says(str(shop.guid).encode())
        told(owner, shop, f"{site.url}/tulips")
        assert step_is_done(owner)
        shown = owner.get(page_of(shop), headers=ENGLISH).content.decode()
        assert f"Yes: a check has found it on {site.url}/tulips." in shown
        site.says = Says(b"<p>Tulips</p>")
        told(owner, shop, f"{site.url}/other")
        assert step_is_done(owner), "another page without the lines takes nothing back"


def test_a_page_of_this_service_ticks_nothing(owner: Client, shop: Widget, settings: Any) -> None:
    with Site() as site:
        settings.EGRESS_ALLOW = [site.host]
        settings.PUBLIC_URL = site.url
        site.says = Says(str(shop.guid).encode())
        assert told(owner, shop, f"{site.url}/demo/") == "The widget is on that page."
        assert not step_is_done(owner)


@pytest.mark.parametrize("url", ["http://10.0.0.1/", "", "ftp://shop.test", "shop", "http://[", "x" * 3000])
def test_what_cannot_be_fetched_is_told_alike(owner: Client, shop: Widget, url: str) -> None:
    assert told(owner, shop, url) == "The page could not be read. Is the address right and public?"


def test_the_first_visit_tells_too(owner: Client, shop: Widget, settings: Any) -> None:
    contact = ContactFactory.create(widget=shop)
    VisitorSessionFactory.create(contact=contact, page_url=f"{settings.PUBLIC_URL}/demo/")
    assert owner.get(page_of(shop)).context["visited"] is None
    VisitorSessionFactory.create(contact=contact, page_url="https://shop.test/tulips")
    assert "https://shop.test/tulips" in owner.get(page_of(shop)).content.decode()


def test_a_reader_has_nothing_fetched(shop: Widget) -> None:
    reader = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
    assert reader.get(page_of(shop)).status_code == 200
    assert reader.post(page_of(shop), {"look": "1", "url": "https://shop.test"}).status_code == 403
