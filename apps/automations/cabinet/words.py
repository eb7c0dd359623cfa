"""The words for events, fields, comparisons and acts, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.agents.forms import DAY_LABELS
from apps.chats.cabinet.conversations import STATUS_NAMES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# An event as a sentence begins with it.
EVENTS: Mapping[str, StrOrPromise] = {
    "chat.started": _("When a visitor starts a chat"),
    "visitor.wrote": _("When a visitor writes"),
    "person.wrote": _("When an operator answers"),
    "ai.answered": _("When AI answers"),
    "chat.handed_over": _("When AI hands a chat to people"),
    "chat.assigned": _("When a chat gets an operator"),
    "chat.unassigned": _("When a chat loses its operator"),
    "department.changed": _("When a chat goes to another department"),
    "priority.changed": _("When the priority changes"),
    "tag.added": _("When a contact gets a tag"),
    "chat.closed": _("When a chat is closed"),
    "chat.reopened": _("When a closed chat opens again"),
    "chat.rated": _("When a visitor rates a chat"),
    "snooze.ended": _("When a snoozed chat comes back"),
    "sla.warning": _("When an answer time runs out soon"),
    "sla.breached": _("When an answer time is missed"),
}
# A wait, with a time such as "10 minutes".
WAITS: Mapping[str, StrOrPromise] = {
    "visitor_waits": _("When a visitor waits %(time)s"),
    "visitor_silent": _("When a visitor is silent for %(time)s"),
    "unassigned": _("When a chat has no operator for %(time)s"),
    "nothing_happened": _("When nothing happens in a chat for %(time)s"),
}
# The same, where the time is asked for in a field of its own.
WAIT_NAMES: Mapping[str, StrOrPromise] = {
    "visitor_waits": _("When a visitor waits for an answer"),
    "visitor_silent": _("When a visitor is silent after our answer"),
    "unassigned": _("When a waiting chat has no operator"),
    "nothing_happened": _("When nothing happens in a chat"),
}
CLOCKS: Mapping[str, StrOrPromise] = {"open": _("in open hours"), "always": _("round the clock")}

# A field as the subject of a condition.
FIELDS: Mapping[str, StrOrPromise] = {
    "text": pgettext_lazy("of a condition", "the message"),
    "page_url": pgettext_lazy("of a condition", "the address of the page"),
    "contact.name": pgettext_lazy("of a condition", "the visitor's name"),
    "contact.email": pgettext_lazy("of a condition", "the visitor's e-mail"),
    "contact.phone": pgettext_lazy("of a condition", "the visitor's phone"),
    "contact.attributes": pgettext_lazy("of a condition", "the attribute"),
    "handover_reason": pgettext_lazy("of a condition", "the reason why AI handed over"),
    "channel": pgettext_lazy("of a condition", "the channel"),
    "department_id": pgettext_lazy("of a condition", "the department"),
    "agent_id": pgettext_lazy("of a condition", "the operator"),
    "priority": pgettext_lazy("of a condition", "the priority"),
    "status": pgettext_lazy("of a condition", "the chat's state"),
    "handling": pgettext_lazy("of a condition", "the one who answered"),
    "language": pgettext_lazy("of a condition", "the visitor's language"),
    "message_type": pgettext_lazy("of a condition", "the type of the message"),
    "started_by": pgettext_lazy("of a condition", "the one who began the chat"),
    "weekday": pgettext_lazy("of a condition", "the day of the week"),
    "previous.department_id": pgettext_lazy("of a condition", "the former department"),
    "previous.agent_id": pgettext_lazy("of a condition", "the former operator"),
    "previous.priority": pgettext_lazy("of a condition", "the former priority"),
    "previous.status": pgettext_lazy("of a condition", "the chat's former state"),
    "messages": pgettext_lazy("of a condition", "the number of the visitor's messages"),
    "rating": pgettext_lazy("of a condition", "the rating"),
    "waits_minutes": pgettext_lazy("of a condition", "the wait in minutes"),
    "contact.tags": pgettext_lazy("of a condition", "the visitor's tags"),
    "is_open": pgettext_lazy("of a condition", "open hours"),
    "is_staffed": pgettext_lazy("of a condition", "somebody is here"),
    "is_returning": pgettext_lazy("of a condition", "the visitor has been here before"),
    "is_automatic": pgettext_lazy("of a condition", "the message is automatic"),
    "time": pgettext_lazy("of a condition", "the time of day"),
}
# A yes or no as a condition: where it holds, and where it does not.
FLAGS: Mapping[str, tuple[StrOrPromise, StrOrPromise]] = {
    "is_open": (_("it is within open hours"), _("it is outside open hours")),
    "is_staffed": (_("an operator is here"), _("no operator is here")),
    "is_returning": (_("the visitor has been here before"), _("the visitor is new")),
    "is_automatic": (_("the message is automatic"), _("a person wrote")),
}
# A condition with its field and its value.
COMPARED: Mapping[str, StrOrPromise] = {
    "is": _("%(field)s is %(value)s"),
    "is_not": _("%(field)s is not %(value)s"),
    "contains": _("%(field)s contains %(value)s"),
    "not_contains": _("%(field)s does not contain %(value)s"),
    "starts_with": _("%(field)s starts with %(value)s"),
    "has_word": _("%(field)s has the word %(value)s"),
    "is_empty": _("%(field)s is empty"),
    "is_set": _("%(field)s is known"),
    "in": _("%(field)s is one of: %(value)s"),
    "not_in": _("%(field)s is none of: %(value)s"),
    "gt": _("%(field)s is more than %(value)s"),
    "gte": _("%(field)s is at least %(value)s"),
    "lt": _("%(field)s is less than %(value)s"),
    "lte": _("%(field)s is at most %(value)s"),
    "between": _("%(field)s is between %(low)s and %(high)s"),
    "has_any": _("%(field)s have one of: %(value)s"),
    "has_all": _("%(field)s have all of: %(value)s"),
    "has_none": _("%(field)s have none of: %(value)s"),
}
# A comparison alone, to be chosen.
OPS: Mapping[str, StrOrPromise] = {
    "is": pgettext_lazy("a comparison", "is"),
    "is_not": pgettext_lazy("a comparison", "is not"),
    "contains": pgettext_lazy("a comparison", "contains"),
    "not_contains": pgettext_lazy("a comparison", "does not contain"),
    "starts_with": pgettext_lazy("a comparison", "starts with"),
    "has_word": pgettext_lazy("a comparison", "has the word"),
    "is_empty": pgettext_lazy("a comparison", "is empty"),
    "is_set": pgettext_lazy("a comparison", "is known"),
    "in": pgettext_lazy("a comparison", "is one of"),
    "not_in": pgettext_lazy("a comparison", "is none of"),
    "gt": pgettext_lazy("a comparison", "more than"),
    "gte": pgettext_lazy("a comparison", "at least"),
    "lt": pgettext_lazy("a comparison", "less than"),
    "lte": pgettext_lazy("a comparison", "at most"),
    "between": pgettext_lazy("a comparison", "between"),
    "has_any": pgettext_lazy("a comparison", "one of"),
    "has_all": pgettext_lazy("a comparison", "all of"),
    "has_none": pgettext_lazy("a comparison", "none of"),
}
PRIORITIES: Mapping[str, StrOrPromise] = {
    "low": pgettext_lazy("a priority", "low"),
    "normal": pgettext_lazy("a priority", "normal"),
    "high": pgettext_lazy("a priority", "high"),
    "urgent": pgettext_lazy("a priority", "urgent"),
}
# The same as an act: "urgent", "low priority".
PRIORITY_ACTS: Mapping[str, StrOrPromise] = {
    "low": pgettext_lazy("an act", "low priority"),
    "normal": pgettext_lazy("an act", "normal priority"),
    "high": pgettext_lazy("an act", "high priority"),
    "urgent": pgettext_lazy("an act", "urgent"),
}
_STATUSES: Mapping[str, StrOrPromise] = {status.value: name for status, name in STATUS_NAMES.items()}
# The values of fields that have a few.
VALUES: Mapping[str, Mapping[str, StrOrPromise]] = {
    "priority": PRIORITIES,
    "previous.priority": PRIORITIES,
    "status": _STATUSES,
    "previous.status": _STATUSES,
    "handling": {
        "missed": _("nobody yet"),
        "human": _("a person"),
        "ai": _("AI"),
        "ai_to_human": _("AI, then a person"),
        "human_to_ai": _("a person, then AI"),
    },
    "message_type": {
        "text": pgettext_lazy("a message", "text"),
        "image": pgettext_lazy("a message", "picture"),
        "file": pgettext_lazy("a message", "file"),
        "location": pgettext_lazy("a message", "place"),
        "sticker": pgettext_lazy("a message", "sticker"),
        "keyboard": pgettext_lazy("a message", "link buttons"),
    },
    "started_by": {"visitor": _("the visitor"), "operator": _("an operator")},
    "weekday": DAY_LABELS,
}

# An act, to be chosen.
ACTS: Mapping[str, StrOrPromise] = {
    "notify": _("Tell people"),
    "reply": _("Reply to the visitor"),
    "note": _("Leave a note"),
    "priority": _("Set the priority"),
    "assign": _("Assign to an operator"),
    "unassign": _("Take from its operator"),
    "send_to": _("Send to a department"),
    "tag": _("Add a tag"),
    "untag": _("Remove a tag"),
    "attribute": _("Set an attribute"),
    "snooze": _("Snooze"),
    "close": _("Close the chat"),
    "ask_rating": _("Ask for a rating"),
    "to_ai": _("Hand to AI"),
    "to_person": _("Call a person"),
    "webhook": _("Send an event to your program"),
}
# The people whom an act tells.
WHOM: Mapping[str, StrOrPromise] = {
    "managers": _("the managers"),
    "owner": _("the chat's operator"),
    "department": _("the department"),
}
BY: Mapping[str, StrOrPromise] = {
    "console": pgettext_lazy("a notice", "in the console"),
    "mail": pgettext_lazy("a notice", "by e-mail"),
}

# The result of an act, and why it was skipped.
RESULTS: Mapping[str, StrOrPromise] = {
    "done": pgettext_lazy("an act", "done"),
    "skipped": pgettext_lazy("an act", "skipped"),
    "failed": pgettext_lazy("an act", "failed"),
}
RUN_STATES: Mapping[str, StrOrPromise] = {
    "done": pgettext_lazy("a run", "done"),
    "partly": pgettext_lazy("a run", "done in part"),
    "limit": pgettext_lazy("a run", "stopped: too often"),
}
REASONS: Mapping[str, StrOrPromise] = {
    "already_answered": _("somebody has answered already"),
    "already_so": _("it was so already"),
    "automatic_letter": _("automatic e-mails get no reply"),
    "gone": _("it is no more"),
    "limit": _("too many replies in an hour"),
    "internal": _("a chat between colleagues"),
    "spam": _("the chat is spam"),
    "changed_since": _("changed since by somebody"),
    "cannot": _("cannot be undone"),
    "closed": _("the chat is closed"),
    "missing": _("a value is missing"),
    "refused": _("it was refused"),
}
