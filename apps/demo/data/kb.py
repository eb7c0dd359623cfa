"""The demo's knowledge: what a tea shop tells in two languages, and its price list; two rules of the rival's."""

import io
from typing import Any

from django.utils import timezone

from apps.accounts.models import Widget
from apps.core.files import storage
from apps.demo.document import Demo
from apps.kb.actions.documents import replace_document
from apps.kb.models import Rule, Upload
from apps.kb.rules.documents import Chunk
from apps.kb.rules.texts import SourceType
from apps.kb.rules.uploads import UploadState, upload_ref

DOC_ID = "faq"
RULES = {
    "shop": (
        "Доставка по городу стоит 300 рублей, а от 5 000 рублей — бесплатно. Привозим за два часа.",
        "Чай можно вернуть в течение 30 дней, даже вскрытый: привезите его или пришлите фото упаковки.",
        "Улун заваривайте водой 90 °C: 5 г на 150 мл, первая заварка — 20 секунд, всего до семи заварок.",
        "Оплатить можно картой, наличными курьеру или по счёту для организаций.",
        "Магазин работает ежедневно с 9 до 21, заказы на сайте принимаются круглосуточно.",
        "We deliver outside the city for 25 roubles a kilometre, within one day.",
        "A tasting for a company is held on order: tell us three days before.",
        "Every gift box comes with a card; its text may have up to 200 letters.",
        "Subscriptions: a new tea on the first Friday of each month, 20 % cheaper than single packets.",
        "If nobody is at home, the courier calls and waits for 15 minutes.",
    ),
    "rival": ("We sell cacti only.", "Кактусы не доставляем."),
}
NAME = "prices.md"
PRICES = {
    "shop": {
        "Цены › Улун": "Тегуаньинь — 890 рублей за 100 г, Да Хун Пао — 1 250 рублей за 100 г.",
        "Цены › Сенча": "Сенча — 650 рублей за 100 г, от 500 г — 580 рублей.",
        "Цены › Упаковка": "Жестяная банка — 150 рублей, подарочная коробка — 350 рублей.",
    },
    "rival": {"Prices": "A cactus is 500 roubles."},
}


def seed(demo: Demo) -> None:
    """Adds what is not there yet; the document has the ids."""
    for name, widget in demo.rows(Widget).items():
        part = demo.part(widget)
        if name not in RULES:
            part["kb"] = {"rule_ids": [], "source_ref": None, "upload_id": None}
            continue
        part["kb"] = _with_knowledge(widget, name)
        part["path_ids"] |= {"kb_rule": part["kb"]["rule_ids"][0], "kb_upload": part["kb"]["upload_id"]}


def _with_knowledge(widget: Widget, name: str) -> dict[str, Any]:
    by_hand = Rule.objects.for_widget(widget.pk).filter(source__ref=f"manual:{DOC_ID}")
    rule_ids = list(by_hand.order_by("pk").values_list("pk", flat=True))
    if not rule_ids:
        chunks = [Chunk("", content) for content in RULES[name]]
        _written(widget, f"manual:{DOC_ID}", SourceType.MANUAL, DOC_ID, chunks)
        by_hand.update(chunk_index=0)
        rule_ids = list(by_hand.order_by("pk").values_list("pk", flat=True))
    upload = Upload.objects.for_widget(widget.pk).filter(name=NAME).first() or _uploaded(widget, PRICES[name])
    return {"rule_ids": rule_ids, "source_ref": f"manual:{DOC_ID}", "upload_id": upload.pk}


def _uploaded(widget: Widget, prices: dict[str, str]) -> Upload:
    """A document as it is when it has been read."""
    text = "\n\n".join(f"## {title.rpartition(' › ')[2]}\n\n{content}" for title, content in prices.items())
    content = f"# {next(iter(prices)).partition(' › ')[0]}\n\n{text}\n".encode()
    with storage.stored(io.BytesIO(content)) as key:
        upload = Upload.objects.create(
            widget=widget,
            name=NAME,
            size=len(content),
            content_type="text/markdown",
            storage_key=key,
            state=UploadState.READY,
            characters=len(content.decode()),
            finished_at=timezone.now(),
            due_at=None,
        )
        chunks = [Chunk(title, content) for title, content in prices.items()]
        _written(widget, upload_ref(upload.pk), SourceType.UPLOAD, NAME, chunks, upload_id=upload.pk)
    return upload


def _written(
    widget: Widget,
    source_ref: str,
    source_type: SourceType,
    doc_id: str,
    chunks: list[Chunk],
    upload_id: int | None = None,
) -> None:
    replace_document(
        widget_id=widget.pk,
        source_ref=source_ref,
        source_type=source_type,
        title=doc_id,
        doc_id=doc_id,
        url=None,
        chunks=chunks,
        upload_id=upload_id,
    )
