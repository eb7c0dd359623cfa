"""The settings of cards in an export of a widget, and the unfinished work of cards before it leaves.

The secret stays, and what is kept of each chat: the import makes a new secret, which nobody knows until it is replaced;
till then the shop refuses what it is asked.
"""

from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.cards.models import CardAction, CardSettings
from apps.cards.rules.settings import imported_cards_refusal
from apps.egress.allowlist import configured_allow_list
from apps.egress.errors import InvalidUrl
from apps.egress.targets import parse_target
from apps.webhooks.rules import new_secret


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    yield ExportTable(
        name="card_settings",
        rows=CardSettings.objects.for_widget(widget_id),
        without=("target",),
        made=_complete,
        checks={"url": _url_refusal, "cards": imported_cards_refusal},
    )


def _url_refusal(url: str) -> str | None:
    """Refuses what is no address; its host is looked up when it is called."""
    try:
        parse_target(url, configured_allow_list())
    except InvalidUrl as error:
        return str(error)
    return None


def _complete(made: list[tuple[Any, dict[str, Any]]], _: int) -> None:
    for settings, _row in made:
        settings.target = parse_target(settings.url, configured_allow_list()).url
        settings.secret = new_secret()


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    return {"buttons of cards": CardAction.objects.for_widget(widget_id).filter(due_at__isnull=False).count()}


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
