"""How to call each operation so that it succeeds: what its path, query and body hold.

One function an operation, named in the decorator as in `endpoints.py`. It gets the `World` of the test, in which it may
make what the operation needs, and names the rival's counterpart of each id in the path.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from io import BytesIO
from typing import Any
from uuid import uuid4

from django.utils import timezone

from apps.accounts.actions import set_answerer
from apps.accounts.actions.settings import change_settings
from apps.accounts.models import User, Widget
from apps.accounts.rules import Answerer
from apps.agents.models import Agent
from apps.agents.rules.departments import DAYS
from apps.ai.actions.assistants import change_assistant, create_assistant
from apps.ai.actions.settings import change_settings as set_ai
from apps.ai.models import AiSettings, Assistant, EvaluationCase, EvaluationRun
from apps.ai.rules.actors import SYSTEM
from apps.articles.actions.categories import create_category
from apps.articles.actions.centers import change_center
from apps.articles.actions.domains import set_domain
from apps.articles.actions.tallies import count_view, keep_search
from apps.articles.actions.texts import put_text
from apps.articles.models import ArticleImport, ArticleSearch, HelpCenter
from apps.articles.rules.tallies import ReadingPlace
from apps.assists.models import Assist
from apps.automations.models import Automation
from apps.cards.actions.settings import set_cards
from apps.cards.models import CardSettings, ChatCards
from apps.cards.rules import states
from apps.chats.models import Block, Chat, ChatActivity, Contact, ContactJoin, ContactNote, File, Rating
from apps.core.files import storage
from apps.kb.actions.bases import embedder_of
from apps.kb.actions.vectors import keep
from apps.kb.models import KnowledgeBase
from apps.learning.actions.demand import note_last_words
from apps.learning.actions.wishes import approve_wish, submit_wish
from apps.learning.models import Cycle, Probation
from apps.learning.rules.states import DemandCategory
from apps.messengers.models import Connection, VendorSettings
from apps.reports.actions.episodes import caught_up
from apps.reviews.models import Review
from apps.reviews.rules.scorecards import DEFAULTS as CRITERIA
from apps.routing.models import Assignment
from apps.support.settings import SETTINGS
from apps.widget.api.questions import ORDER_AND_CONSENT
from apps.widget.models import ChatInvitation, WidgetSettings
from tests.cast import Rival
from tests.factories import AiAgentFactory, ApiTokenFactory, DepartmentFactory, plain_text
from tests.factories.agents import AgentEventFactory, AgentFactory, InvitationFactory
from tests.factories.ai import (
    AlertFactory,
    AssistantFactory,
    CredentialFactory,
    ExternalOperatorFactory,
    ProbeTestFactory,
    TurnFactory,
)
from tests.factories.articles import an_article
from tests.factories.automations import AutomationFactory, AutomationRunFactory, MacroFactory
from tests.factories.billing import LegalEntityFactory, entity_fields, issued_invoice, plan_bought, topped_up
from tests.factories.chats import ChatFactory, ContactFactory, ContactTagFactory, MessageFactory
from tests.factories.console import CannedReplyFactory
from tests.factories.files import FileFactory
from tests.factories.invitations import KEY, ChatInvitationFactory, InvitationOfferFactory
from tests.factories.kb import CrawlerFactory, RuleFactory, SourceFactory, UploadFactory
from tests.factories.letters import LetterMessageFactory
from tests.factories.messengers import CabinetFactory, ChannelFactory, CommunityFactory, ConnectionFactory
from tests.factories.support import (
    ActionFactory,
    BindingFactory,
    IdentityFactory,
    TicketFactory,
    app_room,
    leased,
    unhandled,
)
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.uploads import FORM, form, part, picture, png


@dataclass(frozen=True, slots=True)
class World:
    """Who and what is there: the shop's people, and the rival, of whom nothing may ever show."""

    widget: Widget
    agent: Agent
    contact: Contact
    chat: Chat
    rival: Rival
    file_url: str
    models_url: str
    messengers_url: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A request that succeeds. `foreign_ids`: the rival's counterparts of `ids`, None where the place takes no id."""

    ids: tuple[Any, ...] = ()
    foreign_ids: tuple[Any, ...] = ()
    body: Any = None
    data: bytes | None = None
    content_type: str | None = None
    query: Mapping[str, str] = field(default_factory=dict)


Builder = Callable[[World], Sample]

SAMPLES: dict[str, Builder] = {}
REFUNDS = {
    "when": {"event": "visitor.wrote"},
    "if": {"field": "text", "op": "has_word", "value": "refund"},
    "then": [{"do": "priority", "value": "urgent"}],
}


def sample(*names: str) -> Callable[[Builder], Builder]:
    """Registers how the operations of those names ("METHOD /path") are called."""

    def register(builder: Builder) -> Builder:
        for name in names:
            if name in SAMPLES:
                raise ValueError(f"{name} has a sample already")
            SAMPLES[name] = builder
        return builder

    return register


@sample("GET /api/v1/agents/invitations")
def list_invitations(world: World) -> Sample:
    InvitationFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/agents/invitations")
def invite(world: World) -> Sample:
    return Sample(body={"email": "nina@mail.test"})


@sample("DELETE /api/v1/agents/invitations/{id}")
def of_an_invitation(world: World) -> Sample:
    own, foreign = (InvitationFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("GET /api/v1/chats")
def list_chats(world: World) -> Sample:
    return Sample()


@sample("GET /api/v1/chats/{id}", "GET /api/v1/chats/{id}/messages", "GET /api/v1/chats/{id}/transcript")
@sample("GET /api/v1/chats/{id}/routing")
def of_a_chat(world: World) -> Sample:
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,))


@sample("POST /api/v1/chats/{id}/close")
def close_a_chat(world: World) -> Sample:
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,), body={"reason": "resolved"})


@sample("POST /api/v1/chats/{id}/state")
def set_a_chats_state(world: World) -> Sample:
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,), body={"state": "ready"})


@sample("POST /api/v1/chats/{id}/messages")
def send_a_message(world: World) -> Sample:
    body = {"type": "text", "body": "Здравствуйте!", "agent_id": world.agent.pk}
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,), body=body)


@sample("GET /api/v1/contacts", "GET /api/v1/tags")
def list_contacts(world: World) -> Sample:
    ContactTagFactory.create(contact=world.contact)
    return Sample()


@sample("GET /api/v1/contacts/{id}")
def of_a_contact(world: World) -> Sample:
    ContactTagFactory.create(contact=world.contact)
    return Sample(ids=(world.contact.guid,), foreign_ids=(world.rival.contact.guid,))


@sample("PATCH /api/v1/contacts/{id}")
def update_a_contact(world: World) -> Sample:
    body = {"name": "Иван", "email": "i.petrov@mail.test", "phone": "+7 902", "attributes": {"plan": "pro"}}
    return Sample(ids=(world.contact.guid,), foreign_ids=(world.rival.contact.guid,), body=body)


@sample("POST /api/v1/contacts/{id}/tags")
def tag_a_contact(world: World) -> Sample:
    return Sample(ids=(world.contact.guid,), foreign_ids=(world.rival.contact.guid,), body={"tags": ["vip"]})


@sample("GET /api/v1/agents")
def list_agents(world: World) -> Sample:
    return Sample()


@sample("GET /api/v1/agents/{id}", "DELETE /api/v1/agents/{id}", "POST /api/v1/agents/{id}/suspend")
def of_an_agent(world: World) -> Sample:
    return Sample(ids=(world.agent.pk,), foreign_ids=(world.rival.agent.pk,))


@sample("PATCH /api/v1/agents/{id}")
def update_an_agent(world: World) -> Sample:
    return Sample(ids=(world.agent.pk,), foreign_ids=(world.rival.agent.pk,), body={"show_in_header": False})


@sample("POST /api/v1/agents/{id}/restore")
def restore_an_agent(world: World) -> Sample:
    banned, foreign = (AgentFactory.create(widget=each, status="banned") for each in (world.widget, world.rival.widget))
    return Sample(ids=(banned.pk,), foreign_ids=(foreign.pk,))


@sample("POST /api/v1/agents/{id}/avatar")
def set_an_avatar(world: World) -> Sample:
    data = form(part(png(), filename="alice.png"))
    return Sample(ids=(world.agent.pk,), foreign_ids=(world.rival.agent.pk,), data=data, content_type=FORM)


@sample("DELETE /api/v1/agents/{id}/avatar")
def remove_an_avatar(world: World) -> Sample:
    for agent in (world.agent, world.rival.agent):
        agent.avatar = f"0a/{agent.pk:030x}"
        agent.save(update_fields=["avatar"])
    return Sample(ids=(world.agent.pk,), foreign_ids=(world.rival.agent.pk,))


@sample("GET /api/v1/agents/{id}/events")
def of_an_event_log(world: World) -> Sample:
    AgentEventFactory.create(agent=world.agent, details={"chat_id": world.chat.pk})
    return Sample(ids=(world.agent.pk,), foreign_ids=(world.rival.agent.pk,))


@sample("POST /api/v1/files")
def upload_a_file(world: World) -> Sample:
    return Sample(body={"url": world.file_url})


@sample("GET /api/v1/files/{id}", "GET /console/files/{id}")
def of_a_file(world: World) -> Sample:
    own, foreign = (FileFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("POST /api/v1/chats/{id}/transfer")
def transfer_a_chat(world: World) -> Sample:
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,), body={"agent_id": world.agent.pk})


@sample("PUT /api/v1/chats/{id}/priority", "PUT /console/chats/{id}/priority")
def make_a_chat_urgent(world: World) -> Sample:
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,), body={"priority": "urgent"})


@sample("POST /api/v1/chats/{id}/route")
def send_a_chat_to_a_department(world: World) -> Sample:
    department = DepartmentFactory.create(widget=world.widget, agents=[world.agent])
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,), body={"department_id": department.pk})


@sample("POST /api/v1/chats/{id}/rate-request")
def ask_for_a_rating(world: World) -> Sample:
    MessageFactory.create(chat=world.chat)
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,))


@sample("POST /api/v1/chats/{id}/typing")
def type_in_a_chat(world: World) -> Sample:
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,), body={"state": "stop"})


@sample("POST /api/v1/chats/{id}/seen")
def see_messages(world: World) -> Sample:
    message = MessageFactory.create(chat=world.chat)
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,), body={"message_id": message.pk})


