"""The cabinet's page of blocked visitors."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import MenuPlace
from apps.cabinet.tenant_admin import AccessLevel
from apps.chats.actions import lift_block
from apps.chats.cabinet.conversations import CONVERSATIONS, NamedContactsAdmin, person
from apps.chats.models import Block


@admin.register(Block)
class BlockAdmin(NamedContactsAdmin):
    """The page of blocks: the contact or network, the operator, the reason and the end; a block can be read and
    lifted.
    """

    menu = MenuPlace(CONVERSATIONS, 30, _("Blocked visitors"))
    purpose = _("Visitors and addresses that may not write. They are blocked in the console.")
    account_path = "widget__account_id"
    may_delete = AccessLevel.ACCOUNT
    titles = (_("blocked visitor"), _("blocked visitors"))
    labels = {
        "widget": _("widget"),
        "contact": _("contact"),
        "network": _("network"),
        "reason": _("reason"),
        "agent": _("operator"),
        "created_at": _("created"),
        "until": _("until"),
    }
    list_display = ("who", "reason", "agent", "created_at", "ends", "widget")
    list_filter = ("widget",)
    list_select_related = ("widget", "contact", "agent")
    ordering = ("-created_at", "-id")
    actions = ("lift",)
    fields = ("widget", "who", "reason", "agent", "created_at", "ends")
    readonly_fields = ("who", "ends")

    @admin.display(description=_("blocked visitor"))
    def who(self, block: Block) -> str:
        return person(block.contact, block) if block.contact else block.network

    @admin.display(description=_("until"), ordering="until")
    def ends(self, block: Block) -> str:
        if block.until is None:
            return gettext("until it is lifted")
        shown = date_format(localtime(block.until), "DATETIME_FORMAT")
        return shown if block.until > timezone.now() else gettext("ended %(at)s") % {"at": shown}

    @admin.action(description=_("Lift"), permissions=["delete"])
    def lift(self, request: HttpRequest, rows: QuerySet[Block]) -> None:
        for block in rows:
            self.remove(request, block)

    def remove(self, request: HttpRequest, obj: Block) -> None:
        lift_block(widget_id=obj.widget_id, block_id=obj.pk)
