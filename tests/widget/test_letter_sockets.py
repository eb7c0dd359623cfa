"""The socket of a letter's link: the part of the chat that it is shown."""

from typing import Any

import pytest

from apps.chats.realtime.reads import ChatState
from apps.widget.consumers import VisitorSocket, VisitorWatch


def test_a_letters_session_is_shown_no_edit_of_an_older_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits that are pushed, and those that a client missed, go through the same look."""
    socket, pushed = VisitorSocket(), []
    monkeypatch.setattr(socket, "push", pushed.append)
    edited: list[dict[str, Any]] = [{"id": 4, "body": "older"}, {"id": 5, "body": "quoted"}]
    for first_id, shown in ((5, ["quoted"]), (0, ["older", "quoted"]), (6, [])):
        pushed.clear()
        socket.first_id = first_id
        VisitorWatch(socket, position=9, state=ChatState()).show_updates(edited)
        assert [word for word in ("older", "quoted") if word in str(pushed)] == shown