# A receiver on this machine, which the tests' allow list lets subscriptions name.
RECEIVER = "https://localhost:8443/hooks/parley"


@sample("GET /api/v1/departments")
def list_departments(world: World) -> Sample:
    DepartmentFactory.create(widget=world.widget, agents=[world.agent])
    return Sample()


@sample("POST /api/v1/departments")
def add_a_department(world: World) -> Sample:
    body = {"name": "Возвраты", "channels": ["smb"], "agent_ids": [world.agent.pk], "schedule": {"Monday": "full"}}
    return Sample(body=body)


def _of_a_department(world: World, body: Any = None) -> Sample:
    department = DepartmentFactory.create(widget=world.widget, agents=[world.agent])
    return Sample(ids=(department.pk,), foreign_ids=(world.rival.department.pk,), body=body)


@sample("GET /api/v1/departments/{id}", "DELETE /api/v1/departments/{id}")
def of_a_department(world: World) -> Sample:
    return _of_a_department(world)


@sample("PATCH /api/v1/departments/{id}")
def change_a_department(world: World) -> Sample:
    return _of_a_department(world, {"name": "Sales", "channels": ["tg", "smb"]})


@sample("PUT /api/v1/departments/{id}/agents")
def replace_a_departments_agents(world: World) -> Sample:
    return _of_a_department(world, {"agent_ids": [world.agent.pk]})


@sample("PUT /api/v1/departments/{id}/schedule")
def replace_a_departments_schedule(world: World) -> Sample:
    return _of_a_department(world, {"schedule": {"Tuesday": {"from": "09:00", "to": "18:00"}}})


HOURS = {
    "time_zone": "Europe/Moscow",
    "week": {day: [{"from": "21:00", "to": "02:00"}] for day in DAYS},
    "exceptions": [{"date": "2027-01-01", "periods": [], "text": "С Новым годом!"}],
}


@sample("GET /api/v1/hours")
def read_hours(world: World) -> Sample:
    return Sample()


@sample("PUT /api/v1/hours")
def replace_hours(world: World) -> Sample:
    return Sample(body=HOURS)


@sample("GET /api/v1/hours/now")
def ask_whether_it_is_open(world: World) -> Sample:
    return Sample()


@sample("GET /api/v1/holidays")
def list_public_holidays(world: World) -> Sample:
    return Sample(query={"country": "RU", "year": "2027"})


@sample("GET /api/v1/departments/{id}/hours")
def read_a_departments_hours(world: World) -> Sample:
    return _of_a_department(world)


@sample("PUT /api/v1/departments/{id}/hours")
def replace_a_departments_hours(world: World) -> Sample:
    return _of_a_department(world, HOURS)


@sample("GET /api/v1/ratings")
def list_ratings(world: World) -> Sample:
    MessageFactory.create(chat=world.chat)
    Rating.objects.create(widget=world.widget, chat=world.chat, value=2, comment="Late", agent=world.agent)
    return Sample()


@sample("GET /api/v1/rating-policy")
def read_the_policy_of_ratings(world: World) -> Sample:
    return Sample()


@sample("PATCH /api/v1/rating-policy")
def change_the_policy_of_ratings(world: World) -> Sample:
    return Sample(body={"ask": "after_end", "scale": "faces", "question_i18n": {"de": "Wie war es?"}})


@sample("GET /api/v1/routing")
def read_routing(world: World) -> Sample:
    return Sample()


@sample("PATCH /api/v1/routing")
def change_routing(world: World) -> Sample:
    return Sample(body={"mode": "routed", "accept_seconds": 40})


@sample("GET /api/v1/departments/{id}/routing")
def read_a_departments_routing(world: World) -> Sample:
    return _of_a_department(world)


@sample("PATCH /api/v1/departments/{id}/routing")
def change_a_departments_routing(world: World) -> Sample:
    return _of_a_department(world, {"mode": "routed", "silent_minutes": 5})


@sample("GET /api/v1/agents/{id}/routing")
def read_an_operators_places(world: World) -> Sample:
    return Sample(ids=(world.agent.pk,), foreign_ids=(world.rival.agent.pk,))


@sample("PATCH /api/v1/agents/{id}/routing")
def change_an_operators_places(world: World) -> Sample:
    return Sample(ids=(world.agent.pk,), foreign_ids=(world.rival.agent.pk,), body={"capacity": 4})


@sample("GET /api/v1/automations", "GET /api/v1/automation-runs", "GET /api/v1/macros")
def list_what_is_done_by_itself(world: World) -> Sample:
    AutomationRunFactory.create(chat=world.chat, automation=AutomationFactory.create(widget=world.widget))
    MacroFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/automations")
def add_an_automation(world: World) -> Sample:
    return Sample(body={"name": "Refunds", **REFUNDS})


@sample("POST /api/v1/automations/try")
def try_an_automation(world: World) -> Sample:
    return Sample(body={**REFUNDS, "days": 7})


@sample("PUT /api/v1/automations/order")
def order_automations(world: World) -> Sample:
    AutomationFactory.create(widget=world.widget)
    return Sample(body={"ids": list(Automation.objects.for_widget(world.widget.pk).values_list("pk", flat=True))})


@sample("GET /api/v1/automations/{id}", "DELETE /api/v1/automations/{id}", "GET /api/v1/automations/{id}/runs")
def read_an_automation(world: World) -> Sample:
    return _of_an_automation(world)


@sample("PATCH /api/v1/automations/{id}")
def change_an_automation(world: World) -> Sample:
    return _of_an_automation(world, {"is_enabled": True})


@sample("POST /api/v1/automations/{id}/try")
def try_a_stored_automation(world: World) -> Sample:
    return _of_an_automation(world, {"days": 30})


@sample("POST /api/v1/automations/{id}/undo")
def undo_an_automations_runs(world: World) -> Sample:
    return _of_an_automation(world, {"since": "2026-11-01T00:00:00Z"})


def _of_an_automation(world: World, body: Any = None) -> Sample:
    own = AutomationFactory.create(widget=world.widget, tried_at=timezone.now())
    return Sample(ids=(own.pk,), foreign_ids=(AutomationFactory.create(widget=world.rival.widget).pk,), body=body)


@sample("GET /api/v1/chat-invitations", "GET /api/v1/widget/invitation-settings")
def list_chat_invitations(world: World) -> Sample:
    ChatInvitationFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/chat-invitations")
def add_an_invitation(world: World) -> Sample:
    return Sample(body={"name": "Prices", "texts": {"en": "May we help?"}, "rule": {"page": ["/prices*"]}})


@sample("PATCH /api/v1/widget/invitation-settings")
def change_the_settings_of_invitations(world: World) -> Sample:
    return Sample(body={"per_visit": 2})


@sample("GET /api/v1/chat-invitations/{id}/results")
def read_an_invitations_results(world: World) -> Sample:
    answer = _of_an_invitation(world)
    InvitationOfferFactory.create(invitation=ChatInvitation.objects.get(pk=answer.ids[0]))
    return answer


@sample("GET /api/v1/chat-invitations/{id}", "DELETE /api/v1/chat-invitations/{id}")
def read_an_invitation(world: World) -> Sample:
    return _of_an_invitation(world)


@sample("PATCH /api/v1/chat-invitations/{id}")
def change_an_invitation(world: World) -> Sample:
    return _of_an_invitation(world, {"holdout": 20})


def _of_an_invitation(world: World, body: Any = None) -> Sample:
    own, foreign = (ChatInvitationFactory.create(widget=each) for each in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,), body=body)


@sample("GET /api/v1/articles", "GET /api/v1/article-categories", "GET /api/v1/help-center")
def list_articles(world: World) -> Sample:
    category = create_category(widget_id=world.widget.pk, name={"en": "Delivery"})
    an_article(world.widget, category_id=category.pk, published=True)
    return Sample()


@sample("PATCH /api/v1/help-center")
def change_the_help_center(world: World) -> Sample:
    return Sample(body={"is_public": True, "title": {"en": "Flowers"}})


@sample("PUT /api/v1/help-center/domain")
def set_the_domain(world: World) -> Sample:
    return Sample(body={"domain": None})  # another widget may send the same


@sample("POST /api/v1/help-center/domain/check")
def check_the_domain(world: World) -> Sample:
    set_domain(widget_id=world.widget.pk, domain="help.flowers.example", is_vouched=True)
    return Sample()


@sample("POST /api/v1/articles")
def add_an_article(world: World) -> Sample:
    return Sample(body={"lang": "en", "title": "Returns", "body": "Within 14 days."})


@sample("GET /api/v1/articles/{id}", "DELETE /api/v1/articles/{id}")
def read_an_article(world: World) -> Sample:
    return _of_an_article(world)


@sample("PATCH /api/v1/articles/{id}")
def move_an_article(world: World) -> Sample:
    return _of_an_article(world, body={"position": 3})


@sample("PUT /api/v1/articles/{id}/texts/{lang}")
def write_a_text(world: World) -> Sample:
    return _of_an_article(world, "en", body={"title": "Returns", "body": "Within 30 days.", "base_version": 1})


@sample("DELETE /api/v1/articles/{id}/texts/{lang}")
def delete_a_text(world: World) -> Sample:
    found = _of_an_article(world, "ru")
    for widget, article_id in ((world.widget, found.ids[0]), (world.rival.widget, found.foreign_ids[0])):
        put_text(widget_id=widget.pk, article_id=article_id, lang="ru", title="Возврат", body="Две недели.")
    return found


@sample("POST /api/v1/articles/{id}/texts/{lang}/publish")
def publish_a_text(world: World) -> Sample:
    return _of_an_article(world, "en", body={"version": 1})


@sample("POST /api/v1/articles/{id}/texts/{lang}/unpublish", "GET /api/v1/articles/{id}/texts/{lang}/versions")
def withdraw_a_text(world: World) -> Sample:
    return _of_an_article(world, "en")


@sample("GET /api/v1/articles/{id}/texts/{lang}/versions/{version}")
def read_a_version(world: World) -> Sample:
    return _of_an_article(world, "en", 1)


def _of_an_article(world: World, *below: Any, body: Any = None) -> Sample:
    own, foreign = (an_article(each, published=True) for each in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk, *below), foreign_ids=(foreign.pk, *(None for _ in below)), body=body)


