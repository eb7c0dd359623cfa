"""Letters by which automations tell operators something (their act `notify`)."""

from django.conf import settings as installation
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.automations.events import NoticeMailWanted
from apps.chats.questions import shown_name, widget_language
from apps.core import mail
from apps.core.errors import RATE_LIMITED
from apps.core.quotas import Quota
from apps.letters.mail import notice_letter
from apps.letters.models import NoticeSettings
from apps.letters.rules import waking

_ONE_IN_A_WHILE = Quota("letters.notice", 1, waking.NOTICE_AGAIN_AFTER, RATE_LIMITED, per="agent")


def mail_notice(event: NoticeMailWanted) -> None:
    """Queues a letter to each operator who is named, outside their quiet hours: at most one in ten minutes each.

    In the transaction of what happened.
    """
    widget = Widget.objects.get(pk=event.widget_id)
    if widget.moving_since is not None:
        return
    people = Agent.objects.for_widget(widget.pk).people().filter(pk__in=event.agent_ids).select_related("user")
    quiet = dict(NoticeSettings.objects.for_widget(widget.pk).filter(pk__in=event.agent_ids).values_list("pk", "quiet"))
    now = timezone.now()
    for agent in people.order_by("pk"):
        zone = waking.zone_of(quiet.get(agent.pk), widget.time_zone)
        to = agent.email or (agent.user.email if agent.user else "")
        if not to or waking.is_quiet(quiet.get(agent.pk), now, zone=zone) or _ONE_IN_A_WHILE.wait_s(agent.pk):
            continue
        _ONE_IN_A_WHILE.spend(agent.pk)
        mail.queue(
            notice_letter(
                to=to,
                language=agent.user.mail_language if agent.user else installation.LANGUAGE_CODE,
                shop=shown_name(widget.pk, widget_language(widget.pk), widget.name),
                automation=event.name,
                text=event.text,
                link=f"{installation.PUBLIC_URL}{reverse('console')}?widget={widget.guid}#/chats/{event.chat_id}",
            )
        )
