"""Structured logs: one JSON object a line (a readable line under `make run`), with the request's id and no secrets."""

import contextlib
import logging.config
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import orjson
import structlog
from structlog.typing import EventDict, WrappedLogger

# Everything that is a secret by its looks: API and visitor tokens, secrets of webhooks and channels, invitations,
# bearer headers; and by its place: what stands in the path of a compat route. Behind a letter, a digit or an underscore
# a prefix may be the end of a word (`prompt_…`, `metrics_…`): what follows is then a secret if it is as long as one can
# be and has a capital letter or a digit soon. How far is looked for that is bounded, so that no text is slow.
_SECRETS = re.compile(
    r"""
      \b(?:pt_|vt_|whsec_|cs_|inv_)[a-z0-9_-]{8,}
    | (?-i:(?:pt_|vt_|whsec_|cs_|inv_)(?=[a-z_-]{0,48}[A-Z0-9])[A-Za-z0-9_-]{32,})
    | (?:Bearer|Visitor)\s+[^\s"']+
    | (?<=/compat/legacy/bot/)[^/?\#\s"']+
    | (?<=/compat/legacy/chat/)[^/?\#\s"']+
    | /hooks/[a-z]{2,5}/[^/?\#\s"']+
    | (?<=/bot)[0-9]{3,20}:[A-Za-z0-9_-]{20,}
    """,
    re.IGNORECASE | re.VERBOSE,
)
REDACTED = "[redacted]"

access_logger = logging.getLogger("access")


@contextlib.contextmanager
def request_context(request_id: str) -> Iterator[None]:
    """Every line logged inside carries the request's id."""
    structlog.contextvars.bind_contextvars(request_id=request_id)
    try:
        yield
    finally:
        structlog.contextvars.clear_contextvars()


def redact(text: str) -> str:
    """The text with anything that looks like a secret replaced."""
    return _SECRETS.sub(REDACTED, text)


def _redact_values(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    return {name: redact(value) if isinstance(value, str) else value for name, value in event.items()}


def configure(options: dict[str, Any]) -> None:
    """Django's LOGGING_CONFIG: `{"level": …, "format": "json" or "console", "access_log": …}`.

    Lines for people have no time: `make run`, systemd and Docker put theirs in front.
    """
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": _for_people() if options["format"] == "console" else _as_json(),
            "handlers": {
                "stderr": {"class": "logging.StreamHandler", "formatter": "structured"},
                "access": {"class": "logging.StreamHandler", "formatter": "access"},
            },
            "root": {"handlers": ["stderr"], "level": options["level"]},
            "loggers": {
                "access": {
                    "handlers": ["access"],
                    "level": "INFO" if options["access_log"] else "CRITICAL",
                    "propagate": False,
                },
                "django.request": {"level": "ERROR"},
                # The server has configured its own lines by now, for people. Of what is no request it would warn.
                "uvicorn": {"level": "ERROR", "propagate": True},
                # Anybody can send a foreign Host: the access log has its line, of status 400, and that is enough.
                "django.security.DisallowedHost": {"level": "CRITICAL"},
                "urllib3": {"level": "WARNING"},
                # At DEBUG they write down what they sign, and signed addresses.
                "botocore": {"level": "WARNING"},
                "s3transfer": {"level": "WARNING"},
                "celery.app.trace": {"level": "WARNING"},
                "celery.beat": {"level": "WARNING"},
                "celery.worker.strategy": {"level": "WARNING"},
            },
        }
    )


_FIELDS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
]


def _for_people() -> dict[str, Any]:
    """The formatters of lines without a time: that of the access log is Python's own."""
    renderers = [structlog.processors.ExceptionPrettyPrinter(), structlog.dev.ConsoleRenderer(colors=False)]
    return {"structured": _structured(_FIELDS, [_redact_values, *renderers]), "access": {}}


def _as_json() -> dict[str, Any]:
    renderers = [structlog.processors.format_exc_info, _redact_values, structlog.processors.JSONRenderer()]
    timed = [*_FIELDS, structlog.processors.TimeStamper(fmt="iso", utc=True)]
    return {
        "structured": _structured(timed, renderers),
        "access": {"()": "apps.core.observability.logs.AccessFormatter"},
    }


def _structured(fields: list[Any], renderers: list[Any]) -> dict[str, Any]:
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": fields,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
    }


def write_access(*, method: str | None, route: str | None, status: int, seconds: float, request_id: str) -> None:
    """Writes a request's line of the access log, by which its id is found: no address, query string, body or caller.

    `route` is the path's template; None where no route was found, or a file was sent.

    `seconds` is until the answer could be sent; a streamed one may still be being made.
    """
    access_logger.info("%s %s %d %.1f ms %s", method, route or "-", status, seconds * 1000, request_id)


class AccessFormatter(logging.Formatter):
    """A line as one JSON object, with the members that other lines have too.

    It takes 10 µs of CPU; the formatter of the other lines takes 30.
    """

    def format(self, record: logging.LogRecord) -> str:
        method, route, status, milliseconds, request_id = record.args  # type: ignore[misc]
        line = {
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z"),
            "level": "info",
            "logger": record.name,
            "event": "request",
            "method": method,
            "route": None if route == "-" else route,
            "status": status,
            "ms": round(float(milliseconds), 1),  # type: ignore[arg-type]
            "request_id": request_id,
        }
        return orjson.dumps(line).decode()