@sample("POST /api/v1/article-categories")
def add_a_category(world: World) -> Sample:
    return Sample(body={"name": {"en": "Delivery", "ru": "Доставка"}})


@sample("PATCH /api/v1/article-categories/{id}")
def change_a_category(world: World) -> Sample:
    return _of_a_category(world, {"position": 2})


@sample("DELETE /api/v1/article-categories/{id}")
def delete_a_category(world: World) -> Sample:
    return _of_a_category(world)


def _of_a_category(world: World, body: Any = None) -> Sample:
    own, foreign = (
        create_category(widget_id=each.pk, name={"en": "Delivery"}) for each in (world.widget, world.rival.widget)
    )
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,), body=body)


@sample("POST /api/v1/article-imports")
def import_articles(world: World) -> Sample:
    return Sample(body={"url": "https://help.flowers.example/"})


@sample("GET /api/v1/article-imports/{id}")
def read_an_import_of_articles(world: World) -> Sample:
    own, foreign = (
        ArticleImport.objects.create(widget=each, url="https://old.test/", state="done")
        for each in (world.widget, world.rival.widget)
    )
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("POST /api/v1/article-pictures")
def upload_a_picture_of_articles(world: World) -> Sample:
    return Sample(data=form(part(picture("PNG"), filename="bouquet.png")), content_type=FORM)


@sample("POST /api/v1/automation-runs/{id}/undo")
def undo_a_run(world: World) -> Sample:
    own, foreign = AutomationRunFactory.create(chat=world.chat), AutomationRunFactory.create(chat=world.rival.chat)
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("POST /api/v1/macros")
def add_a_shared_macro(world: World) -> Sample:
    return Sample(body={"name": "Urgent", "key": 1, "then": [{"do": "priority", "value": "urgent"}], "inputs": []})


@sample("GET /api/v1/macros/{id}", "DELETE /api/v1/macros/{id}")
def read_a_macro(world: World) -> Sample:
    return _of_a_macro(world)


@sample("PATCH /api/v1/macros/{id}")
def change_a_shared_macro(world: World) -> Sample:
    return _of_a_macro(world, {"key": 2})


def _of_a_macro(world: World, body: Any = None) -> Sample:
    own, foreign = MacroFactory.create(widget=world.widget), MacroFactory.create(widget=world.rival.widget)
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,), body=body)


@sample("GET /api/v1/agents/stats")
def list_agents_statistics(world: World) -> Sample:
    return Sample()


@sample("GET /api/v1/agents/{id}/stats")
def read_an_agents_statistics(world: World) -> Sample:
    return Sample(ids=(world.agent.pk,), foreign_ids=(world.rival.agent.pk,))


@sample("GET /api/v1/webhook-subscriptions")
def list_subscriptions(world: World) -> Sample:
    SubscriptionFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/webhook-subscriptions")
def subscribe(world: World) -> Sample:
    return Sample(body={"url": RECEIVER, "events": ["message.created"]})


