"""The cabinet's ways in: the menu by jobs, the switcher of widgets, pages a widget, the person's menu, the search."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Account, Widget
from apps.agents.models import Agent
from apps.cabinet.menu import MenuPlace, MenuTab
from apps.cabinet.navigation import sections, sidebar
from apps.cabinet.tenant_admin import TenantAdmin
from apps.cabinet.widget_pages import WidgetPageAdmin
from tests.cast import Rival, signed_in
from tests.factories import ContactFactory, MessageFactory, StaffFactory, SuperuserFactory, WidgetFactory
from tests.factories.chats import ChatFactory

pytestmark = pytest.mark.django_db
HOME, CHATS = "/admin/", "/admin/chats/chat/"
ENGLISH = {"Accept-Language": "en"}
PAGES = [(model, page) for model, page in admin.site._registry.items() if isinstance(page, WidgetPageAdmin)]


@pytest.fixture
def blog(shop: Widget) -> Widget:
    """A second widget of the shop's account."""
    return WidgetFactory.create(account=shop.account, name="Blog")


def pages() -> list[TenantAdmin]:
    return [page for page in admin.site._registry.values() if isinstance(page, TenantAdmin)]


def text_of(browser: Client, path: str = HOME) -> str:
    return str(browser.get(path, headers=ENGLISH).content.decode())


def groups_of(browser: Client) -> list[Any]:
    groups: list[Any] = browser.get(HOME, headers=ENGLISH).context["sidebar_navigation"]
    return groups


def links_of(browser: Client) -> set[str]:
    return {item["link"] for group in groups_of(browser) for item in group["items"]}


class TestMenu:
    def test_it_has_eleven_entries_of_the_first_level_and_an_icon_each(self, cabinet: Client) -> None:
        groups = groups_of(cabinet)
        titles = [re.sub("<[^>]+>", "|", str(group.get("title", ""))).split("|")[-2:-1] for group in groups]
        assert [title[0] for title in titles[1:]] == [
            *("Reports", "Chats and contacts", "Widget", "Channels", "AI and knowledge", "People and hours"),
            *("Webhooks and API", "Support desk", "Billing", "Account and data"),
        ]
        assert groups[0]["items"][0]["title"] == "Overview"
        assert all("material-symbols-outlined" in group["title"] for group in groups[1:])

    def test_every_page_of_ours_is_in_it_once(self) -> None:
        placed = [page for section in sections() for entry in section.entries for page, _title in entry.pages]
        assert sorted(map(str, placed)) == sorted(map(str, pages()))
        assert len(pages()) == len([model for model in admin.site._registry if model.__module__.startswith("apps.")])

    def test_no_two_lines_of_a_group_and_no_two_tabs_want_one_place(self) -> None:
        groups = [section.group.order for section in sections()]
        lines = [(page.menu.group, page.menu.order) for page in pages() if isinstance(page.menu, MenuPlace)]
        tabs = [(page.menu.of, page.menu.order) for page in pages() if isinstance(page.menu, MenuTab)]
        found = [page.found_at for page in pages() if page.found_at is not None]
        for places in (groups, lines, tabs, found):
            assert len(places) == len({*places})

    def test_the_installations_own_stand_apart_for_its_staff_alone(self, cabinet: Client) -> None:
        own = reverse("admin:webhooks_eventswitch_changelist")
        assert own not in links_of(cabinet)
        assert own in {item["link"] for item in groups_of(signed_in(SuperuserFactory.create()))[-1]["items"]}

    @pytest.mark.parametrize("role", ["owner", "manager", "viewer"])
    def test_whatever_it_offers_opens(self, shop: Widget, role: str) -> None:
        browser = signed_in(StaffFactory.create(account=shop.account, role=role))
        for link in links_of(browser):
            assert browser.get(link, follow=True).status_code == 200, link

    def test_it_asks_no_table_for_whom_it_does_not_know(self, rf: Any) -> None:
        request = rf.get("/admin/login/")
        request.user = type("Nobody", (), {"is_authenticated": False, "is_active": False, "is_staff": False})()
        assert [group["items"][0]["link"] for group in sidebar(request)] == [HOME]

    def test_pages_of_one_thing_are_tabs(self, cabinet: Client) -> None:
        shown = text_of(cabinet, "/admin/kb/rule/")
        tabs = shown[shown.index('id="tabs-items"') :]
        for name in ("knowledgebase", "source", "upload", "crawler", "crawlrun"):
            assert f'href="/admin/kb/{name}/"' in tabs


