"""Each tool is one call of the REST API: who has it, what it takes, answers and refuses, and what stands on record."""

import base64
import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator

from apps.accounts import rules
from apps.accounts.models import ApiToken, Widget
from apps.agents.models import Agent
from apps.ai.models import Assistant
from apps.chats.models import Chat, Message, Rating
from apps.core.endpoints.routing import routed_operations
from apps.core.redis import last_requests
from apps.core.redis.last_requests import Notes
from apps.demo.servers.language_models import Vendor
from apps.demo.servers.language_models import chat as says
from apps.kb.models import Rule
from apps.mcp.actions.catalogue import catalogue
from apps.mcp.rules.tools import TOOLS
from apps.support.models import SupportAction
from config.environment import PROJECT_ROOT
from tests.client import ApiClient
from tests.factories import FileFactory, MessageFactory
from tests.factories.accounts import ApiTokenFactory, plain_text
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.factories.automations import AutomationRunFactory, MacroFactory
from tests.factories.support import TicketFactory, at_desk
from tests.mcp.messages import Mcp
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

OF_CHATS = {"list_chats", "get_chat", "search_messages", "get_queue", "list_ratings"}
OF_DESK = {
    *("list_tickets", "get_ticket", "close_ticket", "reopen_ticket", "list_desk_chats", "get_desk_chat"),
    *("read_messages", "read_attachment", "claim_chat", "release_chat", "reply", "get_action"),
}
OF_ARTICLES = {
    *("list_articles", "get_article", "search_articles", "write_article", "revise_article", "publish_article"),
    *("list_article_gaps", "draft_article"),
}
BY_SCOPE = {
    "chats:read": OF_CHATS,
    "messages:read": {"list_messages"},
    "contacts:read": {"list_contacts", "get_contact"},
    "stats:read": {"get_stats", "get_report", "list_episodes"},
    "automations:read": {"list_automations", "try_automation", "list_automation_runs", "list_macros"},
    "automations:write": {"undo_automation_run"},
    "kb:read": {"search_knowledge", "list_articles", "get_article", "search_articles"},
    "kb:write": {"write_rule", "write_article", "revise_article", "draft_article"},
    "articles:publish": {"publish_article"},
    "ai:read": {"list_assistants", "list_article_gaps"},
    "ai:write": {"test_assistant"},
    "support:read": {
        *("list_tickets", "get_ticket", "list_desk_chats", "get_desk_chat"),
        *("read_messages", "read_attachment", "get_action"),
    },
    "support:write": {"close_ticket", "reopen_ticket", "claim_chat", "release_chat"},
    "support:tickets:close": {"close_ticket"},
    "support:reply": {"reply"},
    "billing:read": set(),
}
EVERY = set().union(*BY_SCOPE.values())
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")


@pytest.fixture
def mcp(token: str) -> Mcp:
    return Mcp(token)


@pytest.fixture
def desk(token: str, alice: Agent) -> Mcp:
    """The tools of a token that may work at the shop's desk."""
    at_desk(token, alice)
    return Mcp(token)


def with_scopes(shop: Widget, *scopes: str) -> Mcp:
    return Mcp(plain_text(ApiTokenFactory.create(widget=shop, scopes=list(scopes))))