@sample("GET /api/v1/webhook-subscriptions/{id}", "DELETE /api/v1/webhook-subscriptions/{id}")
def of_a_subscription(world: World) -> Sample:
    own, foreign = (SubscriptionFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("PATCH /api/v1/webhook-subscriptions/{id}")
def change_a_subscription(world: World) -> Sample:
    changes = {"url": f"{RECEIVER}/changed", "events": ["chat.closed"], "is_active": False}
    return replace(of_a_subscription(world), body=changes)


@sample("POST /api/v1/webhook-subscriptions/{id}/rotate-secret")
def rotate_a_subscriptions_secret(world: World) -> Sample:
    return replace(of_a_subscription(world), body={"secret": "another-secret-entirely"})


@sample("GET /api/v1/webhook-subscriptions/{id}/deliveries")
def list_a_subscriptions_deliveries(world: World) -> Sample:
    own, foreign = (DeliveryFactory.create(subscription__widget=each) for each in (world.widget, world.rival.widget))
    return Sample(ids=(own.destination_id,), foreign_ids=(foreign.destination_id,))


@sample("POST /api/v1/webhook-subscriptions/{id}/redeliver")
def redeliver(world: World) -> Sample:
    own, foreign = (
        DeliveryFactory.create(subscription__widget=widget, status="failed")
        for widget in (world.widget, world.rival.widget)
    )
    return Sample(ids=(own.destination_id,), foreign_ids=(foreign.destination_id,), body={"delivery_id": str(own.guid)})


@sample("POST /api/v1/webhook-subscriptions/{id}/redeliver-failed")
def redeliver_what_has_failed(world: World) -> Sample:
    return replace(redeliver(world), body={"since": "2026-11-01T00:00:00Z"})


@sample("GET /api/v1/webhook-events")
def list_webhook_events(world: World) -> Sample:
    return Sample()


@sample("GET /api/v1/reports", "GET /api/v1/reports/episodes", "GET /api/v1/reports/export", "GET /api/v1/reports/ai")
def read_reports(world: World) -> Sample:
    MessageFactory.create(chat=world.chat)
    caught_up(world.widget.pk)  # a read derives what was stored since
    return Sample()


@sample(
    "GET /api/v1/stats", "GET /api/v1/stats/channels", "GET /api/v1/stats/timeseries", "GET /api/v1/stats/answer-times"
)
def read_statistics(world: World) -> Sample:
    return Sample()


@sample("GET /api/v1/account", "GET /api/v1/partners")
def read_the_account(world: World) -> Sample:
    LegalEntityFactory.create(account=world.widget.account)
    return Sample()


@sample("PATCH /api/v1/account")
def update_the_account(world: World) -> Sample:
    return Sample(body={"name": "Ольга", "surname": None, "phone": "+7 (900) 000-00-00"})


@sample("GET /api/v1/billing/balance", "GET /api/v1/billing/transactions")
def read_the_money(world: World) -> Sample:
    topped_up(world.widget)
    return Sample()


@sample("GET /api/v1/billing/transactions/{id}")
def of_a_transaction(world: World) -> Sample:
    return Sample(ids=(topped_up(world.widget).pk,), foreign_ids=(topped_up(world.rival.widget).pk,))


@sample("GET /api/v1/billing/subscriptions")
def list_plan_subscriptions(world: World) -> Sample:
    plan_bought(world.widget)
    return Sample()


@sample("GET /api/v1/billing/subscriptions/{id}")
def of_a_plan_subscription(world: World) -> Sample:
    return Sample(ids=(plan_bought(world.widget).pk,), foreign_ids=(plan_bought(world.rival.widget).pk,))


@sample("GET /api/v1/billing/invoices")
def list_invoices(world: World) -> Sample:
    issued_invoice(world.widget)
    return Sample()


@sample("GET /api/v1/billing/invoices/{id}")
def of_an_invoice(world: World) -> Sample:
    return Sample(ids=(issued_invoice(world.widget).pk,), foreign_ids=(issued_invoice(world.rival.widget).pk,))


@sample("GET /api/v1/billing/entities")
def list_legal_entities(world: World) -> Sample:
    LegalEntityFactory.create(account=world.widget.account)
    return Sample()


@sample("POST /api/v1/billing/entities")
def create_a_legal_entity(world: World) -> Sample:
    return Sample(body=entity_fields())


@sample("GET /api/v1/billing/entities/{id}", "DELETE /api/v1/billing/entities/{id}")
def of_a_legal_entity(world: World) -> Sample:
    accounts = (world.widget.account, world.rival.account)
    own, foreign = (LegalEntityFactory.create(account=account) for account in accounts)
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("PATCH /api/v1/billing/entities/{id}")
def update_a_legal_entity(world: World) -> Sample:
    sample = of_a_legal_entity(world)
    return Sample(ids=sample.ids, foreign_ids=sample.foreign_ids, body={"contact_person": "Пётр Иванов"})


@sample("POST /api/v1/channels")
def register_a_channel(world: World) -> Sample:
    return Sample(body={"name": "Наше приложение", "outbound_url": RECEIVER, "is_active": True})


@sample("GET /api/v1/channels/{id}", "GET /api/v1/channels/{id}/status")
def of_a_channel(world: World) -> Sample:
    own, foreign = (ChannelFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("POST /api/v1/channels/{id}/messages")
def deliver_to_a_channel(world: World) -> Sample:
    message = {"type": "text", "text": "Есть тюльпаны?", "id": "m-1"}
    body = {"external_client_id": "client-4711", "external_channel_id": "app", "message": message}
    sample = of_a_channel(world)
    return Sample(ids=sample.ids, foreign_ids=sample.foreign_ids, body=body)


def messengers_speak(world: World) -> None:
    """The vendors are where the test has them, and the widget's plan is paid."""
    for code in ("tg", "vk"):
        VendorSettings.objects.get_or_create(provider=code, defaults={"base": f"{world.messengers_url}/{code}"})
    plan_bought(world.widget)


@sample("GET /api/v1/messengers")
def list_messengers(world: World) -> Sample:
    Connection.objects.for_widget(world.widget.pk).filter(provider="tg").delete()  # another sample's
    ConnectionFactory.create(widget=world.widget)
    return Sample()


@sample("GET /api/v1/messengers/{provider}")
def read_a_messenger(world: World) -> Sample:
    return Sample(ids=("tg",), foreign_ids=(None,))


@sample("PUT /api/v1/messengers/{provider}")
def connect_a_messenger(world: World) -> Sample:
    messengers_speak(world)
    return Sample(ids=("tg",), foreign_ids=(None,), body={"url": None, "token": f"4711:{'A' * 35}"})


@sample("DELETE /api/v1/messengers/{provider}", "POST /api/v1/messengers/{provider}/verify")
def of_a_connected_messenger(world: World) -> Sample:
    messengers_speak(world)
    Connection.objects.for_widget(world.widget.pk).filter(provider="tg").delete()  # another sample's
    ConnectionFactory.create(widget=world.widget)
    return Sample(ids=("tg",), foreign_ids=(None,))


@sample("GET /api/v1/messengers/vk/communities")
def list_communities(world: World) -> Sample:
    CommunityFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/messengers/vk/communities")
def connect_a_community(world: World) -> Sample:
    messengers_speak(world)
    return Sample(body={"token": "vk1.a.key", "community": "https://vk.com/club99"})


@sample("DELETE /api/v1/messengers/vk/communities/{id}", "POST /api/v1/messengers/vk/communities/{id}/primary")
def of_a_community(world: World) -> Sample:
    own, foreign = (CommunityFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("GET /api/v1/messengers/av/cabinets")
def list_cabinets(world: World) -> Sample:
    CabinetFactory.create(widget=world.widget)
    return Sample()


@sample("GET /api/v1/messengers/av/cabinets/{id}", "DELETE /api/v1/messengers/av/cabinets/{id}")
def of_a_cabinet(world: World) -> Sample:
    own, foreign = (CabinetFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("PATCH /api/v1/messengers/av/cabinets/{id}")
def change_a_cabinet(world: World) -> Sample:
    sample = of_a_cabinet(world)
    return Sample(ids=sample.ids, foreign_ids=sample.foreign_ids, body={"status": "disabled"})


@sample("POST /compat/legacy/bot/{token}")
def let_a_bot_write(world: World) -> Sample:
    message = {"type": "TEXT", "text": "Здравствуйте!", "timestamp": 1_795_257_900}
    body = {"message_type": "BOT_MESSAGE", "chat_id": str(world.chat.pk), "client_id": "5", "message": message}
    token = plain_text(ApiTokenFactory.create(widget=world.widget))
    return Sample(ids=(token,), foreign_ids=(None,), body=body)


@sample("POST /compat/legacy/chat/{secret}")
def deliver_by_a_secret(world: World) -> Sample:
    channel = ChannelFactory.create(widget=world.widget)
    body = {"sender": {"id": 4711}, "recipient": {"id": "app"}, "message": {"type": "text", "text": "Есть тюльпаны?"}}
    return Sample(ids=(channel.secret,), foreign_ids=(None,), body=body)


@sample("GET /compat/legacy/chat/{secret}/status")
def ask_by_a_secret(world: World) -> Sample:
    return Sample(ids=(ChannelFactory.create(widget=world.widget).secret,), foreign_ids=(None,))


@sample("POST /console/ticket")
def ask_for_a_ticket(world: World) -> Sample:
    return Sample()


@sample("PUT /console/status")
def take_a_break(world: World) -> Sample:
    return Sample(body={"status": "relaxation"})


@sample("GET /console/me")
def see_ones_choices(world: World) -> Sample:
    return Sample()


@sample("GET /console/report")
def read_ones_own_report(world: World) -> Sample:
    return Sample()


def as_manager(world: World) -> None:
    User.objects.filter(pk=world.agent.user_id).update(is_staff=True, role=User.Role.MANAGER)


def reviews(world: World, **values: Any) -> tuple[Review, Review]:
    """A review of each side's chat, of the answers of another operator than the caller."""
    found = []
    for chat in (world.chat, world.rival.chat):
        message = MessageFactory.create(chat=chat)
        about = {"kind": "person", "agent_id": None, "origin": "person", "scorecard_version": 1, **values}
        found.append(Review.objects.create(widget=chat.widget, chat=chat, episode_id=message.pk, **about))
    return found[0], found[1]


def of_a_review(world: World, body: Any = None, **values: Any) -> Sample:
    as_manager(world)
    ours, theirs = reviews(world, **values)
    return Sample(ids=(ours.pk,), foreign_ids=(theirs.pk,), body=body)


SCORES = [{"key": each.key, "value": 1, "note": ""} for each in CRITERIA]


@sample("GET /api/v1/reviews", "GET /console/reviews", "GET /console/reviews/agreement", "GET /console/scorecard")
def read_reviews(world: World) -> Sample:
    of_a_review(world)
    return Sample()


@sample("PUT /console/scorecard")
def change_the_scorecard(world: World) -> Sample:
    as_manager(world)
    criteria = [{"key": "correct", "title": "The answer is right", "scale": "yes_no", "weight": 5}]
    return Sample(body={"version": 1, "criteria": criteria, "prefill": "reviews"})


@sample("POST /console/reviews")
def review_a_chat(world: World) -> Sample:
    as_manager(world)
    MessageFactory.create(chat=world.chat)
    answer = MessageFactory.create(chat=world.chat, agent=world.agent)
    ChatActivity.objects.create(widget=world.widget, chat=world.chat, kind="closed", after_message_id=answer.pk)
    return Sample(body={"chat_id": world.chat.pk})


@sample("GET /console/reviews/{id}")
def see_a_review(world: World) -> Sample:
    return of_a_review(world)


@sample("PUT /console/reviews/{id}/scores")
def score_a_review(world: World) -> Sample:
    return of_a_review(world, {"version": 1, "scores": SCORES, "comment": "Well done."})


@sample("POST /console/reviews/{id}/reply")
def reply_to_a_review(world: World) -> Sample:
    return of_a_review(world, {"text": "The price was right on that day."}, agent_id=world.agent.pk, state="done")


@sample("POST /console/reviews/{id}/settle")
def settle_a_review(world: World) -> Sample:
    return of_a_review(world, {"version": 1, "comment": "Agreed."}, state="answered")


@sample("POST /console/reviews/{id}/prefill")
def have_a_model_score_a_review(world: World) -> Sample:
    CredentialFactory.create(widget=world.widget, model="m-1")
    return of_a_review(world)


@sample("PATCH /console/me")
def choose_when_to_be_woken(world: World) -> Sample:
    return Sample(body={"letters": {"quiet": {"from": "22:00", "to": "07:00", "zone": "Europe/Moscow"}}})


@sample("POST /console/chats/{id}/assists")
def ask_a_model_as_an_operator(world: World) -> Sample:
    CredentialFactory.create(widget=world.widget, model="m-1")
    return of_an_operators_chat(world, {"client_id": str(uuid4()), "kind": "draft", "text": "delivery, tomorrow"})


@sample("GET /console/assists/{id}")
def see_an_assist(world: World) -> Sample:
    return replace(judge_an_assist(world), body=None)


@sample("PATCH /console/assists/{id}")
def judge_an_assist(world: World) -> Sample:
    ours, theirs = (
        Assist.objects.create(widget=chat.widget, chat=chat, agent=agent, client_id=uuid4(), kind="draft", due_at=None)
        for chat, agent in ((world.chat, world.agent), (world.rival.chat, world.rival.agent))
    )
    return Sample(ids=(ours.pk,), foreign_ids=(theirs.pk,), body={"outcome": "dismissed", "helpful": False})


@sample("GET /console/tools")
def list_tools(world: World) -> Sample:
    return Sample()


@sample("GET /console/settings")
def see_the_desk(world: World) -> Sample:
    return Sample()


@sample("PATCH /console/settings")
def set_the_desk(world: World) -> Sample:
    User.objects.filter(pk=world.agent.user_id).update(is_staff=True, role=User.Role.MANAGER)
    return Sample(body={"drafts": "waiting", "away_minutes": 30})


@sample("GET /console/attributes")
def see_the_kinds(world: World) -> Sample:
    return Sample()


@sample("PUT /console/attributes")
def declare_kinds(world: World) -> Sample:
    User.objects.filter(pk=world.agent.user_id).update(is_staff=True, role=User.Role.MANAGER)
    return Sample(body={"attributes": [{"key": "plan", "kind": "choice", "choices": ["free", "pro"]}]})


@sample("GET /console/inbox", "GET /console/unanswered")
def list_the_inbox(world: World) -> Sample:
    MessageFactory.create(chat=world.chat)
    return Sample()


@sample("GET /console/search")
def search_the_inbox(world: World) -> Sample:
    MessageFactory.create(chat=world.chat, body="Есть тюльпаны?")
    return Sample(query={"q": "тюльпан"})


@sample(
    "GET /console/chats/{id}",
    "GET /console/chats/{id}/messages",
    "POST /console/chats/{id}/accept",
    "POST /console/chats/{id}/rate-request",
    "POST /console/chats/{id}/return",
    "POST /console/chats/{id}/dealt-with",
    "POST /console/chats/{id}/wake",
)
def of_an_operators_chat(world: World, body: Any = None) -> Sample:
    MessageFactory.create(chat=world.chat)
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,), body=body)


@sample("POST /console/chats/{id}/assign", "POST /console/chats/{id}/transfer")
def hand_a_chat_over(world: World) -> Sample:
    return of_an_operators_chat(world, {"agent_id": world.agent.pk})


@sample("GET /console/contacts")
def list_people(world: World) -> Sample:
    MessageFactory.create(chat=world.chat)
    return Sample()


@sample("GET /console/contacts/{id}")
def read_a_person(world: World) -> Sample:
    return Sample(ids=(world.contact.guid,), foreign_ids=(world.rival.contact.guid,))


@sample("POST /console/contacts/{id}/notes")
def note_something_of_a_person(world: World) -> Sample:
    return Sample(ids=(world.contact.guid,), foreign_ids=(world.rival.contact.guid,), body={"text": "Prefers calls"})


@sample("DELETE /console/contacts/{id}/notes/{id}")
def delete_a_persons_note(world: World) -> Sample:
    notes = [
        ContactNote.objects.create(widget=contact.widget, contact=contact, agent=agent, text="x")
        for contact, agent in ((world.contact, world.agent), (world.rival.contact, world.rival.agent))
    ]
    return Sample(ids=(world.contact.guid, notes[0].pk), foreign_ids=(world.rival.contact.guid, notes[1].pk))


@sample("POST /console/contacts/{id}/join")
def join_two_people(world: World) -> Sample:
    other = ContactFactory.create(widget=world.contact.widget)
    return Sample(ids=(world.contact.guid,), foreign_ids=(world.rival.contact.guid,), body={"contact": other.guid})


@sample("DELETE /console/contacts/{id}/join/{id}")
def undo_a_join(world: World) -> Sample:
    others = []
    for contact in (world.contact, world.rival.contact):
        others.append(ContactFactory.create(widget=contact.widget))
        ContactJoin.objects.create(widget=contact.widget, first=contact, contact=others[-1])
    return Sample(ids=(world.contact.guid, others[0].guid), foreign_ids=(world.rival.contact.guid, others[1].guid))


@sample("GET /console/chats/{id}/copies")
def see_who_gets_a_copy(world: World) -> Sample:
    return of_an_operators_chat(world)


@sample("PUT /console/chats/{id}/copies")
def say_who_gets_a_copy(world: World) -> Sample:
    return of_an_operators_chat(world, {"copies": []})


@sample("GET /api/v1/queue", "GET /console/queue")
def see_the_queue(world: World) -> Sample:
    return Sample()


@sample("POST /console/chats/{id}/decline")
def let_an_offer_pass(world: World) -> Sample:
    MessageFactory.create(chat=world.chat)
    now = timezone.now()
    offer = {"offered_to": world.agent, "offered_at": now, "offered_until": now + timedelta(minutes=1)}
    Chat.objects.filter(pk=world.chat.pk).update(queued_at=now, **offer)
    Assignment.objects.create(widget=world.widget, chat=world.chat, agent=world.agent, waits_since=now, why={})
    return Sample(ids=(world.chat.pk,), foreign_ids=(world.rival.chat.pk,))


@sample("PUT /console/chats/{id}/translation")
def translate_a_chat(world: World) -> Sample:
    return of_an_operators_chat(world, {"on": False})


@sample("POST /console/chats/{id}/snooze")
def put_a_chat_aside(world: World) -> Sample:
    return of_an_operators_chat(world, {"until": None})


@sample("POST /console/chats/{id}/close")
def close_an_operators_chat(world: World) -> Sample:
    return of_an_operators_chat(world, {"reason": "resolved"})


@sample("POST /console/chats/{id}/state")
def set_an_operators_chats_state(world: World) -> Sample:
    return of_an_operators_chat(world, {"state": "spam"})


@sample("POST /console/messages/{id}/resend")
def send_again_as_an_operator(world: World) -> Sample:
    at = "2026-11-22T04:00:00Z"
    delivery = {"state": "failed", "code": "blocked_by_user", "detail": None, "attempts": 1, "at": at}
    ours, theirs = (MessageFactory.create(chat=chat, delivery=delivery) for chat in (world.chat, world.rival.chat))
    return Sample(ids=(ours.pk,), foreign_ids=(theirs.pk,))


@sample("DELETE /console/messages/{id}", "GET /console/messages/{id}/edits")
def take_an_own_message_back(world: World, body: Any = None) -> Sample:
    ours = MessageFactory.create(chat=world.chat, agent=world.agent, via="console")
    theirs = MessageFactory.create(chat=world.rival.chat)
    return Sample(ids=(ours.pk,), foreign_ids=(theirs.pk,), body=body)


@sample("PATCH /console/messages/{id}")
def edit_an_own_message(world: World) -> Sample:
    return take_an_own_message_back(world, {"body": "The tea is back on Monday."})


@sample("GET /console/messages/{id}/letter")
def see_a_letter_as_an_operator(world: World) -> Sample:
    ours, theirs = (LetterMessageFactory.create(chat=chat) for chat in (world.chat, world.rival.chat))
    return Sample(ids=(ours.pk,), foreign_ids=(theirs.pk,))


@sample("POST /console/chats/{id}/block")
def block_a_visitor(world: World) -> Sample:
    body = {"what": "contact", "reason": "Insults", "hours": 24}
    chat = ChatFactory.create(contact__widget=world.widget)
    return Sample(ids=(chat.pk,), foreign_ids=(world.rival.chat.pk,), body=body)


@sample("DELETE /console/blocks/{id}")
def lift_a_block(world: World) -> Sample:
    ours, theirs = (
        Block.objects.create(widget=chat.widget, contact=chat.contact)
        for chat in (ChatFactory.create(contact__widget=world.widget), world.rival.chat)
    )
    return Sample(ids=(ours.pk,), foreign_ids=(theirs.pk,))


@sample("POST /console/chats/{id}/wishes")
def wish_for_another_answer(world: World) -> Sample:
    learning_assistant(world)
    return of_an_operators_chat(world, {"text": "Name the price first."})


def chat_with_cards(world: World) -> Chat:
    """A chat whose card has a button."""
    chat: Chat = ChatFactory.create(contact__widget=world.widget)
    url, cards = "https://shop.example.com/cards", [{"key": "order", "title": "Order", "ttl_seconds": 300}]
    if not CardSettings.objects.for_widget(world.widget.pk).exists():
        set_cards(widget_id=world.widget.pk, url=url, target=url, cards=cards)
    button = {"type": "button", "label": "Cancel", "action": "order.cancel"}
    kept = states.after_call(
        {}, states.CardsRead({"order": ([button], None)}, {}), {"order": 300}, is_proved=False, now=time.time()
    )
    ChatCards.objects.create(widget=world.widget, chat=chat, contents=json.dumps(kept), due_at=None)
    return chat


@sample("GET /console/chats/{id}/cards")
def look_at_cards(world: World) -> Sample:
    return Sample(ids=(chat_with_cards(world).pk,), foreign_ids=(world.rival.chat.pk,))


@sample("POST /console/chats/{id}/cards/{key}/actions")
def press_a_button(world: World) -> Sample:
    body = {"client_id": str(uuid4()), "action": "order.cancel"}
    return Sample(ids=(chat_with_cards(world).pk, "order"), foreign_ids=(world.rival.chat.pk, None), body=body)


@sample("POST /console/files")
def upload_as_an_operator(world: World) -> Sample:
    return Sample(data=form(part("Розы".encode(), filename="roses.txt")), content_type=FORM)


@sample("PATCH /console/contacts/{id}")
def update_a_visitor(world: World) -> Sample:
    return update_a_contact(world)


@sample("POST /console/contacts/{id}/tags")
def tag_a_visitor(world: World) -> Sample:
    return tag_a_contact(world)


@sample("DELETE /console/contacts/{id}/tags/{name}")
def untag_a_visitor(world: World) -> Sample:
    name = ContactTagFactory.create(contact=world.contact).tag.name.replace(" ", "%20")
    return Sample(ids=(world.contact.guid, name), foreign_ids=(world.rival.contact.guid, None))


@sample("GET /console/push")
def show_the_push_key(world: World) -> Sample:
    return Sample()


@sample("PUT /console/push")
def tell_me_in_this_browser(world: World) -> Sample:
    keys = {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    }
    return Sample(body={"endpoint": "https://push.example/send/abc", **keys})


@sample("POST /console/push")
def tell_me_no_more(world: World) -> Sample:
    return Sample(body={"endpoint": "https://push.example/send/abc"})


@sample("GET /console/chats/{id}/replies/{id}")
def fill_a_reply_in(world: World) -> Sample:
    ours, theirs = (CannedReplyFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(world.chat.pk, ours.pk), foreign_ids=(world.rival.chat.pk, theirs.pk))


@sample("GET /console/replies")
def list_replies(world: World) -> Sample:
    CannedReplyFactory.create(widget=world.widget)
    return Sample()


@sample("POST /console/replies")
def add_a_reply(world: World) -> Sample:
    return Sample(body={"shortcut": "hours", "body": "С 9 до 18.", "is_shared": True})


@sample("DELETE /console/replies/{id}")
def of_a_reply(world: World, body: Any = None) -> Sample:
    own, foreign = (CannedReplyFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,), body=body)


@sample("DELETE /console/replies/{id}/translations/{lang}")
def of_a_replys_translation(world: World, body: Any = None) -> Sample:
    own, foreign = (CannedReplyFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk, "de"), foreign_ids=(foreign.pk, None), body=body)


