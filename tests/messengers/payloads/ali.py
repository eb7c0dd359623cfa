"""What AliExpress posts."""

from tests.messengers.payloads.recorded import Payloads

PAYLOADS = Payloads(
    text=(
        {"message_id": 7, "chat_id": "c42", "sender": {"id": 42, "name": "Анна Иванова"}, "text": "Привет"},
        "c42",
        "7",
    ),
    nothing=[{"message_id": 7, "chat_id": "c42", "text": "no sender"}],
)