class TestWhoHasThem:
    @pytest.mark.parametrize("scope", BY_SCOPE)
    def test_a_scope_gives_its_tools(self, shop: Widget, scope: str) -> None:
        assert set(with_scopes(shop, scope).tools()) == BY_SCOPE[scope]

    def test_a_token_of_every_scope_has_them_all_in_one_order(self, mcp: Mcp) -> None:
        assert list(mcp.tools()) == list(mcp.tools()) == [tool.name for tool in TOOLS]
        assert {tool.name for tool in TOOLS} == EVERY

    def test_every_call_of_the_desk_has_its_tool(self) -> None:
        routed = [one for one in routed_operations() if "v1/support/" in one.path]
        paths = {(one.method, re.sub("<[^>]+>", "{}", one.path.removeprefix("api/v1/"))) for one in routed}
        tools = [catalogue()[name].tool for name in OF_DESK]
        assert paths == {(tool.method, re.sub("{[^}]+}", "{}", tool.path)) for tool in tools}

    @pytest.mark.parametrize("name", sorted(EVERY))
    def test_a_call_without_its_scope_is_refused_as_over_rest(self, shop: Widget, chat: Chat, name: str) -> None:
        mcp, before = with_scopes(shop, "billing:read"), snapshot()
        problem = mcp.refusal(name)
        assert (problem["code"], problem["status"]) == ("missing_scope", 403)
        assert catalogue()[name].operation.scopes[0] in problem["detail"]
        assert snapshot() == before

    def test_the_instructions_are_of_the_tools(self, shop: Widget) -> None:
        said = [
            with_scopes(shop, scope).legacy("initialize", {}).json()["result"]["instructions"]
            for scope in ("chats:read", "support:read")
        ]
        assert ["claim_chat" in text for text in said] == [False, True]


class TestWhatIsListed:
    def test_arguments_are_those_that_the_operation_declares(self, mcp: Mcp) -> None:
        for name, tool in mcp.tools().items():
            schema, call = tool["inputSchema"], catalogue()[name]
            Draft202012Validator.check_schema(schema)
            assert "$ref" not in json.dumps(schema)
            assert (schema["type"], schema["additionalProperties"]) == ("object", False)
            assert set(schema["required"]) <= set(schema["properties"])
            declared = set(call.operation.filters.fields) if call.operation.filters else set()
            declared |= set(call.operation.body.fields) if call.operation.body else set()
            declared |= set(re.findall("{([^}]+)}", call.path)) | (
                {"idempotency_key"} if call.operation.idempotent else set()
            )
            assert set(schema["properties"]) | set(call.tool.without) == declared

    def test_a_model_is_told_what_each_is_for(self, mcp: Mcp) -> None:
        for tool in mcp.tools().values():
            assert (bool(tool["title"]), tool["description"].endswith(".")) == (True, True)
            silent = [name for name, one in tool["inputSchema"]["properties"].items() if not one["description"]]
            assert silent == [], tool["name"]

    def test_hints_say_which_only_read_and_that_none_destroys(self, mcp: Mcp) -> None:
        hints = {name: tool["annotations"] for name, tool in mcp.tools().items()}
        writing = {name for name, hint in hints.items() if not hint["readOnlyHint"]}
        assert writing == {
            *("close_ticket", "reopen_ticket", "claim_chat", "release_chat", "reply", "write_rule", "test_assistant"),
            *("try_automation", "undo_automation_run"),
            *("write_article", "revise_article", "publish_article", "draft_article"),
        }
        assert {hint["destructiveHint"] for hint in hints.values()} == {False}
        keyed = {name for name, tool in mcp.tools().items() if "idempotency_key" in tool["inputSchema"]["properties"]}
        assert keyed == writing - {"try_automation", "undo_automation_run"}

    def test_a_flag_is_a_boolean(self, desk: Mcp) -> None:
        properties = desk.tools()["list_desk_chats"]["inputSchema"]["properties"]
        assert properties["has_open_ticket"]["type"] == "boolean"
        asked = {"updated_since": "2099-01-01", "has_open_ticket": True}
        assert desk.call("list_desk_chats", **asked)["structuredContent"]["data"] == []


