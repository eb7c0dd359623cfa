"""Every action that changes what sockets show, and how to drive it. The snapshot tests follow sockets through them."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from apps.agents import actions as agents
from apps.agents.actions import departments
from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.actions.restoring import columns_of, differences
from apps.chats.models import Block, Chat, Contact, Message
from apps.chats.rules import Status
from apps.chats.rules.attribution import AttributionEvent
from apps.chats.rules.blocks import Blocked
from apps.chats.rules.priorities import Priority
from apps.widget import actions as widget
from apps.widget.actions import offline
from apps.widget.actions import visitors as sessions
from apps.widget.models import VisitorSession
from tests.factories import AgentFactory, AiAgentFactory, DepartmentFactory, MessageFactory
from tests.factories.widget import visitor_token

TEXT = {"type": "text", "body": "Hello"}


@dataclass
class Talk:
    """Ivan's talk with the shop; `chat` is there unless a drive is about its beginning."""

    ivan: Contact
    olga: Agent
    session: VisitorSession
    begun: Chat | None = None

    @property
    def chat(self) -> Chat:
        assert self.begun is not None
        return self.begun

    @property
    def ids(self) -> dict[str, int]:
        return {"widget_id": self.chat.widget_id, "chat_id": self.chat.pk}

    @property
    def person(self) -> dict[str, Any]:
        return {"widget_id": self.ivan.widget_id, "guid": self.ivan.guid}

    def colleague(self) -> Agent:
        return AgentFactory.create(widget=self.ivan.widget, name="Nina")

    def message(self, agent: Agent | None = None) -> Message:
        return MessageFactory.create(chat=self.chat, agent=agent)


# The drives: what prepares an action, `yield`, the action.

Steps = Callable[[Talk], Iterator[None]]


@dataclass(frozen=True)
class Drive:
    """How to drive an action, and what of a visitor's snapshot is another after it."""

    action: Callable[..., Any]
    steps: Steps
    visitor: frozenset[str]
    has_chat: bool


DRIVES: list[Drive] = []


def drives(action: Callable[..., Any], *, visitor: set[str], has_chat: bool = True) -> Callable[[Steps], Steps]:
    def register(steps: Steps) -> Steps:
        DRIVES.append(Drive(action, steps, frozenset(visitor), has_chat))
        return steps

    return register


@drives(chats.accept_chat, visitor={"agent", "steps"})
def accepted(talk: Talk) -> Iterator[None]:
    yield
    chats.accept_chat(**talk.ids, agent_id=talk.olga.pk)


@drives(chats.assign_chat, visitor={"agent", "steps"})
def assigned(talk: Talk) -> Iterator[None]:
    yield
    chats.assign_chat(**talk.ids, agent_id=talk.olga.pk)


@drives(chats.transfer_chat, visitor={"agent", "steps"})
def transferred(talk: Talk) -> Iterator[None]:
    yield
    chats.transfer_chat(**talk.ids, agent_id=talk.olga.pk)


@drives(chats.report_attribution_event, visitor={"agent"})
def escalated(talk: Talk) -> Iterator[None]:
    yield
    chats.report_attribution_event(**talk.ids, event=AttributionEvent.ESCALATED, agent_id=talk.olga.pk)


