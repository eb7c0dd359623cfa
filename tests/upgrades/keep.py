"""`python -m tests.upgrades.keep 1.0`: keeps a dump of the demo's database, made by this code, as that release's.

Run it once for each release, and commit what it makes: `dumps/1.0.sql.xz`, and `dumps/1.0.json` with a token that reads
and what the API answered. A dump goes when its release is 24 months old.
"""

import json
import lzma
import os
import sys
import tempfile
from pathlib import Path

from launcher.servers import EmbeddedServers
from tests.upgrades.installations import Installation

DUMPS = Path(__file__).parent / "dumps"


def main(release: str) -> None:
    with tempfile.TemporaryDirectory(prefix="parley-home-") as folder:
        home = Path(folder)
        home.chmod(0o711)  # PostgreSQL's own user passes
        with EmbeddedServers(home, durable=False) as servers:
            made = Installation(home, servers, {**os.environ, "PARLEY_WITH_DEMO": "1"})
            made.manage("migrate", "--noinput", "--verbosity", "0")
            token = json.loads(made.manage("seed_demo", "--json"))["accounts"][0]["widgets"][0]["tokens"]["all"]
            dump = made.postgres("pg_dump", "--no-owner", "--no-privileges")
            kept = {"token": token, "answers": made.answers(token)}
    (DUMPS / f"{release}.sql.xz").write_bytes(lzma.compress(dump.encode(), preset=9))
    (DUMPS / f"{release}.json").write_text(json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
