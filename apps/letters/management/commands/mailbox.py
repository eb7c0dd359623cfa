"""`manage.py mailbox`: a mailbox as a channel of a widget, made, changed, proved, shown or removed.

The installation's administrator vouches for a mailbox that is made here; `--unproved` leaves its proof to a code.
"""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from apps.accounts.models import Widget
from apps.chats.questions import widget_language
from apps.core.problems import Problem
from apps.letters.actions.mailbox_proofs import prove, send_code, vouch
from apps.letters.actions.mailboxes import hook_url, remove_mailbox, save_mailbox, state_of
from apps.letters.models import Mailbox
from apps.letters.rules.addresses import normal
from apps.letters.rules.mailboxes import Ai

# Options, and what they change.
_CHANGES = {
    "name": "name",
    "imap": "imap",
    "smtp": "smtp",
    "department": "department_id",
    "signature": "signature",
    "ai": "ai",
}
_LISTS = {"authserv_id": "authserv_ids", "form_sender": "form_senders"}


class Command(BaseCommand):
    help = "Makes, changes or removes a mailbox of a widget: what comes to its address becomes chats."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--widget", required=True, help="GUID of the widget")
        parser.add_argument("--address", required=True, help="the mailbox's e-mail address")
        parser.add_argument("--name", help="the name that answers carry")
        parser.add_argument("--imap", help="imaps://user:password@host[:port]/INBOX; empty: by hook alone")
        parser.add_argument("--smtp", help="smtps:// or smtp+tls://user:password@host[:port]; empty: EMAIL_URL")
        parser.add_argument("--department", type=int, help="id of the department of its chats")
        parser.add_argument("--signature", help="the text below answers")
        parser.add_argument("--ai", choices=[one.value for one in Ai], help="what AI does in its chats")
        parser.add_argument("--authserv-id", help="servers whose Authentication-Results are believed, with commas")
        parser.add_argument("--form-sender", help="addresses that write for others (a contact form), with commas")
        proof = parser.add_mutually_exclusive_group()
        proof.add_argument("--proved", action="store_true", help="vouch for a mailbox of the cabinet: it is theirs")
        proof.add_argument("--unproved", action="store_true", help="make it without vouching for it")
        proof.add_argument("--send-code", action="store_true", help="mail it a code; made so, it is not vouched for")
        proof.add_argument("--code", help="the code that was mailed to it")
        parser.add_argument("--remove", action="store_true", help="remove the mailbox; its chats stay")
        parser.add_argument("--json", action="store_true", help="print a document for programs")

    def handle(self, **options: Any) -> None:
        widget = _widget(options["widget"])
        changes = {member: options[name] for name, member in _CHANGES.items() if options[name] is not None}
        for name, member in _LISTS.items():
            if options[name] is not None:
                changes[member] = options[name].split(",")
        try:
            if options["remove"]:
                remove_mailbox(widget_id=widget.pk, address=options["address"])
                self.stdout.write(json.dumps({"removed": options["address"]}) if options["json"] else "Removed.")
                return
            known = Mailbox.objects.for_widget(widget.pk).filter(address=normal(options["address"])).exists()
            mailbox = save_mailbox(widget_id=widget.pk, address=options["address"], changes=changes)
            _prove(mailbox, is_new=not known, options=options)
        except Problem as refused:
            raise CommandError(json.dumps(refused.errors) if refused.errors else str(refused)) from None
        state, problem = state_of(mailbox)
        document = {
            "id": mailbox.pk,
            "channel": mailbox.channel,
            "address": mailbox.address,
            "hook_url": hook_url(mailbox),
            "proved": mailbox.proved_at is not None,
            "state": state,
            "problem": problem or None,
        }
        if options["json"]:
            self.stdout.write(json.dumps(document))
        else:
            self.stdout.write("\n".join(f"{name}: {value}" for name, value in document.items()))


def _prove(mailbox: Mailbox, *, is_new: bool, options: dict[str, Any]) -> None:
    if options["send_code"]:
        send_code(mailbox, language=widget_language(mailbox.widget_id))
    elif options["code"]:
        prove(mailbox, options["code"])
        mailbox.refresh_from_db()
    elif options["proved"] or (is_new and not options["unproved"]):
        vouch(mailbox)


def _widget(guid: str) -> Widget:
    try:
        return Widget.objects.get(guid=guid)
    except Widget.DoesNotExist:
        raise CommandError("There is no such widget.") from None
