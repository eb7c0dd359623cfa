"""A played shop: what its own system shows operators beside a chat, and what its buttons do."""

from typing import Any


def answer_to(event: dict[str, Any]) -> dict[str, Any]:
    """The answer to `cards.requested` and `cards.action`: an order of whoever is proved, else what anybody may see."""
    data = event["data"]
    keys = data.get("keys") or [data["key"]]
    answer: dict[str, Any] = {"cards": [{"key": key, "components": _order(data["contact"])} for key in keys]}
    if event["type"] == "cards.action":
        answer["message"] = f"Order {data['value']}: the courier is told."
    return answer


def _order(contact: dict[str, Any]) -> list[dict[str, Any]]:
    if not contact["is_proved"]:
        return [
            {"type": "text", "text": "Orders are shown once the visitor has signed in.", "tone": "muted"},
            {"type": "link", "label": "Find an order", "url": "https://flowers.example/orders"},
        ]
    return [
        {"type": "row", "label": "Order", "value": "A-1001", "copy": True},
        {"type": "badge", "text": "on its way", "tone": "good"},
        {"type": "money", "label": "Sum", "amount_minor": 449_000, "currency": "RUB", "minor_unit_scale": 2},
        {
            "type": "button",
            "label": "Call the courier",
            "action": "courier.call",
            "value": "A-1001",
            "confirm": "Call?",
        },
    ]
