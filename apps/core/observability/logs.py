"""Structured logs: one JSON object a line (a readable line under `make run`), with the request's id and no secrets."""

import contextlib
import logging.config
import re
from collections.abc import Iterator
from typing import Any

import structlog
from structlog.typing import EventDict, WrappedLogger

# Everything that is a secret by its looks: API tokens, visitor tokens, webhook secrets, bearer headers.
_SECRETS = re.compile(r"\b(pt_|vt_|whsec_|cs_)[A-Za-z0-9_-]{8,}|(Bearer|Visitor)\s+[^\s\"']+", re.IGNORECASE)
REDACTED = "[redacted]"


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
    """Django's LOGGING_CONFIG: `{"level": …, "format": "json" or "console"}`."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if options["format"] == "console":
        renderer: list[Any] = [
            structlog.processors.ExceptionPrettyPrinter(),
            structlog.dev.ConsoleRenderer(colors=False),
        ]
    else:
        renderer = [structlog.processors.format_exc_info, _redact_values, structlog.processors.JSONRenderer()]
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "structured": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": shared,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        *([_redact_values] if options["format"] == "console" else []),
                        *renderer,
                    ],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
            "root": {"handlers": ["stderr"], "level": options["level"]},
            "loggers": {
                "django.request": {"level": "ERROR"},
                "urllib3": {"level": "WARNING"},
                "celery.app.trace": {"level": "WARNING"},
                "celery.beat": {"level": "WARNING"},
                "celery.worker.strategy": {"level": "WARNING"},
            },
        }
    )
