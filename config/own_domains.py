"""Hosts that are help centers' own domains: each has the pages of its help center, and nothing of the installation's.

Below such a host stand the help center, its widget's calls (`/widget/<guid>/…`), static files and files; every other
address is one of the help center's, and 404 there. All other hosts go on as they came.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.http.request import split_domain_port

from apps.articles.actions.domains import is_of_installation
from apps.articles.querysets.pages import help_host
from apps.articles.rules.addresses import HELP_PATH
from apps.articles.sites import AT_DOMAIN
from apps.core import database

logger = logging.getLogger(__name__)

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]

SHARED_PATHS = ("/static/", "/files/")


class OwnDomains:
    """Leads requests for a verified domain to its help center, and hands all to the application behind it."""

    def __init__(self, application: Application) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        host = split_domain_port(environ.get("HTTP_HOST", ""))[0]
        if host and not is_of_installation(host) and (found := _help_center(host)):
            _lead(environ, host, *found)
        return self._application(environ, start_response)


def _help_center(host: str) -> tuple[str, str] | None:
    """The slug and the widget's guid of a domain's help center; None while the database is away, too."""
    try:
        return help_host(host)
    except Exception as error:
        if not database.is_unavailable(error):
            raise
        logger.warning("database unavailable: %s", error)
        connection.close_if_unusable_or_obsolete()
        return None


def _lead(environ: dict[str, Any], host: str, slug: str, guid: str) -> None:
    """Changes the environ in place: a call whose body is awaited is run again in the same one."""
    path = environ.get("PATH_INFO", "")
    environ["HTTP_HOST"] = urlsplit(settings.PUBLIC_URL).netloc
    if not path.startswith((*SHARED_PATHS, f"/widget/{guid}/")):
        environ["PATH_INFO"] = f"{HELP_PATH}{slug}{path or '/'}"
        environ[AT_DOMAIN] = host
