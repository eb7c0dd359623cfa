"""Where a path leads: to a row by a key, to a row within another, to the one row of a widget, to one that is yet to be
made; and the lists that have no cursor. By viewsets of the tests' own, of rows that exist."""

import types
from typing import Any
from uuid import UUID

import orjson
import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import Resolver404, path, resolve

from apps.accounts.models import Account, Widget
from apps.agents.models import Department
from apps.chats.models import Chat, Contact, Message
from apps.chats.serializers.contacts import ContactSerializer
from apps.core.endpoints import converters
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, WithStatus, operation
from apps.core.endpoints.paging import NumberedPage, Page
from apps.core.endpoints.routing import routed_operations
from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import Body, Integer, Query, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from config import routes
from tests.cast import Rival
from tests.core.test_viewsets import checked
from tests.factories.agents import DepartmentFactory
from tests.factories.chats import ChatFactory, ContactFactory, MessageFactory

SCOPES = ("chats:read",)


class IdSerializer(RowSerializer):
    id = Integer()


class NamedSerializer(IdSerializer):
    name = Text()


class NameBody(Body):
    name = Text(max_length=5)


class NameQuery(Query):
    name = Text(required=False)


def call(view: Any, token: str, method: str = "GET", query: str = "", body: Any = None, **kwargs: Any) -> HttpResponse:
    data = b"" if body is None else orjson.dumps(body)
    headers = {"Authorization": f"Bearer {token}", "X-Service-Idempotency-Key": "one"}
    request = RequestFactory().generic(method, f"/things?{query}", data, "application/json", headers=headers)
    response: HttpResponse = view(request, **kwargs)
    return response


def assert_refused(response: HttpResponse, status: int, code: str) -> None:
    assert (response.status_code, orjson.loads(response.content)["code"]) == (status, code)


def data(response: HttpResponse) -> Any:
    assert response.status_code < 300, response.content
    return orjson.loads(response.content)["data"]


class TestByKey:
    """`target_field`: a column that is no number."""

    class Departments(ApiViewSet):
        target, target_field = Department, "name"

        @operation(scopes=SCOPES, summary="Read", answers=NamedSerializer)
        def retrieve(self, context: RequestContext) -> Answer:
            return context.target

    def test_the_row_of_that_key_among_the_tenants(self, token: str, shop: Widget, rival: Rival) -> None:
        own = DepartmentFactory.create(widget=shop, name="sales")
        DepartmentFactory.create(widget=rival.widget, name="returns")
        view = self.Departments.as_view({"get": "retrieve"})
        assert data(call(view, token, slug="sales")) == {"id": own.pk, "name": "sales"}
        for other in ("returns", "no-such"):
            assert_refused(call(view, token, slug=other), 404, "not_found")

    def test_a_key_of_a_closed_set_is_an_address_or_none(self) -> None:
        converters.register_keys("flavour", ["mint", "plum.jam"])
        urls = types.ModuleType("urls_of_the_test")
        urls.urlpatterns = [  # type: ignore[attr-defined]
            path("<flavour:code>/eat", self.Departments.as_view({"get": "retrieve"}))
        ]
        found = {text for text in ("mint", "plum.jam", "plumxjam", "minty", "") if _resolves(f"/{text}/eat", urls)}
        assert found == {"mint", "plum.jam"}


def _resolves(address: str, urls: Any) -> bool:
    try:
        resolve(address, urlconf=urls)
    except Resolver404:
        return False
    return True


class TestWithin:
    """`target_within`: the arguments before the target's are the objects around it."""

    class Messages(ApiViewSet):
        target, target_within = Message, ("chat_id",)

        @operation(scopes=SCOPES, summary="Read", answers=IdSerializer)
        def retrieve(self, context: RequestContext) -> Answer:
            return context.target

        @operation(scopes=SCOPES, summary="Write", takes=NameBody, idempotent=True)
        def write(self, context: RequestContext) -> Answer:
            context.require_target()
            return {}

    def test_it_is_found_in_its_own_parent_alone(self, token: str, shop: Widget, rival: Rival) -> None:
        chats = [ChatFactory.create(contact__widget=widget) for widget in (shop, shop, rival.widget)]
        messages = [MessageFactory.create(chat=chat) for chat in chats]
        view = self.Messages.as_view({"get": "retrieve", "post": "write"})
        assert data(call(view, token, chat_id=chats[0].pk, message_id=messages[0].pk)) == {"id": messages[0].pk}
        for chat, message in ((chats[1], messages[0]), (chats[0], messages[1]), (chats[2], messages[2])):
            place = {"chat_id": chat.pk, "message_id": message.pk}
            assert_refused(call(view, token, **place), 404, "not_found")
            assert_refused(call(view, token, "POST", body={"name": "too long"}, **place), 404, "not_found")

    def test_a_path_with_too_few_ids_stops_the_start(self, settings: Any) -> None:
        view = self.Messages.as_view({"get": "retrieve"})
        assert checked(settings, "api/v1/chats/<id:a>/messages/<id:b>", view) == []
        assert checked(settings, "api/v1/messages/<id:b>", view) == [
            ("core.E003", "GET api/v1/messages/<id:b>: Messages declares a target within others that the path lacks")
        ]