class TestActions:
    """Buttons that a role may not use are not shown (each would answer 403)."""

    def test_a_reader_sees_none_that_writes(self, shop: Widget, cabinet: Client) -> None:
        contact = ContactFactory.create(widget=shop)
        reader = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
        page, erase = f"/admin/chats/contact/{contact.pk}/change/", f"/admin/chats/contact/{contact.pk}/erase/"
        assert erase in text_of(cabinet, page)
        assert erase not in text_of(reader, page)
        assert reverse("admin:agents_invitation_invite") not in text_of(reader, "/admin/agents/invitation/")


class TestSwitcher:
    def test_until_one_is_chosen_lists_show_all(self, cabinet: Client, shop: Widget, blog: Widget) -> None:
        for widget in (shop, blog):
            ChatFactory.create(contact=ContactFactory.create(widget=widget))
        assert len(cabinet.get(CHATS).context["cl"].result_list) == 2
        assert "All widgets" in text_of(cabinet)

    def test_a_choice_narrows_lists_forms_and_the_overview(self, cabinet: Client, shop: Widget, blog: Widget) -> None:
        chats = {widget: ChatFactory.create(contact=ContactFactory.create(widget=widget)) for widget in (shop, blog)}
        answer = cabinet.get(reverse("choose-widget", args=[blog.pk]), headers={"Referer": f"http://testserver{CHATS}"})
        assert answer["Location"] == CHATS
        listed = cabinet.get(CHATS).context["cl"]
        assert list(listed.result_list) == [chats[blog]]
        assert "widget" not in listed.list_display
        assert cabinet.get(HOME).context["widget"] == blog
        assert cabinet.get("/admin/ai/assistant/add/").context["adminform"].form["widget"].initial == blog
        cabinet.get(reverse("choose-widget", args=[0]))
        assert len(cabinet.get(CHATS).context["cl"].result_list) == 2

    def test_an_address_that_names_a_widget_holds(self, cabinet: Client, shop: Widget, blog: Widget) -> None:
        ChatFactory.create(contact=ContactFactory.create(widget=shop))
        cabinet.get(reverse("choose-widget", args=[blog.pk]))
        assert len(cabinet.get(f"{CHATS}?widget__id__exact={shop.pk}").context["cl"].result_list) == 1

    def test_a_rows_page_is_found_whichever_is_chosen(self, cabinet: Client, shop: Widget, blog: Widget) -> None:
        chat = ChatFactory.create(contact=ContactFactory.create(widget=shop))
        cabinet.get(reverse("choose-widget", args=[blog.pk]))
        assert cabinet.get(f"{CHATS}{chat.pk}/change/").status_code == 200

    def test_from_a_rows_page_it_leads_to_the_list(self, cabinet: Client, shop: Widget, blog: Widget) -> None:
        page = f"http://testserver/admin/ai/aisettings/{shop.pk}/change/"
        answer = cabinet.get(reverse("choose-widget", args=[blog.pk]), headers={"Referer": page})
        assert answer["Location"] == "/admin/ai/aisettings/"
        assert cabinet.get(answer["Location"])["Location"] == f"/admin/ai/aisettings/{blog.pk}/change/"

    @pytest.mark.parametrize("referer", ["https://elsewhere.test/admin/", "http://testserver/console/", "x"])
    def test_it_leads_nowhere_else(self, cabinet: Client, shop: Widget, referer: str) -> None:
        answer = cabinet.get(reverse("choose-widget", args=[shop.pk]), headers={"Referer": referer})
        assert answer["Location"] == HOME

    def test_the_rivals_cannot_be_chosen(self, cabinet: Client, blog: Widget, rival: Rival) -> None:
        cabinet.get(reverse("choose-widget", args=[blog.pk]))
        cabinet.get(reverse("choose-widget", args=[rival.widget.pk]))
        assert cabinet.get(HOME).context["widget"] == blog
        assert rival.widget.name not in text_of(cabinet)

    def test_a_widget_that_went_is_chosen_no_more(self, cabinet: Client, shop: Widget, blog: Widget) -> None:
        cabinet.get(reverse("choose-widget", args=[blog.pk]))
        blog.delete()
        assert cabinet.get(HOME).context["widget"] == shop

    def test_nobody_chooses_without_signing_in(self, shop: Widget) -> None:
        answer = Client().get(reverse("choose-widget", args=[shop.pk]))
        assert answer["Location"].startswith("/admin/login/")