class TestReads:
    @pytest.mark.parametrize(
        ("tool", "arguments", "path"),
        [
            ("list_chats", {"limit": 1, "has_client_messages": True}, "/chats?limit=1&has_client_messages=1"),
            ("get_chat", {"chat_id": 0}, "/chats/{chat}"),
            ("list_messages", {"chat_id": 0, "after_id": 0}, "/chats/{chat}/messages?after_id=0"),
            ("search_messages", {"q": "розы"}, "/chats?q=розы"),
            ("list_contacts", {"query": "Иван"}, "/contacts?query=Иван"),
            ("get_contact", {"guid": ""}, "/contacts/{guid}"),
            ("get_stats", {"from": "2026-01-01", "to": "2026-02-01"}, "/stats?from=2026-01-01&to=2026-02-01"),
            ("list_episodes", {"figure": "open", "limit": 1}, "/reports/episodes?figure=open&limit=1"),
            ("search_knowledge", {"q": "доставка"}, "/kb/search?q=доставка"),
            ("list_articles", {"limit": 1}, "/articles?limit=1"),
            ("search_articles", {"q": "возврат"}, "/articles/search?q=возврат"),
            ("list_assistants", {}, "/ai/assistants"),
            ("list_automations", {}, "/automations"),
            ("list_automation_runs", {"chat_id": 0, "limit": 1}, "/automation-runs?chat_id={chat}&limit=1"),
            ("list_macros", {"limit": 1}, "/macros?limit=1"),
            ("list_ratings", {"value": "1,2", "has_comment": True}, "/ratings?value=1,2&has_comment=1"),
        ],
    )
    def test_the_answer_is_that_of_the_call(
        self, mcp: Mcp, api: ApiClient, chat: Chat, tool: str, arguments: dict[str, Any], path: str
    ) -> None:
        MessageFactory.create(chat=chat, sender_kind="client", body="Почём розы?")
        AutomationRunFactory.create_batch(2, chat=chat)
        MacroFactory.create(widget=chat.widget)
        Rating.objects.create(widget=chat.widget, chat=chat, value=2, comment="Late")
        ids = {"chat_id": chat.pk, "guid": chat.contact.guid}
        given = {name: ids.get(name, value) for name, value in arguments.items()}
        expected = api.get(path.format(chat=chat.pk, guid=chat.contact.guid))
        result = mcp.call(tool, **given)
        assert (expected.status_code, result["isError"]) == (200, False)
        assert result["structuredContent"] == expected.json()
        assert json.loads(result["content"][0]["text"]) == expected.json()

    def test_the_queue_is_that_of_the_call_at_its_moment(self, mcp: Mcp, api: ApiClient) -> None:
        answered, called = mcp.call("get_queue")["structuredContent"]["data"], api.get("/queue").json()["data"]
        assert answered.pop("at") <= called.pop("at")
        assert answered == called

    def test_a_report_is_that_of_the_call_at_its_moment(self, mcp: Mcp, api: ApiClient, chat: Chat) -> None:
        MessageFactory.create(chat=chat)
        window = {"from": "2026-01-01", "to": "2026-12-31", "group": "weekday_hour"}
        answered = mcp.call("get_report", **window)["structuredContent"]["data"]
        called = api.get("/reports", query=window).json()["data"]
        assert answered.pop("as_of") <= called.pop("as_of")
        assert answered.pop("settled_until") <= called.pop("settled_until")
        assert answered == called

    def test_of_another_widget_there_is_nothing(self, rival: Any, token: str) -> None:
        mcp = Mcp(token)
        assert mcp.refusal("get_chat", chat_id=rival.chat.pk)["code"] == "not_found"
        assert mcp.refusal("get_contact", guid=rival.chat.contact.guid)["code"] == "not_found"

    def test_a_picture_comes_as_one(self, desk: Mcp, chat: Chat) -> None:
        file = FileFactory.create(widget=chat.widget, contact=chat.contact, name="a.png", content=PNG)
        kept = {"file": {"id": file.pk, "name": "a.png", "size": file.size, "content_type": "image/png"}}
        sent = MessageFactory.create(chat=chat, sender_kind="client", type="image", details=kept)
        words, picture = desk.call("read_attachment", chat_id=chat.pk, message_id=sent.pk)["content"]
        assert json.loads(words["text"])["name"] == "a.png"
        assert (picture["type"], picture["mimeType"]) == ("image", "image/png")
        assert base64.b64decode(picture["data"]).startswith(b"\x89PNG")

    def test_a_documents_text_comes_as_text(self, desk: Mcp, chat: Chat) -> None:
        file = FileFactory.create(widget=chat.widget, contact=chat.contact, name="a.txt", content="Привет".encode())
        kept = {"file": {"id": file.pk, "name": "a.txt", "size": file.size, "content_type": "text/plain"}}
        sent = MessageFactory.create(chat=chat, sender_kind="client", type="file", details=kept)
        (words,) = desk.call("read_attachment", chat_id=chat.pk, message_id=sent.pk)["content"]
        assert json.loads(words["text"])["text"] == "Привет"


