"""The log of the runs of automations and macros."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.automations.models.automations import Automation
from apps.automations.models.macros import Macro
from apps.automations.querysets import AutomationRunQuerySet
from apps.automations.rules.limits import MAX_EVENT_KEY, MAX_NAME
from apps.automations.rules.runs import RunState
from apps.chats.models import Chat
from apps.chats.models.choices import choices


class AutomationRun(models.Model):
    """One run in a chat: of an automation, once for each event (`event_key`), or of a macro by an operator.

    `trigger` is the event or the wait, `why` the conditions as they were judged, `did` the acts with their results, and
    `before` the facts that undoing needs. None of them holds a visitor's words.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    automation = models.ForeignKey(Automation, models.SET_NULL, null=True, related_name="+", db_index=False)
    macro = models.ForeignKey(Macro, models.SET_NULL, null=True, related_name="+", db_index=False)
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, related_name="+", db_index=False)
    name = models.CharField(max_length=MAX_NAME)
    version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(db_default=Now())
    trigger = models.JSONField()
    event_key = models.CharField(max_length=MAX_EVENT_KEY, db_default="", default="")
    client_id = models.UUIDField(null=True)
    why = models.JSONField(db_default=[], default=list)
    did = models.JSONField(db_default=[], default=list)
    before = models.JSONField(db_default=[], default=list)
    state = models.CharField(max_length=8, choices=choices(RunState))
    depth = models.PositiveSmallIntegerField(db_default=0, default=0)
    undone_at = models.DateTimeField(null=True)

    objects = AutomationRunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["automation", "event_key"],
                condition=Q(automation__isnull=False),
                name="automations_run_once",
            ),
            models.UniqueConstraint(
                fields=["chat", "client_id"], condition=Q(client_id__isnull=False), name="automations_macro_once"
            ),
        ]
        indexes = [
            models.Index(fields=["chat", "-id"], name="automations_runs_in_chat"),
            models.Index(fields=["automation", "-id"], name="automations_runs_of"),
            models.Index(fields=["macro"], condition=Q(macro__isnull=False), name="automations_macro_runs"),
            models.Index(fields=["agent"], condition=Q(agent__isnull=False), name="automations_runs_by"),
            models.Index(fields=["widget", "at"], name="automations_runs_old"),
        ]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.name}"
