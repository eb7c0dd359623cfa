"""The web process, for real: uvicorn with the project's application, on the test's database and Redis."""

import sys
from collections.abc import Mapping

from tests.realtime.process import RealtimeProcess, procfile_words


class WebProcess(RealtimeProcess):
    """One process on a port of its own, started by the Procfile's line; `environ` are settings of its own."""

    def __init__(self, **environ: str) -> None:
        # The tests' settings: static files without collectstatic.
        super().__init__(DJANGO_SETTINGS_MODULE="tests.settings", WEB_WORKERS="1", **environ)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _command(self, environ: Mapping[str, str]) -> list[str]:
        words = procfile_words("web", {**environ, "PORT": str(self.port)})
        assert words[:3] == ["python", "-m", "config.serving"], words
        return [sys.executable, *words[1:]]
