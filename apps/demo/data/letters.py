"""The demo's mailbox: letters to it become chats. Nothing reads it by IMAP: a trial's page writes to it."""

from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.accounts.rules import digest
from apps.demo.document import Demo
from apps.letters.actions.mailboxes import hook_url
from apps.letters.models import Mailbox

ADDRESS, WIDGET = "support@flowers.example", "shop"


def seed(demo: Demo) -> None:
    """Adds the mailbox if it is not there yet; the document has it at its widget, and null at the others."""
    for name, widget in demo.rows(Widget).items():
        mailbox = _mailbox(widget) if name == WIDGET else None
        demo.part(widget)["mailbox"] = mailbox and {
            "id": mailbox.pk,
            "channel": mailbox.channel,
            "address": mailbox.address,
            "hook_url": hook_url(mailbox),
        }


def _mailbox(widget: Widget) -> Mailbox:
    key = f"{'demo-' + WIDGET + '-mailbox':x<43}"
    made, _ = Mailbox.objects.for_widget(widget.pk).get_or_create(
        address=ADDRESS,
        defaults={
            "widget": widget,
            "name": "Leaf & Kettle",
            "hook_key": key,
            "digest": digest(key),
            "proved_at": Now(),
        },
    )
    return made
