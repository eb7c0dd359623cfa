"""One installation's database without its processes: `manage.py`, PostgreSQL's programs, and what its API answers."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from config.environment import PROJECT_ROOT
from launcher.servers import POSTGRES, EmbeddedServers

# What the dumps' secrets are encrypted with. Nobody else uses it.
KEYS = {
    "SECRET_KEY": "kept-dumps-5a0c1f7e93b24d68a7e1f0c4b9d2836e5f7a1c0d",
    "FIELD_ENCRYPTION_KEYS": "a2VwdC1kdW1wcy1rZXB0LWR1bXBzLWtlcHQtZHVtcHM=",
}
# What a customer's system reads: the lists of the release, whose fields later ones may add to.
PATHS = ("/chats?limit=100", "/contacts?limit=100", "/tags", "/webhook-subscriptions", "/departments", "/agents")

_READ = """
import json, sys
from django.test import Client
client, answers = Client(SERVER_NAME="localhost"), {}
paths = list(%(paths)r)
for path in paths:
    answer = client.get("/api/v1" + path, headers={"Authorization": "Bearer %(token)s"})
    answers[path] = {"status": answer.status_code, "body": answer.json()}
    if path.startswith("/chats?"):
        paths += [f"/chats/{chat['id']}/messages?limit=100" for chat in answer.json()["data"]]
print(json.dumps(answers))
"""


class Installation:
    """Of servers that run."""

    def __init__(self, home: Path, servers: EmbeddedServers, environ: dict[str, str]) -> None:
        self.url = servers.database_url
        addresses = {"DATABASE_URL": self.url, "REDIS_URL": servers.redis_url, "PARLEY_HOME": str(home)}
        self._environ = {**environ, **KEYS, **addresses, "PUBLIC_URL": "http://localhost:8000"}

    def manage(self, *arguments: str) -> str:
        """The output of a command that succeeds."""
        return self._run([sys.executable, "manage.py", *arguments])

    def postgres(self, program: str, *arguments: str, given: str = "") -> str:
        """The output of a program of PostgreSQL, about this database."""
        return self._run([str(POSTGRES / "bin" / program), "--dbname", self.url, *arguments], given)

    def answers(self, token: str) -> dict[str, Any]:
        """What the API says to a customer's system, by path."""
        answers: dict[str, Any] = json.loads(
            self.manage("shell", "--no-imports", "-c", _READ % {"paths": PATHS, "token": token})
        )
        return answers

    def _run(self, command: list[str], given: str = "") -> str:
        done = subprocess.run(
            command, cwd=PROJECT_ROOT, env=self._environ, input=given, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
