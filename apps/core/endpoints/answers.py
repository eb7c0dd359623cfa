"""How answers are written: JSON, and the problem for anything that was raised on the way."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from django.db import IntegrityError, connection
from django.http import Http404, HttpRequest, HttpResponse
from psycopg.errors import ForeignKeyViolation

from apps.core import database
from apps.core.errors import INTERNAL_ERROR, NOT_FOUND, OUTBOUND_BUSY, TRY_AGAIN
from apps.core.problems import Problem, problem_response
from apps.egress.bulkhead import RETRY_AFTER_S, BulkheadFull

logger = logging.getLogger(__name__)

JSON = "application/json"
_DUMP_OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NAIVE_UTC


def dump_json(value: Any) -> bytes:
    """JSON as every answer is written: datetimes in UTC end in `Z`."""
    return orjson.dumps(value, option=_DUMP_OPTIONS)


def refusal(
    error: Exception, request: HttpRequest, members: Callable[[Problem], Mapping[str, Any]] | None = None
) -> HttpResponse:
    """The problem answer for anything that was raised on the way; what was not meant is logged and answered 500.

    `members` are what the problem says besides.
    """
    if isinstance(error, Problem):
        problem = error
    elif isinstance(error, Http404):
        problem = NOT_FOUND()
    elif isinstance(error, BulkheadFull):
        problem = OUTBOUND_BUSY(headers={"Retry-After": str(RETRY_AFTER_S)})
    elif database.is_unavailable(error):
        logger.warning("database unavailable: %s", error)
        problem = TRY_AGAIN(headers={"Retry-After": "1"})
        connection.close_if_unusable_or_obsolete()
    elif isinstance(error, IntegrityError) and isinstance(error.__cause__, ForeignKeyViolation):
        # All that a call names is looked up first: this was there then, and has been deleted meanwhile.
        logger.warning("a row went while it was written to: %s", error)
        problem = NOT_FOUND()
    else:
        logger.exception("unhandled error in %s %s", request.method, request.path)
        problem = INTERNAL_ERROR()
    return problem_response(problem, request, members(problem) if members else {})