@sample("PUT /console/replies/{id}/translations/{lang}")
def approve_a_replys_translation(world: World) -> Sample:
    return of_a_replys_translation(world, {"text": "Guten Tag! Womit kann ich helfen?"})


@sample("PATCH /console/replies/{id}")
def change_a_reply(world: World) -> Sample:
    return of_a_reply(world, {"body": "До 20 часов."})


@sample("GET /console/macros")
def list_macros(world: World) -> Sample:
    MacroFactory.create(widget=world.widget)
    return Sample()


@sample("POST /console/macros")
def add_a_macro(world: World) -> Sample:
    return Sample(body={"name": "Thanks", "then": [{"do": "tag", "name": "vip"}], "agent_id": world.agent.pk})


@sample("DELETE /console/macros/{id}")
def of_a_macro(world: World, body: Any = None) -> Sample:
    own, foreign = (MacroFactory.create(widget=each.widget, agent=each.agent) for each in (world, world.rival))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,), body=body)


@sample("PATCH /console/macros/{id}")
def change_a_macro(world: World) -> Sample:
    return of_a_macro(world, {"key": 4})


@sample("GET /console/chats/{id}/macros/{id}")
def of_a_macro_in_a_chat(world: World, body: Any = None) -> Sample:
    ours, theirs = (MacroFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(world.chat.pk, ours.pk), foreign_ids=(world.rival.chat.pk, theirs.pk), body=body)


@sample("POST /console/chats/{id}/macros/{id}")
def run_a_macro(world: World) -> Sample:
    return of_a_macro_in_a_chat(world, {"client_id": str(uuid4())})


@sample("POST /console/runs/{id}/undo")
def undo_ones_run(world: World) -> Sample:
    own, foreign = (
        AutomationRunFactory.create(chat=each.chat, automation=None, agent=each.agent, event_key="")
        for each in (world, world.rival)
    )
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample(
    "DELETE /widget/{guid}/sessions",
    "GET /widget/{guid}/challenge",
    "GET /widget/{guid}/embed.js",
    "GET /widget/{guid}/config",
    "GET /widget/{guid}/messages",
    "GET /widget/{guid}/invitations",
)
def of_a_page(world: World) -> Sample:
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,))


@sample("POST /widget/{guid}/sessions")
def open_a_session(world: World) -> Sample:
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body={"name": "Мария", "lang": "ru"})


@sample("POST /widget/{guid}/messages")
def write_a_message(world: World) -> Sample:
    body = {"client_id": str(uuid4()), "type": "text", "body": "Есть тюльпаны?"}
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body=body)


@sample("PUT /widget/{guid}/address")
def give_the_address_for_letters(world: World) -> Sample:
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body={"email": "olga@mail.test"})


@sample("POST /widget/{guid}/invitations/{id}/offers")
def ask_for_an_invitation(world: World) -> Sample:
    own, foreign = (ChatInvitationFactory.create(widget=each) for each in (world.widget, world.rival.widget))
    return Sample(ids=(world.widget.guid, own.pk), foreign_ids=(None, foreign.pk), body={"key": KEY, "lang": "en"})


@sample("GET /widget/{guid}/articles")
def list_articles_of_a_chat(world: World) -> Sample:
    _show_articles(world)
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,))


@sample("POST /widget/{guid}/articles/search")
def search_articles_in_a_chat(world: World) -> Sample:
    _show_articles(world)
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body={"q": "returns", "lang": "en", "key": KEY})


