"""A mailbox as a channel is called e-mail, with its own name where the widget has several."""

import pytest
from django.test import Client
from django.utils import translation

from apps.accounts.models import Widget
from apps.chats.models import Contact
from apps.chats.questions import channel_names
from apps.letters.actions.mailboxes import save_mailbox
from apps.letters.rules.mailboxes import mailbox_channel
from tests.cast import Rival
from tests.factories.chats import ChatFactory

pytestmark = pytest.mark.django_db
RUSSIAN = {"Accept-Language": "ru"}


def test_one_mailbox_is_called_e_mail_and_several_by_their_names_too(shop: Widget, rival: Rival) -> None:
    """It was `Mail__2`, in the console's list, head and filters, and in the cabinet's chats."""
    orders = save_mailbox(widget_id=shop.pk, address="orders@shop.test", changes={})
    save_mailbox(widget_id=rival.widget.pk, address="hello@rival.test", changes={})
    with translation.override("ru"):
        assert channel_names([shop.pk]) == {"mail": "Почта", mailbox_channel(orders.pk): "Почта"}
        help_desk = save_mailbox(widget_id=shop.pk, address="help@shop.test", changes={"name": "Помощь"})
        assert channel_names([shop.pk]) == {
            "mail": "Почта",
            mailbox_channel(orders.pk): "Почта · orders@shop.test",
            mailbox_channel(help_desk.pk): "Почта · Помощь",
        }


def test_the_cabinet_calls_a_mailboxes_chat_by_name(cabinet: Client, shop: Widget, ivan: Contact) -> None:
    orders = save_mailbox(widget_id=shop.pk, address="orders@shop.test", changes={})
    chat = ChatFactory.create(contact=ivan, channel=mailbox_channel(orders.pk))
    for path in ("/admin/chats/chat/", f"/admin/chats/chat/{chat.pk}/change/"):
        shown = cabinet.get(path, headers=RUSSIAN).content.decode()
        assert "Почта" in shown.split('id="content"')[-1], path
        assert "ail__" not in shown, path
