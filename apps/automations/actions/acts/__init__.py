"""The acts of automations and macros, a function each (`rules/acts.py` has the members of each)."""

from collections.abc import Callable, Mapping

from apps.automations.actions.acts import chat_acts, contact_acts, notices, words
from apps.automations.actions.acts.acting import Acting, Done

ACTING: Mapping[str, Callable[[Acting], Done]] = {
    "assign": chat_acts.assign,
    "unassign": chat_acts.unassign,
    "send_to": chat_acts.send_to,
    "priority": chat_acts.priority,
    "snooze": chat_acts.snooze,
    "close": chat_acts.close,
    "tag": contact_acts.tag,
    "untag": contact_acts.untag,
    "attribute": contact_acts.attribute,
    "note": words.note,
    "reply": words.reply,
    "to_ai": chat_acts.to_ai,
    "to_person": chat_acts.to_person,
    "ask_rating": chat_acts.ask_rating,
    "notify": notices.notify,
    "webhook": notices.webhook,
}
