"""The demo's widget settings: seven languages; the first widget has texts, a colour and an icon of its own.

Each widget has an invitation to chat, which is paused, and questions before a chat, which are off.
"""

from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

from apps.accounts.models import Widget
from apps.chats.rules.languages import LANGUAGES
from apps.core.files import storage
from apps.demo.document import Demo
from apps.widget.models import ChatInvitation, Icon, QuestionSet, WidgetSettings

IDENTITY_SECRET = "parley-demo-identity-secret-which-is-public-000x"  # noqa: S105 - public on purpose
_SIDE = 96

EVERYWHERE: dict[str, Any] = {"widget_supported_languages": ["en", *(each for each in LANGUAGES if each != "en")]}
SHOP: dict[str, Any] = {
    "widget_name": "Leaf & Kettle",
    "widget_signature": "Tea and plants, answered by people",
    "widget_greeting": "Hello! Ask us anything about tea, pots or plants.",
    "widget_accent_color": "#2f6b3c",
    "widget_text_translations": {
        "ru": {
            "widget_signature": "Чай и растения, отвечают люди",
            "widget_greeting": "Здравствуйте! Спросите нас о чае, посуде и растениях.",
        },
        "de": {
            "widget_signature": "Tee und Pflanzen, hier antworten Menschen",
            "widget_greeting": "Hallo! Fragen Sie uns alles zu Tee, Kannen und Pflanzen.",
        },
    },
}
INVITATION: dict[str, Any] = {
    "state": "paused",
    "texts": {"en": "Shall we help you to choose a tea?", "ru": "Помочь выбрать чай?"},
    "buttons": [{"en": "Yes, please", "ru": "Да, помогите"}],
    "rule": {"page": ["/tea*"], "seconds": 30, "answering": "anyone"},
    "goal": {"event": "ordered", "hours": 72},
}
QUESTIONS: list[dict[str, Any]] = [
    {
        "key": "topic",
        "kind": "choice",
        "label": {"en": "What is it about?", "ru": "О чём речь?"},
        "help": None,
        "required": True,
        "when": None,
        "options": [
            {"value": "order", "label": {"en": "An order", "ru": "Заказ"}},
            {"value": "advice", "label": {"en": "Advice", "ru": "Совет"}},
        ],
        "ask_again_days": 0,
    },
    {
        "key": "order",
        "kind": "text",
        "label": {"en": "Number of the order", "ru": "Номер заказа"},
        "help": None,
        "required": False,
        "when": {"topic": ["order"]},
        "options": [],
        "ask_again_days": 0,
    },
]


def seed(demo: Demo) -> None:
    """Adds the settings that are not there yet, and the first widget's icon."""
    sets = (QuestionSet(widget=widget, questions=QUESTIONS) for widget in demo.rows(Widget).values())
    QuestionSet.objects.bulk_create(sets, ignore_conflicts=True)
    for name, widget in demo.rows(Widget).items():
        is_first = name == "shop"
        stored = {**EVERYWHERE, **(SHOP if is_first else {})}
        secret = IDENTITY_SECRET if is_first else None
        row, is_new = WidgetSettings.objects.for_widget(widget.pk).get_or_create(
            widget=widget, defaults={"stored": stored, "identity_secret": secret, "updated_at": demo.now}
        )
        if not is_new and not row.stored:  # it was made by the migration, or by something else that locks it
            row.stored, row.legacy, row.identity_secret, row.updated_at = stored, False, secret, demo.now
            row.save(update_fields=["stored", "legacy", "identity_secret", "updated_at"])
        icon = _icon(widget) if is_first else None
        part = demo.part(widget)
        part["widget_settings"] = {"icon": icon and str(icon), "identity_secret": secret}
        invitation = _invitation(demo, widget)
        part.setdefault("first_word", {})["invitation_id"] = part["path_ids"]["chat_invitation"] = invitation.pk


def _invitation(demo: Demo, widget: Widget) -> ChatInvitation:
    """An invitation that no visitor meets: it is paused."""
    invitation, _ = demo.find_or_create(
        f"{widget.guid} invitation",
        ChatInvitation.objects.for_widget(widget.pk),
        INVITATION,
        widget=widget,
        name="Hesitates over tea",
    )
    return invitation


def _icon(widget: Widget) -> Icon:
    """A leaf, which no setting names."""
    icon = Icon.objects.for_widget(widget.pk).order_by("pk").first()
    if icon is not None:
        return icon
    picture = Image.new("RGBA", (_SIDE, _SIDE))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((16, 16, 80, 80), fill="#2f6b3c")
    draw.line((24, 72, 68, 28), fill="#ffffff", width=6)
    made = BytesIO()
    picture.save(made, "PNG")
    content = made.getvalue()
    with storage.stored(BytesIO(content)) as key:
        return Icon.objects.create(
            widget=widget,
            key=key,
            content_type="image/png",
            animated=False,
            width=_SIDE,
            height=_SIDE,
            size=len(content),
        )