class TestWrites:
    def test_a_rule_is_written_once_for_a_key(self, mcp: Mcp) -> None:
        first = mcp.call("write_rule", content="Доставка 300 рублей.", idempotency_key="k-1")
        assert (first["isError"], first["structuredContent"]["idempotency_key"]) == (False, "k-1")
        assert mcp.refusal("write_rule", content="Доставка 300 рублей.", idempotency_key="k-1")["code"] == (
            "idempotency_key_reused"
        )
        assert [rule.pk for rule in Rule.objects.all()] == [first["structuredContent"]["data"]["id"]]

    def test_without_a_key_one_is_made_and_answered(self, mcp: Mcp) -> None:
        keys = [
            mcp.call("write_rule", content=f"Правило {n}.")["structuredContent"]["idempotency_key"] for n in range(2)
        ]
        assert len(set(keys)) == 2
        assert mcp.refusal("write_rule", content="Ещё.", idempotency_key=keys[0])["code"] == "idempotency_key_reused"

    def test_a_refusal_leaves_the_key_free(self, mcp: Mcp) -> None:
        problem = mcp.refusal("write_rule", content="  ", idempotency_key="k-2")
        assert (problem["errors"].keys(), problem["idempotency_key"]) == ({"content"}, "k-2")
        assert not mcp.call("write_rule", content="Правило.", idempotency_key="k-2")["isError"]

    def test_an_assistant_is_tested(self, mcp: Mcp, shop: Widget, settings: Any) -> None:
        with Vendor() as vendor:
            vendor.will_say(says("По 90 рублей."))
            settings.EGRESS_ALLOW = [vendor.host]
            url = f"{vendor.url}/v1"
            CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url, model="m-1")
            assistant: Assistant = AssistantFactory.create(widget=shop, persona="Роза: 90 рублей.")
            (listed,) = mcp.call("list_assistants")["structuredContent"]["data"]
            said = mcp.call("test_assistant", assistant_id=listed["id"], question="Сколько стоят розы?")
        assert listed["id"] == assistant.pk
        assert "По 90 рублей." in said["content"][0]["text"]
        assert (Chat.objects.count(), Message.objects.count()) == (0, 0)

    def test_the_desk_is_worked_at_under_the_agents_name(self, desk: Mcp, chat: Chat) -> None:
        asked = {"name": "claim_chat", "arguments": {"chat_id": chat.pk}}
        claimed = desk.legacy("tools/call", asked, **{"X-Service-Agent": "first-line"}).json()["result"]
        assert not claimed["isError"]
        claim_id = claimed["structuredContent"]["data"]["claim_id"]
        assert not desk.call("release_chat", chat_id=chat.pk, claim_id=claim_id)["isError"]
        actions = SupportAction.objects.order_by("pk")
        assert [(action.agent, action.kind) for action in actions] == [("first-line", "claim"), ("mcp", "release")]

    def test_a_reply_is_stored(self, desk: Mcp, chat: Chat) -> None:
        ticket = TicketFactory.create(chat=chat)
        last = MessageFactory.create(chat=chat, sender_kind="client", body="Где заказ?")
        stored = desk.call(
            "reply", chat_id=chat.pk, text="Едет.", expected_last_message_id=last.pk, ticket=ticket.number, note=None
        )
        assert (stored["isError"], stored["structuredContent"]["data"]["status"]) == (False, "stored")
        assert Message.objects.order_by("-id")[0].body == "Едет."
        problem = desk.refusal("reply", chat_id=chat.pk, text="Ещё.", expected_last_message_id=last.pk)
        assert (problem["code"], bool(problem["action_id"])) == ("chat_changed", True)

    def test_the_desk_sees_the_address_that_calls(self, desk: Mcp, settings: Any) -> None:
        settings.TRUSTED_PROXIES = 1
        asked = {"name": "list_tickets", "arguments": {}}
        codes = [
            desk.legacy("tools/call", asked, **{"X-Forwarded-For": address})
            .json()["result"]["structuredContent"]
            .get("code")
            for address in ("203.0.113.7", "127.0.0.1")
        ]
        assert codes == ["ip_not_allowed", None]

    def test_an_agents_name_that_is_none_is_refused(self, desk: Mcp, chat: Chat) -> None:
        asked = {"name": "claim_chat", "arguments": {"chat_id": chat.pk}}
        answer = desk.legacy("tools/call", asked, **{"X-Service-Agent": "No One"}).json()["result"]
        assert (answer["isError"], answer["structuredContent"]["code"]) == (True, "invalid_agent")

    def test_at_a_desk_that_is_not_open_the_problem_says_so(self, mcp: Mcp) -> None:
        assert mcp.refusal("list_tickets")["code"] == "support_api_disabled"

    def test_the_wait_before_the_next_try_is_told(self, shop: Widget) -> None:
        Widget.objects.filter(pk=shop.pk).update(moving_since=timezone.now())
        mcp = with_scopes(shop, "chats:read", "kb:write")
        assert not mcp.call("list_chats")["isError"]
        problem = mcp.refusal("write_rule", content="Правило.")
        assert (problem["code"], problem["retry_after_s"]) == ("try_again", 60)