class TestSingleton:
    """`target_field = None`: the widget has one, and the path names none."""

    class Owner(ApiViewSet):
        target, target_field = Account, None

        @operation(scopes=SCOPES, summary="Read", answers=IdSerializer)
        def retrieve(self, context: RequestContext) -> Answer:
            return context.target

    class Only(ApiViewSet):
        target, target_field = Department, None

        @operation(scopes=SCOPES, summary="Read", answers=NamedSerializer)
        def retrieve(self, context: RequestContext) -> Answer:
            return context.existing or {"id": 0, "name": "none yet"}

        @operation(scopes=SCOPES, summary="Put", takes=NameBody, answers=NamedSerializer, idempotent=True, upserts=True)
        def update(self, context: RequestContext) -> Answer:
            return Department.objects.update_or_create(widget_id=context.widget_id, defaults=context.body)[0]

    def test_it_is_the_tenants_own(self, token: str, shop: Widget, rival: Rival) -> None:
        assert data(call(self.Owner.as_view({"get": "retrieve"}), token)) == {"id": shop.account_id}

    def test_it_may_not_be_there_yet(self, token: str, shop: Widget, rival: Rival) -> None:
        DepartmentFactory.create(widget=rival.widget)
        view = self.Only.as_view({"get": "retrieve", "put": "update"})
        assert data(call(view, token)) == {"id": 0, "name": "none yet"}
        assert_refused(call(view, token, "PUT", body={"name": "too long"}), 422, "invalid_input")
        made = data(call(view, token, "PUT", body={"name": "new"}))
        assert data(call(view, token)) == made

    def test_a_path_with_an_id_does_not_lead_to_one(self, settings: Any) -> None:
        assert checked(settings, "api/v1/things/<id:thing_id>", self.Owner.as_view({"get": "retrieve"})) == [
            ("core.E003", "GET api/v1/things/<id:thing_id>: Owner declares no target")
        ]


class TestUpsert:
    """`upserts`: what is not there is made, so a refusal of the body stays one."""

    class Departments(ApiViewSet):
        target, target_field = Department, "name"

        @operation(
            scopes=SCOPES,
            summary="Put",
            takes=NameBody,
            answers=NamedSerializer,
            status=(200, 201),
            idempotent=True,
            upserts=True,
        )
        def update(self, context: RequestContext) -> Answer:
            if (there := context.existing) is None:
                made = Department.objects.create(widget_id=context.widget_id, name=context.target_id)
                return WithStatus(201, NamedSerializer.show(made))
            return there

    def test_it_makes_what_is_not_there(self, token: str, shop: Widget) -> None:
        view = self.Departments.as_view({"put": "update"})
        assert_refused(call(view, token, "PUT", body={"name": "too long"}, slug="sales"), 422, "invalid_input")
        assert not Department.objects.exists()
        assert call(view, token, "PUT", body={"name": "x"}, slug="sales").status_code == 201
        assert Department.objects.get().name == "sales"


class TestShared:
    """`shared_arguments`: what is no tenant's needs no target."""

    class Templates(ApiViewSet):
        shared_arguments = ("template",)

        @operation(scopes=SCOPES, summary="Read")
        def retrieve(self, context: RequestContext) -> Answer:
            return {"slug": context.path["template"]}

    def test_it_has_no_target_and_documents_its_404(self, token: str, settings: Any) -> None:
        view = self.Templates.as_view({"get": "retrieve"})
        assert data(call(view, token, template="hotel")) == {"slug": "hotel"}
        assert checked(settings, "api/v1/templates/<slug:template>", view) == []
        (routed,) = routed_operations()
        assert NOT_FOUND in routed.problems