class TestPagesOfAWidget:
    """What each widget has one of is a page, from its first day, at the widget's own id."""

    @pytest.mark.parametrize(("model", "page"), PAGES, ids=lambda each: getattr(each, "__name__", ""))
    def test_it_is_there_before_there_is_a_row(
        self, cabinet: Client, shop: Widget, model: type[Any], page: WidgetPageAdmin
    ) -> None:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        address = reverse(f"admin:{name}_change", args=[shop.pk])
        assert cabinet.get(reverse(f"admin:{name}_changelist"))["Location"] == address
        assert cabinet.get(address).status_code == 200

    @pytest.mark.parametrize(("model", "page"), PAGES, ids=lambda each: getattr(each, "__name__", ""))
    def test_with_two_widgets_it_opens_for_the_first_with_the_switcher_in_its_head(
        self, cabinet: Client, shop: Widget, blog: Widget, model: type[Any], page: WidgetPageAdmin
    ) -> None:
        listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        answer = cabinet.get(listing, follow=True)
        assert answer.redirect_chain == [(page.page_of(shop.pk), 302)]
        text = answer.content.decode()
        assert "Choose a widget" not in text
        switcher = text.partition('id="widget-switcher"')[2].partition("</nav>")[0]
        assert re.findall(r'href="([^"]+)"', switcher) == [f"/admin/choose/{each.pk}/" for each in (shop, blog)]
        current = re.search(r'href="([^"]+)"[^>]*aria-current', switcher)
        assert current is not None
        assert current[1] == f"/admin/choose/{shop.pk}/"

    def test_with_one_widget_there_is_no_switcher(self, cabinet: Client, shop: Widget) -> None:
        assert "widget-switcher" not in text_of(cabinet, f"/admin/ai/aisettings/{shop.pk}/change/")

    def test_the_ai_switch_is_there_for_a_new_widget(self, cabinet: Client, shop: Widget) -> None:
        from apps.ai.models import AiSettings

        page = f"/admin/ai/aisettings/{shop.pk}/change/"
        form = cabinet.get(page).context["adminform"].form
        sent = {name: field.value() or "" for name in form.fields for field in [form[name]] if field.value()}
        assert cabinet.post(page, {**sent, "enabled": "on"})["Location"] == page
        assert AiSettings.objects.for_widget(shop.pk).get().enabled


def test_the_ways_out_are_those_of_the_installed_apps_in_their_order(cabinet: Client) -> None:
    links = [item.link for item in cabinet.get(HOME).context["site_dropdown"]]
    assert [link for link in links if not link.startswith("/admin/")] == [
        *("/console/", "/demo/", "/api/docs", "/api/docs/guides/")
    ]


class TestPersonsMenu:
    def test_it_leads_to_profile_password_second_factor_and_console(self, olga: Agent, cabinet: Client) -> None:
        links = [link["link"] for link in cabinet.get(HOME).context["account_links"]]
        assert olga.user is not None
        assert links == [
            f"/admin/accounts/user/{olga.user.pk}/change/",
            f"/admin/accounts/widget/{olga.widget_id}/change/",
            *("/admin/password_change/", "/admin/two-factor/", "/console/"),
        ]
        assert all(cabinet.get(link).status_code == 200 for link in links)

    @pytest.mark.parametrize("role", ["manager", "viewer"])
    def test_everybody_chooses_their_own_language(self, shop: Widget, role: str) -> None:
        person = StaffFactory.create(account=shop.account, role=role)
        browser = signed_in(person)
        page = browser.get(HOME).context["account_links"][0]["link"]
        assert "language" in browser.get(page).context["adminform"].form.fields


class TestSearch:
    def found(self, browser: Client, term: str) -> list[tuple[str, str]]:
        answer = browser.get("/admin/search/", {"extended": "1", "s": term}, headers=ENGLISH)
        return [(row.title, str(row.link)) for row in answer.context["results"]]

    def test_it_finds_pages_settings_and_objects(self, cabinet: Client, shop: Widget) -> None:
        contact = ContactFactory.create(widget=shop, name="Zoe Quill")
        assert ("Retention", "/admin/chats/retention/") in self.found(cabinet, "retent")
        assert ("Shadow mode: answers are notes for operators", "/admin/ai/aisettings/") in self.found(
            cabinet, "shadow"
        )
        assert f"/admin/chats/contact/{contact.pk}/change/" in dict(self.found(cabinet, "quill")).values()
        assert ("Change password", "/admin/password_change/") in self.found(cabinet, "password")

    def test_what_is_the_rivals_is_not_found(self, cabinet: Client, rival: Rival) -> None:
        ContactFactory.create(widget=rival.widget, name="Zoe Quill")
        assert self.found(cabinet, "quill") == []

    @pytest.mark.parametrize("term", ["\0", "x" * 5000, "%", "'"])
    def test_no_text_breaks_it(self, cabinet: Client, term: str) -> None:
        assert isinstance(self.found(cabinet, term), list)


