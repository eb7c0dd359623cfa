"""A database of each release that is kept is brought up in one step, and its customers' systems notice nothing."""

import json
import lzma
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from launcher.servers import EmbeddedServers
from tests.upgrades.installations import Installation
from tests.upgrades.keep import DUMPS

RELEASES = sorted(path.stem for path in DUMPS.glob("*.json"))

# What a schema is, wherever its columns stand: tables, columns, indexes, constraints, functions, triggers.
SCHEMA = """
SELECT 'column', table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' '
                 || coalesce(regexp_replace(column_default, '^nextval.*', ''), '') || ' ' || is_generated
  FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT 'index', indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
UNION ALL SELECT 'trigger', pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'function', p.oid::regprocedure || ' ' || md5(prosrc) FROM pg_proc p
  WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
"""


# A schema that was dumped and restored says the same with other casts and brackets.
SAYS_NOTHING = re.compile(r"::(text|character varying)(\(\d+\))?(\[\])?|[()\s]")


def schema_of(installation: Installation) -> set[str]:
    said = installation.postgres("psql", "--quiet", "--tuples-only", "--no-align", given=f"COPY ({SCHEMA}) TO STDOUT")
    return {SAYS_NOTHING.sub("", line) for line in said.splitlines()}


def schema_of_this_code() -> set[str]:
    with connection.cursor() as cursor, cursor.copy(f"COPY ({SCHEMA}) TO STDOUT") as copied:
        said = b"".join(bytes(part) for part in copied).decode()
    return {SAYS_NOTHING.sub("", line) for line in said.splitlines()}


def missing(before: Any, after: Any, path: str = "") -> list[str]:
    """What was answered and is not any more. More may be: additions stay within the version of the API."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [each for name, value in before.items() for each in missing(value, after.get(name), f"{path}/{name}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [each for place, (one, two) in pairs for each in missing(one, two, f"{path}/{place}")]
    return [] if before == after or path.endswith("url") else [f"{path}: {before!r}, now {after!r}"]


@pytest.fixture
def restored(request: pytest.FixtureRequest, home: Path, own_servers: EmbeddedServers, outside: dict[str, str]) -> Any:
    """The installation of a release, as its dump has it."""
    installation = Installation(home, own_servers, outside)
    installation.postgres(
        "psql",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        given=lzma.decompress((DUMPS / f"{request.param}.sql.xz").read_bytes()).decode(),
    )
    return installation, json.loads((DUMPS / f"{request.param}.json").read_text())


def test_a_dump_is_kept() -> None:
    assert RELEASES


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("restored", RELEASES, indirect=True)
def test_one_step_leads_from_a_release_to_this_code(restored: tuple[Installation, dict[str, Any]]) -> None:
    installation, kept = restored
    installation.manage("migrate", "--noinput", "--verbosity", "0")
    assert schema_of(installation) == schema_of_this_code()
    assert missing(kept["answers"], installation.answers(kept["token"])) == []
    assert len(kept["answers"]) > 6


class TestMissing:
    def test_what_is_added_is_nothing_missing(self) -> None:
        assert missing({"a": [1]}, {"a": [1], "b": 2}) == []

    def test_a_field_a_value_and_a_row_that_are_gone(self) -> None:
        assert missing({"a": 1}, {}) == ["/a: 1, now None"]
        assert missing({"a": {"b": 1}}, {"a": {"b": 2}}) == ["/a/b: 1, now 2"]
        assert missing([1, 2], [1]) == [": [1, 2], now [1]"]
