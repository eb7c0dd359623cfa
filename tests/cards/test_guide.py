"""The program of the guide runs as it stands: what it answers is shown, and its button is pressed."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.cards.actions.settings import set_cards
from apps.chats.models import Chat, Contact
from launcher.processes import dying_with_me, kill_group, wait_until
from launcher.servers import free_port
from tests.cards.test_buttons import press, tell
from tests.cards.test_reading import look, looked_at
from tests.console.browser import Console
from tests.documentation.blocks import blocks_of

pytestmark = pytest.mark.django_db


def is_open(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def test_the_program_of_the_guide_answers_cards(
    alices_console: Console, shop: Widget, chat: Chat, tmp_path: Path, settings: Settings
) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    (block,) = blocks_of("cards", "python")
    program, port = tmp_path / "cards.py", free_port()
    program.write_text(block.text)
    url, cards = f"http://127.0.0.1:{port}/cards", [{"key": "order", "title": "Order", "ttl_seconds": 0}]
    secret = set_cards(widget_id=shop.pk, url=url, target=url, cards=cards)
    environ = {**os.environ, "CARDS_SECRET": str(secret), "PORT": str(port)}
    running = subprocess.Popen(
        [sys.executable, str(program)], env=environ, start_new_session=True, preexec_fn=dying_with_me(signal.SIGKILL)
    )
    try:
        assert wait_until(lambda: is_open(port), seconds=10)
        assert looked_at(alices_console, chat)["order"]["components"] == []
        Contact.objects.for_widget(shop.pk).filter(pk=chat.contact_id).update(external_id="4711")
        kinds = [component["type"] for component in looked_at(alices_console, chat)["order"]["components"]]
        assert kinds == ["row", "money", "button"]
        press(alices_console, chat)
        tell()
        last = look(alices_console, chat)["order"]["last_action"]
        assert (last["state"], last["message"]) == ("done", "order.cancel A-1001: done")
    finally:
        kill_group(running.pid)
        running.wait()