class TestWrongArguments:
    @pytest.mark.parametrize(
        ("tool", "arguments", "named"),
        [
            ("list_chats", {"limit": "many"}, {"limit"}),
            ("list_chats", {"limit": "5"}, {"limit"}),
            ("list_chats", {"limit": True}, {"limit"}),
            ("list_chats", {"limit": 0, "status": "closed"}, {"limit", "status"}),
            ("list_chats", {"cursor": {"a": 1}, "channel": ["widget"]}, {"cursor", "channel"}),
            ("list_chats", {"from": "yesterday or so"}, {"from"}),
            ("list_chats", {"has_client_messages": 1}, {"has_client_messages"}),
            ("list_chats", {"q": "розы", "colour": "red"}, {"q", "colour"}),
            ("get_chat", {}, {"chat_id"}),
            ("get_chat", {"chat_id": None}, {"chat_id"}),
            ("get_chat", {"chat_id": "7"}, {"chat_id"}),
            ("get_chat", {"chat_id": 7.5}, {"chat_id"}),
            ("get_chat", {"chat_id": -1}, {"chat_id"}),
            ("get_chat", {"chat_id": [7]}, {"chat_id"}),
            ("get_contact", {"guid": "../chats"}, {"guid"}),
            ("get_contact", {"guid": 7}, {"guid"}),
            ("search_messages", {}, {"q"}),
            ("search_messages", {"q": 7}, {"q"}),
            ("search_knowledge", {"q": ["a"]}, {"q"}),
            ("get_stats", {"metric": ["chats_total"]}, {"metric"}),
            ("get_stats", {"metric": "nothing"}, {"metric"}),
            ("write_rule", {}, {"content"}),
            ("write_rule", {"content": 7}, {"content"}),
            ("write_rule", {"content": {"a": 1}, "doc_id": 4}, {"content", "doc_id"}),
            ("write_rule", {"content": "a", "idempotency_key": 7}, {"idempotency_key"}),
            ("write_rule", {"content": "a", "idempotency_key": "with space"}, {"idempotency_key"}),
            ("write_rule", {"content": "a", "id": 7}, {"id"}),
            ("test_assistant", {"assistant_id": 1, "question": "a", "idempotency_key": "a" * 65}, {"idempotency_key"}),
            ("list_automation_runs", {"chat_id": 0, "limit": 0}, {"limit"}),
            ("try_automation", {"automation_id": 1, "idempotency_key": "k-1"}, {"idempotency_key"}),
            ("undo_automation_run", {"run_id": "7"}, {"run_id"}),
            ("list_tickets", {"limit": 101}, {"limit"}),
            ("claim_chat", {"chat_id": 0, "ttl_sec": "600"}, {"ttl_sec"}),
            ("reply", {"chat_id": 0, "text": 7, "expected_last_message_id": "x"}, {"text", "expected_last_message_id"}),
        ],
    )
    def test_each_is_named_and_nothing_is_changed(
        self, desk: Mcp, chat: Chat, tool: str, arguments: dict[str, Any], named: set[str]
    ) -> None:
        given = {name: chat.pk if (name, value) == ("chat_id", 0) else value for name, value in arguments.items()}
        before = snapshot()
        problem = desk.refusal(tool, **given)
        assert (problem["status"], set(problem["errors"])) == (422, named), problem
        assert snapshot() == before

    def test_a_number_that_is_whole_is_one(self, mcp: Mcp, chat: Chat) -> None:
        assert mcp.call("get_chat", chat_id=float(chat.pk))["structuredContent"]["data"]["id"] == chat.pk

    def test_an_id_that_is_nowhere_is_404(self, mcp: Mcp) -> None:
        for chat_id in (0, 2**63 - 1):
            assert mcp.refusal("get_chat", chat_id=chat_id)["status"] == 404

    def test_a_text_that_no_field_holds(self, mcp: Mcp) -> None:
        answer = mcp.legacy("tools/call", {"name": "write_rule", "arguments": {"content": "a\0"}})
        assert answer.status_code == 400
        assert list(answer.json()["error"]["data"]["errors"]) == ["params.arguments.content"]