@sample("GET /widget/{guid}/articles/{id}")
def read_an_article_in_a_chat(world: World) -> Sample:
    return _show_articles(world)


@sample("POST /widget/{guid}/articles/{id}/reads")
def tell_that_an_article_was_opened(world: World) -> Sample:
    return _show_articles(world, body={"key": KEY})


@sample("PUT /widget/{guid}/articles/{id}/feedback")
def say_whether_an_article_helped(world: World) -> Sample:
    return _show_articles(world, body={"key": KEY, "helpful": False, "reason": "unclear"})


def _show_articles(world: World, body: Any = None) -> Sample:
    """A published article of each widget, and help in the chat of both."""
    for widget in (world.widget, world.rival.widget):
        change_center(widget_id=widget.pk, changes={"in_widget": "suggest"})
    own, foreign = (an_article(each, published=True) for each in (world.widget, world.rival.widget))
    return Sample(ids=(world.widget.guid, own.pk), foreign_ids=(None, foreign.pk), body=body)


@sample("POST /widget/{guid}/signals")
def tell_what_became_of_invitations(world: World) -> Sample:
    offer = InvitationOfferFactory.create(invitation=ChatInvitationFactory.create(widget=world.widget))
    body = {"key": KEY, "signals": [{"kind": "opened", "offer_id": offer.pk}]}
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body=body)


@sample("POST /widget/{guid}/offline")
def leave_an_offline_message(world: World) -> Sample:
    body = {"name": "Ольга", "email": "olga@mail.test", "phone": "+7 901 123-45-67", "message": "Перезвоните мне"}
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body=body)


@sample("POST /widget/{guid}/files")
def upload_as_a_visitor(world: World) -> Sample:
    data = form(part("Розы".encode(), filename="roses.txt"))
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), data=data, content_type=FORM)


@sample("POST /widget/{guid}/typing")
def type_as_a_visitor(world: World) -> Sample:
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body={"state": "start"})


@sample("POST /widget/{guid}/seen")
def see_as_a_visitor(world: World) -> Sample:
    message = MessageFactory.create(chat=world.chat, sender_kind="agent")
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body={"message_id": message.pk})


@sample("PUT /widget/{guid}/messages/{id}/feedback")
def rate_an_answer(world: World) -> Sample:
    own, foreign = (MessageFactory.create(chat=chat, sender_kind="ai") for chat in (world.chat, world.rival.chat))
    return Sample(ids=(world.widget.guid, own.pk), foreign_ids=(None, foreign.pk), body={"helpful": False})


@sample("POST /widget/{guid}/verification", "POST /widget/{guid}/assistant")
def ask_for_a_code(world: World) -> Sample:
    unhandled(world.chat)
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body={})


@sample("POST /widget/{guid}/continue")
def go_on_in_telegram(world: World) -> Sample:
    Connection.objects.for_widget(world.widget.pk).filter(provider="tg").delete()  # another sample's
    ConnectionFactory.create(widget=world.widget, public_name="shop_bot")
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body={"channel": "tg"})


@sample("DELETE /widget/{guid}/rating-request")
def put_a_rating_off(world: World) -> Sample:
    MessageFactory.create(chat=world.chat)
    Chat.objects.filter(pk=world.chat.pk).update(rating_requested_at=timezone.now())
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,))


@sample("POST /widget/{guid}/rating")
def rate_as_a_visitor(world: World) -> Sample:
    MessageFactory.create(chat=world.chat)
    return Sample(ids=(world.widget.guid,), foreign_ids=(None,), body={"value": 5, "comment": "Спасибо"})


@sample("GET /api/v1/ai/settings", "GET /api/v1/ai/messages", "POST /api/v1/ai/settings/migrate")
def of_the_ai(world: World) -> Sample:
    AssistantFactory.create(widget=world.widget)
    return Sample()


@sample("PATCH /api/v1/ai/settings")
def change_ai_settings(world: World) -> Sample:
    return Sample(body={"enabled": True, "takeover_timeout_sec": 60})


@sample("PATCH /api/v1/ai/messages", "PUT /api/v1/ai/messages")
def change_phrases(world: World) -> Sample:
    return Sample(body={"social_reply": {"ru": "Обращайтесь!", "en": None}})


@sample("GET /api/v1/ai/assistants")
def list_assistants(world: World) -> Sample:
    AssistantFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/ai/assistants")
def make_an_assistant(world: World) -> Sample:
    return Sample(body={"name": "Flora", "temperature": 0.5, "greeting_i18n": {"de": "Guten Tag!"}})


