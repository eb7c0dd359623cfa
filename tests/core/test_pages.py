"""The first page."""

from django.test import Client

from apps.accounts.models import Widget


def test_the_first_page_leads_on(shop: Widget) -> None:
    page = Client().get("/").content.decode()
    for address in ("/demo/", "/admin/", "/api/docs", "/api/docs/guides/", "/api/schema", "/problems/"):
        assert f'href="{address}"' in page
        assert Client().get(address, follow=True).status_code == 200


def test_it_is_in_the_readers_language() -> None:
    page = Client().get("/", headers={"Accept-Language": "ru"}).content.decode()
    assert "Документация API" in page