def test_an_empty_list_says_what_it_is_for_and_has_the_button(cabinet: Client) -> None:
    shown = text_of(cabinet, "/admin/ai/assistant/")
    assert "An assistant is what the AI says and how" in shown
    assert 'href="/admin/ai/assistant/add/" class="button-primary"' in shown
    assert "Reset filters" not in shown
    assert "Reset filters" in text_of(cabinet, "/admin/ai/assistant/?q=nothing")


def test_every_list_says_what_it_is_for() -> None:
    lists = [page for page in pages() if page.account_path and not isinstance(page, WidgetPageAdmin)]
    assert [page for page in lists if not page.purpose and page.model is not Account] == []


class TestFirstSteps:
    def steps(self, browser: Client) -> dict[str, bool]:
        return {step.title: step.is_done for step in browser.get(HOME, headers=ENGLISH).context["first_steps"]}

    def test_a_widget_without_a_chat_is_told_what_comes_first(self, shop: Widget) -> None:
        browser = signed_in(StaffFactory.create(account=shop.account, role="owner"))
        assert self.steps(browser) == {
            "Put the widget on your website": False,
            "Invite a colleague": False,
            "Set the hours": False,
            "Connect a messenger": False,
            "Switch AI on": False,
        }
        for step in browser.get(HOME).context["first_steps"]:
            assert browser.get(step.address).status_code == 200, step.address

    def test_it_knows_what_is_done(self, shop: Widget, settings: Any) -> None:
        from apps.ai.actions.settings import change_settings
        from tests.factories.widget import VisitorSessionFactory

        browser = signed_in(StaffFactory.create(account=shop.account, role="owner"))
        contact = ContactFactory.create(widget=shop)
        session = VisitorSessionFactory.create(contact=contact, widget=shop, page_url=f"{settings.PUBLIC_URL}/demo/")
        assert not self.steps(browser)["Put the widget on your website"]
        session.page_url = "https://shop.test/"
        session.save()
        change_settings(widget_id=shop.pk, changes={"enabled": True})
        steps = self.steps(browser)
        assert (steps["Put the widget on your website"], steps["Switch AI on"], steps["Set the hours"]) == (
            *(True, True),
            False,
        )

    def test_a_chat_ends_no_step_of_the_owner(self, cabinet: Client, shop: Widget) -> None:
        MessageFactory.create(chat=ChatFactory.create(contact=ContactFactory.create(widget=shop)))
        assert len(self.steps(cabinet)) == 5

    def test_the_owner_puts_the_list_away_and_has_it_back(self, cabinet: Client, shop: Widget) -> None:
        assert "Put the list away" in text_of(cabinet)
        answer = cabinet.post(f"/admin/first-steps/{shop.pk}/", follow=True, headers=ENGLISH)
        assert answer.redirect_chain == [(f"/admin/?widget={shop.pk}", 302)]
        assert self.steps(cabinet) == {}
        assert "Show the first steps again" in text_of(cabinet)
        cabinet.post(f"/admin/first-steps/{shop.pk}/", {"back": "1"})
        assert len(self.steps(cabinet)) == 5

    def test_the_list_is_put_away_by_a_button_alone_and_of_the_own_account(
        self, cabinet: Client, shop: Widget, rival: Rival
    ) -> None:
        assert cabinet.get(f"/admin/first-steps/{shop.pk}/").status_code == 405
        assert cabinet.post(f"/admin/first-steps/{rival.widget.pk}/").status_code == 404
        rival.widget.refresh_from_db()
        assert rival.widget.steps_put_away_at is None
        viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
        assert "Put the list away" not in text_of(viewer)
        assert viewer.post(f"/admin/first-steps/{shop.pk}/").status_code == 403
        assert len(self.steps(cabinet)) == 5

    def test_all_done_ends_the_list(self, shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        from apps.cabinet.first_steps import FirstStep

        browser = signed_in(StaffFactory.create(account=shop.account, role="owner"))
        always = property(lambda _step: True, lambda _step, _done: None)
        monkeypatch.setattr(FirstStep, "is_done", always)
        assert self.steps(browser) == {}
        assert "Show the first steps again" not in text_of(browser)