@sample("GET /api/v1/ai/assistants/{id}", "DELETE /api/v1/ai/assistants/{id}")
def of_an_assistant(world: World) -> Sample:
    own, foreign = (AssistantFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("PATCH /api/v1/ai/assistants/{id}")
def change_an_assistant(world: World) -> Sample:
    return replace(of_an_assistant(world), body={"name": "Rosa", "persona": "You sell roses."})


@sample("GET /api/v1/ai/operators")
def list_ai_operators(world: World) -> Sample:
    AiAgentFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/ai/operators")
def make_an_ai_operator(world: World) -> Sample:
    return Sample(body={"assistant_id": AssistantFactory.create(widget=world.widget).pk, "name": "Flora"})


@sample("DELETE /api/v1/ai/operators/{id}")
def of_an_ai_operator(world: World) -> Sample:
    own, foreign = (AiAgentFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("PATCH /api/v1/ai/operators/{id}")
def change_an_ai_operator(world: World) -> Sample:
    return replace(of_an_ai_operator(world), body={"name": "Rosa", "status": "relaxation"})


@sample("GET /api/v1/ai/credentials")
def list_credentials(world: World) -> Sample:
    CredentialFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/ai/credentials")
def store_a_credential(world: World) -> Sample:
    return Sample(body={"provider": "openai_compatible", "api_key": "sk-0123456789", "base_url": RECEIVER})


@sample("PATCH /api/v1/ai/credentials/{id}")
def change_a_credential(world: World) -> Sample:
    own, foreign = (CredentialFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,), body={"base_url": RECEIVER, "api_key": "sk-0"})


@sample("GET /api/v1/ai/credentials/{id}/models")
def models_of_a_credential(world: World) -> Sample:
    own, foreign = (
        CredentialFactory.create(
            widget=widget, provider="openai_compatible", base_url=world.models_url, target=world.models_url
        )
        for widget in (world.widget, world.rival.widget)
    )
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


def evaluation_cases(world: World) -> Sample:
    """A test question of the shop's, and one of the rival's, each to an assistant of its own: no wish waits for it."""
    own, foreign = (
        EvaluationCase.objects.create(
            widget=widget,
            assistant=AssistantFactory.create(widget=widget),
            question="What does a rose cost?",
            must=["90"],
        )
        for widget in (world.widget, world.rival.widget)
    )
    return Sample((own.pk,), (foreign.pk,))


def evaluation_runs(world: World, **fields: Any) -> Sample:
    """A finished run of each, with a result."""
    runs = [
        EvaluationRun.objects.create(
            widget=widget,
            assistant=AssistantFactory.create(widget=widget),
            state="finished",
            cases=1,
            persona_version=1,
            **fields,
        )
        for widget in (world.widget, world.rival.widget)
    ]
    for run in runs:
        run.results.create(case_id=1, question="A rose?", expects="answer", verdict="right", change="new", answer="90")
    return Sample((runs[0].pk,), (runs[1].pk,))


@sample("GET /api/v1/ai/evaluation-cases", "GET /api/v1/ai/evaluations")
def list_evaluations(world: World) -> Sample:
    evaluation_cases(world)
    evaluation_runs(world)
    return Sample()


@sample("GET /api/v1/ai/evaluation-cases/{id}", "DELETE /api/v1/ai/evaluation-cases/{id}")
def of_an_evaluation_case(world: World) -> Sample:
    return evaluation_cases(world)


@sample("PATCH /api/v1/ai/evaluation-cases/{id}")
def change_an_evaluation_case(world: World) -> Sample:
    return replace(evaluation_cases(world), body={"is_active": False})


@sample("POST /api/v1/ai/evaluation-cases")
def add_an_evaluation_case(world: World) -> Sample:
    assistant = AssistantFactory.create(widget=world.widget)
    words = {"question": "What does a rose cost?", "must": ["90"], "language": "en"}
    return Sample(body={"assistant_id": assistant.pk, **words})


@sample("POST /api/v1/ai/evaluations")
def start_an_evaluation(world: World) -> Sample:
    answered_by_the_vendor(world)
    assistant = EvaluationCase.objects.get(pk=evaluation_cases(world).ids[0]).assistant
    assert assistant is not None
    return Sample(body={"assistant_id": assistant.pk, "draft": {"persona": "You are Flora."}})


@sample("GET /api/v1/ai/evaluations/{id}")
def read_an_evaluation(world: World) -> Sample:
    return evaluation_runs(world)


@sample("POST /api/v1/ai/evaluations/{id}/apply")
def apply_an_evaluation(world: World) -> Sample:
    return evaluation_runs(world, draft={"persona": "You are Flora."})


@sample("POST /console/messages/{id}/evaluation-case")
def make_a_case_of_a_message(world: World) -> Sample:
    MessageFactory.create(chat=world.chat)
    answer = MessageFactory.create(chat=world.chat, sender_kind="ai")
    theirs = MessageFactory.create(chat=world.rival.chat)
    return Sample((answer.pk,), (theirs.pk,))


@sample("GET /api/v1/ai/alerts")
def list_alerts(world: World) -> Sample:
    AlertFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/ai/alerts/acknowledge")
def acknowledge_alerts(world: World) -> Sample:
    return Sample(body={"ids": [AlertFactory.create(widget=world.widget, code="reply_failed").pk]})


@sample("GET /api/v1/ai/assistants/{id}/test")
def inspect_a_test(world: World) -> Sample:
    CredentialFactory.create(
        widget=world.widget,
        provider="openai_compatible",
        base_url=world.models_url,
        target=world.models_url,
        model="m-1",
    )
    return of_an_assistant(world)


@sample("POST /api/v1/ai/assistants/{id}/test")
def test_an_assistant(world: World) -> Sample:
    return replace(inspect_a_test(world), body={"question": "Do you have roses?", "locale": "en"})


@sample(
    "GET /api/v1/widget/settings/schema",
    "GET /api/v1/widget/settings",
    "GET /api/v1/widget/language",
    "GET /api/v1/widget/translations",
    "GET /api/v1/widget/skins",
    "GET /api/v1/widget/icons",
    "GET /api/v1/widget/embed",
    "GET /api/v1/widget/questions",
    "POST /api/v1/widget/cache/purge",
)
def of_the_widgets_settings(world: World) -> Sample:
    return Sample()


@sample("PATCH /api/v1/widget/settings")
def change_the_widgets_settings(world: World) -> Sample:
    return Sample(body={"widget_position": "left", "device_profiles": {"mobile": {"widget_offset_x": 8}}})


@sample("PUT /api/v1/widget/questions")
def set_the_questions(world: World) -> Sample:
    return Sample(body=ORDER_AND_CONSENT)


@sample("PUT /api/v1/widget/language")
def set_the_widgets_language(world: World) -> Sample:
    return Sample(body={"widget_default_language": "ru"})


@sample("POST /api/v1/widget/icons")
def upload_an_icon(world: World) -> Sample:
    return Sample(data=form(part(picture("PNG"), filename="leaf.png")), content_type=FORM)


@sample("POST /api/v1/widget/translations/regenerate")
def translate_anew(world: World) -> Sample:
    CredentialFactory.create(
        widget=world.widget,
        provider="openai_compatible",
        base_url=world.models_url,
        target=world.models_url,
        model="m-1",
    )
    stored = {"widget_greeting": "Hello!", "widget_auto_translate_custom_texts": True}
    WidgetSettings.objects.update_or_create(widget=world.widget, defaults={"stored": stored})
    return Sample(body={"fields": ["widget_greeting"], "locales": ["ru"]})


@sample("GET /api/v1/kb/uploads")
def documents_of_the_knowledge_base(world: World) -> Sample:
    UploadFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/kb/uploads")
def upload_a_document(world: World) -> Sample:
    return Sample(data=form(part(b"Open from 9 to 18.", filename="hours.txt")), content_type=FORM)


@sample("GET /api/v1/kb/uploads/{id}", "DELETE /api/v1/kb/uploads/{id}")
def document_of_the_knowledge_base(world: World) -> Sample:
    own, foreign = (UploadFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


def kb_rules(world: World) -> tuple[int, int]:
    """A rule of the shop's and one of the rival's."""
    ours, theirs = (SourceFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return RuleFactory.create(source=ours).pk, RuleFactory.create(source=theirs).pk


@sample("GET /api/v1/kb/rules", "GET /api/v1/kb/sources", "GET /api/v1/kb/status")
def list_knowledge(world: World) -> Sample:
    kb_rules(world)
    return Sample()


def embeds(world: World) -> None:
    """Has the shop's knowledge embedded by the vendor of the test."""
    CredentialFactory.create(
        widget=world.widget,
        provider="openai_compatible",
        base_url=world.models_url,
        target=world.models_url,
        model="m-1",
        embedding_model="e-1",
    )


@sample("POST /api/v1/kb/rules")
def write_rule(world: World) -> Sample:
    embeds(world)
    return Sample(body={"content": "Delivery is free.", "doc_id": "faq"})


@sample("GET /api/v1/articles/search")
def search_articles(world: World) -> Sample:
    an_article(world.widget, published=True, title="Delivery")
    return Sample(query={"q": "delivery"})


@sample("GET /api/v1/article-gaps")
def list_article_gaps(world: World) -> Sample:
    search_in_vain(world)
    return Sample()


def search_in_vain(world: World) -> int:
    """A search that finds nothing; its id."""
    keep_search(widget_id=world.widget.pk, q="islands", lang="en", key="e" * 32, found=[], place=ReadingPlace.WIDGET)
    return ArticleSearch.objects.for_widget(world.widget.pk).latest("pk").pk


@sample("POST /api/v1/article-gaps/{gap}/draft")
def draft_article(world: World) -> Sample:
    return Sample((f"search-{search_in_vain(world)}",), (None,), body={"lang": "en"})


@sample("POST /api/v1/articles/{id}/tell")
def tell_who_asked(world: World) -> Sample:
    HelpCenter.objects.filter(widget=world.widget).update(is_public=True, slug=f"shop-{world.widget.pk}")
    HelpCenter.objects.get_or_create(
        widget=world.widget, defaults={"is_public": True, "slug": f"shop-{world.widget.pk}"}
    )
    article = an_article(world.widget, published=True)
    foreign = an_article(world.rival.widget)
    return Sample((article.pk,), (foreign.pk,), body={"agent_id": world.agent.pk, "dry_run": True})


@sample("GET /api/v1/article-results")
def read_article_results(world: World) -> Sample:
    article = an_article(world.widget, published=True)
    count_view(widget_id=world.widget.pk, article_id=article.pk, lang="en", place=ReadingPlace.PAGE)
    return Sample()


@sample("GET /api/v1/kb/search")
def search_knowledge(world: World) -> Sample:
    embeds(world)
    embedder = embedder_of(world.widget.pk)
    assert embedder is not None
    rule = RuleFactory.create(source=SourceFactory.create(widget=world.widget), content="Delivery is free.")
    keep(KnowledgeBase.objects.for_widget(world.widget.pk).get(), embedder, {rule.digest: [1.0] * 16})
    return Sample(query={"q": "delivery"})


@sample("DELETE /api/v1/kb/rules")
def delete_kb_source(world: World) -> Sample:
    RuleFactory.create(source=SourceFactory.create(widget=world.widget, ref="manual:old"))
    return Sample(query={"source_ref": "manual:old"})


@sample("GET /api/v1/kb/rules/{id}", "DELETE /api/v1/kb/rules/{id}")
def one_kb_rule(world: World) -> Sample:
    ours, theirs = kb_rules(world)
    return Sample((ours,), (theirs,))


@sample("PATCH /api/v1/kb/rules/{id}")
def change_kb_rule(world: World) -> Sample:
    embeds(world)
    ours, theirs = kb_rules(world)
    return Sample((ours,), (theirs,), body={"content": "Delivery is dear."})


@sample("GET /api/v1/kb/crawler", "DELETE /api/v1/kb/crawler")
def crawler(world: World) -> Sample:
    CrawlerFactory.create(widget=world.widget)
    return Sample()


@sample("PUT /api/v1/kb/crawler")
def crawl_a_site(world: World) -> Sample:
    return Sample(body={"start_urls": ["https://localhost:8443/"], "exclude_paths": ["/cart"]})


@sample("GET /api/v1/ai/assistant/integration", "DELETE /api/v1/ai/assistant/integration")
def of_the_integration(world: World) -> Sample:
    BindingFactory.create(widget=world.widget)
    return Sample()


@sample("POST /api/v1/ai/assistant/integration")
def bind_an_application(world: World) -> Sample:
    CredentialFactory.create(widget=world.widget)
    return Sample(body={"provider": "openai"})


def answered_by_the_vendor(world: World) -> None:
    """The widget's one way to OpenAI leads to the vendor on loopback."""
    url = world.models_url
    CredentialFactory.create(widget=world.widget, base_url=url, target=url)


@sample("POST /api/v1/ai/assistant/turn")
def take_a_turn(world: World) -> Sample:
    answered_by_the_vendor(world)
    body = {
        "conversation_id": "c-1",
        "request_id": uuid4().hex,
        "messages": [{"role": "user", "content": "Где мой заказ?"}],
        "context": {"plan": "pro"},
        "tools": [{"name": "find_order", "description": "Finds an order.", "parameters": {"type": "object"}}],
    }
    return Sample(body=body)


@sample("POST /api/v1/ai/assistant/speech-to-text")
def transcribe(world: World) -> Sample:
    answered_by_the_vendor(world)
    return Sample(body={"audio_base64": "T2dnUwACAAAAAAAAAAA=", "mime_type": "audio/ogg"})


@sample("POST /api/v1/ai/assistant/text-to-speech")
def speak(world: World) -> Sample:
    answered_by_the_vendor(world)
    return Sample(body={"text": "Заказ в пути."})


def learning_assistant(world: World) -> Assistant:
    """The shop's default assistant, with versions 1 and 2; the rival has one, too."""
    made = [
        create_assistant(widget_id=widget.pk, actor=SYSTEM, name="Flora", persona="You sell flowers.")
        for widget in (world.widget, world.rival.widget)
    ]
    for one in made:
        changes = {"persona": "You sell roses.", "is_default": True}
        change_assistant(widget_id=one.widget_id, assistant_id=one.pk, changes=changes, actor=SYSTEM)
    return made[0]


@sample("GET /api/v1/ai/learning/history", "GET /api/v1/ai/learning/persona-versions")
@sample("GET /api/v1/ai/learning/settings", "GET /api/v1/ai/learning/kill-switch", "GET /api/v1/ai/learning/cycles")
def learning_lists(world: World) -> Sample:
    learning_assistant(world)
    return Sample()


@sample(
    "GET /api/v1/ai/learning/persona-versions/{version}", "POST /api/v1/ai/learning/persona-versions/{version}/revert"
)
def of_a_version(world: World) -> Sample:
    learning_assistant(world)
    return Sample(ids=(1,), foreign_ids=(None,))


@sample("POST /api/v1/ai/learning/tune")
def tune_an_assistant(world: World) -> Sample:
    learning_assistant(world)
    answered_by_the_vendor(world)
    Cycle.objects.for_widget(world.widget.pk).delete()
    Probation.objects.for_widget(world.widget.pk).delete()
    set_ai(widget_id=world.widget.pk, changes={"enabled": True, "autonomous_tuning_enabled": True})
    return Sample()


def wishes_of_both(world: World) -> tuple[int, int]:
    """A wish of the shop's and one of the rival's."""
    learning_assistant(world)
    ours, theirs = (
        submit_wish(widget_id=widget.pk, text="Ask for the order number first.", author=SYSTEM).pk
        for widget in (world.widget, world.rival.widget)
    )
    return ours, theirs


@sample("GET /api/v1/wishes")
def list_wishes(world: World) -> Sample:
    wishes_of_both(world)
    return Sample()


@sample("POST /api/v1/wishes")
def submit_a_wish(world: World) -> Sample:
    learning_assistant(world)
    return Sample(body={"text": "Ask for the order number first."})


@sample(
    "GET /api/v1/wishes/{id}",
    "GET /api/v1/wishes/{id}/preview",
    "POST /api/v1/wishes/{id}/approve",
    "POST /api/v1/wishes/{id}/reject",
)
def of_a_wish(world: World) -> Sample:
    ours, theirs = wishes_of_both(world)
    return Sample((ours,), (theirs,))


@sample("POST /api/v1/wishes/{id}/revert")
def revert_a_wish(world: World) -> Sample:
    ours, theirs = wishes_of_both(world)
    Probation.objects.for_widget(world.widget.pk).delete()
    approve_wish(widget_id=world.widget.pk, wish_id=ours, actor=SYSTEM)
    return Sample((ours,), (theirs,))


@sample("GET /api/v1/ai/demand-signals")
def read_demand_signals(world: World) -> Sample:
    note_last_words(widget_id=world.widget.pk, chat_id=world.chat.pk, category=DemandCategory.ESCALATION)
    return Sample()


@sample("GET /api/v1/ai/marketplace/templates")
def list_templates(world: World) -> Sample:
    return Sample()


@sample("GET /api/v1/ai/marketplace/templates/{slug}", "POST /api/v1/ai/marketplace/templates/{slug}/apply")
def of_a_template(world: World) -> Sample:
    return Sample(ids=("hotel",), foreign_ids=(None,))


def _external_operators(world: World, **fields: Any) -> Sample:
    """An external operator of the shop, and one of the rival's."""
    widgets = (world.widget, world.rival.widget)
    own, foreign = (ExternalOperatorFactory.create(widget=widget, **fields) for widget in widgets)
    return Sample(ids=(str(own.public_id),), foreign_ids=(str(foreign.public_id),))


@sample("GET /api/v1/external-operators")
def list_external_operators(world: World) -> Sample:
    ExternalOperatorFactory.create(widget=world.widget)
    return Sample()


@sample("GET /api/v1/external-operators/{public_id}")
def read_an_external_operator(world: World) -> Sample:
    return _external_operators(world)


@sample("PATCH /api/v1/external-operators/{public_id}")
def change_an_external_operator(world: World) -> Sample:
    return replace(_external_operators(world), body={"name": "Rita", "endpoint_url": RECEIVER})


@sample("DELETE /api/v1/external-operators/{public_id}")
def delete_an_external_operator(world: World) -> Sample:
    return _external_operators(world, standing="revoked", agent__status="banned", secret=None)


@sample("POST /api/v1/external-operators/{public_id}/tests")
def test_an_external_operator(world: World) -> Sample:
    return _external_operators(world)


@sample("GET /api/v1/external-operators/{public_id}/tests/{test_public_id}")
def read_a_test_of_an_external_operator(world: World) -> Sample:
    own, foreign = (ProbeTestFactory.create(operator__widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(
        ids=(str(own.operator.public_id), str(own.public_id)),
        foreign_ids=(str(foreign.operator.public_id), str(foreign.public_id)),
    )


@sample("POST /api/v1/external-operators/{public_id}/lifecycle")
def move_an_external_operator(world: World) -> Sample:
    return replace(_external_operators(world), body={"action": "kill", "reason": "It answers nonsense."})


@sample("POST /api/v1/external-operators/{public_id}/force-drain")
def end_a_rotation(world: World) -> Sample:
    now = timezone.now()
    rotating = {"rotation_started_at": now, "overlap_ends_at": now + timedelta(hours=1), "secret_version": 2}
    return _external_operators(world, standing="paused", old_secret="eosec_" + 43 * "o", **rotating)


@sample("POST /api/v1/ai/replies")
def answer_a_turn(world: World) -> Sample:
    set_answerer(widget_id=world.widget.pk, answerer=Answerer.AI, answers=True)
    AiSettings.objects.update_or_create(
        widget=world.widget, defaults={"enabled": True, "enabled_since": timezone.now() - timedelta(hours=1)}
    )
    # Of its own: a person's word ends a turn.
    chat = ChatFactory.create(widget=world.widget, contact__widget=world.widget, status="active")
    asked = MessageFactory.create(chat=chat, sender_kind="client", created_at=timezone.now())
    operator = ExternalOperatorFactory.create(widget=world.widget, standing="active", agent__status="active")
    turn = TurnFactory.create(operator=operator, chat=chat, message=asked)
    return Sample(body={"room_id": turn.chat_id, "causation_id": turn.causation_id, "content": "По 80."})


ACCOUNT = {"user_id": "u-42", "email": "ivan@mail.test", "name": "Иван"}


def everything_on(world: World) -> None:
    """The application may file tickets and tie accounts."""
    changes = {"channels": ["widget", "tg", "app"], "account_link": True}
    change_settings(SETTINGS, widget_id=world.widget.pk, changes=changes)


@sample("POST /api/v1/ai/assistant/tickets")
def file_a_ticket(world: World) -> Sample:
    everything_on(world)
    body = {
        "contract": "app-ticket.v1",
        "request_id": uuid4().hex,
        "source": "app",
        "category": "bug",
        "message": "Приложение закрывается при оплате.",
        "account": ACCOUNT,
        "client": {"platform": "ios"},
    }
    return Sample(body=body)


@sample("POST /api/v1/ai/assistant/tickets/status")
def read_the_status_of_tickets(world: World) -> Sample:
    ticket = TicketFactory.create(chat=app_room(world.widget, "u-42"))
    MessageFactory.create(chat=ticket.chat, agent=world.agent, sender_kind="agent", body="Починили.")
    body = {
        "contract": "app-ticket-status.v1",
        "account": {"user_id": "u-42"},
        "tickets": [{"number": ticket.pk, "after_message_id": 0}],
    }
    return Sample(body=body)


@sample("POST /api/v1/ai/assistant/account-link")
def tie_an_account(world: World) -> Sample:
    everything_on(world)
    body = {
        "contract": "account-link.v1",
        "request_id": uuid4().hex,
        "target": {"chat_id": world.chat.pk},
        "account": {"app_user_id": "u-42"},
        "method": "cabinet",
        "identity_expires_at": "2100-01-01T00:00:00Z",
        "grant": {"token": "0123456789abcdef", "expires_at": "2100-01-01T00:00:00Z"},
    }
    return Sample(body=body)


@sample("POST /api/v1/ai/assistant/account-link/revoke")
def untie_an_account(world: World) -> Sample:
    everything_on(world)
    IdentityFactory.create(chat=world.chat)
    body = {
        "contract": "account-link-revoke.v1",
        "request_id": uuid4().hex,
        "target": {"chat_id": world.chat.pk},
        "reason": "signed out",
    }
    return Sample(body=body)


@sample("GET /api/v1/support/tickets")
def list_tickets(world: World) -> Sample:
    TicketFactory.create(chat=world.chat)
    return Sample()


@sample("GET /api/v1/support/tickets/{number}")
def of_a_ticket(world: World) -> Sample:
    own, foreign = (TicketFactory.create(chat=chat) for chat in (world.chat, world.rival.chat))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))


@sample("POST /api/v1/support/tickets/{number}/close")
def close_a_ticket(world: World) -> Sample:
    own, foreign = (TicketFactory.create(chat=chat) for chat in (another_chat(world), world.rival.chat))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,), body={"reason": "resolved"})


def another_chat(world: World) -> Chat:
    """A chat of which nobody else makes use."""
    return ChatFactory.create(contact=ContactFactory.create(widget=world.widget))


@sample("POST /api/v1/support/tickets/{number}/reopen")
def reopen_a_ticket(world: World) -> Sample:
    own = TicketFactory.create(
        chat=another_chat(world),
        state="closed",
        closed_at=timezone.now(),
    )
    foreign = TicketFactory.create(chat=world.rival.chat)
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,), body={"note": "Написал снова."})


