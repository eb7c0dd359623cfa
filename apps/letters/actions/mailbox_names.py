"""The names that people read of mailboxes as channels."""

from collections import Counter
from collections.abc import Collection

from django.utils.translation import pgettext

from apps.letters.models import Mailbox
from apps.letters.rules.mailboxes import mailbox_channel


def mailbox_names(widget_ids: Collection[int]) -> dict[str, str]:
    """The names of these widgets' mailboxes by channel: "E-mail", and the mailbox's own where a widget has several.

    `mail` is the name of one that came later.
    """
    rows = Mailbox.objects.unscoped("of the widgets that the reader may see").filter(widget__in=widget_ids)
    found = list(rows.order_by("pk").values_list("pk", "widget_id", "name", "address"))
    of_widget, mail = Counter(widget_id for _, widget_id, *_ in found), pgettext("a channel", "E-mail")
    return {"mail": mail} | {
        mailbox_channel(pk): f"{mail} · {name or address}" if of_widget[widget_id] > 1 else mail
        for pk, widget_id, name, address in found
    }
