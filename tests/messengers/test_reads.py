"""What becomes of every kind that people send, by messenger: the adapters' tables against recorded payloads, and the
guide's table against the adapters'."""

import os
import sys
from pathlib import Path

import pytest

from apps.accounts.models import Widget
from apps.chats.models import Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.adapters import ADAPTERS
from apps.messengers.rules.kinds import Kind, Outcome
from tests.messengers.payloads import PAYLOADS
from tests.messengers.payloads.recorded import Recorded
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_kinds import let_albums_be_whole

GUIDE = Path("docs/guides/messengers.md")
BEGIN, END = "<!-- kinds: written by tests/messengers/test_reads.py -->", "<!-- kinds end -->"
# Outcomes of which there is nothing to record.
UNRECORDED = (Outcome.NEVER, Outcome.UNCONFIRMED)
# Messengers whose table is not made yet.
TO_COME: set[str] = set()
TOLD = [code for code in ADAPTERS if code not in TO_COME]
RECORDED = [
    pytest.param(code, kind, recorded, id=f"{code}-{kind.name.lower()}-{number}")
    for code in TOLD
    for kind, each in PAYLOADS[code].kinds.items()
    for number, recorded in enumerate(each)
]


@pytest.mark.parametrize("provider", TOLD)
def test_every_kind_has_an_outcome_and_a_payload(provider: str) -> None:
    reads = ADAPTERS[provider].reads
    assert set(reads) == set(Kind)
    assert set(PAYLOADS[provider].kinds) == {kind for kind, outcome in reads.items() if outcome not in UNRECORDED}


@pytest.mark.parametrize(("provider", "kind", "recorded"), RECORDED)
def test_a_payload_becomes_what_the_table_says(
    shop: Widget, vendors: Vendors, provider: str, kind: Kind, recorded: Recorded
) -> None:
    connection = connected(shop, provider)
    assert post(connection, recorded.document).status_code == 200
    work()
    let_albums_be_whole()
    work()
    messages = list(Message.objects.order_by("id"))
    assert [(message.type, message.body) for message in messages] == list(recorded.becomes)
    unknown = [message for message in messages if "unsupported" in (message.details or {})]
    assert bool(unknown) == (ADAPTERS[provider].reads[kind] is Outcome.UNKNOWN)


@pytest.mark.parametrize("provider", TOLD)
def test_what_is_not_confirmed_is_said_where_the_code_is_read(provider: str) -> None:
    adapter = ADAPTERS[provider]
    if Outcome.UNCONFIRMED in adapter.reads.values():
        page = " ".join((sys.modules[type(adapter).__module__].__doc__ or "").split())
        assert "Not confirmed" in page


def table() -> str:
    """The guide's table: a row a kind, a column a messenger."""
    lines = [f"| it came | {' | '.join(f'`{code}`' for code in TOLD)} |", f"|---|{'---|' * len(TOLD)}"]
    lines += [f"| {kind} | {' | '.join(ADAPTERS[code].reads[kind] for code in TOLD)} |" for kind in Kind]
    return "\n".join(lines)


def test_the_guide_has_the_table() -> None:
    text = GUIDE.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    written = f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"
    if os.environ.get("PARLEY_WRITE_DOCS"):
        GUIDE.write_text(written)
    assert text == written
