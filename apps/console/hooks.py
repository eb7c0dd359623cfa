"""Answers to other apps: the canned replies that macros may name."""

from apps.automations.questions import AutomationHooks
from apps.console.actions.filled_replies import reply_texts

TO_AUTOMATIONS = AutomationHooks(reply_texts=reply_texts)
