"""VK's communities and Avito's cabinets over REST (specification, Endpoints, "Messengers, communities …")."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.actions.cabinets import follow_plan, suspend_uncovered
from apps.messengers.adapters.vk.communities import read_community
from apps.messengers.models import AdCabinet, Community
from tests.client import ApiClient, assert_problem
from tests.factories.messengers import CabinetFactory, CommunityFactory

PATH = "/messengers/vk/communities"


def post(api: ApiClient, community: Any = 99, token: str = "vk1.a.key") -> Any:
    return api.post(PATH, json={"token": token, "community": community})


class TestCommunities:
    def test_is_asked_about_stored_and_given_a_server(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        answer = post(api, "https://vk.com/club99")
        assert answer.status_code == 201, answer.content
        data = answer.json()["data"]
        assert (data["community_id"], data["name"], data["is_primary"]) == (99, "Group 99", True)
        assert data["webhook"]["status"] == "registered"
        row = Community.objects.get()
        server = vendors.hooks["vk", "99"]
        assert (server["secret_key"], row.server_id) == (row.secret, server["server_id"])
        assert (row.confirmation, len(row.secret) <= 50) == ("code99", True)

    def test_a_second_time_is_409(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        post(api)
        assert_problem(post(api, "club99"), 409, "community_exists")

    def test_a_wrong_key_stores_nothing(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        vendors.rejected.add("vk1.a.key")
        assert_problem(post(api), 422, "credential_rejected", errors=["token"])
        assert not Community.objects.exists()

    def test_an_unknown_community_is_422(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        assert_problem(post(api, 404), 422, "invalid_input", errors=["community"])

    def test_silence_is_502_and_stores_nothing(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        vendors.will("vk", "groups.getById", PlayedFault(500, b"oops"))
        assert_problem(post(api), 502, "provider_unreachable")
        assert not Community.objects.exists()

    def test_a_failed_registration_is_201(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        vendors.will(
            "vk", "addCallbackServer", PlayedFault(200, {"error": {"error_code": 2000, "error_msg": "too many"}})
        )
        data = post(api).json()["data"]
        assert (data["webhook"]["status"], data["webhook"]["detail"]) == ("failed", "too many")

    @pytest.mark.parametrize("community", ["", "-5", 0, -1, True, 1.5, "https://evil.example/club1", "a" * 300, None])
    def test_what_names_no_community_is_422(
        self, api: ApiClient, paid: Widget, vendors: Vendors, community: Any
    ) -> None:
        assert_problem(post(api, community), 422, "invalid_input", errors=["community"])
        assert vendors.asked == []

    def test_primary_moves_and_again_has_no_effect(self, api: ApiClient, shop: Widget) -> None:
        first = CommunityFactory.create(widget=shop, is_primary=True)
        second = CommunityFactory.create(widget=shop)
        for _ in range(2):
            assert api.post(f"{PATH}/{second.pk}/primary").json()["data"]["is_primary"] is True
        assert Community.objects.get(pk=first.pk).is_primary is False

    def test_goes_when_vk_confirms_and_the_oldest_left_becomes_primary(
        self, api: ApiClient, shop: Widget, vendors: Vendors
    ) -> None:
        first = CommunityFactory.create(widget=shop, is_primary=True, server_id=5)
        second, _ = CommunityFactory.create_batch(2, widget=shop)
        assert api.delete(f"{PATH}/{first.pk}").status_code == 204
        assert Community.objects.get(is_primary=True) == second

    def test_stays_when_vk_does_not_confirm(self, api: ApiClient, shop: Widget, vendors: Vendors) -> None:
        row = CommunityFactory.create(widget=shop, server_id=5)
        vendors.will("vk", "groups.", PlayedFault(500, b"", times=9))
        before = Community.objects.values().get()
        assert_problem(api.delete(f"{PATH}/{row.pk}"), 502, "provider_not_confirmed")
        assert Community.objects.values().get() == before

    def test_one_never_registered_goes_without_a_call(self, api: ApiClient, shop: Widget, vendors: Vendors) -> None:
        row = CommunityFactory.create(widget=shop)
        assert api.delete(f"{PATH}/{row.pk}").status_code == 204
        assert vendors.asked == []


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        (1, "1"),
        ("12", "12"),
        ("club12", "12"),
        ("public7", "7"),
        ("event7", "7"),
        ("flowers.shop", "flowers.shop"),
        ("https://vk.com/flowers_shop", "flowers_shop"),
        ("https://m.vk.com/club5/", "5"),
        ("https://vk.me/club5", "5"),
        ("http://vk.com/club5", None),
        ("https://vk.com.evil/club5", None),
        ("flowers shop", None),
        ("x", None),
    ],
)
def test_what_a_community_is_called(given: Any, asked: str | None) -> None:
    assert read_community(given) == asked


class TestCabinets:
    def test_is_disabled_and_enabled(self, api: ApiClient, paid: Widget) -> None:
        row = CabinetFactory.create(widget=paid)
        path = f"/messengers/av/cabinets/{row.pk}"
        data = api.patch(path, json={"status": "disabled"}).json()["data"]
        assert (data["status"], data["channel"], data["webhook"]["attempted"]) == ("disabled", f"av__{row.pk}", False)
        assert api.patch(path, json={"status": "enabled"}).json()["data"]["status"] == "enabled"

    @pytest.mark.parametrize("status", ["suspended_by_billing", "ENABLED", "", None, 1])
    def test_other_statuses_are_422(self, api: ApiClient, paid: Widget, status: Any) -> None:
        row = CabinetFactory.create(widget=paid)
        answer = api.patch(f"/messengers/av/cabinets/{row.pk}", json={"status": status})
        assert_problem(answer, 422, "invalid_input", errors=["status"])

    def test_enabling_is_capped_by_the_slots(self, api: ApiClient, paid: Widget) -> None:
        CabinetFactory.create_batch(2, widget=paid)
        third = CabinetFactory.create(widget=paid, status="disabled")
        answer = api.patch(f"/messengers/av/cabinets/{third.pk}", json={"status": "enabled"})
        assert_problem(answer, 409, "ad_slots_exhausted")

    def test_enabling_needs_a_plan_and_disabling_does_not(self, api: ApiClient, unpaid: Widget) -> None:
        row = CabinetFactory.create(widget=unpaid, status="suspended_by_billing")
        path = f"/messengers/av/cabinets/{row.pk}"
        assert_problem(api.patch(path, json={"status": "enabled"}), 409, "paid_plan_required")
        assert api.patch(path, json={"status": "disabled"}).json()["data"]["status"] == "disabled"

    def test_without_the_plan_they_are_suspended_and_with_it_the_oldest_come_back(self, paid: Widget) -> None:
        rows = CabinetFactory.create_batch(3, widget=paid)
        follow_plan(widget_id=paid.pk)
        statuses = [AdCabinet.objects.get(pk=row.pk).status for row in rows]
        assert statuses == ["enabled", "enabled", "suspended_by_billing"]
        AdCabinet.objects.filter(pk=rows[0].pk).delete()
        suspend_uncovered()
        assert AdCabinet.objects.get(pk=rows[2].pk).status == "suspended_by_billing"
        follow_plan(widget_id=paid.pk)
        assert AdCabinet.objects.get(pk=rows[2].pk).status == "enabled"

    def test_buying_slots_enables_again(self, shop: Widget) -> None:
        from tests.factories.billing import plan_bought

        row = CabinetFactory.create(widget=shop, status="suspended_by_billing")
        plan_bought(shop, ad_slots=1)
        assert AdCabinet.objects.get(pk=row.pk).status == "enabled"

    def test_a_deleted_cabinet_is_gone_for_good(self, api: ApiClient, shop: Widget) -> None:
        row = CabinetFactory.create(widget=shop)
        assert api.delete(f"/messengers/av/cabinets/{row.pk}").status_code == 204
        assert not AdCabinet.objects.exists()
