"""The words of the house: a sentence begins with its subject, and a class name means one thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import yaml

from config.environment import PROJECT_ROOT
from tests.architecture.source import name_of, source_files, tree_of

# Words that open a riddle. ("Where" and "Which" open one when they are relative: they have no verb of their own.)
RIDDLE = re.compile(r"\W*(What|Who|Whoever|Whose|Whom|Of|Those|That|Where|Which|Nobody|Somebody|Anybody)(?='s|\W)")
SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*(])|\n\s*\n|\n\s*(?=[-*] |\|)")
TEXTS = {"summary", "description", "title"}  # of an OpenAPI document
HELPS = {"help_text", "summary", "description"}  # of a call in the source

DOCS = PROJECT_ROOT / "docs"
SOURCE = source_files("apps", "config", "launcher", "bench")

# How many riddles a room may still have at most.
RIDDLES = {
    "apps/chats/models": 2,  # help texts of columns: another one is a migration
}
# Class names that exist more than once, with the modules that have them.
NAMED_TWICE: dict[str, list[str]] = {
    "Account": ["apps.accounts.models", "apps.messengers.adapters.adapter"],
    "AccountExists": ["apps.accounts.actions.colleagues", "apps.agents.actions.invitations"],
    "Answer": ["apps.ai.actions.showing", "apps.egress.batch", "apps.kb.actions.fetching", "apps.widget.mail"],
    "Answered": ["apps.ai.actions.conversing", "apps.ai.events"],
    "Asked": [
        "apps.ai.drivers.conversing",
        "apps.ai.vendor",
        "apps.kb.actions.retrieval",
        "apps.messengers.vendors.server",
    ],
    "AuthBody": ["apps.console.serializers.requests", "apps.widget.consumers"],
    "Block": ["apps.chats.models.blocks", "apps.extraction.sandbox.blocks"],
    "Budget": ["apps.core.quotas", "apps.core.redis.rate_limits"],
    "Candidate": ["apps.ai.rules.configuration", "apps.kb.rules.fusion"],
    "ChatAccepted": ["apps.chats.events", "apps.webhooks.payloads"],
    "ChatClosed": ["apps.chats.events", "apps.compat.payloads", "apps.webhooks.payloads"],
    "ChatCreated": ["apps.chats.events", "apps.webhooks.payloads"],
    "ChatId": ["apps.compat.serializers.requests", "apps.console.serializers.requests"],
    "ChatTransferred": ["apps.chats.events", "apps.webhooks.payloads"],
    "Chunk": [
        "apps.ai.rules.prompts",
        "apps.extraction.documents",
        "apps.core.ai_protocols",
        "apps.kb.actions.retrieval",
        "apps.kb.rules.documents",
    ],
    "Code": ["apps.messengers.rules.delivery", "apps.support.rules.codes"],
    "Connection": ["apps.core.database.base", "apps.messengers.models"],
    "ContactUpdated": ["apps.chats.events", "apps.webhooks.payloads"],
    "Decision": ["apps.ai.rules.outcomes", "apps.chats.actions.posting"],
    "Document": ["apps.extraction.documents", "apps.core.plugins"],
    "Effect": ["apps.ai.rules.replies", "apps.support.rules.tickets"],
    "Entry": ["apps.billing.models", "apps.chats.rules.transcripts"],
    "EventType": ["apps.agents.serializers.responses", "apps.webhooks.rules"],
    "EventTypeFilter": ["apps.webhooks.admin", "apps.webhooks.api.subscriptions"],
    "Export": ["apps.accounts.actions.imports", "apps.chats.rules.transcripts"],
    "Fault": ["apps.messengers.vendors.server", "apps.support.rules.envelope"],
    "Found": [
        "apps.core.endpoints.paging",
        "apps.core.endpoints.routes",
        "apps.kb.actions.retrieval",
        "apps.kb.actions.sitemaps",
    ],
    "Handling": ["apps.chats.rules.attribution", "apps.support.rules.codes"],
    "Line": ["apps.ai.rules.prompts", "apps.messengers.adapters.client"],
    "Lines": ["apps.ai.forms", "apps.billing.forms"],
    "LinesField": ["apps.kb.forms", "apps.support.forms"],
    "Link": ["apps.ai.rules.configuration", "apps.extraction.pages"],
    "Listener": ["apps.chats.realtime.feeds", "apps.webhooks.management.commands.webhook_listen"],
    "Made": ["apps.kb.actions.vectors", "apps.widget.rules.translations"],
    "Move": ["apps.ai.rules.lifecycle", "apps.billing.rules.ledger"],
    "Number": ["apps.billing.api.entities", "apps.core.endpoints.serializers"],
    "OfWidgetForm": ["apps.kb.forms", "apps.messengers.forms"],
    "Operator": ["apps.ai.rules.turns", "apps.chats.rules.attribution", "apps.console.authentication"],
    "OutboundMessage": ["apps.messengers.models", "apps.messengers.payloads"],
    "Outcome": ["apps.core.destinations", "apps.core.management.commands.rotate_field_keys"],
    "Page": ["apps.core.endpoints.paging", "apps.extraction.pages"],
    "Part": ["apps.core.endpoints.parts", "apps.messengers.rules.delivery"],
    "Place": ["apps.billing.rules.ledger", "apps.kb.querysets.retrieval"],
    "Plan": ["apps.billing.models", "apps.learning.actions.wishes"],
    "Presence": ["apps.agents.models", "apps.agents.presence", "apps.widget.querysets"],
    "Query": ["apps.core.endpoints.serializers", "apps.kb.querysets.retrieval"],
    "QuestionForm": ["apps.ai.forms", "apps.kb.forms"],
    "RatingCreated": ["apps.chats.events", "apps.webhooks.payloads"],
    "Read": ["apps.ai.rules.answers", "apps.chats.actions.posting"],
    "Reason": ["apps.kb.rules.crawling", "apps.support.rules.tickets"],
    "Refused": ["apps.chats.rules.states", "apps.extraction.sandbox.refusals", "apps.support.rules.tickets"],
    "Registered": ["apps.core.bus", "apps.messengers.adapters.adapter"],
    "Reply": [
        "apps.ai.actions.external_replies",
        "apps.console.models",
        "apps.core.ai_protocols",
        "apps.messengers.adapters.client",
    ],
    "Rule": ["apps.kb.models", "apps.learning.rules.guard_rails"],
    "Said": ["apps.ai.rules.prompts", "apps.ai.rules.replies", "apps.chats.events", "apps.messengers.rules.inbound"],
    "Scope": ["apps.core.plugins", "apps.kb.rules.crawling"],
    "SearchQuery": ["apps.console.api.inbox", "apps.kb.api.search"],
    "Sender": ["apps.chats.actions.posting", "apps.messengers.payloads"],
    "Server": ["apps.messengers.vendors.server", "apps.webhooks.management.commands.webhook_listen"],
    "SignIn": ["apps.accounts.views", "apps.console.querysets", "apps.console.views"],
    "Source": ["apps.ai.actions.model_calls", "apps.kb.models", "apps.support.rules.tickets"],
    "Spoken": ["apps.ai.api.detached_tests", "apps.support.serializers.requests"],
    "Standing": ["apps.ai.rules.lifecycle", "apps.support.rules.tickets"],
    "State": ["apps.ai.rules.turns", "apps.widget.rules.translations"],
    "StatusViewSet": ["apps.console.api.status", "apps.kb.api.status"],
    "Subscription": ["apps.billing.models", "apps.webhooks.models"],
    "SubscriptionAdmin": ["apps.billing.admin", "apps.webhooks.admin"],
    "Talk": ["apps.ai.actions.turns", "apps.compat.rules"],
    "Ticket": ["apps.console.models", "apps.support.models"],
    "Turn": ["apps.ai.actions.turns", "apps.ai.drivers.conversing", "apps.ai.models.external"],
    "Typing": ["apps.ai.actions.typing", "apps.chats.rules.typing"],
    "Upload": ["apps.core.endpoints.uploads", "apps.kb.models"],
    "Verdict": ["apps.ai.rules.turns", "apps.learning.rules.guard_rails", "apps.webhooks.rules"],
    "VisitorDesk": ["apps.core.public_config", "apps.support.actions.codes"],
    "Way": ["apps.ai.rules.turns", "apps.compat.payloads"],
    "Wire": ["apps.ai.drivers.client", "apps.messengers.adapters.client"],
    "_Exchange": ["apps.extraction.sandbox_process", "apps.webhooks.dispatcher"],
    "_Route": ["apps.egress.single", "apps.core.endpoints.routes"],
    "_Run": ["apps.kb.actions.crawling", "apps.learning.actions.cycles"],
    "_Work": ["apps.accounts.actions.imports", "apps.ai.drivers.conversing"],
}


def riddles(text: str) -> list[str]:
    """The sentences of a text that begin with none of their own words."""
    return [" ".join(each.split()) for each in SENTENCE_ENDS.split(text) if each and RIDDLE.match(each)]


def described(node: object) -> Iterator[str]:
    """Every title, summary and description of an OpenAPI document."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name in TEXTS and isinstance(value, str):
                yield value
            else:
                yield from described(value)
    elif isinstance(node, list):
        for each in node:
            yield from described(each)