def test_a_tool_of_an_app_that_is_taken_out_goes_with_it() -> None:
    asked = "import django; django.setup(); from apps.mcp.actions.catalogue import catalogue; print(*catalogue())"
    environ = {**os.environ, "PARLEY_WITHOUT_APPS": "apps.kb,apps.ai,apps.articles"}
    done = subprocess.run([sys.executable, "-c", asked], env=environ, cwd=PROJECT_ROOT, capture_output=True, check=True)
    gone = OF_DESK | {"search_knowledge", "write_rule", "list_assistants", "test_assistant"} | OF_ARTICLES
    assert set(done.stdout.decode().split()) == EVERY - gone


class TestOnRecord:
    @pytest.fixture
    def notes(self, monkeypatch: pytest.MonkeyPatch) -> Notes:
        notes = Notes()
        monkeypatch.setattr(last_requests, "_notes", notes)
        return notes

    def test_the_tokens_page_has_the_call_of_the_tool_and_the_log_both(
        self, mcp: Mcp, token: str, notes: Notes, caplog: pytest.LogCaptureFixture
    ) -> None:
        mcp.legacy("tools/list", **{"X-Request-Id": "one"})
        asked = {"name": "get_chat", "arguments": {"chat_id": 7}}
        mcp.legacy("tools/call", asked, **{"X-Request-Id": "two"})
        (noted,) = notes._noted.values()
        assert [(each.method, each.route, each.status, each.request_id) for each in noted] == [
            ("POST", "/mcp", 200, "one"),
            ("GET", "/api/v1/chats/{chat_id}", 404, "two"),
        ]
        lines = [record.getMessage() for record in caplog.records if record.name == "access"]
        assert [re.sub(r" [\d.]+ ms", "", line) for line in lines] == [
            "POST /mcp 200 one",
            "GET /api/v1/chats/{chat_id} 404 two",
            "POST /mcp 200 two",
        ]
        assert set(notes._noted) == {ApiToken.objects.get(digest=rules.digest(token)).pk}