class TestLists:
    class Contacts(ApiViewSet):
        target = Chat

        @operation(scopes=SCOPES, summary="All", answers=ContactSerializer, lists="whole", filters=NameQuery)
        def whole(self, context: RequestContext) -> Page:
            return context.whole(Contact.objects.for_widget(context.widget_id).order_by("name"))

        @operation(scopes=SCOPES, summary="A page", answers=ContactSerializer, lists="numbered")
        def numbered(self, context: RequestContext) -> NumberedPage:
            return context.numbered(Contact.objects.for_widget(context.widget_id).order_by("name"))

        @operation(scopes=SCOPES, summary="A page of what is no row", answers=IdSerializer, lists="numbered")
        def counted(self, context: RequestContext) -> NumberedPage:
            return context.numbered([{"id": number} for number in range(5)])

    @pytest.fixture(autouse=True)
    def contacts(self, shop: Widget, rival: Rival) -> None:
        for name in ("Anna", "Boris", "Clara"):
            ContactFactory.create(widget=shop, name=name)
        ContactFactory.create(widget=rival.widget, name="Dora")

    def test_a_whole_list_has_every_row_and_no_cursor(self, token: str) -> None:
        view = self.Contacts.as_view({"get": "whole"})
        shown = orjson.loads(call(view, token).content)
        assert [row["name"] for row in shown["data"]] == ["Anna", "Boris", "Clara"]
        assert shown["next_cursor"] is None
        assert [row["name"] for row in data(call(view, token, query="name=Boris"))] == ["Boris"]
        assert_refused(call(view, token, query="limit=1"), 422, "invalid_input")

    def test_an_empty_whole_list_below_a_target_asks_for_it(self, token: str) -> None:
        view = self.Contacts.as_view({"get": "whole"})
        assert_refused(call(view, token, query="name=Nobody", chat_id=7), 404, "not_found")
        assert data(call(view, token, query="name=Nobody")) == []

    @pytest.mark.parametrize(("page", "names"), [(1, ["Anna", "Boris"]), (2, ["Clara"]), (3, []), (1_000_000, [])])
    def test_a_page_by_number(self, token: str, page: int, names: list[str]) -> None:
        view = self.Contacts.as_view({"get": "numbered"})
        shown = orjson.loads(call(view, token, query=f"page={page}&limit=2").content)
        assert [row["name"] for row in shown.pop("data")] == names
        assert shown == {"page": page, "limit": 2, "total": 3, "pages": 2}

    def test_a_page_by_number_of_a_sequence(self, token: str) -> None:
        view = self.Contacts.as_view({"get": "counted"})
        assert data(call(view, token, query="page=2&limit=3")) == [{"id": 3}, {"id": 4}]
        for wrong in ("page=0", "page=-1", "page=x", "limit=101", "cursor=a"):
            assert_refused(call(view, token, query=wrong), 422, "invalid_input")


class TestRemembered:
    """`routes.find` finds the paths of such resources as Django does, and does not look twice."""

    UUID_PATH = "/api/v1/external/0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51/tests/{}"

    @pytest.fixture(autouse=True)
    def urls(self, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(routes, "_remembered", {})
        monkeypatch.setattr(routes, "_with_words", type(routes._with_words)())
        module = types.ModuleType("urls_of_the_test")
        view = TestShared.Templates.as_view({"get": "retrieve"})
        module.urlpatterns = [  # type: ignore[attr-defined]
            path("api/v1/messengers/vk/communities", view, name="communities"),
            path("api/v1/messengers/<slug:provider>/verify", view),
            path("api/v1/messengers/<slug:provider>/<slug:what>", view),
            path("api/v1/external/<uuid:public_id>/tests/<uuid:test_id>", view),
            path("bot/<secret:token>/messages", view),
        ]
        settings.ROOT_URLCONF = module

    def test_an_address_found_once_is_found_for_other_words_and_uuids(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one, other = "6e7c9a55-1b55-4a8b-8a44-0f2b7d1c2e3f", "00000000-0000-0000-0000-000000000000"
        routes.find("/api/v1/messengers/tg/verify")
        assert routes.find("/api/v1/messengers/vk/communities").kwargs == {}
        assert routes.find("/api/v1/messengers/vk/else").kwargs == {"provider": "vk", "what": "else"}
        routes.find(self.UUID_PATH.format(one))
        monkeypatch.setattr(routes, "resolve", None)
        found = routes.find("/api/v1/messengers/tg/verify")
        assert (found.kwargs, found.template) == ({"provider": "tg"}, "/api/v1/messengers/{provider}/verify")
        assert routes.find("/api/v1/messengers/vk/communities").kwargs == {}
        assert routes.find(self.UUID_PATH.format(other)).kwargs["test_id"] == UUID(other)

    def test_words_do_not_pile_up_and_secrets_are_not_kept(self) -> None:
        for number in range(routes.MAX_WORDS + 50):
            routes.find(f"/api/v1/messengers/x{number}/verify")
            routes.find(f"/bot/pt_{number}/messages")
        assert len(routes._with_words) == routes.MAX_WORDS
        assert routes._remembered == {}
        assert not any("pt_" in form for form in routes._with_words)