@sample("GET /api/v1/support/chats")
def list_chats_of_the_desk(world: World) -> Sample:
    written_in(world.chat)
    return Sample(query={"updated_since": (timezone.now() - timedelta(days=1)).isoformat()})


@sample("GET /api/v1/support/chats/{id}", "GET /api/v1/support/chats/{id}/messages")
def of_a_chat_of_the_desk(world: World) -> Sample:
    chat = another_chat(world)
    written_in(chat)
    leased(chat)
    return Sample(ids=(chat.pk,), foreign_ids=(world.rival.chat.pk,))


def written_in(chat: Chat) -> None:
    said = MessageFactory.create(chat=chat, sender_kind="client", body="Где заказ?")
    Chat.objects.filter(pk=chat.pk).update(last_message=said, last_message_at=timezone.now() - timedelta(hours=1))


@sample("GET /api/v1/support/chats/{id}/messages/{message_id}/attachment")
def of_an_attachment(world: World) -> Sample:
    with storage.stored(BytesIO("Роза — 150 рублей.".encode())) as key:
        file = FileFactory.create(
            widget=world.widget, contact=world.contact, name="prices.txt", content_type="text/plain"
        )
        File.objects.filter(pk=file.pk).update(storage_key=key)
    kept = {"file": {"id": file.pk, "name": file.name, "size": file.size, "content_type": file.content_type}}
    own = MessageFactory.create(chat=world.chat, sender_kind="client", type="file", details=kept)
    foreign = MessageFactory.create(chat=world.rival.chat, sender_kind="client")
    return Sample(ids=(world.chat.pk, own.pk), foreign_ids=(world.rival.chat.pk, foreign.pk))


@sample("POST /api/v1/support/chats/{id}/claim")
def claim_a_chat(world: World) -> Sample:
    return Sample(ids=(another_chat(world).pk,), foreign_ids=(world.rival.chat.pk,), body={"ttl_sec": 600})


@sample("POST /api/v1/support/chats/{id}/release")
def release_a_chat(world: World) -> Sample:
    chat = another_chat(world)
    claim_id = leased(chat)
    return Sample(ids=(chat.pk,), foreign_ids=(world.rival.chat.pk,), body={"claim_id": claim_id})


@sample("POST /api/v1/support/chats/{id}/reply")
def reply_to_a_customer(world: World) -> Sample:
    body = {"text": "Заказ в пути.", "expected_last_message_id": 0}
    return Sample(ids=(another_chat(world).pk,), foreign_ids=(world.rival.chat.pk,), body=body)


@sample("GET /api/v1/support/actions/{id}")
def of_an_action(world: World) -> Sample:
    own, foreign = (ActionFactory.create(widget=widget) for widget in (world.widget, world.rival.widget))
    return Sample(ids=(own.pk,), foreign_ids=(foreign.pk,))
