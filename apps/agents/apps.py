from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.agents.labels import FIELD_WORDS
from apps.core import plugins

# How long after its presence ran out an operator of a crashed process may still count as online.
EXPIRE_EVERY = timedelta(seconds=5)


class AgentsConfig(plugins.ParleyAppConfig):
    name = "apps.agents"
    label = "agents"
    verbose_name = gettext_lazy("Operators")
    plugin = plugins.Plugin(
        for_everybody=(
            "mail.py",
            "templates/agents/invitation",
        ),
        field_words=FIELD_WORDS,
        scopes=(
            plugins.Scope("agents:read", _("Agents"), _("read agents, presence, invitations and external operators")),
            plugins.Scope(
                "agents:write", _("Agents"), _("invite, update, suspend, restore and remove agents"), sensitive=True
            ),
            plugins.Scope("agents:events:read", _("Agents"), _("read the agents' event log")),
            plugins.Scope("departments:read", _("Agents"), _("read departments")),
            plugins.Scope("departments:write", _("Agents"), _("manage departments")),
        ),
        jobs=(plugins.Job(_("expire presences"), "apps.agents.tasks.expire_presences", EXPIRE_EVERY),),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.agents.models import Agent, Department, Holiday, Invitation, WidgetWeek

        watch(Agent, "widget__account_id", without=("online_since",))
        watch(Holiday, "widget__account_id")
        watch(WidgetWeek, "widget__account_id")
        watch(Invitation, "widget__account_id")
        watch(Department, "widget__account_id", without=("updated_at",), many=("agents",))