@drives(chats.escalate, visitor=set())
def handed_to_people(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.escalate(**talk.ids, reason="human_request")


@drives(chats.request_operator, visitor=set())
def asked_for_a_person(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.request_operator(**talk.ids, reason="bot_invited")


@drives(chats.post_machine_message, visitor={"messages"})
def answered_by_a_machine(talk: Talk) -> Iterator[None]:
    talk.message()
    ada = AiAgentFactory.create(widget=talk.ivan.widget)
    yield
    fact = AttributionEvent.AI_ANSWERED
    chats.post_machine_message(**talk.ids, content=TEXT, agent_id=ada.pk, fact=fact, client_id=uuid.uuid4())


@drives(chats.post_system_message, visitor={"messages"})
def told_by_the_system(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.post_system_message(**talk.ids, body="Write down your e-mail, please")


@drives(chats.post_shop_word, visitor={"messages"})
def told_by_the_shop(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.post_shop_word(**talk.ids, body="We answer tomorrow", name="Shop")


@drives(chats.post_system_note, visitor=set())
def noted_by_the_system(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.post_system_note(**talk.ids, body="The same person came from the site")


@drives(chats.move_chat, visitor={"chat_id", "messages"})
def gone_on_in_telegram(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    assert chats.move_chat(**talk.ids, channel="tg", note="The visitor goes on in Telegram")


@drives(chats.return_chat, visitor={"agent"})
def given_back(talk: Talk) -> Iterator[None]:
    chats.accept_chat(**talk.ids, agent_id=talk.olga.pk)
    yield
    chats.return_chat(**talk.ids)


@drives(chats.end_handover, visitor=set())
def waits_for_nobody(talk: Talk) -> Iterator[None]:
    talk.message()
    chats.escalate(**talk.ids, reason="human_request")
    yield
    chats.end_handover(**talk.ids)


@drives(chats.restore_chat, visitor={"agent"})
def taken_from_a_person_again(talk: Talk) -> Iterator[None]:
    talk.message()
    before = columns_of(Chat.objects.get(pk=talk.chat.pk))
    chats.assign_chat(**talk.ids, agent_id=talk.olga.pk)
    was, left = differences(before, columns_of(Chat.objects.get(pk=talk.chat.pk)))
    yield
    chats.restore_chat(**talk.ids, was=was, left=left, after_id=2**40)


@drives(chats.take_back_note, visitor=set())
def note_taken_back(talk: Talk) -> Iterator[None]:
    talk.message()
    note = chats.post_system_note(**talk.ids, body="Look at the order")
    yield
    chats.take_back_note(**talk.ids, message_id=note.id)


@drives(chats.mark_as_dealt_with, visitor=set())
def dealt_with(talk: Talk) -> Iterator[None]:
    chats.post_client_message(contact=talk.ivan, content=TEXT)
    yield
    chats.mark_as_dealt_with(**talk.ids)


@drives(chats.close_chat, visitor={"status"})
def closed(talk: Talk) -> Iterator[None]:
    yield
    chats.close_chat(**talk.ids)


@drives(chats.close_chat, visitor={"status", "steps"})
def closed_by_a_person(talk: Talk) -> Iterator[None]:
    yield
    chats.close_chat(**talk.ids, by_agent_id=talk.olga.pk)


@drives(chats.set_chat_state, visitor={"status", "steps"})
def reopened_by_a_person(talk: Talk) -> Iterator[None]:
    chats.close_chat(**talk.ids)
    yield
    chats.set_chat_state(**talk.ids, status=Status.ACTIVE, by_agent_id=talk.olga.pk)


@drives(chats.set_chat_state, visitor={"status"})
def set_ready(talk: Talk) -> Iterator[None]:
    yield
    chats.set_chat_state(**talk.ids, status=Status.READY)


@drives(chats.sweep_chats, visitor={"status"})
def swept(talk: Talk) -> Iterator[None]:
    last = talk.message()
    yield
    chats.sweep_chats(as_of=last.created_at + timedelta(minutes=7))


@drives(chats.sweep_chats, visitor={"status"})
def reactivated(talk: Talk) -> Iterator[None]:
    last = talk.message()
    chats.set_chat_state(**talk.ids, status=Status.READY)
    yield
    chats.sweep_chats(as_of=last.created_at + timedelta(minutes=1))


@drives(chats.mark_seen, visitor={"seen_id"})
def seen_by_an_operator(talk: Talk) -> Iterator[None]:
    question = talk.message()
    yield
    chats.mark_seen(**talk.ids, message_id=question.pk, seen_by="OPERATOR")


@drives(chats.post_agent_message, visitor={"messages", "agent"})
def answered(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.post_agent_message(**talk.ids, content=TEXT, agent_id=talk.olga.pk)


@drives(chats.post_agent_message, visitor={"messages", "agent", "status"})
def answered_when_expired(talk: Talk) -> Iterator[None]:
    chats.close_chat(**talk.ids)
    yield
    chats.post_agent_message(**talk.ids, content=TEXT, agent_id=talk.olga.pk)


@drives(chats.post_client_message, visitor={"messages"})
def asked(talk: Talk) -> Iterator[None]:
    yield
    chats.post_client_message(contact=talk.ivan, content=TEXT)


@drives(chats.post_client_message, visitor={"chat_id", "messages"}, has_chat=False)
def asked_first(talk: Talk) -> Iterator[None]:
    yield
    chats.post_client_message(contact=talk.ivan, content=TEXT)


@drives(chats.post_note, visitor=set())
def noted(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.post_note(**talk.ids, content=TEXT, agent_id=talk.olga.pk)


@drives(chats.transfer_chat_to_department, visitor={"agent"})
def given_to_a_department(talk: Talk) -> Iterator[None]:
    florists = DepartmentFactory.create(widget=talk.ivan.widget)
    chats.accept_chat(**talk.ids, agent_id=talk.olga.pk)
    yield
    chats.transfer_chat_to_department(**talk.ids, department_id=florists.pk)


@drives(chats.set_chat_state, visitor={"status"})
def marked_as_spam(talk: Talk) -> Iterator[None]:
    yield
    chats.set_chat_state(**talk.ids, status=Status.SPAM)


@drives(chats.update_contact, visitor=set())
def contact_renamed(talk: Talk) -> Iterator[None]:
    yield
    chats.update_contact(**talk.person, changes={"name": "Ivan P.", "attributes": {"plan": "gold"}})


@drives(chats.tag_contact, visitor=set())
def tagged(talk: Talk) -> Iterator[None]:
    yield
    chats.tag_contact(**talk.person, names=["vip"])


@drives(chats.untag_contact, visitor=set())
def tag_taken_off(talk: Talk) -> Iterator[None]:
    chats.tag_contact(**talk.person, names=["vip"])
    yield
    chats.untag_contact(**talk.person, name="vip")


@drives(chats.block_visitor, visitor=set())
def blocked(talk: Talk) -> Iterator[None]:
    yield
    _block(talk)


@drives(chats.lift_block, visitor=set())
def block_lifted(talk: Talk) -> Iterator[None]:
    block = _block(talk)
    yield
    chats.lift_block(widget_id=block.widget_id, block_id=block.pk)


def _block(talk: Talk) -> Block:
    return chats.block_visitor(
        **talk.ids, what=Blocked.CONTACT, reason="Insults", hours=24, agent_id=talk.olga.pk, address=""
    )


@drives(chats.snooze_chat, visitor=set())
def put_aside(talk: Talk) -> Iterator[None]:
    yield
    chats.snooze_chat(**talk.ids, agent_id=talk.olga.pk, until=None)


@drives(chats.set_priority, visitor=set())
def made_urgent(talk: Talk) -> Iterator[None]:
    yield
    chats.set_priority(**talk.ids, priority=Priority.URGENT, by_agent_id=talk.olga.pk)


@drives(chats.wake_chat, visitor=set())
def brought_back(talk: Talk) -> Iterator[None]:
    chats.snooze_chat(**talk.ids, agent_id=talk.olga.pk, until=None)
    yield
    chats.wake_chat(**talk.ids)


@drives(widget.open_session, visitor=set())
def came_to_another_page(talk: Talk) -> Iterator[None]:
    yield
    widget.open_session(
        widget_id=talk.ivan.widget_id,
        token=visitor_token(talk.session),
        about={},
        page_url="https://shop.test/roses",
        lang="ru",
    )


@drives(agents.set_on_break, visitor=set())
def operator_on_a_break(talk: Talk) -> Iterator[None]:
    yield
    agents.set_on_break(widget_id=talk.olga.widget_id, agent_id=talk.olga.pk, on_break=True)


@drives(agents.update_profile, visitor={"agent", "steps"})
def operator_renamed(talk: Talk) -> Iterator[None]:
    chats.accept_chat(**talk.ids, agent_id=talk.olga.pk)
    yield
    agents.update_profile(widget_id=talk.olga.widget_id, agent_id=talk.olga.pk, changes={"name": "Helga"})


@drives(agents.suspend_agent, visitor={"agent"})
def operator_suspended(talk: Talk) -> Iterator[None]:
    nina = talk.colleague()
    chats.accept_chat(**talk.ids, agent_id=nina.pk)
    yield
    agents.suspend_agent(widget_id=nina.widget_id, agent_id=nina.pk)


@drives(agents.remove_agent, visitor={"agent"})
def operator_removed(talk: Talk) -> Iterator[None]:
    nina = talk.colleague()
    chats.accept_chat(**talk.ids, agent_id=nina.pk)
    yield
    agents.remove_agent(widget_id=nina.widget_id, agent_id=nina.pk)


@drives(agents.restore_agent, visitor=set())
def operator_restored(talk: Talk) -> Iterator[None]:
    nina = talk.colleague()
    agents.suspend_agent(widget_id=nina.widget_id, agent_id=nina.pk)
    yield
    agents.restore_agent(widget_id=nina.widget_id, agent_id=nina.pk)


@drives(agents.remove_avatar, visitor=set())
def avatar_taken_off(talk: Talk) -> Iterator[None]:
    talk.olga.avatar = "avatars/olga"
    talk.olga.save()
    yield
    agents.remove_avatar(widget_id=talk.olga.widget_id, agent_id=talk.olga.pk)


@drives(departments.create_department, visitor=set())
def department_made(talk: Talk) -> Iterator[None]:
    yield
    departments.create_department(widget_id=talk.olga.widget_id, name="Florists", agent_ids=[talk.olga.pk])


@drives(departments.change_department, visitor=set())
def department_renamed(talk: Talk) -> Iterator[None]:
    florists = DepartmentFactory.create(widget=talk.ivan.widget)
    yield
    departments.change_department(widget_id=florists.widget_id, department_id=florists.pk, changes={"name": "Roses"})


@drives(departments.replace_agents, visitor=set())
def agents_of_a_department_replaced(talk: Talk) -> Iterator[None]:
    florists = DepartmentFactory.create(widget=talk.ivan.widget)
    chats.transfer_chat_to_department(**talk.ids, department_id=florists.pk)
    yield
    departments.replace_agents(widget_id=florists.widget_id, department_id=florists.pk, agent_ids=[talk.olga.pk])


@drives(departments.add_agent, visitor=set())
def agent_added_to_a_department(talk: Talk) -> Iterator[None]:
    florists = DepartmentFactory.create(widget=talk.ivan.widget)
    chats.transfer_chat_to_department(**talk.ids, department_id=florists.pk)
    yield
    departments.add_agent(department=florists, agent=talk.olga)


@drives(departments.delete_department, visitor=set())
def department_deleted(talk: Talk) -> Iterator[None]:
    florists = DepartmentFactory.create(widget=talk.ivan.widget)
    chats.transfer_chat_to_department(**talk.ids, department_id=florists.pk)
    yield
    departments.delete_department(widget_id=florists.widget_id, department_id=florists.pk)


@drives(chats.leave_offline_message, visitor={"messages"})
def left_a_message(talk: Talk) -> Iterator[None]:
    yield
    chats.leave_offline_message(contact=talk.ivan, about={"email": "ivan@home.test"}, message="Please call me")


@drives(offline.leave_offline_message, visitor={"messages"})
def left_a_message_with_the_form(talk: Talk) -> Iterator[None]:
    yield
    about = {"phone": "+7 900 1234567", "message": "Please call me"}
    offline.leave_offline_message(contact=talk.ivan, about=about)


@drives(chats.request_rating, visitor={"is_asked"})
def rating_requested(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.request_rating(**talk.ids)


@drives(chats.rate_chat, visitor={"is_asked"})
def rated(talk: Talk) -> Iterator[None]:
    talk.message()
    chats.request_rating(**talk.ids)
    yield
    chats.rate_chat(**talk.ids, value=5)


@drives(widget.post_message, visitor={"messages"})
def posted_by_another_tab(talk: Talk) -> Iterator[None]:
    yield
    widget.post_message(contact=talk.ivan, client_id=uuid.uuid4(), type_="text", body="Hello")


@drives(widget.post_from_socket, visitor={"chat_id", "messages"}, has_chat=False)
def begun_by_another_socket(talk: Talk) -> Iterator[None]:
    yield
    message = {"client_id": uuid.uuid4(), "type_": "text", "body": "Hello"}
    widget.post_from_socket(session_id=talk.session.pk, address="127.0.0.1", **message)


@drives(widget.see_messages, visitor=set())
def seen_by_the_visitor(talk: Talk) -> Iterator[None]:
    answer = talk.message(talk.olga)
    yield
    widget.see_messages(contact=talk.ivan, message_id=answer.pk)


@drives(widget.rate_chat, visitor={"is_asked"})
def rated_by_another_tab(talk: Talk) -> Iterator[None]:
    talk.message()
    chats.request_rating(**talk.ids)
    yield
    widget.rate_chat(contact=talk.ivan, value=5, comment="")


@drives(chats.decline_rating, visitor={"is_asked"})
def not_rated(talk: Talk) -> Iterator[None]:
    talk.message()
    chats.request_rating(**talk.ids)
    yield
    chats.decline_rating(**talk.ids)


@drives(widget.decline_rating, visitor={"is_asked"})
def not_rated_in_another_tab(talk: Talk) -> Iterator[None]:
    talk.message()
    chats.request_rating(**talk.ids)
    yield
    widget.decline_rating(contact=talk.ivan)


@drives(widget.revoke_visitor, visitor={"is_open"})
def revoked(talk: Talk) -> Iterator[None]:
    yield
    widget.revoke_visitor(session=talk.session)


# No socket shows what these change, or what calls them is driven; typing, which is shown, is kept by nobody.
NEVER_IN_A_SNAPSHOT = {
    widget.note_told,
    chats.create_contact,
    chats.save_contact,
    chats.set_contact_fields,
    chats.record_contact_change,
    chats.record_mark,
    chats.store_file,
    chats.fetch_file,
    chats.leave_contacts,  # as `left_a_message`, without one
    chats.edit_client_message,  # in a messenger's chat, which no widget shows
    chats.delete_client_message,
    chats.edit_message,  # frames of their own, in `test_operator_socket.py`
    chats.delete_message,
    chats.copy_of_contact,
    chats.erase_contact,  # nothing is left to look at
    sessions.require_identity,
    sessions.require_unblocked,
    chats.sweep_unsent_files,
    chats.keep_tallies,
    chats.tell_operators_of_typing,
    chats.tell_visitor_of_typing,
    chats.block_contact,  # as a block of the console, whose rows are driven
    chats.queue_deliveries,  # as a delivery that goes on
    chats.forget_deliveries,
    widget.upload_file,
    widget.tell_typing,
    sessions.rate_answer,  # the card tells it, which a snapshot leaves out
    widget.end_session,  # as `revoke_visitor`
    widget.note_use,
    sessions.open_letter_session,  # a session as `open_session` makes it
    agents.store_avatar,  # as `remove_avatar`
    agents.make_owner,
    agents.dismiss,  # as `suspend_agent`
    agents.create_machine,
    agents.bind_assistant,
    agents.set_machine_status,
    agents.record_event,
    agents.events_cte,
    agents.begin_presence,
    agents.end_presence,
    agents.renew_presences,
    agents.expire_presences,
    departments.replace_schedule,
    departments.change_hours,
}