def read_by_people(tree: ast.Module) -> Iterator[str]:
    """The docstrings of a module, and the texts that it hands to the OpenAPI document."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
        elif isinstance(node, ast.keyword) and node.arg in HELPS and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def test_sentences_of_the_source_begin_with_their_subject() -> None:
    found = [(name_of(path), one) for path in SOURCE for text in read_by_people(tree_of(path)) for one in riddles(text)]
    excused = {room: [one for path, one in found if path.startswith(room)] for room in RIDDLES}
    assert [line for line in found if not line[0].startswith(tuple(RIDDLES))] == []
    assert [room for room, most in RIDDLES.items() if not 0 < len(excused[room]) <= most] == [], (
        "exceptions only shrink"
    )


def test_sentences_of_the_documents_begin_with_their_subject() -> None:
    documents = [yaml.load(path.read_text(), yaml.CSafeLoader) for path in sorted(DOCS.glob("openapi*.yaml"))]
    cells = [each for row in (DOCS / "errors.md").read_text().splitlines() for each in row.split(" | ")]
    assert {one for text in (*described(documents), *cells) for one in riddles(text)} == set()


def test_a_riddle_is_found() -> None:
    text = (
        "Answers a chat. Of an unknown one nothing is told.\n\n`What` is left out stays. Whatever comes is a word more."
    )
    assert riddles(text) == ["Of an unknown one nothing is told.", "`What` is left out stays."]


def test_a_class_name_exists_once() -> None:
    """Classes within classes (a model's Meta) and the commands, whose name is Django's, are none of these."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in source_files("apps"):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and node.name != "Command":
                found[node.name].append(name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == NAMED_TWICE
